// ResourceApply*: update rules of the core on variables. (Keras 3 writes its rules in plain ops; tf_keras and TF1's
// optimisers use these.)

#include <string>

#include "api/variables.hpp"
#include "ops/apply.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {

void this_signature_lacks_an_input_of_the_rule(std::string_view name) {
  fail(Code::internal, "a signature lacks the input {} of its rule", name);
}

void ApplyKernel::run(Context& context) const {
  std::vector<int> states;
  for (int i = 0; i < row_.count; ++i)
    if (row_.is_state(i)) states.push_back(i);
  Variables variables(context, states);
  std::vector<Tensor> tensors;
  std::vector<NamedView> views;
  for (int i = 0; i < row_.count; ++i) {
    if (row_.inputs[i] == "indices") continue;
    tensors.push_back(row_.is_state(i) ? variables.changed(i) : context.input(i));
    views.push_back({row_.inputs[i], tensors.back()});
  }
  update(context, views);
}

void describe(const Apply& row, const std::function<void(const char* op, const Where& where)>& add) {
  std::vector<std::string> names;  // in host memory
  for (int i = 0; i < row.count; ++i)
    if (row.is_state(i) || row.inputs[i] == "indices") names.emplace_back(row.inputs[i]);
  Where where;
  for (const auto& name : names) where.host.push_back(name.c_str());
  if (row.position("indices") >= 0) where.constraints = {{"T", floats}, {"Tindices", indices}};
  add(std::string(row.op).c_str(), where);
}

namespace {

using namespace optimizers;

constexpr Apply dense[]{
    {"ResourceApplyGradientDescent(var, alpha, grad)", gradient_descent},
    {"ResourceApplyProximalGradientDescent(var, alpha, l1, l2, grad)", proximal_gradient_descent},
    {"ResourceApplyMomentum(var, accum, lr, grad, momentum)", momentum, "use_nesterov", false, &nesterov},
    {"ResourceApplyKerasMomentum(var, accum, lr, grad, momentum)", keras_momentum, "use_nesterov", false,
     &keras_nesterov},
    {"ResourceApplyAdagrad(var, accum, lr, grad)", adagrad, "update_slots", true, &adagrad_fixed},
    {"ResourceApplyAdagradV2(var, accum, lr, epsilon, grad)", adagrad_v2, "update_slots", true, &adagrad_v2_fixed},
    {"ResourceApplyProximalAdagrad(var, accum, lr, l1, l2, grad)", proximal_adagrad},
    {"ResourceApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step)",
     adagrad_da},
    {"ResourceApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad)", adadelta},
    {"ResourceApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad)", rmsprop},
    {"ResourceApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad)", centered_rmsprop},
    {"ResourceApplyAdam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)", adam, "use_nesterov",
     false, &adam_nesterov},
    {"ResourceApplyAdamWithAmsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)",
     adam_with_amsgrad},
    {"ResourceApplyAdaMax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)", adamax},
    {"ResourceApplyAddSign(var, m, lr, alpha, sign_decay, beta, grad)", add_sign},
    {"ResourceApplyPowerSign(var, m, lr, logbase, sign_decay, beta, grad)", power_sign},
    {"ResourceApplyFtrl(var, accum, linear, grad, lr, l1, l2, lr_power)", ftrl, "multiply_linear_by_lr", false,
     &ftrl_multiplied},
    {"ResourceApplyFtrlV2(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power)", ftrl_v2,
     "multiply_linear_by_lr", false, &ftrl_v2_multiplied},
};

struct DenseKernel : ApplyKernel {
  using ApplyKernel::ApplyKernel;
  void update(Context& context, std::span<const NamedView> views) const override {
    optimize(context.queue(), row_.op, rule_, views);
  }
};

}  // namespace

void register_optimizers(const Registrar& registrar) { add_table<DenseKernel, dense>(registrar); }

}  // namespace ocldnn::tf
