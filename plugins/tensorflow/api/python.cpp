#include "api/python.hpp"

#include <dlfcn.h>

#include "ocldnn/log.hpp"

namespace ocldnn::tf {

extern const char* const python_startup;  // made by the build from _startup.py

namespace {

/// The few functions of Python's C API that running a module takes; PyObject* is void* here.
struct Python {
  template <class Signature>
  static Signature* find(const char* name) {
    return reinterpret_cast<Signature*>(dlsym(RTLD_DEFAULT, name));
  }
  int (*is_initialized)() = find<int()>("Py_IsInitialized");
  int (*lock)() = find<int()>("PyGILState_Ensure");
  void (*unlock)(int) = find<void(int)>("PyGILState_Release");
  void* (*compile)(const char*, const char*, int) = find<void*(const char*, const char*, int)>("Py_CompileString");
  void* (*run_module)(const char*, void*) = find<void*(const char*, void*)>("PyImport_ExecCodeModule");
  void* (*call)(void*, const char*, const char*,
                ...) = find<void*(void*, const char*, const char*, ...)>("PyObject_CallMethod");
  long (*as_long)(void*) = find<long(void*)>("PyLong_AsLong");
  void (*drop)(void*) = find<void(void*)>("Py_DecRef");
  void (*print_error)() = find<void()>("PyErr_Print");

  bool usable() const {
    return is_initialized && lock && unlock && compile && run_module && call && as_long && drop && print_error &&
           is_initialized();
  }
};

constexpr int file_input = 257;  // Py_file_input

/// Calls a function of the start-up module that answers with a number. Nothing without Python, or if it raised.
template <class... A>
std::optional<long> call_startup(const char* function, const char* format, A... arguments) noexcept {
  const Python python;
  if (!python.usable()) return std::nullopt;
  int state = python.lock();
  void *code = python.compile(python_startup, "tensorflow_ocldnn/_startup.py", file_input), *module = nullptr,
       *result = nullptr;
  if (code) module = python.run_module("_tensorflow_ocldnn_startup", code);
  if (module) result = python.call(module, function, format, arguments...);
  std::optional<long> answer;
  if (result) answer = python.as_long(result);
  if (!result) python.print_error();  // clears it, too: an import must not fail by ours
  for (void* object : {result, module, code})
    if (object) python.drop(object);
  python.unlock(state);
  return answer;
}

}  // namespace

void run_python_startup(const char* device_type, bool split_updates) noexcept {
  if (!call_startup("install", "si", device_type, static_cast<int>(split_updates)))
    log(Level::debug, "no Python in this process: jit_compile of functions called from outside is not taken off");
}

void turn_off_remapping() noexcept { call_startup("turn_off_remapping", ""); }

std::optional<long> physical_devices(const char* device_type) noexcept {
  return call_startup("physical_devices", "s", device_type);
}

}  // namespace ocldnn::tf
