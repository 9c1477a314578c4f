#include <algorithm>
#include <cstring>

#include "api/registrar.hpp"
#include "ocldnn/layout.hpp"
#include "ops/register.hpp"

// Diagonals of matrices put together, taken out and replaced. Several diagonals k_low ... k_high are the rows of a
// matrix [k_high - k_low + 1, longest], the highest first; a shorter one lies at its left or right end.

namespace ocldnn::tf {
namespace {

struct Band {
  int64_t low = 0, high = 0;
  int64_t count() const { return high - low + 1; }
};

/// At which end of its row a diagonal shorter than the longest lies: the superdiagonals', and the others'.
struct Align {
  bool super_right = false, sub_right = false;
  explicit Align(const Attrs& attrs, bool has_attribute) {
    if (!has_attribute) return;
    const auto text = attrs.text("align");
    super_right = text == "RIGHT_LEFT" || text == "RIGHT_RIGHT";
    sub_right = text == "LEFT_RIGHT" || text == "RIGHT_RIGHT";
    require(super_right || sub_right || text == "LEFT_LEFT",
            "align must be LEFT_RIGHT, RIGHT_LEFT, LEFT_LEFT or RIGHT_RIGHT, got {}", text);
  }
};

Band band_of(const Context& context, int input) {
  const auto values = context.integers(input);
  require(values.size() == 1 || values.size() == 2,
          "diag_index must have only one or two elements, received {} elements.", values.size());
  const Band band{values.front(), values.back()};
  require(band.low <= band.high, "lower_diag_index must not be larger than upper_diag_index: {} > {}", band.low,
          band.high);
  return band;
}

int64_t length_of(int64_t k, int64_t rows, int64_t columns) {
  return std::min(rows + std::min<int64_t>(k, 0), columns - std::max<int64_t>(k, 0));
}

int64_t longest_of(const Band& band, int64_t rows, int64_t columns) {
  return std::min(rows + std::min<int64_t>(band.high, 0), columns - std::max<int64_t>(band.low, 0));
}

void check_band(const Band& band, int64_t rows, int64_t columns) {
  for (auto k : {band.low, band.high})
    require((k > -rows && k < columns) || k == 0,
            "diagonal index {} is out of bound for a matrix of {} rows and {} columns", k, rows, columns);
}

/// Calls move(diagonal of `matrix`, its elements in `packed`) for each diagonal of the band.
template <class Move>
void for_each_diagonal(const View& matrix, const View& packed, const Band& band, const Align& align, bool one,
                       Move move) {
  const int rank = matrix.rank();
  const int64_t rows = matrix.shape[rank - 2], columns = matrix.shape[rank - 1];
  for (int64_t k = band.low; k <= band.high; ++k) {
    const int64_t length = length_of(k, rows, columns);
    if (length <= 0) continue;
    View row = packed;
    if (!one) {
      row = packed.sliced(rank - 2, band.high - k, 1);
      View flat(row.data, row.type, {}, {});
      for (int d = 0; d < rank; ++d) {
        if (d == rank - 2) continue;
        flat.shape.push_back(row.shape[d]);
        flat.strides.push_back(row.strides[d]);
      }
      row = flat;
    }
    const int last = row.rank() - 1;
    const bool right = k == 0 ? align.super_right && align.sub_right : k > 0 ? align.super_right : align.sub_right;
    move(diagonal(matrix, k), row.sliced(last, right ? row.shape[last] - length : 0, length));
  }
}

uint64_t bits_of(const Tensor& value) {
  require(value.rank() == 0, "padding_value must be a scalar, got {}", value.shape.text());
  uint64_t bits = 0;
  std::memcpy(&bits, value.data, size_of(value.type));
  return bits;
}

// Versions: 1 has neither band nor padding, 2 has both, 3 has `align` too.
template <int version>
class MatrixDiag : public Kernel {
 public:
  explicit MatrixDiag(const Attrs& attrs) : align_(attrs, version == 3) {}
  void run(Context& context) const override {
    auto packed = context.input(0);
    require(packed.rank() >= 1, "diagonal must be at least 1-dim, received shape: {}", packed.shape.text());
    Band band;
    int64_t rows = -1, columns = -1;
    uint64_t bits = 0;
    if (version > 1) {
      band = band_of(context, 1);
      rows = context.integer(2);
      columns = context.integer(3);
      bits = bits_of(context.input(4));
    }
    const bool one = band.count() == 1;
    const int rank = packed.rank() + (one ? 1 : 0);
    require(one || (packed.rank() >= 2 && packed.shape[packed.rank() - 2] == band.count()),
            "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index "
            "range.");
    const int64_t longest = packed.shape[packed.rank() - 1];
    const int64_t least_rows = longest - std::min<int64_t>(band.high, 0),
                  least_columns = longest + std::max<int64_t>(band.low, 0);
    if (rows == -1 && columns == -1) rows = columns = std::max(least_rows, least_columns);
    else if (rows == -1) rows = least_rows;
    else if (columns == -1) columns = least_columns;
    require(rows >= least_rows && columns >= least_columns, "The number of rows {} or columns {} is too small.", rows,
            columns);
    require(rows == least_rows || columns == least_columns,
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.");
    Shape shape(std::span(packed.shape.begin(), static_cast<size_t>(rank - 2)));
    shape.push_back(rows);
    shape.push_back(columns);
    auto y = context.output(0, shape);
    fill(context.queue(), y, bits);
    if (packed.elements() == 0) return;
    for_each_diagonal(y, packed, band, align_, one,
                      [&](const View& d, const View& row) { copy(context.queue(), row, d); });
  }

 private:
  Align align_;
};

template <int version>
class MatrixDiagPart : public Kernel {
 public:
  explicit MatrixDiagPart(const Attrs& attrs) : align_(attrs, version == 3) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int rank = x.rank();
    require(rank >= 2, "input must be at least 2-dim, received shape: {}", x.shape.text());
    const int64_t rows = x.shape[rank - 2], columns = x.shape[rank - 1];
    Band band;
    uint64_t bits = 0;
    if (version > 1) {
      band = band_of(context, 1);
      bits = bits_of(context.input(2));
    }
    check_band(band, rows, columns);
    const bool one = band.count() == 1;
    Shape shape(std::span(x.shape.begin(), static_cast<size_t>(rank - 2)));
    if (!one) shape.push_back(band.count());
    shape.push_back(longest_of(band, rows, columns));
    auto packed = context.output(0, shape);
    if (!one) fill(context.queue(), packed, bits);
    if (x.elements() == 0) return;
    for_each_diagonal(x, packed, band, align_, one,
                      [&](const View& d, const View& row) { copy(context.queue(), d, row); });
  }

