#pragma once

#include <vector>

#include "api/kernel.hpp"

namespace ocldnn::tf {

/// A type attribute of an op, and the types a kernel takes for it.
struct Constraint {
  const char* attribute;
  Types types;
};

/// What a registration says beside op and kernel.
struct Where {
  Types types = floats;                      // of the attribute "T"; ignored where `constraints` is given
  std::vector<const char*> host = {};        // arguments in host memory, by their names in the op
  std::vector<Constraint> constraints = {};  // every combination is registered
  bool untyped = false;                      // the op has no type attribute
};

/// Hands kernels to TensorFlow. One object exists, made in plugin.cpp, which calls every register_*() with it.
class Registrar {
 public:
  Registrar(const char* device_type, bool has_f64) : device_type_(device_type), has_f64_(has_f64) {}

  /// K's constructor reads the attributes; what it throws becomes the error of the node.
  template <class K>
  void add(const char* op, const Where& where = {}) const {
    add(
        op, [](TF_OpKernelConstruction* c) -> void* { return make(c, [&] { return new K(Attrs(c)); }); }, where);
  }
  /// K's constructor takes row i of `table` as well. The row is a template argument: TensorFlow's functions take no
  /// pointer of ours along.
  template <class K, const auto& table, size_t i>
  void add_row(const char* op, const Where& where = {}) const {
    add(
        op, [](TF_OpKernelConstruction* c) -> void* { return make(c, [&] { return new K(table[i], Attrs(c)); }); },
        where);
  }

 private:
  using Create = void* (*)(TF_OpKernelConstruction*);
  void add(const char* op, Create create, const Where& where) const;

  /// Runs `make_kernel`, which returns a new Kernel; null, and the error told to TensorFlow, if it throws.
  template <class Make>
  static void* make(TF_OpKernelConstruction* construction, Make&& make_kernel) noexcept {
    Kernel* kernel = nullptr;
    guard([&](TF_Code code, const char* text) { refuse(construction, code, text); }, [&] { kernel = make_kernel(); });
    return kernel;
  }

  static void refuse(TF_OpKernelConstruction* construction, TF_Code code, const char* text) noexcept;
  void add_one(const char* op, Create create, const Where& where, std::span<const Type> chosen,
               std::span<const Constraint> constraints) const;

  const char* device_type_;
  bool has_f64_;
};

}  // namespace ocldnn::tf
