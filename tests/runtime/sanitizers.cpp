// What sanitizers are to overlook: the drivers' own faults, never ours. Read by them where they are linked in.

// Sanitizers are shared libraries: they find only what the program shows.
#pragma GCC visibility push(default)
extern "C" {

const char* __lsan_default_suppressions() {
  return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libintelocl\nleak:libtbb\n";
}

const char* __tsan_default_suppressions() {
  return "race:libpocl\nrace:libLLVM\nrace:libclang\nrace:libintelocl\nrace:libtbb\n"
         "called_from_lib:libpocl.so\ncalled_from_lib:libLLVM-15.so\ncalled_from_lib:libclang-cpp.so\n"
         "called_from_lib:libintelocl.so\ncalled_from_lib:libtbb.so\n";
}

// Drivers compile a kernel to code that no sanitizer has seen.
const char* __tsan_default_options() { return "ignore_noninstrumented_modules=1"; }

}  // extern "C"
#pragma GCC visibility pop
