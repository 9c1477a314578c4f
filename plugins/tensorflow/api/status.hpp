#pragma once

#include <functional>
#include <new>
#include <type_traits>

#include "api/functions.hpp"
#include "ocldnn/error.hpp"

namespace ocldnn::tf {

TF_Code code_of(Code code);

/// An error with one of TensorFlow's own codes: what its C API reported, or a kind the library has no word for
/// (FAILED_PRECONDITION, NOT_FOUND, OUT_OF_RANGE).
class StatusError : public Error {
 public:
  StatusError(TF_Code code, const std::string& message) : Error(Code::internal, message), status_(code) {}
  TF_Code status() const noexcept { return status_; }

 private:
  TF_Code status_;
};

/// A TF_Status of our own.
class Status {
 public:
  Status() : handle_(tf.NewStatus()) {}
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status() { tf.DeleteStatus(handle_); }
  TF_Status* get() const { return handle_; }
  void raise() const {
    if (tf.GetCode(handle_) != TF_OK) throw StatusError(tf.GetCode(handle_), tf.Message(handle_));
  }

  /// Calls a function of TensorFlow whose last parameter is a TF_Status*, and throws what it says.
  template <class F, class... A>
  auto check(const F& function, A... arguments) const {
    if constexpr (std::is_void_v<decltype(function(arguments..., handle_))>) {
      function(arguments..., handle_);
      raise();
    } else {
      auto result = function(arguments..., handle_);
      raise();
      return result;
    }
  }

 private:
  TF_Status* handle_;
};

template <class F, class... A>
auto checked(const F& function, A... arguments) {
  return Status().check(function, arguments...);
}

/// The only catch of the plug-in: runs `body` and hands what it throws to `report(code, text)`. Nothing passes a C
/// boundary.
template <class Report, class Body>
void guard(Report&& report, Body&& body) noexcept {
  try {
    body();
  } catch (const StatusError& error) {
    report(error.status(), error.what());
  } catch (const Error& error) {
    report(code_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    report(TF_RESOURCE_EXHAUSTED, "out of host memory");
  } catch (const std::exception& error) {
    report(TF_INTERNAL, error.what());
  } catch (...) {
    report(TF_UNKNOWN, "unknown exception");
  }
}

/// For callbacks that are handed a status.
template <class Body>
void guard_status(TF_Status* status, Body&& body) noexcept {
  tf.SetStatus(status, TF_OK, "");
  guard([&](TF_Code code, const char* text) { tf.SetStatus(status, code, text); }, body);
}

}  // namespace ocldnn::tf
