// ResourceSparseApply*: update rules of the core on rows of variables.

#include "ops/apply.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

using namespace optimizers;

constexpr Apply sparse[]{
    {"ResourceSparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices)", proximal_gradient_descent},
    {"ResourceSparseApplyMomentum(var, accum, lr, grad, indices, momentum)", momentum, "use_nesterov", false,
     &nesterov},
    {"ResourceSparseApplyKerasMomentum(var, accum, lr, grad, indices, momentum)", keras_momentum, "use_nesterov", false,
     &keras_nesterov},
    {"ResourceSparseApplyAdagrad(var, accum, lr, grad, indices)", adagrad, "update_slots", true, &adagrad_fixed},
    {"ResourceSparseApplyAdagradV2(var, accum, lr, epsilon, grad, indices)", adagrad_v2, "update_slots", true,
     &adagrad_v2_fixed},
    {"ResourceSparseApplyProximalAdagrad(var, accum, lr, l1, l2, grad, indices)", proximal_adagrad},
    {"ResourceSparseApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, "
     "global_step)",
     adagrad_da},
    {"ResourceSparseApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad, indices)", adadelta},
    {"ResourceSparseApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad, indices)", rmsprop},
    {"ResourceSparseApplyCenteredRMSProp(var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices)",
     centered_rmsprop},
    {"ResourceSparseApplyFtrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power)", ftrl, "multiply_linear_by_lr",
     false, &ftrl_multiplied},
    {"ResourceSparseApplyFtrlV2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power)", ftrl_v2,
     "multiply_linear_by_lr", false, &ftrl_v2_multiplied},
};

/// The row numbers are in host memory: they are checked there, and rows that occur twice are told apart.
struct RowsKernel : ApplyKernel {
  using ApplyKernel::ApplyKernel;
  void update(Context& context, std::span<const NamedView> views) const override {
    optimize_rows(context.exec(), row_.op, rule_, views, context.integers(row_.position("indices")));
  }
};

}  // namespace

void register_row_optimizers(const Registrar& registrar) { add_table<RowsKernel, sparse>(registrar); }

}  // namespace ocldnn::tf
