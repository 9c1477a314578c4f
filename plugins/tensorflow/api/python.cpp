#include "api/python.hpp"

#include <dlfcn.h>

#include <string>

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
  void* (*call)(void*, const char*, const char*, ...) =
      find<void*(void*, const char*, const char*, ...)>("PyObject_CallMethod");
  void (*drop)(void*) = find<void(void*)>("Py_DecRef");
  void (*print_error)() = find<void()>("PyErr_Print");

  bool usable() const {
    return is_initialized && lock && unlock && compile && run_module && call && drop && print_error && is_initialized();
  }
};

constexpr int file_input = 257;  // Py_file_input

}  // namespace

void run_python_startup(const char* device_type, bool split_updates) noexcept {
  const Python python;
  if (!python.usable()) {
    log(Level::debug, "no Python in this process: jit_compile of functions called from outside is not taken off");
    return;
  }
  int state = python.lock();
  void *code = python.compile(python_startup, "tensorflow_ocldnn/_startup.py", file_input), *module = nullptr,
       *result = nullptr;
  if (code) module = python.run_module("_tensorflow_ocldnn_startup", code);
  if (module) result = python.call(module, "install", "si", device_type, static_cast<int>(split_updates));
  if (!result) python.print_error();  // clears it, too: an import must not fail by ours
  for (void* object : {result, module, code})
    if (object) python.drop(object);
  python.unlock(state);
}

}  // namespace ocldnn::tf
