#pragma once

#include <string>
#include <vector>

#include "engine/pointwise/code.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn {

std::string_view fold_name(Fold fold);

/// One result of a generated reduction.
struct FoldCode {
  Fold fold;
  std::string element, finish;
};

/// What fixes the text of a generated reduction: operands are the first views of the frame, then a view a result.
struct ReduceCode {
  FrameCode frame;
  bool along;     // the innermost dimension is folded
  int lanes = 0;  // GPU form: items a row
  std::vector<std::string> operands;
  std::vector<FoldCode> folds;

  std::string text() const;
};

}  // namespace ocldnn
