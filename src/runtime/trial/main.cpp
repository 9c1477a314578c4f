// ocldnn-trial LIBRARY: tries an OpenCL driver and prints what came of it. Run by the library before it opens a driver
// that it has not seen yet, since a broken one may take the process down.

#include <cstdio>

#include "runtime/trial.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto text = ocldnn::try_driver({argv[1], "the command line"}).text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  // Not exit(): some drivers crash when their static objects go.
  _Exit(0);
}
