#pragma once

#include <vector>

#include "engine/contract/contraction.hpp"

namespace ocldnn::contract {

/// Puts the problem's epilogue in front of a kernel's text, as macros that problem.cl's users call:
///   EPILOGUE_PARAMETERS   parameters of a kernel, empty or beginning with a comma
///   EPILOGUE_ROW          offsets of each operand at (g0, g1, g2, r0, r1, r2, r3): declarations
///   EPILOGUE(sum, q)      the finished value of column q of that row, a scalar of type REAL
/// EPILOGUE_IDENTITY is defined where the sum is stored as it is.
void define_epilogue(KernelId& id, const Contraction& problem);

/// Arguments for EPILOGUE_PARAMETERS.
void add_epilogue_arguments(std::vector<Argument>& list, const Contraction& problem);

}  // namespace ocldnn::contract
