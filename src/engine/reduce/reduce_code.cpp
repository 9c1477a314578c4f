#include "engine/reduce/reduce_code.hpp"

#include <algorithm>

#include "ocldnn/formula.hpp"
#include "runtime/launch.hpp"

namespace ocldnn {

std::string_view fold_name(Fold fold) {
  constexpr std::string_view names[]{"sum", "prod", "max", "min", "all", "any"};
  return names[static_cast<int>(fold)];
}

namespace {

std::string loads(const ReduceCode& code, std::string_view count) {
  std::string text;
  for (size_t i = 0; i < code.operands.size(); ++i) {
    const bool used = std::any_of(code.folds.begin(), code.folds.end(),
                                  [&](const auto& fold) { return formula_uses(fold.element, code.operands[i]); });
    if (used)
      text += fmt::format(" const TV v_{} = {};", code.operands[i], code.frame.load(static_cast<int>(i), "i", count));
  }
  return text;
}

std::string take(const ReduceCode& code, bool part) {
  std::string text = " {" + loads(code, part ? "n" : "");
  if (part) text += " const MV inside = first_lanes(n);";
  for (size_t r = 0; r < code.folds.size(); ++r) {
    const auto folded = fmt::format("fold_{}(k##{}, {})", fold_name(code.folds[r].fold), r,
                                    formula_code(code.folds[r].element, code.frame.compute));
    text += part ? fmt::format(" k##{0} = inside ? {1} : k##{0};", r, folded) : fmt::format(" k##{} = {};", r, folded);
  }
  return text + " }";
}

std::string finish(const ReduceCode& code, std::string_view count) {
  std::string text;
  for (size_t r = 0; r < code.folds.size(); ++r) {
    const auto value = formula_code(code.folds[r].finish, code.frame.compute);
    text += fmt::format(" {{ const TV v_r = k##{}; {}; }}", r,
                        code.frame.store(static_cast<int>(code.operands.size() + r), "i", value, count));
  }
  return text;
}

}  // namespace

std::string ReduceCode::text() const {
  std::string start, merge, fold_lanes, save, load_other;
  for (size_t r = 0; r < folds.size(); ++r) {
    const auto name = fold_name(folds[r].fold);
    start += fmt::format(" TV k##{} = NEUTRAL_{};", r, name);
    merge += fmt::format(" k##{0} = fold_{1}(k##{0}, l##{0});", r, name);
    fold_lanes += fmt::format(" k##{0} = lanes_{1}(k##{0});", r, name);
    save += fmt::format(" saved[{0}][item] = k##{0};", r);
    load_other += fmt::format(" k##{0} = saved[{0}][from];", r);
  }
  const std::string first = along && frame.width > 1 ? "1" : "";
  return frame.prelude() + kernel_text("cl/fold.cl") + frame.macros() +
         fmt::format("#define RESULTS {}\n#define ALONG {}\n", folds.size(), int{along}) +
         (lanes ? fmt::format("#define LANES {}\n", lanes) : "") +
         fmt::format("#define START(k){}\n#define MERGE(k, l){}\n#define FOLD_LANES(k){}\n", start, merge, fold_lanes) +
         fmt::format("#define SAVE(k){}\n#define LOAD_OTHER(k, from){}\n", save, load_other) +
         fmt::format("#define TAKE(k, i){}\n#define TAKE_PART(k, i, n){}\n", take(*this, false), take(*this, true)) +
         fmt::format("#define FINISH(k, i){}\n#define FINISH_PART(k, i, n){}\n", finish(*this, first),
                     finish(*this, "n"));
}

}  // namespace ocldnn
