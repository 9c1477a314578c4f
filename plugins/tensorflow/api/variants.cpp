#include "api/variants.hpp"

#include "api/registrar.hpp"
#include "api/variables.hpp"
#include "ocldnn/pointwise.hpp"

namespace ocldnn::tf {
namespace {

void report(TF_OpKernelContext* context, TF_Code code, const char* text) {
  Status status;
  tf.SetStatus(status.get(), code, text);
  tf.ContextFailure(context, status.get());
}

/// A tensor that TensorFlow hands to one of the callbacks below. Its header says that the callback deletes it, and up
/// to 2.21, as in a bridge, that is so. From 2.22 on TensorFlow deletes it after the call, and a second time is a
/// crash: so there only the buffer is let go, which is right whoever deletes the rest.
class Element : public View {
 public:
  explicit Element(TF_Tensor* handle) : handle_(handle) {}
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  ~Element() {
    static const bool deleted_after_the_call = version_at_least(2, 22);
    deleted_after_the_call ? let_go() : tf.DeleteTensor(handle_);
  }
  void read() { static_cast<View&>(*this) = view_of(handle_); }

 private:
  void let_go() const {
    const int64_t none = 0;
    static const TF_Tensor* const empty = tf.AllocateTensor(TF_UINT8, &none, 1, 0);
    Status status;
    tf.TensorBitcastFrom(empty, TF_UINT8, handle_, &none, 1, status.get());
  }

  TF_Tensor* handle_;
};

// TensorFlow's callbacks for one element of a list.
void add_elements(TF_OpKernelContext* context, TF_Tensor* a, TF_Tensor* b, TF_Tensor* sum) {
  Element x(a), y(b), z(sum);
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          for (auto* element : {&x, &y, &z}) element->read();
          pointwise(Context(context).queue(), "AddN", compute_type(x.type), {{"x", x}, {"y", y}}, {{z, "x + y"}});
        });
}

void clear_element(TF_OpKernelContext* context, TF_Tensor* like, TF_Tensor* out) {
  Element x(like), y(out);
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          y.read();
          const uint8_t zero = 0;
          if (y.bytes()) Context(context).queue().fill(y.data, &zero, 1, y.bytes());
        });
}

/// A kernel that is one call of TensorFlow's, `call(context, status)`.
template <auto call>
void run(void*, TF_OpKernelContext* context) {
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          Status status;
          call(context, status.get());
          status.raise();
        });
}

void add_lists(TF_OpKernelContext* context, TF_Status* status) { tf.AddNVariant(context, add_elements, status); }
void clear_list(TF_OpKernelContext* context, TF_Status* status) { tf.ZerosLikeVariant(context, clear_element, status); }

void add(const char* device_type, const char* op, void (*compute)(void*, TF_OpKernelContext*)) {
  auto* builder = tf.NewKernelBuilder(
      op, device_type, [](TF_OpKernelConstruction*) -> void* { return nullptr; }, compute, [](void*) {});
  checked(tf.TypeConstraint, builder, "T", TF_VARIANT);
  checked(tf.RegisterKernelBuilder, op, builder);
}

}  // namespace

void register_variants(const char* device_type) {
  variable_path();  // a bridge brings these functions too
  if (tf.AddNVariant) add(device_type, "AddN", run<add_lists>);
  if (tf.ZerosLikeVariant) add(device_type, "ZerosLike", run<clear_list>);
}

}  // namespace ocldnn::tf
