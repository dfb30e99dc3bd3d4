//===- Einsum.h - equations between the axes of tensors ---------*- C++ -*-===//
//
// "bij,bjk->bik": a letter is an axis, "..." all that have no letter, counted
// from the last. Without "->" the result has what occurs once, in the order of
// the alphabet. An axis as a number is its letter, or -1, -2 ... from the last
// that "..." stands for.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_EINSUM_H
#define GLOW_BASE_EINSUM_H

#include "glow/Base/Ints.h"
#include <string>

namespace glow::expr {

/// Whether an equation can be one of operands of these ranks.
bool einsumFits(const std::string &equation, const Ints &ranks);

/// The axes of an operand, or, for the term behind the last, of the result.
Ints einsumAxes(const std::string &equation, const Ints &ranks, int64_t term);

/// The places of axes of an operand that are 1 long where another operand has
/// another size: it is repeated along them. `sizes` are those of the operands,
/// one after the other.
Ints einsumRepeated(const std::string &equation, const Ints &ranks,
                    const Ints &sizes, int64_t operand);

} // namespace glow::expr

#endif // GLOW_BASE_EINSUM_H
