#include "api/kernel.hpp"

#include "device/stream.hpp"

namespace ocldnn::tf {

View view_of(TF_Tensor* handle) {
  auto type = type_of(tf.TensorType(handle));
  if (!type) fail(Code::unimplemented, "tensors of data type {} are not supported", tf.TensorType(handle));
  Shape shape;
  for (int i = 0, rank = tf.NumDims(handle); i < rank; ++i) shape.push_back(tf.Dim(handle, i));
  return {tf.TensorData(handle), *type, shape};
}

Tensor::Tensor(TF_Tensor* handle) : Tensor() {
  handle_ = handle;  // from here on deleted, also when its type is none of ours
  static_cast<View&>(*this) = view_of(handle);
}

bool Attrs::has(const char* name) const { return checked(tf.HasAttr, construction_, name); }

int64_t Attrs::integer(const char* name) const {
  int64_t value = 0;
  checked(tf.GetAttrInt64, construction_, name, &value);
  return value;
}

double Attrs::real(const char* name) const {
  float value = 0;
  checked(tf.GetAttrFloat, construction_, name, &value);
  return value;
}

bool Attrs::flag(const char* name) const {
  TF_Bool value = 0;
  checked(tf.GetAttrBool, construction_, name, &value);
  return value != 0;
}

std::string Attrs::text(const char* name) const {
  int32_t count = 0, bytes = 0;
  checked(tf.GetAttrSize, construction_, name, &count, &bytes);
  std::string value(static_cast<size_t>(bytes), '\0');
  checked(tf.GetAttrString, construction_, name, value.data(), value.size());
  return value;
}

std::optional<Type> Attrs::type(const char* name) const {
  TF_DataType value = TF_FLOAT;
  checked(tf.GetAttrType, construction_, name, &value);
  return type_of(value);
}

std::vector<int64_t> Attrs::integers(const char* name) const {
  int32_t count = 0, bytes = 0;
  checked(tf.GetAttrSize, construction_, name, &count, &bytes);
  std::vector<int64_t> values(static_cast<size_t>(count));
  checked(tf.GetAttrInt64List, construction_, name, values.data(), count);
  return values;
}

std::vector<float> Attrs::reals(const char* name) const {
  int32_t count = 0, bytes = 0;
  checked(tf.GetAttrSize, construction_, name, &count, &bytes);
  std::vector<float> values(static_cast<size_t>(count));
  checked(tf.GetAttrFloatList, construction_, name, values.data(), count);
  return values;
}

std::string Attrs::node() const {
  auto name = tf.GetName(construction_);
  return {name.data, name.len};
}

Tensor Context::input(int i) const {
  TF_Tensor* handle = nullptr;
  status_.check(tf.GetInput, context_, i, &handle);
  return Tensor(handle);
}

std::vector<Tensor> Context::input_list(const char* argument) const {
  TF_InputRange_Args range{TF_InputRange_Args_STRUCT_SIZE, nullptr, 0, 0, status_.get()};
  tf.InputRange(context_, argument, &range);
  status_.raise();
  std::vector<Tensor> list;
  for (int i = range.start; i < range.stop; ++i) list.push_back(input(i));
  return list;
}

std::vector<int64_t> Context::integers(int i) const {
  auto tensor = input(i);
  const auto all_of = [&]<class T>(std::span<const T> values) {
    return std::vector<int64_t>(values.begin(), values.end());
  };
  switch (tensor.type) {
    case Type::i64: return all_of(tensor.host<const int64_t>());
    case Type::i32: return all_of(tensor.host<const int32_t>());
    case Type::i16: return all_of(tensor.host<const int16_t>());
    case Type::i8: return all_of(tensor.host<const int8_t>());
    default: fail(Code::invalid_argument, "input {} must be a signed integer, not {}", i, name(tensor.type));
  }
}

int64_t Context::integer(int i) const {
  auto values = integers(i);
  require(values.size() == 1, "input {} must be a scalar, but has {} elements", i, values.size());
  return values[0];
}

Shape Context::shape(int i) const {
  auto sizes = integers(i);
  Shape shape;
  for (auto size : sizes) {
    require(size >= 0, "Dimension {} must be >= 0", size);
    shape.push_back(size);
  }
  return shape;
}

double Context::real(int i) const {
  auto tensor = input(i);
  require(tensor.elements() == 1, "input {} must be a scalar, but has {} elements", i, tensor.elements());
  if (tensor.type == Type::f32) return tensor.host<const float>()[0];
  if (tensor.type == Type::f64) return tensor.host<const double>()[0];
  fail(Code::unimplemented, "input {}: a scalar of type {} is not supported here", i, name(tensor.type));
}

Type Context::output_type(int i) const {
  auto type = type_of(tf.ExpectedOutputDataType(context_, i));
  if (!type) fail(Code::unimplemented, "output {}: its data type is not supported", i);
  return *type;
}

Tensor Context::output(int i, const Shape& shape) const {
  // TensorFlow takes type and size from the op's signature; the two arguments are ignored.
  return Tensor(status_.check(tf.AllocateOutput, context_, i, tf.ExpectedOutputDataType(context_, i), shape.begin(),
                              shape.rank(), size_t{0}));
}

Tensor Context::output(int i, const Shape& shape, std::span<const int> candidates) const {
  if (candidates.empty()) return output(i, shape);
  int forwarded = -1;
  return Tensor(status_.check(tf.ForwardInputOrAllocateOutput, context_, candidates.data(),
                              static_cast<int>(candidates.size()), i, shape.begin(), shape.rank(), &forwarded));
}

void Context::set_output(int i, const Tensor& tensor) const {
  status_.check(tf.SetOutput, context_, i, static_cast<const TF_Tensor*>(tensor.handle()));
}

Tensor Context::temporary(Type type, const Shape& shape, bool host) const {
  TF_AllocatorAttributes attributes{TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE, static_cast<TF_Bool>(host)};
  return Tensor(status_.check(tf.AllocateTemp, context_, data_type(type), shape.begin(), shape.rank(), &attributes));
}

void* Context::allocate(size_t bytes) {
  return scratch_.emplace_back(temporary(Type::u8, {static_cast<int64_t>(bytes)})).data;
}

bool Context::input_on_host(int i) const { return status_.check(tf.IsHostMemoryInput, context_, i); }
bool Context::output_on_host(int i) const { return status_.check(tf.IsHostMemoryOutput, context_, i); }

Queue& Context::queue() const {
  // By the stream, never by TF_GetDeviceId: tf.config.set_visible_devices renumbers devices.
  if (!queue_) queue_ = &status_.check(tf.GetStream, context_)->queue();
  return *queue_;
}

int axis_of(std::string_view op, int64_t axis, int rank) {
  require(axis >= -rank && axis < rank, "{}: axis {} is out of range [{}, {})", op, axis, -rank, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

}  // namespace ocldnn::tf
