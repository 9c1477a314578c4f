// What the process says of itself. This program is not position-independent (see CMakeLists.txt), as some Pythons are.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/system.hpp"

namespace ocldnn {
namespace {

TEST(System, MallocOfLibcIsNotTakenForAnother) {
  if (system::under_sanitizer()) GTEST_SKIP() << "a sanitizer does replace it";
  // A program whose own table holds the function's address answers for it when the process is asked.
  void* (*volatile address)(size_t) = &std::malloc;
  void* (*volatile other)(size_t, size_t) = &std::calloc;
  ASSERT_TRUE(address && other);
  EXPECT_FALSE(system::malloc_is_replaced());
}

}  // namespace
}  // namespace ocldnn
