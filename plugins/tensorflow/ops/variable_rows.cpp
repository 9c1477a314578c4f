// Reads and updates of rows and slices of variables: embeddings, IndexedSlices.

#include <span>

#include "api/registrar.hpp"
#include "api/variables.hpp"
#include "ocldnn/index.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

Shape joined(std::span<const int64_t> a, std::span<const int64_t> b, std::span<const int64_t> c = {}) {
  Shape shape;
  for (auto part : {a, b, c})
    for (auto size : part) shape.push_back(size);
  return shape;
}

std::span<const int64_t> sizes(const Shape& shape) { return {shape.begin(), static_cast<size_t>(shape.rank())}; }

struct ResourceGather : Kernel {
  explicit ResourceGather(const Attrs& attrs)
      : batch_dims_(attrs.has("batch_dims") ? static_cast<int>(attrs.integer("batch_dims")) : 0) {}
  void run(Context& context) const override {
    Variables variables(context, {0});
    auto x = variables.read(0), indices = context.input(1);
    int batch = batch_dims_ < 0 ? batch_dims_ + indices.rank() : batch_dims_;
    require(x.rank() >= 1, "ResourceGather: params must be at least 1 dimensional, got shape {}", x.shape.text());
    require(batch >= 0 && batch <= indices.rank() && batch < x.rank(),
            "ResourceGather: batch_dims {} is out of range for params of shape {} and indices of shape {}", batch_dims_,
            x.shape.text(), indices.shape.text());
    auto outer = static_cast<size_t>(batch);
    for (int i = 0; i < batch; ++i)
      require(x.shape[i] == indices.shape[i],
              "ResourceGather: params of shape {} and indices of shape {} differ in the "
              "first {} dimensions",
              x.shape.text(), indices.shape.text(), batch);
    auto y = context.output(
        0, joined(sizes(x.shape).first(outer), sizes(indices.shape).subspan(outer), sizes(x.shape).subspan(outer + 1)));
    gather(context.queue(), x, indices, batch, batch, y);
  }

 private:
  int batch_dims_;
};

struct ResourceGatherNd : Kernel {
  explicit ResourceGatherNd(const Attrs&) {}
  void run(Context& context) const override {
    Variables variables(context, {0});
    auto x = variables.read(0), indices = context.input(1);
    require(indices.rank() >= 1, "ResourceGatherNd: indices must be at least a vector");
    auto outer = static_cast<size_t>(indices.rank() - 1);
    auto depth = indices.shape[indices.rank() - 1];
    require(depth <= x.rank(),
            "ResourceGatherNd: index innermost dimension length must be <= params rank; saw: {} vs. {}", depth,
            x.rank());
    auto y = context.output(
        0, joined(sizes(indices.shape).first(outer), sizes(x.shape).subspan(static_cast<size_t>(depth))));
    gather_nd(context.exec(), x, indices, 0, y);
  }
};

template <Update update>
struct ResourceScatter : Kernel {
  explicit ResourceScatter(const Attrs&) {}
  void run(Context& context) const override {
    Variables variables(context, {0});
    auto x = variables.changed(0), indices = context.input(1), updates = context.input(2);
    require(x.rank() >= 1, "ResourceScatter: the variable must be at least 1 dimensional");
    require(x.type == updates.type, "ResourceScatter: the variable is of type {}, the updates of type {}", name(x.type),
            name(updates.type));
    auto expected = joined(sizes(indices.shape), sizes(x.shape).subspan(1));
    require(updates.rank() == 0 || updates.shape == expected,
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape {}, "
            "indices.shape {}, params.shape {}",
            updates.shape.text(), indices.shape.text(), x.shape.text());
    if (indices.elements() > 0) scatter(context.exec(), update, x, indices, updates);
  }
};

template <Update update>
struct ResourceScatterNd : Kernel {
  explicit ResourceScatterNd(const Attrs&) {}
  void run(Context& context) const override {
    Variables variables(context, {0});
    auto x = variables.changed(0), indices = context.input(1), updates = context.input(2);
    require(indices.rank() >= 1, "ResourceScatterNd: indices must be at least a vector");
    require(x.type == updates.type, "ResourceScatterNd: the variable is of type {}, the updates of type {}",
            name(x.type), name(updates.type));
    auto depth = indices.shape[indices.rank() - 1];
    require(depth <= x.rank(),
            "ResourceScatterNd: the last dimension of indices must be <= the variable's rank; saw: {} "
            "vs. {}",
            depth, x.rank());
    auto expected = joined(sizes(indices.shape).first(static_cast<size_t>(indices.rank() - 1)),
                           sizes(x.shape).subspan(static_cast<size_t>(depth)));
    require(updates.shape == expected, "ResourceScatterNd: updates must have shape {}, got {}", expected.text(),
            updates.shape.text());
    if (updates.elements() > 0) scatter_nd(context.exec(), update, x, indices, updates);
  }
};

}  // namespace

void register_variable_rows(const Registrar& registrar) {
  const Where any_rows{.host = {"resource"}, .constraints = {{"dtype", all}, {"Tindices", indices}}};
  const Where rows{.host = {"resource"}, .constraints = {{"dtype", numbers}, {"Tindices", indices}}};
  registrar.add<ResourceGather>("ResourceGather", any_rows);
  registrar.add<ResourceGatherNd>("ResourceGatherNd", any_rows);
  registrar.add<ResourceScatter<Update::assign>>("ResourceScatterUpdate", any_rows);
  registrar.add<ResourceScatter<Update::add>>("ResourceScatterAdd", rows);
  registrar.add<ResourceScatter<Update::subtract>>("ResourceScatterSub", rows);
  registrar.add<ResourceScatter<Update::multiply>>("ResourceScatterMul", rows);
  registrar.add<ResourceScatter<Update::divide>>("ResourceScatterDiv", rows);
  registrar.add<ResourceScatter<Update::minimum>>("ResourceScatterMin", rows);
  registrar.add<ResourceScatter<Update::maximum>>("ResourceScatterMax", rows);

  const Where any_slices{.host = {"ref"}, .constraints = {{"T", all}, {"Tindices", indices}}};
  const Where slices{.host = {"ref"}, .constraints = {{"T", numbers}, {"Tindices", indices}}};
  registrar.add<ResourceScatterNd<Update::assign>>("ResourceScatterNdUpdate", any_slices);
  registrar.add<ResourceScatterNd<Update::add>>("ResourceScatterNdAdd", slices);
  registrar.add<ResourceScatterNd<Update::subtract>>("ResourceScatterNdSub", slices);
  registrar.add<ResourceScatterNd<Update::minimum>>("ResourceScatterNdMin", slices);
  registrar.add<ResourceScatterNd<Update::maximum>>("ResourceScatterNdMax", slices);
}

}  // namespace ocldnn::tf
