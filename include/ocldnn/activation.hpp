#pragma once

#include "ocldnn/formula.hpp"

namespace ocldnn {

/// An activation: y over x, and dx, the gradient, over x, y = the activation's output, and dy; both also over
/// `scalars`. A gradient reads x or y, never both, and y rather than x where the value can be had from it, as
/// frameworks keep it.
struct Activation {
  std::string_view y, dx, scalars;
  consteval Activation(std::string_view y, std::string_view dx, std::string_view scalars = "")
      : y(y), dx(dx), scalars(scalars) {
    check_formula(y, {"x", scalars});
    check_formula(dx, {"x y dy", scalars});
  }
};

// A line an activation.
// clang-format off
inline constexpr Activation
    identity{"x", "dy"},
    relu{"x < 0 ? 0 : x", "x > 0 ? dy : 0"},  // a NaN stays one
    relu6{"clamp(x, 0, 6)", "x > 0 && x < 6 ? dy : 0"},
    leaky_relu{"x > 0 ? x : alpha * x", "x > 0 ? dy : alpha * dy", "alpha"},
    elu{"x < 0 ? expm1(x) : x", "y < 0 ? dy * (y + 1) : dy"},
    elu_alpha{"x < 0 ? alpha * expm1(x) : x", "y < 0 ? dy * (y + alpha) : dy", "alpha"},
    celu{"x < 0 ? alpha * expm1(x / alpha) : x", "x < 0 ? dy * exp(x / alpha) : dy", "alpha"},
    selu{"x < 0 ? 1.7580993408473766f * expm1(x) : 1.0507009873554805f * x",
         "y < 0 ? dy * (y + 1.7580993408473766f) : dy * 1.0507009873554805f"},
    gelu{"0.5f * x * (1 + erf(x * 0.7071067811865476f))",
         "dy * (0.5f * (1 + erf(x * 0.7071067811865476f)) + x * 0.3989422804014327f * exp(-0.5f * x * x))"},
    gelu_tanh{"x * sigmoid(1.5957691216057308f * (x + 0.044715f * x * x * x))",
              "dy * sigmoid(1.5957691216057308f * (x + 0.044715f * x * x * x)) * (1 + x * 1.5957691216057308f * "
              "(1 + 0.134145f * x * x) * sigmoid(-1.5957691216057308f * (x + 0.044715f * x * x * x)))"},
    sigmoid{"sigmoid(x)", "dy * y * (1 - y)"},
    log_sigmoid{"-softplus(-x)", "dy * sigmoid(-x)"},
    hard_sigmoid{"clamp(x / 6 + 0.5f, 0, 1)", "x > -3 && x < 3 ? dy / 6 : 0"},
    tanh{"tanh(x)", "dy * (1 - y * y)"},
    hard_tanh{"clamp(x, -1, 1)", "x > -1 && x < 1 ? dy : 0"},
    tanh_shrink{"x - tanh(x)", "dy * square(tanh(x))"},
    soft_shrink{"x > threshold ? x - threshold : x < -threshold ? x + threshold : 0 * x",
                "abs(x) > threshold ? dy : 0", "threshold"},
    hard_shrink{"abs(x) <= threshold ? 0 : x", "abs(x) > threshold ? dy : 0", "threshold"},
    softplus{"softplus(x)", "dy * sigmoid(x)"},
    softsign{"x / (1 + abs(x))", "dy / square(1 + abs(x))"},
    silu{"x * sigmoid(x)", "dy * sigmoid(x) * (1 + x * sigmoid(-x))"},
    hard_silu{"x * clamp(x / 6 + 0.5f, 0, 1)", "x <= -3 ? 0 : x >= 3 ? dy : dy * (x / 3 + 0.5f)"},
    mish{"x * tanh(softplus(x))",
         "dy * (tanh(softplus(x)) + x * sigmoid(x) * (1 - square(tanh(softplus(x)))))"},
    squareplus{"(x + sqrt(x * x + b)) / 2", "dy * (1 + x / sqrt(x * x + b)) / 2", "b"};
// clang-format on

}  // namespace ocldnn
