#pragma once

#include "engine/form.hpp"

namespace ocldnn {

/// How the lines of cl/lines.cl, all of w and perhaps of the channels at the other coordinates, are shared out: a group
/// of one item takes several lines, an item among many an element.
class Lines {
 public:
  /// `written` [..., w, channels] is what the items go over; `c_inner`: its channels, and those of every other tensor,
  /// are adjacent. Where they are not, `form` gets vectors of one element.
  Lines(Form& form, bool c_inner, const View& written) : c_inner_(c_inner), solo_(form.solo) {
    constexpr int64_t group_elements = 4096;  // what a group of one item takes at least
    constexpr int64_t groups_a_unit = 8;      // how many groups each compute unit may share fairly
    if (!c_inner) form.width = 1;
    const int w = written.rank() - 2, channels = written.rank() - 1;
    const int64_t across = written.shape[w] * (c_inner ? written.shape[channels] : 1);
    const int64_t lines = written.elements() / across;
    if (solo_) {
      each_ = std::min(lines, std::max(ceil_div(lines, groups_a_unit * form.units), ceil_div(group_elements, across)));
      groups_ = ceil_div(lines, each_);
    } else {
      local_ = std::min<int64_t>(256, form.max_group);
      groups_ = ceil_div(lines * across, local_);
    }
  }

  void define(KernelId& id) const {
    id.define("C_INNER", int64_t{c_inner_}).define("SOLO", int64_t{solo_}).define("LOCAL", local_);
  }
  Grid grid() const { return {{static_cast<size_t>(groups_), 1, 1}, {static_cast<size_t>(local_), 1, 1}}; }
  /// The kernels' last argument.
  int32_t per_group() const { return static_cast<int32_t>(each_); }

 private:
  bool c_inner_, solo_;
  int64_t each_ = 1, local_ = 1, groups_ = 1;
};

}  // namespace ocldnn
