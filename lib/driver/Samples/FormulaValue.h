//===- FormulaValue.h - a formula in more digits ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SAMPLES_FORMULAVALUE_H
#define GLOW_LIB_SAMPLES_FORMULAVALUE_H

#include "glow/Loops/Term.h"

namespace glow {

/// The value of a formula's tree in `long double`, for elements of its
/// operands: load number i reads `elements[i]`. Other reads are not allowed,
/// and every function must be a ScalarFunction record of floats.
long double formulaValue(const loops::Node &term,
                         llvm::ArrayRef<long double> elements);

} // namespace glow

#endif // GLOW_LIB_SAMPLES_FORMULAVALUE_H
