//===- Formulas.h - a formula on several vectors ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_FORMULAS_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_FORMULAS_H

#include "Emit.h"

namespace glow::cpu {

/// One value for each of several vectors.
using Vectors = llvm::SmallVector<llvm::Value *, 4>;

/// The results of a formula on `count` vectors of each input, as emitFormula
/// makes one. Instructions of different vectors take turns.
Vectors emitFormulas(Emitter &code, const Formula &formula,
                     llvm::ArrayRef<Vectors> inputs, size_t count,
                     Rounding rounding);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_FORMULAS_H
