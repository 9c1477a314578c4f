#include "api/registrar.hpp"

namespace ocldnn::tf {
namespace {

// The two functions that all kernels share.
void compute(void* kernel, TF_OpKernelContext* handle) {
  auto report = [&](TF_Code code, const char* text) {
    Status status;
    tf.SetStatus(status.get(), code, text);
    tf.ContextFailure(handle, status.get());
  };
  guard(report, [&] {
    Context context(handle);
    static_cast<const Kernel*>(kernel)->run(context);
  });
}

void destroy(void* kernel) { delete static_cast<Kernel*>(kernel); }

}  // namespace

void Registrar::refuse(TF_OpKernelConstruction* construction, TF_Code code, const char* text) noexcept {
  Status status;
  tf.SetStatus(status.get(), code, text);
  tf.ConstructionFailure(construction, status.get());
}

void Registrar::add(const char* op, Create create, const Where& where) const {
  const Constraint plain[]{{"T", where.types}};
  std::span<const Constraint> constraints(plain);
  if (where.untyped) constraints = {};
  if (where.constraints.size() > 0) constraints = {where.constraints.begin(), where.constraints.size()};

  // TensorFlow's builder takes one type for an attribute, so each combination is a registration: counted like an
  // odometer, the last attribute fastest.
  std::vector<size_t> at(constraints.size(), 0);
  for (;;) {
    std::vector<Type> chosen;
    bool computable = true;
    for (size_t i = 0; i < constraints.size(); ++i) {
      chosen.push_back(constraints[i].types[at[i]]);
      computable &= has_f64_ || chosen.back() != Type::f64;
    }
    if (computable) add_one(op, create, where, chosen, constraints);
    size_t i = constraints.size();
    while (i > 0 && ++at[i - 1] == constraints[i - 1].types.size()) at[--i] = 0;
    if (i == 0) return;
  }
}

void Registrar::add_one(const char* op, Create create, const Where& where, std::span<const Type> chosen,
                        std::span<const Constraint> constraints) const {
  auto* builder = tf.NewKernelBuilder(op, device_type_, create, compute, destroy);
  std::string label = op;
  for (size_t i = 0; i < chosen.size(); ++i) {
    checked(tf.TypeConstraint, builder, constraints[i].attribute, data_type(chosen[i]));
    label += fmt::format("/{}", name(chosen[i]));
  }
  for (auto* argument : where.host) tf.HostMemory(builder, argument);
  checked(tf.RegisterKernelBuilder, label.c_str(), builder);  // takes the builder over, also when it fails
}

}  // namespace ocldnn::tf
