#include "ocldnn/view.hpp"

#include <algorithm>

namespace ocldnn {

Dims::Dims(std::span<const int64_t> values) {
  for (auto value : values) push_back(value);
}

Dims Dims::filled(int rank, int64_t value) {
  Dims dims;
  for (int i = 0; i < rank; ++i) dims.push_back(value);
  return dims;
}

void Dims::push_back(int64_t value) {
  if (rank_ == max_rank) fail(Code::unimplemented, "tensors of more than {} dimensions are not supported", max_rank);
  values_[rank_++] = value;
}

int64_t Dims::elements() const {
  int64_t product = 1;
  for (auto value : *this) product *= value;
  return product;
}

std::string Dims::text() const { return fmt::format("[{}]", fmt::join(begin(), end(), ",")); }

bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

Strides dense_strides(const Shape& shape) {
  auto strides = Strides::filled(shape.rank(), 1);
  for (int i = shape.rank() - 2; i >= 0; --i) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

Shape broadcast_shapes(std::string_view op, std::span<const Shape> shapes) {
  int rank = 0;
  for (const auto& shape : shapes) rank = std::max(rank, shape.rank());
  auto result = Shape::filled(rank, 1);
  for (const auto& shape : shapes) {
    for (int i = 0; i < shape.rank(); ++i) {
      auto& size = result[rank - shape.rank() + i];
      if (shape[i] == 1 || shape[i] == size) continue;
      if (size != 1) {
        std::string all;
        for (const auto& s : shapes) all += (all.empty() ? "" : " vs. ") + s.text();
        fail(Code::invalid_argument, "{}: Incompatible shapes: {}", op, all);
      }
      size = shape[i];
    }
  }
  return result;
}

bool View::is_dense() const {
  int64_t expected = 1;
  for (int i = rank() - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected && elements() > 0) return false;
    expected *= shape[i];
  }
  return true;
}

View View::permuted(const Dims& axes) const {
  View result(data, type, {}, {});
  for (auto axis : axes) {
    result.shape.push_back(shape[static_cast<int>(axis)]);
    result.strides.push_back(strides[static_cast<int>(axis)]);
  }
  return result;
}

View View::transposed() const {
  View result = *this;
  std::swap(result.shape[rank() - 1], result.shape[rank() - 2]);
  std::swap(result.strides[rank() - 1], result.strides[rank() - 2]);
  return result;
}

View View::reshaped(const Shape& to) const {
  if (!is_dense() || to.elements() != elements())
    fail(Code::internal, "reshape of a view {} to {}", shape.text(), to.text());
  return {data, type, to};
}

View View::broadcast_to(std::string_view op, const Shape& to) const {
  View result(data, type, to, Strides::filled(to.rank(), 0));
  int extra = to.rank() - rank();
  for (int i = 0; i < rank(); ++i) {
    require(extra >= 0 && (shape[i] == 1 || shape[i] == to[extra + i]), "{}: shape {} does not broadcast to {}", op,
            shape.text(), to.text());
    result.strides[extra + i] = shape[i] == 1 ? 0 : strides[i];
  }
  require(extra >= 0, "{}: shape {} does not broadcast to {}", op, shape.text(), to.text());
  return result;
}

View View::sliced(int axis, int64_t begin, int64_t size, int64_t step) const {
  View result = *this;
  result.data = static_cast<char*>(data) + begin * strides[axis] * static_cast<int64_t>(size_of(type));
  result.shape[axis] = size;
  result.strides[axis] *= step;
  return result;
}

View View::unsqueezed(int axis) const {
  View result(data, type, {}, {});
  for (int i = 0; i <= rank(); ++i) {
    if (i == axis) {
      result.shape.push_back(1);
      result.strides.push_back(0);
    }
    if (i < rank()) {
      result.shape.push_back(shape[i]);
      result.strides.push_back(strides[i]);
    }
  }
  return result;
}

}  // namespace ocldnn
