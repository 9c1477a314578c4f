#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "ocldnn/device.hpp"
#include "ocldnn/formula.hpp"

namespace ocldnn {

/// One assignment of an update rule. Its formula sees what the steps before it have assigned.
struct OptimizerStep {
  std::string_view state, formula;
};

/// An update rule: `states` are tensors of one shape that it changes, `inputs` the gradient, of that shape, and
/// scalars.
struct Optimizer {
  static constexpr int max_steps = 4;

  std::string_view states, inputs;
  OptimizerStep steps[max_steps]{};
  int count = 0;

  consteval Optimizer(std::string_view states, std::string_view inputs, std::initializer_list<OptimizerStep> list)
      : states(states), inputs(inputs) {
    for (const auto& step : list) {
      check_formula(step.state, {states});
      check_formula(step.formula, {states, inputs});
      steps[count++] = step;
    }
  }
};

namespace optimizers {

// A rule's states and inputs in a line, then its steps.
// clang-format off
inline constexpr Optimizer  //
    gradient_descent{"var", "alpha, grad", {{"var", "var - alpha * grad"}}},
    proximal_gradient_descent{
        "var", "alpha, l1, l2, grad",
        {{"var", "var - alpha * grad"}, {"var", "sign(var) * max(abs(var) - alpha * l1, 0) / (1 + l2 * alpha)"}}},
    momentum{"var, accum", "lr, grad, momentum",
             {{"accum", "accum * momentum + grad"}, {"var", "var - lr * accum"}}},
    nesterov{"var, accum", "lr, grad, momentum",
             {{"accum", "accum * momentum + grad"}, {"var", "var - (grad * lr + accum * momentum * lr)"}}},
    keras_momentum{"var, accum", "lr, grad, momentum",
                   {{"accum", "accum * momentum - grad * lr"}, {"var", "var + accum"}}},
    keras_nesterov{"var, accum", "lr, grad, momentum",
                   {{"accum", "accum * momentum - grad * lr"}, {"var", "var + accum * momentum - grad * lr"}}},
    adagrad{"var, accum", "lr, grad", {{"accum", "accum + grad * grad"}, {"var", "var - grad * lr * rsqrt(accum)"}}},
    adagrad_fixed{"var, accum", "lr, grad", {{"var", "var - grad * lr * rsqrt(accum)"}}},
    adagrad_v2{"var, accum", "lr, epsilon, grad",
               {{"accum", "accum + grad * grad"}, {"var", "var - grad * lr / (sqrt(accum) + epsilon)"}}},
    adagrad_v2_fixed{"var, accum", "lr, epsilon, grad", {{"var", "var - grad * lr / (sqrt(accum) + epsilon)"}}},
    proximal_adagrad{"var, accum", "lr, l1, l2, grad",
                     {{"accum", "accum + grad * grad"},
                      {"var", "var - grad * lr * rsqrt(accum)"},
                      {"var", "sign(var) * max(abs(var) - lr * rsqrt(accum) * l1, 0) / (1 + l2 * lr * rsqrt(accum))"}}},
    adagrad_da{"var, gradient_accumulator, gradient_squared_accumulator", "grad, lr, l1, l2, global_step",
               {{"gradient_accumulator", "gradient_accumulator + grad"},
                {"gradient_squared_accumulator", "gradient_squared_accumulator + grad * grad"},
                {"var", "-lr * sign(gradient_accumulator) * max(abs(gradient_accumulator) - l1 * global_step, 0) / "
                        "(l2 * global_step * lr + sqrt(gradient_squared_accumulator))"}}},
    adadelta{"var, accum, accum_update", "lr, rho, epsilon, grad",
             {{"accum", "accum * rho + grad * grad * (1 - rho)"},
              {"var", "var - lr * sqrt(accum_update + epsilon) * rsqrt(accum + epsilon) * grad"},
              {"accum_update", "accum_update * rho + (accum_update + epsilon) / (accum + epsilon) * grad * grad * "
                               "(1 - rho)"}}},
    rmsprop{"var, ms, mom", "lr, rho, momentum, epsilon, grad",
            {{"ms", "ms + (grad * grad - ms) * (1 - rho)"},
             {"mom", "mom * momentum + grad * lr / sqrt(ms + epsilon)"},
             {"var", "var - mom"}}},
    centered_rmsprop{"var, mg, ms, mom", "lr, rho, momentum, epsilon, grad",
                     {{"ms", "ms + (grad * grad - ms) * (1 - rho)"},
                      {"mg", "mg + (grad - mg) * (1 - rho)"},
                      {"mom", "mom * momentum + grad * lr / sqrt(ms - mg * mg + epsilon)"},
                      {"var", "var - mom"}}},
    adam{"var, m, v", "beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad",
         {{"m", "m + (grad - m) * (1 - beta1)"},
          {"v", "v + (grad * grad - v) * (1 - beta2)"},
          {"var", "var - lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon)"}}},
    adam_nesterov{"var, m, v", "beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad",
                  {{"m", "m + (grad - m) * (1 - beta1)"},
                   {"v", "v + (grad * grad - v) * (1 - beta2)"},
                   {"var", "var - lr * sqrt(1 - beta2_power) / (1 - beta1_power) * (grad * (1 - beta1) + beta1 * m) / "
                           "(sqrt(v) + epsilon)"}}},
    adam_with_amsgrad{"var, m, v, vhat", "beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad",
                      {{"m", "m + (grad - m) * (1 - beta1)"},
                       {"v", "v + (grad * grad - v) * (1 - beta2)"},
                       {"vhat", "max(vhat, v)"},
                       {"var", "var - lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(vhat) + epsilon)"}}},
    adamax{"var, m, v", "beta1_power, lr, beta1, beta2, epsilon, grad",
           {{"m", "m + (grad - m) * (1 - beta1)"},
            {"v", "max(beta2 * v, abs(grad))"},
            {"var", "var - lr / (1 - beta1_power) * m / (v + epsilon)"}}},
    add_sign{"var, m", "lr, alpha, sign_decay, beta, grad",
             {{"m", "m * beta + grad * (1 - beta)"},
              {"var", "var - lr * (alpha + sign_decay * sign(grad) * sign(m)) * grad"}}},
    power_sign{"var, m", "lr, logbase, sign_decay, beta, grad",
               {{"m", "m * beta + grad * (1 - beta)"},
                {"var", "var - lr * exp(logbase * sign_decay * sign(grad) * sign(m)) * grad"}}},
    ftrl{"var, accum, linear", "grad, lr, l1, l2, lr_power",
         {{"linear", "linear + grad - (pow(accum + grad * grad, -lr_power) - pow(accum, -lr_power)) / lr * var"},
          {"accum", "accum + grad * grad"},
          {"var", "abs(linear) > l1 ? (l1 * sign(linear) - linear) / (pow(accum, -lr_power) / lr + 2 * l2) : 0"}}},
    ftrl_multiplied{"var, accum, linear", "grad, lr, l1, l2, lr_power",
                    {{"linear", "linear + grad * lr - (pow(accum + grad * grad, -lr_power) - pow(accum, -lr_power)) * var"},
                     {"accum", "accum + grad * grad"},
                     {"var", "abs(linear) > l1 * lr ? (l1 * lr * sign(linear) - linear) / "
                             "(pow(accum, -lr_power) + 2 * l2 * lr) : 0"}}},
    ftrl_v2{"var, accum, linear", "grad, lr, l1, l2, l2_shrinkage, lr_power",
            {{"linear", "linear + grad + 2 * l2_shrinkage * var - "
                        "(pow(accum + grad * grad, -lr_power) - pow(accum, -lr_power)) / lr * var"},
             {"accum", "accum + grad * grad"},
             {"var", "abs(linear) > l1 ? (l1 * sign(linear) - linear) / (pow(accum, -lr_power) / lr + 2 * l2) : 0"}}},
    ftrl_v2_multiplied{"var, accum, linear", "grad, lr, l1, l2, l2_shrinkage, lr_power",
                       {{"linear", "linear + (grad + 2 * l2_shrinkage * var) * lr - "
                                   "(pow(accum + grad * grad, -lr_power) - pow(accum, -lr_power)) * var"},
                        {"accum", "accum + grad * grad"},
                        {"var", "abs(linear) > l1 * lr ? (l1 * lr * sign(linear) - linear) / "
                                "(pow(accum, -lr_power) + 2 * l2 * lr) : 0"}}};
// clang-format on

}  // namespace optimizers

/// A tensor under the name that an optimizer has for it.
struct NamedView {
  std::string_view name;
  View view;
};

/// Changes the states among `views` in place, in one pass over memory. Arithmetic is f32, or f64 for f64 states.
void optimize(Queue& queue, std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views);

/// The same on the rows [rows[i], k...] of the states; the gradient is [i, k...]. A row that occurs twice is changed
/// twice, one gradient after the other. `rows` is on the host, each in [0, n).
void optimize_rows(const Exec& exec, std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views,
                   std::span<const int64_t> rows);

}  // namespace ocldnn
