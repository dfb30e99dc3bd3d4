//===- SizePlaces.h - sizes of a sample that vary together ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SAMPLES_SIZEPLACES_H
#define GLOW_LIB_SAMPLES_SIZEPLACES_H

#include "glow/Samples/Samples.h"
#include <set>

namespace glow {

/// A size of an operand: the number of the operand, and the axis.
using SizePlace = std::pair<size_t, size_t>;
using SizePlaces = std::set<SizePlace>;

/// The sets of sizes that a signature may tie together: each size alone, equal
/// sizes, equal sizes of one axis, and the multiples of a size. Sizes of 0 and
/// operands that are constant have no part in them.
std::set<SizePlaces> tiedPlaces(llvm::ArrayRef<OperandText> operands);

} // namespace glow

#endif // GLOW_LIB_SAMPLES_SIZEPLACES_H
