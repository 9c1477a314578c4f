#pragma once

#include <vector>

#include "engine/contract/contraction.hpp"

namespace ocldnn::contract {

/// What is fixed in a kernel besides its own defines.
struct Frame {
  int width = 1;         // lanes of TV
  bool cpu_form = true;  // cl/math.cl's functions for CPUs
};

/// Puts in front of a contraction kernel's text: T, TV, ELEMENT (the storage type), loads and stores of the types in
/// use, and the problem's epilogue as macros:
///   EPILOGUE_PARAMETERS          parameters of a kernel, empty or beginning with a comma
///   EPILOGUE_ROW                 declares each operand's offset at the row (g0, g1, g2, r0, r1, r2, r3)
///   EPILOGUE_TABLES(n), EPILOGUE_FILL(i), EPILOGUE_SEEK(i)   the same through tables: declared, filled for the row in
///                                scope as entry i, and looked up
///   EPILOGUE(sum, q, n)          the finished TV of columns q, q + 1, ... of that row, of which n count
///   EPILOGUE_IDENTITY, C_UNIT, ELEMENT_IS_T   defined where sums are stored as they are, c's columns are contiguous,
///   and
///                                c is of the arithmetic's type
void define_frame(KernelId& id, const Contraction& problem, const Frame& frame);

/// Arguments for EPILOGUE_PARAMETERS.
void add_epilogue_arguments(std::vector<Argument>& list, const Contraction& problem);

}  // namespace ocldnn::contract