 private:
  Align align_;
};

template <int version>
class MatrixSetDiag : public Kernel {
 public:
  explicit MatrixSetDiag(const Attrs& attrs) : align_(attrs, version == 3) {}
  void run(Context& context) const override {
    auto x = context.input(0), packed = context.input(1);
    const int rank = x.rank();
    require(rank >= 2, "input must be at least 2-dim, received shape: {}", x.shape.text());
    const int64_t rows = x.shape[rank - 2], columns = x.shape[rank - 1];
    Band band;
    if (version > 1) band = band_of(context, 2);
    check_band(band, rows, columns);
    const bool one = band.count() == 1;
    Shape expected(std::span(x.shape.begin(), static_cast<size_t>(rank - 2)));
    if (!one) expected.push_back(band.count());
    expected.push_back(longest_of(band, rows, columns));
    require(packed.shape == expected,
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not "
            "equal to the longests diagonal in range [lower_diag_index:upper_diag_index].\nInput shape: {}\nDiagonal "
            "shape: {}\nExpected diagonal shape: {}",
            x.shape.text(), packed.shape.text(), expected.text());
    auto y = context.output(0, x.shape, {0});
    if (y.data != x.data) copy(context.queue(), x, y);
    if (x.elements() == 0) return;
    for_each_diagonal(y, packed, band, align_, one,
                      [&](const View& d, const View& row) { copy(context.queue(), row, d); });
  }

 private:
  Align align_;
};

struct MatrixBandPart : Kernel {
  explicit MatrixBandPart(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    require(x.rank() >= 2, "input must be at least 2-dim, received shape: {}", x.shape.text());
    band_part(context.queue(), x, context.integer(1), context.integer(2), context.output(0, x.shape));
  }
};

/// The elements x[i..., i...] of a tensor that has each of its dimensions twice.
View twofold_diagonal(const View& x) {
  View d(x.data, x.type, {}, {});
  const int half = x.rank() / 2;
  for (int i = 0; i < half; ++i) {
    d.shape.push_back(x.shape[i]);
    d.strides.push_back(x.strides[i] + x.strides[half + i]);
  }
  return d;
}

struct Diag : Kernel {
  explicit Diag(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    require(x.rank() >= 1, "Input must be at least rank 1, got 0");
    require(2 * x.rank() <= max_rank, "Diag: at most {} dimensions, got {}", max_rank / 2, x.shape.text());
    Shape shape = x.shape;
    for (auto size : x.shape) shape.push_back(size);
    auto y = context.output(0, shape);
    fill(context.queue(), y, 0);
    if (x.elements() > 0) copy(context.queue(), x, twofold_diagonal(y));
  }
};

struct DiagPart : Kernel {
  explicit DiagPart(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int half = x.rank() / 2;
    require(x.rank() > 0 && x.rank() % 2 == 0, "The rank of the tensor should be even and positive, got shape {}",
            x.shape.text());
    for (int i = 0; i < half; ++i)
      require(x.shape[i] == x.shape[half + i], "Invalid shape {}: dimensions {} and {} do not match.", x.shape.text(),
              i, half + i);
    const auto d = twofold_diagonal(x);
    auto y = context.output(0, d.shape);
    if (y.elements() > 0) copy(context.queue(), d, y);
  }
};

using enum Type;
constexpr Type twofold_types[]{f32, f16, f64, i64};  // those of TensorFlow's CPU, which has no bf16 here

}  // namespace

void register_matrix_diag(const Registrar& r) {
  r.add<Diag>("Diag", {.types = twofold_types});
  r.add<DiagPart>("DiagPart", {.types = twofold_types});
  r.add<MatrixBandPart>("MatrixBandPart", {.types = all, .host = {"num_lower", "num_upper"}});
  r.add<MatrixDiag<1>>("MatrixDiag", {.types = all});
  r.add<MatrixDiag<2>>("MatrixDiagV2", {.types = all, .host = {"k", "num_rows", "num_cols", "padding_value"}});
  r.add<MatrixDiag<3>>("MatrixDiagV3", {.types = all, .host = {"k", "num_rows", "num_cols", "padding_value"}});
  r.add<MatrixDiagPart<1>>("MatrixDiagPart", {.types = all});
  r.add<MatrixDiagPart<2>>("MatrixDiagPartV2", {.types = all, .host = {"k", "padding_value"}});
  r.add<MatrixDiagPart<3>>("MatrixDiagPartV3", {.types = all, .host = {"k", "padding_value"}});
  r.add<MatrixSetDiag<1>>("MatrixSetDiag", {.types = all});
  r.add<MatrixSetDiag<2>>("MatrixSetDiagV2", {.types = all, .host = {"k"}});
  r.add<MatrixSetDiag<3>>("MatrixSetDiagV3", {.types = all, .host = {"k"}});
}

}  // namespace ocldnn::tf
