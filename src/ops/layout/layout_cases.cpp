#include <functional>

#include "check/case.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn::check {
namespace {

using Source = std::function<int64_t(const Dims& at)>;  // the input's element for an output's coordinates; -1 is `rest`

int64_t flat(const Dims& at, const Shape& shape) {
  int64_t i = 0;
  for (int d = 0; d < shape.rank(); ++d) i = i * shape[d] + at[d];
  return i;
}

template <class F>
void for_each(const Shape& shape, F f) {
  Dims at = Dims::filled(shape.rank(), 0);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    f(i, at);
    for (int d = shape.rank() - 1; d >= 0; --d) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

auto gathers(Source source, double rest = 0) {
  return [source, rest](std::span<const Array> in, std::span<Array> out) {
    for_each(out[0].shape, [&](int64_t i, const Dims& at) {
      const int64_t from = source(at);
      out[0][i] = from < 0 ? rest : in[0][from];
    });
  };
}

using Run = std::function<void(const Exec&, const View& from, const View& to)>;

Example moves(std::string name, Type type, const Shape& from, const Shape& to, Run run, Source source,
              double rest = 0) {
  Example example;
  example.name = name + "/" + std::string(ocldnn::name(type)) + "/" + from.text();
  example.inputs = {{.type = type, .shape = from, .low = 0, .high = 100}};
  example.outputs = {{.type = type, .shape = to, .tolerance = 0}};
  example.run = [run](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    run(exec, in[0], out[0]);
  };
  example.reference = gathers(std::move(source), rest);
  example.bytes = 2.0 * static_cast<double>(to.elements()) * static_cast<double>(size_of(type));
  return example;
}

constexpr Type by_size[]{Type::boolean, Type::u8, Type::bf16, Type::i16, Type::f32, Type::i64};

Example transpose(Type type, const Shape& from, const Dims& axes) {
  Shape to;
  for (auto axis : axes) to.push_back(from[static_cast<int>(axis)]);
  return moves(
      "transpose/" + axes.text(), type, from, to,
      [axes](const Exec& exec, const View& x, const View& y) { copy(exec.queue, x.permuted(axes), y); },
      [from, axes](const Dims& at) {
        Dims back = at;
        for (int d = 0; d < axes.rank(); ++d) back[static_cast<int>(axes[d])] = at[d];
        return flat(back, from);
      });
}

void transposes(Cases& cases) {
  for (auto type : by_size) {
    cases.push_back(transpose(type, {67, 129}, {1, 0}));
    cases.push_back(transpose(type, {3, 5, 7, 11}, {3, 1, 2, 0}));
    cases.push_back(transpose(type, {2, 9, 4, 16}, {0, 2, 1, 3}));
    cases.push_back(transpose(type, {2, 33, 40, 3}, {0, 3, 1, 2}));
  }
  cases.push_back(transpose(Type::f32, {}, {}));
  cases.push_back(transpose(Type::f32, {4, 0, 3}, {2, 0, 1}));
  cases.push_back(transpose(Type::i32, {2, 1, 3, 2, 1, 2, 3, 2}, {7, 2, 0, 5, 4, 6, 1, 3}));
  cases.push_back(transpose(Type::f32, {32, 128, 12, 64}, {0, 2, 1, 3}));
  cases.push_back(transpose(Type::f32, {1024, 1024}, {1, 0}));
}

// Begin and step along every dimension; a negative step counts back from the end.
Example strided_slice(Type type, const Shape& from, const Dims& begin, const Dims& step, const Shape& to) {
  return moves(
      "strided_slice/" + step.text(), type, from, to,
      [=](const Exec& exec, const View& x, const View& y) {
        View part = x;
        for (int d = 0; d < x.rank(); ++d) {
          if (step[d] < 0) part = flipped(part, d);
          const int64_t first = step[d] < 0 ? x.shape[d] - 1 - begin[d] : begin[d];
          part = part.sliced(d, first, to[d], 1);
          part.strides[d] *= std::abs(step[d]);
        }
        copy(exec.queue, part, y);
      },
      [=](const Dims& at) {
        Dims back = at;
        for (int d = 0; d < at.rank(); ++d) back[d] = begin[d] + at[d] * step[d];
        return flat(back, from);
      });
}

Example pad_case(Type type, const Shape& from, const Dims& before, const Dims& after) {
  Shape to = from;
  for (int d = 0; d < from.rank(); ++d) to[d] += before[d] + after[d];
  return moves(
      "pad/" + before.text(), type, from, to,
      [=](const Exec& exec, const View& x, const View& y) { pad(exec.queue, x, before, y, 0); },
      [=](const Dims& at) -> int64_t {
        Dims back = at;
        for (int d = 0; d < at.rank(); ++d) {
          back[d] = at[d] - before[d];
          if (back[d] < 0 || back[d] >= from[d]) return -1;
        }
        return flat(back, from);
      });
}

Example mirror_case(Mirror mirror, const Shape& from, const Dims& before, const Dims& after) {
  Shape to = from;
  for (int d = 0; d < from.rank(); ++d) to[d] += before[d] + after[d];
  const int64_t edge = mirror == Mirror::symmetric ? 1 : 0;
  return moves(
      "mirror_pad/" + before.text(), Type::f32, from, to,
      [=](const Exec& exec, const View& x, const View& y) { mirror_pad(exec.queue, mirror, x, before, y); },
      [=](const Dims& at) {
        Dims back = at;
        for (int d = 0; d < at.rank(); ++d) {
          back[d] = at[d] - before[d];
          if (back[d] < 0) back[d] = -back[d] - edge;
          if (back[d] >= from[d]) back[d] = 2 * (from[d] - 1) - back[d] + edge;
        }
        return flat(back, from);
      });
}

// The sum of dy over all places that show an element.
Example mirror_gradient_case(Type type, Mirror mirror, const Shape& inner, const Dims& before, const Dims& after) {
  Shape outer = inner;
  for (int d = 0; d < inner.rank(); ++d) outer[d] += before[d] + after[d];
  const int64_t edge = mirror == Mirror::symmetric ? 1 : 0;
  Example example = moves("mirror_pad_gradient/" + before.text(), type, outer, inner,
                          [=](const Exec& exec, const View& dy, const View& dx) {
                            mirror_pad_gradient(exec.queue, mirror, dy, before, dx);
                          },
                          {});
  example.inputs[0].low = -2;
  example.inputs[0].high = 2;
  example.outputs[0].tolerance = type == Type::f16 ? 5e-3 : 1e-6;
  example.reference = [=](std::span<const Array> in, std::span<Array> out) {
    out[0].values.assign(out[0].values.size(), 0);
    for_each(outer, [&](int64_t i, const Dims& at) {
      Dims back = at;
      for (int d = 0; d < at.rank(); ++d) {
        back[d] = at[d] - before[d];
        if (back[d] < 0) back[d] = -back[d] - edge;
        if (back[d] >= inner[d]) back[d] = 2 * (inner[d] - 1) - back[d] + edge;
      }
      out[0][flat(back, inner)] += in[0][i];
    });
  };
  return example;
}

void pads(Cases& cases) {
  for (auto type : by_size) cases.push_back(pad_case(type, {2, 5, 6, 3}, {0, 1, 2, 0}, {0, 2, 1, 0}));
  cases.push_back(pad_case(Type::f32, {3, 200, 200, 4}, {1, 1, 2, 0}, {0, 2, 1, 1}));  // large: slabs
  cases.push_back(pad_case(Type::f32, {0, 3}, {2, 0}, {1, 1}));
  cases.push_back(pad_case(Type::f32, {32, 112, 112, 64}, {0, 1, 1, 0}, {0, 1, 1, 0}));
  cases.back().benchmark_only = true;
  cases.push_back(mirror_case(Mirror::reflect, {4, 5, 3}, {2, 4, 0}, {3, 1, 2}));
  cases.push_back(mirror_case(Mirror::symmetric, {4, 5, 3}, {4, 0, 3}, {3, 5, 2}));
  for (auto type : {Type::f32, Type::f16}) {
    cases.push_back(mirror_gradient_case(type, Mirror::reflect, {4, 5, 3}, {2, 4, 0}, {3, 1, 2}));
    cases.push_back(mirror_gradient_case(type, Mirror::symmetric, {4, 5, 3}, {4, 0, 3}, {3, 5, 2}));
  }
}

void repeats(Cases& cases) {
  for (auto type : by_size) {
    cases.push_back(moves(
        "tile", type, {3, 4, 5}, {6, 4, 15},
        [](const Exec& exec, const View& x, const View& y) { tile(exec.queue, x, y); },
        [](const Dims& at) {
          return flat({at[0] % 3, at[1], at[2] % 5}, {3, 4, 5});
        }));
    cases.push_back(moves(
        "broadcast", type, {3, 1, 5}, {2, 3, 70, 5},
        [](const Exec& exec, const View& x, const View& y) {
          copy(exec.queue, x.broadcast_to("broadcast", y.shape), y);
        },
        [](const Dims& at) { return at[1] * 5 + at[3]; }));
    cases.push_back(moves(
        "broadcast", type, {}, {3, 1000},
        [](const Exec& exec, const View& x, const View& y) {
          copy(exec.queue, x.broadcast_to("broadcast", y.shape), y);
        },
        [](const Dims&) { return 0; }));
  }
  cases.push_back(moves(
      "roll", Type::f32, {5, 3, 7}, {5, 3, 7},
      [](const Exec& exec, const View& x, const View& y) {
        roll(exec.queue, x, {2, -3, 1}, {0, 2, 0}, y);
      },
      [](const Dims& at) {
        return flat({(at[0] + 2) % 5, at[1], (at[2] + 3) % 7}, {5, 3, 7});
      }));
}

void slices(Cases& cases) {
  for (auto type : by_size) {
    cases.push_back(strided_slice(type, {7, 40, 9}, {1, 3, 0}, {1, 1, 1}, {5, 33, 9}));
    cases.push_back(strided_slice(type, {7, 40, 9}, {6, 39, 1}, {-2, -1, 3}, {4, 40, 3}));
  }
  for (auto type : by_size) {
    Example example;
    example.name = "concat/" + std::string(name(type));
    example.inputs = {{.type = type, .shape = {5, 3}, .low = 0, .high = 9},
                      {.type = type, .shape = {5, 0}},
                      {.type = type, .shape = {5, 6}, .low = 0, .high = 9}};
    example.outputs = {{.type = type, .shape = {5, 9}, .tolerance = 0},
                       {.type = type, .shape = {5, 3}, .tolerance = 0},
                       {.type = type, .shape = {5, 6}, .tolerance = 0}};
    example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
      concat(exec.queue, in, 1, out[0]);
      split(exec.queue, out[0], 1, out.subspan(1));
    };
    example.reference = [](std::span<const Array> in, std::span<Array> out) {
      for (int64_t i = 0; i < 5; ++i)
        for (int64_t j = 0; j < 9; ++j) {
          const double value = j < 3 ? in[0][i * 3 + j] : in[2][i * 6 + j - 3];
          out[0][i * 9 + j] = value;
          (j < 3 ? out[1][i * 3 + j] : out[2][i * 6 + j - 3]) = value;
        }
    };
    cases.push_back(example);
  }
  cases.push_back(moves(
      "fill", Type::f32, {1}, {3, 5, 7},
      [](const Exec& exec, const View&, const View& y) {
        fill(exec.queue, y, 0);
        fill(exec.queue, y.sliced(1, 1, 3).sliced(2, 0, 4, 2), 0x40400000);  // 3.0f
      },
      [](const Dims&) { return -1; }));
  cases.back().reference = [](std::span<const Array>, std::span<Array> out) {
    for_each(out[0].shape,
             [&](int64_t i, const Dims& at) { out[0][i] = at[1] >= 1 && at[1] < 4 && at[2] % 2 == 0 ? 3 : 0; });
  };
}

void blocks(Cases& cases) {
  for (auto type : {Type::f32, Type::u8}) {
    cases.push_back(moves(
        "space_to_depth", type, {2, 6, 4, 3}, {2, 3, 2, 12},
        [](const Exec& exec, const View& x, const View& y) { space_to_depth(exec.queue, x, 2, y); },
        [](const Dims& at) {
          const int64_t c = at[3] % 3, block = at[3] / 3;
          return flat({at[0], at[1] * 2 + block / 2, at[2] * 2 + block % 2, c}, {2, 6, 4, 3});
        }));
    cases.push_back(moves(
        "depth_to_space", type, {2, 3, 2, 12}, {2, 6, 4, 3},
        [](const Exec& exec, const View& x, const View& y) { depth_to_space(exec.queue, x, 2, y); },
        [](const Dims& at) {
          const int64_t c = (at[1] % 2 * 2 + at[2] % 2) * 3 + at[3];
          return flat({at[0], at[1] / 2, at[2] / 2, c}, {2, 3, 2, 12});
        }));
    cases.push_back(moves(
        "space_to_batch", type, {2, 5, 4, 3}, {12, 3, 2, 3},
        [](const Exec& exec, const View& x, const View& y) {
          space_to_batch(exec, x, {2, 3}, {1, 1}, y);
        },
        [](const Dims& at) -> int64_t {
          const int64_t block = at[0] / 2, h = at[1] * 2 + block / 3 - 1, w = at[2] * 3 + block % 3 - 1;
          if (h < 0 || h >= 5 || w < 0 || w >= 4) return -1;
          return flat({at[0] % 2, h, w, at[3]}, {2, 5, 4, 3});
        }));
    cases.push_back(moves(
        "batch_to_space", type, {12, 3, 2, 3}, {2, 5, 4, 3},
        [](const Exec& exec, const View& x, const View& y) {
          batch_to_space(exec, x, {2, 3}, {1, 1}, y);
        },
        [](const Dims& at) {
          const int64_t h = at[1] + 1, w = at[2] + 1;
          return flat({(h % 2 * 3 + w % 3) * 2 + at[0], h / 2, w / 3, at[3]}, {12, 3, 2, 3});
        }));
  }
}

void diagonals(Cases& cases) {
  for (auto type : by_size)
    cases.push_back(moves(
        "band_part", type, {2, 5, 6}, {2, 5, 6},
        [](const Exec& exec, const View& x, const View& y) { band_part(exec.queue, x, 1, 2, y); },
        [](const Dims& at) -> int64_t {
          return at[1] - at[2] > 1 || at[2] - at[1] > 2 ? -1 : flat(at, {2, 5, 6});
        }));
  cases.push_back(moves(
      "band_part", Type::f32, {70, 90}, {70, 90},
      [](const Exec& exec, const View& x, const View& y) { band_part(exec.queue, x, -1, 0, y); },
      [](const Dims& at) -> int64_t {
        return at[1] > at[0] ? -1 : flat(at, {70, 90});
      }));
  cases.push_back(moves(
      "diagonal", Type::f32, {3, 4, 6}, {3, 3},
      [](const Exec& exec, const View& x, const View& y) { copy(exec.queue, diagonal(x, -1), y); },
      [](const Dims& at) {
        return flat({at[0], at[1] + 1, at[1]}, {3, 4, 6});
      }));
  for (auto [axis, batch] : {std::pair{2, 0}, {0, 2}, {1, 0}}) {
    Example example = moves("reverse_sequence/" + std::to_string(axis) + std::to_string(batch), Type::f32, {4, 5, 6, 2},
                            {4, 5, 6, 2}, {}, {});
    const int64_t count = Shape{4, 5, 6, 2}[batch];
    std::vector<double> lengths;
    for (int64_t i = 0; i < count; ++i) lengths.push_back(static_cast<double>(i % 5));
    example.inputs.push_back({.type = axis == 1 ? Type::i64 : Type::i32, .shape = {count}, .values = lengths});
    example.run = [axis = axis, batch = batch](const Exec& exec, std::span<const View> in, std::span<const View> out) {
      reverse_sequence(exec.queue, in[0], in[1], axis, batch, out[0]);
    };
    example.reference = [axis = axis, batch = batch](std::span<const Array> in, std::span<Array> out) {
      for_each(out[0].shape, [&](int64_t i, const Dims& at) {
        const auto length = static_cast<int64_t>(in[1][at[batch]]);
        Dims back = at;
        if (at[axis] < length) back[axis] = length - 1 - at[axis];
        out[0][i] = in[0][flat(back, out[0].shape)];
      });
    };
    cases.push_back(example);
  }
}

}  // namespace

void layout_cases(Cases& cases) {
  transposes(cases);
  slices(cases);
  pads(cases);
  repeats(cases);
  blocks(cases);
  diagonals(cases);
}

}  // namespace ocldnn::check
