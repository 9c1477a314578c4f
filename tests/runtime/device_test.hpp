#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ocldnn/device.hpp"
#include "runtime/launch.hpp"

namespace ocldnn::test {

/// The device the tests run on: main.cpp chooses it by OCLDNN_TEST_PLATFORM and prints its name.
Device& device();

/// A kernel whose text stands in the test.
inline KernelId kernel(std::string_view entry, std::string text) {
  KernelId id("cl/types.cl", entry);
  return id.code(text.substr(0, text.find('\n')) + std::to_string(std::hash<std::string>()(text)),
                 [text] { return text; });
}

/// Device memory that is freed with the object.
class Memory {
 public:
  explicit Memory(size_t bytes) : address_(device().allocate(bytes)) {}
  ~Memory() { device().deallocate(address_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return address_; }
  char* at(size_t bytes) const { return static_cast<char*>(address_) + bytes; }

 private:
  void* address_;
};

/// Expects `action` to throw an Error of `code` whose text has all of `parts`.
template <class Action>
void expect_error(Code code, std::vector<std::string> parts, Action action) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(static_cast<int>(e.code()), static_cast<int>(code)) << e.what();
    for (const auto& part : parts)
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what() << "\nlacks: " << part;
  }
}

}  // namespace ocldnn::test
