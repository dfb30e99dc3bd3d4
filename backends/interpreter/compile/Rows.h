//===- Rows.h - tensors that are copied row by row --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Constant folding of large weights, many elements at a time. The interpreter's
// kernels would take longer than the rest of the compilation.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_INTERPRETER_ROWS_H
#define GLOW_BACKENDS_INTERPRETER_ROWS_H

#include "llvm/ADT/ArrayRef.h"

namespace glow {

using SizesRef = llvm::ArrayRef<int64_t>;

/// Broadcasts `from` to the sizes `to`; a size of `from` is that of `to` or 1.
/// Elements have `width` bytes.
void repeatRows(const char *from, SizesRef sizes, SizesRef to, size_t width,
                char *out);

/// out = in * factor, where `factor` is broadcast in the same way.
void multiplyRows(const float *in, const float *factor, SizesRef sizes,
                  SizesRef to, float *out);

/// out[permutation] = in. Returns false and does nothing, unless the
/// permutation only transposes matrices, and elements have 1, 2, 4 or 8 bytes.
bool transposeRows(const char *in, SizesRef sizes, SizesRef permutation,
                   size_t width, char *out);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_ROWS_H
