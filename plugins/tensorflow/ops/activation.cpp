#include "ocldnn/activation.hpp"

#include "api/pointwise.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

// An op and its gradient in a line.
// clang-format off
constexpr Pointwise activations[]{
    {"Relu(x)", relu.y},                   {"ReluGrad(dy, x)", relu.dx},
    {"Relu6(x)", relu6.y},                 {"Relu6Grad(dy, x)", relu6.dx},
    {"LeakyRelu(x; alpha)", leaky_relu.y}, {"LeakyReluGrad(dy, x; alpha)", leaky_relu.dx},
    {"Elu(x)", elu.y},                     {"EluGrad(dy, y)", elu.dx},
    {"Selu(x)", selu.y},                   {"SeluGrad(dy, y)", selu.dx},
    {"Sigmoid(x)", sigmoid.y},             {"SigmoidGrad(y, dy)", sigmoid.dx},
    {"Softplus(x)", softplus.y},           {"SoftplusGrad(dy, x)", softplus.dx},
    {"Softsign(x)", softsign.y},           {"SoftsignGrad(dy, x)", softsign.dx},
    {"Tanh(x)", tanh.y},                   {"TanhGrad(y, dy)", tanh.dx},
};
// clang-format on

}  // namespace

void register_activations(const Registrar& registrar) { add_all<activations>(registrar); }

}  // namespace ocldnn::tf
