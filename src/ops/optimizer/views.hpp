#pragma once

#include "ocldnn/optimizer.hpp"

namespace ocldnn {

bool is_state(const Optimizer& optimizer, std::string_view name);
/// The shape of the first state; the others must have it too, and the same type.
Shape state_shape(std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views);
/// The gradient has the states' shape, the other inputs one element.
void check_inputs(std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views,
                  const Shape& shape);

}  // namespace ocldnn
