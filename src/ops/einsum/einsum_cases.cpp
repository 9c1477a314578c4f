#include <map>

#include "check/case.hpp"
#include "ocldnn/einsum.hpp"

namespace ocldnn::check {
namespace {

/// Every combination of label values, the plainest way. `labels` are the terms without ellipses, the output's last.
void reference(const std::vector<std::string>& terms, std::span<const Array> in, Array& out) {
  std::map<char, int64_t> size, value;
  for (size_t t = 0; t + 1 < terms.size(); ++t)
    for (size_t d = 0; d < terms[t].size(); ++d) size[terms[t][d]] = in[t].shape[static_cast<int>(d)];
  auto index = [&](const std::string& term, const Shape& shape) {
    int64_t at = 0;
    for (size_t d = 0; d < term.size(); ++d) at = at * shape[static_cast<int>(d)] + value[term[d]];
    return at;
  };
  std::fill(out.values.begin(), out.values.end(), 0);
  int64_t combinations = 1;
  for (auto [label, n] : size) combinations *= n;
  for (int64_t i = 0; i < combinations; ++i) {
    int64_t rest = i;
    for (auto [label, n] : size) {
      value[label] = rest % n;
      rest /= n;
    }
    double term = 1;
    for (size_t t = 0; t + 1 < terms.size(); ++t) term *= in[t][index(terms[t], in[t].shape)];
    out[index(terms.back(), out.shape)] += term;
  }
}

Example example(Type type, const std::string& equation, const std::vector<std::string>& terms,
                const std::vector<Shape>& shapes) {
  Example e;
  e.name = fmt::format("einsum/{}/{}", name(type), equation);
  for (const auto& shape : shapes) {
    e.name += "/" + shape.text();
    e.inputs.push_back({type, shape, -2, 2});
  }
  const double tolerance = type == Type::f32    ? 4e-6
                           : type == Type::f16  ? 6e-3
                           : type == Type::bf16 ? 5e-2
                           : type == Type::f64  ? 1e-14
                                                : 0;
  e.outputs = {{type, Einsum(equation).output_shape(shapes), tolerance}};
  e.run = [equation](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Einsum einsum(equation);
    einsum(exec, in, out[0]);
  };
  e.reference = [terms](std::span<const Array> in, std::span<Array> out) { reference(terms, in, out[0]); };
  return e;
}

}  // namespace

void einsum_cases(Cases& cases) {
  auto add = [&](Type type, const std::string& equation, const std::vector<std::string>& terms,
                 const std::vector<Shape>& shapes) { cases.push_back(example(type, equation, terms, shapes)); };
  for (Type type : {Type::f32, Type::f64, Type::f16, Type::bf16, Type::i64}) {
    add(type, "ij,jk->ik", {"ij", "jk", "ik"}, {{5, 7}, {7, 3}});
    add(type, "abc,cde->abde", {"abc", "cde", "abde"}, {{2, 5, 6}, {6, 3, 4}});
  }
  const Type f = Type::f32;
  add(f, "aecd,abcd->acbe", {"aecd", "abcd", "acbe"}, {{2, 5, 3, 4}, {2, 6, 3, 4}});  // attention's scores
  add(f, "acbe,aecd->abcd", {"acbe", "aecd", "abcd"}, {{2, 3, 6, 5}, {2, 5, 3, 4}});  // and its result
  add(f, "abcd,cde->abe", {"abcd", "cde", "abe"}, {{2, 5, 3, 4}, {3, 4, 7}});
  add(f, "abcd,dce->abe", {"abcd", "dce", "abe"}, {{2, 5, 3, 4}, {4, 3, 7}});  // inner labels in another order
  add(f, "acb,cd->dab", {"acb", "cd", "dab"}, {{3, 5, 4}, {5, 2}});            // rows that do not merge in y
  add(f, "i,j->ij", {"i", "j", "ij"}, {{5}, {7}});
  add(f, "i,i->", {"i", "i", ""}, {{9}, {9}});
  add(f, "ab,cd->", {"ab", "cd", ""}, {{3, 4}, {2, 5}});
  add(f, "ijk,jl->i", {"ijk", "jl", "i"}, {{4, 5, 6}, {5, 3}});
  add(f, "ab,ab->ab", {"ab", "ab", "ab"}, {{3, 7}, {3, 7}});
  add(f, "iij,jk->ik", {"iij", "jk", "ik"}, {{4, 4, 5}, {5, 3}});
  add(f, "ij->ji", {"ij", "ji"}, {{5, 7}});
  add(f, "ijk->j", {"ijk", "j"}, {{3, 5, 7}});
  add(f, "ii->i", {"ii", "i"}, {{6, 6}});
  add(f, "ii->", {"ii", ""}, {{6, 6}});
  add(f, "i->ii", {"i", "ii"}, {{6}});
  add(f, "...ij->...ji", {"abij", "abji"}, {{2, 3, 4, 5}});
  add(f, "...ij,...jk->...ik", {"xij", "xjk", "xik"}, {{3, 4, 5}, {3, 5, 2}});
  add(f, "...ij,jk->...ik", {"abij", "jk", "abik"}, {{2, 3, 4, 5}, {5, 2}});
  add(f, "ij,jk->ik", {"ij", "jk", "ik"}, {{0, 7}, {7, 3}});
  add(f, "ij,jk->ik", {"ij", "jk", "ik"}, {{4, 0}, {0, 3}});
}

}  // namespace ocldnn::check
