// The frame of generated kernels: arguments, addresses and loads of any number of strided views.

#include <utility>

#include "engine/pointwise/code.hpp"
#include "runtime/launch.hpp"

namespace ocldnn {
namespace {

constexpr std::string_view kinds[type_count]{"f32", "f64", "f16", "bf16", "i8",  "i16",    "i32",
                                             "i64", "u8",  "u16", "u32",  "u64", "boolean"};
constexpr std::string_view c_types[type_count]{"float", "double", "ushort", "ushort", "char",  "short", "int",
                                               "long",  "uchar",  "ushort", "uint",   "ulong", "uchar"};

std::string upper(std::string_view text) {
  std::string result(text);
  for (auto& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

}  // namespace

std::string_view storage_kind(Type type) { return kinds[static_cast<int>(type)]; }
std::string_view storage_c_type(Type type) { return c_types[static_cast<int>(type)]; }

std::string_view scalar_c_type(Type compute) {
  return size_of(compute) < 4 ? std::string_view("int") : storage_c_type(compute);
}

std::string FrameCode::prelude() const {
  std::string text =
      fmt::format("#define T {}\n#define T_IS_{} 1\n#define WIDTH {}\n#define CPU_FORM {}\n#define ALIGNED {}\n",
                  storage_c_type(compute), upper(storage_kind(compute)), width, int{cpu_form}, int{aligned});
  if (index_64) text += "#define INDEX_64 1\n";
  for (auto file : {"cl/types.cl", "cl/half.cl", "cl/math.cl"}) text += kernel_text(file);
  bool included[type_count]{};
  for (const auto& view : views) {
    if (std::exchange(included[static_cast<int>(view.type)], true)) continue;
    text += fmt::format("#define KIND {}\n#define STORAGE {}\n", storage_kind(view.type), storage_c_type(view.type));
    text += kernel_text("cl/access.cl");
  }
  return text;
}

namespace {

// Splits a flat index over dimensions first ... first + count - 1 into i<d>.
std::string split_index(int first, int count) {
  std::string text, rest = "(row)";
  for (int d = first + count - 1; d > first; --d) {
    text += fmt::format(" const index_t i{0} = {1} % n{0}, r{0} = {1} / n{0};", d, rest);
    rest = fmt::format("r{}", d);
  }
  if (count) text += fmt::format(" const index_t i{} = {};", first, rest);
  return text;
}

std::string offset_of(int view, int first, int count) {
  std::string text;
  for (int d = first; d < first + count; ++d)
    text += fmt::format("{0}i{1} * s{2}_{1}", d > first ? " + " : "", d, view);
  return count ? text : "0";
}

}  // namespace

std::string FrameCode::macros() const {
  const int count = static_cast<int>(views.size());
  std::string parameters, addresses, seek = split_index(0, outer), seek_folded = split_index(outer, folded);
  for (int i = 0; i < count; ++i) {
    const auto& view = views[static_cast<size_t>(i)];
    const auto pointer = fmt::format("global {}{} *", view.written ? "" : "const ", storage_c_type(view.type));
    parameters += fmt::format("{0}{1}q{2}, long q{2}_offset", i ? ", " : "", pointer, i);
    addresses += fmt::format(" {0}const p{1} = q{1} + q{1}_offset;", pointer, i);
    seek += fmt::format(" const index_t o{} = {};", i, offset_of(i, 0, outer));
    if (!view.written) seek_folded += fmt::format(" const index_t u{} = {};", i, offset_of(i, outer, folded));
  }
  for (const auto& scalar : scalars) {
    parameters += fmt::format(", {} a_{}", scalar_c_type(compute), scalar);
    addresses += fmt::format(" const TV v_{0} = ALL(a_{0});", scalar);
  }
  for (int d = 1; d < outer + folded; ++d)
    if (d != outer) parameters += fmt::format(", index_t n{}", d);
  for (int i = 0; i < count; ++i) {
    const auto& view = views[static_cast<size_t>(i)];
    for (int d = 0; d < outer + (view.written ? 0 : folded); ++d) parameters += fmt::format(", index_t s{}_{}", i, d);
    if (view.step == Step::strided) parameters += fmt::format(", index_t s{}", i);
  }
  return fmt::format("#define PARAMETERS {}\n#define ADDRESSES{}\n#define SEEK(row){}\n#define SEEK_FOLDED(row){}\n",
                     parameters, addresses, seek, seek_folded);
}

std::string FrameCode::load(int i, std::string_view at, std::string_view count) const {
  const auto& view = views[static_cast<size_t>(i)];
  const auto kind = storage_kind(view.type);
  const auto row = folded ? fmt::format("p{0} + o{0} + u{0}", i) : fmt::format("p{0} + o{0}", i);
  if (view.step == Step::repeat) return fmt::format("load_one_{}({})", kind, row);
  if (view.step == Step::strided)
    return fmt::format("gather_{0}({1} + ({2}) * s{3}, s{3}, {4})", kind, row, at, i, count.empty() ? "WIDTH" : count);
  if (count.empty()) return fmt::format("load_{}({} + ({}))", kind, row, at);
  return fmt::format("load_part_{}({} + ({}), {})", kind, row, at, count);
}

std::string FrameCode::store(int i, std::string_view at, std::string_view value, std::string_view count) const {
  const auto& view = views[static_cast<size_t>(i)];
  const auto kind = storage_kind(view.type);
  if (view.step == Step::strided)
    return fmt::format("scatter_{0}(p{1} + o{1} + ({2}) * s{1}, s{1}, {3}, {4})", kind, i, at, value,
                       count.empty() ? "WIDTH" : count);
  if (count.empty()) return fmt::format("store_{0}(p{1} + o{1} + ({2}), {3})", kind, i, at, value);
  return fmt::format("store_part_{0}(p{1} + o{1} + ({2}), {3}, {4})", kind, i, at, value, count);
}

}  // namespace ocldnn
