// Serves a saved model by TensorFlow's C API alone, for test_served.py:
//   serve PLUGIN MODEL INPUT OUTPUT INPUT_FILE OUTPUT_FILE ROWS [MORE DIMENSIONS]
// INPUT and OUTPUT are names of operations in the graph; both files hold float32, the input in the shape given. PLUGIN
// is loaded first, unless it is "-". Prints the session's devices.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"

static TF_Status* status;

static void check(const char* what) {
  if (TF_GetCode(status) == TF_OK) return;
  fprintf(stderr, "%s: %s\n", what, TF_Message(status));
  exit(1);
}

static TF_Output output_of(TF_Graph* graph, const char* name) {
  TF_Output output = {TF_GraphOperationByName(graph, name), 0};
  if (output.oper) return output;
  fprintf(stderr, "the graph has no operation %s\n", name);
  exit(1);
}

static void print_devices(TF_Session* session) {
  TF_DeviceList* devices = TF_SessionListDevices(session, status);
  check("devices");
  for (int i = 0; i < TF_DeviceListCount(devices); ++i) {
    printf("%s\n", TF_DeviceListType(devices, i, status));
    check("device");
  }
  TF_DeleteDeviceList(devices);
}

static TF_Tensor* read_input(const char* path, char** dimensions, int rank) {
  int64_t shape[8], count = 1;
  for (int i = 0; i < rank; ++i) count *= shape[i] = atoll(dimensions[i]);
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, shape, rank, (size_t)count * sizeof(float));
  FILE* file = fopen(path, "rb");
  if (!file || fread(TF_TensorData(tensor), sizeof(float), (size_t)count, file) != (size_t)count) exit(2);
  fclose(file);
  return tensor;
}

static void write_output(const char* path, TF_Tensor* tensor) {
  FILE* file = fopen(path, "wb");
  size_t bytes = TF_TensorByteSize(tensor);
  if (!file || fwrite(TF_TensorData(tensor), 1, bytes, file) != bytes || fclose(file)) exit(2);
}

int main(int count, char** arguments) {
  if (count < 8 || count > 15) return 2;
  status = TF_NewStatus();
  if (strcmp(arguments[1], "-") != 0) {
    TF_LoadPluggableDeviceLibrary(arguments[1], status);
    check("plug-in");
  }
  TF_Graph* graph = TF_NewGraph();
  TF_SessionOptions* options = TF_NewSessionOptions();
  const char* tags[] = {"serve"};
  TF_Session* session = TF_LoadSessionFromSavedModel(options, NULL, arguments[2], tags, 1, graph, NULL, status);
  check("saved model");
  print_devices(session);

  TF_Output input = output_of(graph, arguments[3]), output = output_of(graph, arguments[4]);
  TF_Tensor *x = read_input(arguments[5], arguments + 7, count - 7), *y = NULL;
  TF_SessionRun(session, NULL, &input, &x, 1, &output, &y, 1, NULL, 0, NULL, status);
  check("run");
  write_output(arguments[6], y);

  TF_DeleteTensor(x);
  TF_DeleteTensor(y);
  TF_CloseSession(session, status);
  check("close");
  TF_DeleteSession(session, status);
  TF_DeleteSessionOptions(options);
  TF_DeleteGraph(graph);
  TF_DeleteStatus(status);
  return 0;
}
