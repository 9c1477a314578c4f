#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/status.hpp"
#include "api/types.hpp"
#include "ocldnn/device.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn::tf {

/// What a tensor of TensorFlow's holds. Its memory lives as long as the tensor.
View view_of(TF_Tensor* handle);

/// A tensor of TensorFlow's: a dense view that holds on to its memory.
class Tensor : public View {
 public:
  Tensor() = default;
  explicit Tensor(TF_Tensor* handle);  // takes it over
  Tensor(Tensor&& other) noexcept : View(other), handle_(std::exchange(other.handle_, nullptr)) {}
  Tensor& operator=(Tensor&& other) noexcept {
    std::swap(static_cast<View&>(*this), static_cast<View&>(other));
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Tensor() {
    if (handle_) tf.DeleteTensor(handle_);
  }
  TF_Tensor* handle() const { return handle_; }

  /// The elements of a tensor in host memory.
  template <class T>
  std::span<T> host() const {
    return {static_cast<T*>(data), static_cast<size_t>(elements())};
  }

 private:
  TF_Tensor* handle_ = nullptr;
};

/// The attributes of a node, read when its kernel is made. A missing one throws, as TensorFlow words it.
class Attrs {
 public:
  explicit Attrs(TF_OpKernelConstruction* construction) : construction_(construction) {}
  bool has(const char* name) const;
  int64_t integer(const char* name) const;
  double real(const char* name) const;
  bool flag(const char* name) const;
  std::string text(const char* name) const;
  std::optional<Type> type(const char* name) const;  // nothing for a type that no kernel of ours takes
  std::vector<int64_t> integers(const char* name) const;
  std::vector<float> reals(const char* name) const;
  std::string node() const;  // the node's name

 private:
  TF_OpKernelConstruction* construction_;
};

/// One run of a kernel: its inputs, its outputs, the queue it works on.
class Context : private Scratch {
 public:
  explicit Context(TF_OpKernelContext* context) : context_(context) {}
  TF_OpKernelContext* handle() const { return context_; }

  int inputs() const { return tf.NumInputs(context_); }
  int outputs() const { return tf.NumOutputs(context_); }
  Tensor input(int i) const;
  /// The tensors of a list argument ("values").
  std::vector<Tensor> input_list(const char* argument) const;
  /// An int32 or int64 input in host memory as numbers: sizes, axes, paddings.
  std::vector<int64_t> integers(int i) const;
  int64_t integer(int i) const;  // of a tensor with one element
  Shape shape(int i) const;      // negative sizes are refused
  /// A real input in host memory with one element.
  double real(int i) const;

  Type output_type(int i) const;
  Tensor output(int i, const Shape& shape) const;
  /// Output i in the memory of one of the inputs `candidates` if TensorFlow gives it up (shape and type must be equal),
  /// else new memory. Pointwise kernels must offer this: ring collectives depend on it.
  Tensor output(int i, const Shape& shape, std::span<const int> candidates) const;
  Tensor output(int i, const Shape& shape, std::initializer_list<int> candidates) const {
    return output(i, shape, std::span(candidates.begin(), candidates.size()));
  }
  /// Output i is `tensor` itself: an input passed on, or a temporary.
  void set_output(int i, const Tensor& tensor) const;
  /// Device memory until the end of the run; with `host`, host memory.
  Tensor temporary(Type type, const Shape& shape, bool host = false) const;

  bool input_on_host(int i) const;
  bool output_on_host(int i) const;
  /// Where output 0 is: kernels that TensorFlow also wants in host memory (int32) are written once over this.
  Place place() const { return output_on_host(0) ? Place::host() : Place(queue()); }

  /// The queue of TensorFlow's compute stream. All kernels of a device share it, which is why a temporary may be freed
  /// when the run returns: what is queued later runs later.
  Queue& queue() const;
  /// The queue, and scratch memory that lives until the end of the run.
  Exec exec() { return {queue(), *this}; }

 private:
  void* allocate(size_t bytes) override;

  TF_OpKernelContext* context_;
  Status status_;
  mutable Queue* queue_ = nullptr;
  std::vector<Tensor> scratch_;
};

/// A kernel is made for a node from its attributes and run from several threads at once, so run() changes nothing.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(Context& context) const = 0;
};

/// The dimension that `axis` counts, from the end where it is negative; throws naming `op`.
int axis_of(std::string_view op, int64_t axis, int rank);

}  // namespace ocldnn::tf
