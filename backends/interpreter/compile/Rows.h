//===- Rows.h - tensors that are copied row by row --------------*- C++ -*-===//
//
// What is done to large weights when a model is compiled, many elements at a
// time: by the kernels it would take longer than all the rest.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_INTERPRETER_ROWS_H
#define GLOW_BACKENDS_INTERPRETER_ROWS_H

#include "llvm/ADT/ArrayRef.h"

namespace glow {

using Sizes = llvm::ArrayRef<int64_t>;

/// Writes `from`, whose sizes are those of `to` or 1, as often as it takes.
/// Elements have `width` bytes.
void repeatRows(const char *from, Sizes sizes, Sizes to, size_t width,
                char *out);

/// out = in * factor, which is repeated in the same way.
void multiplyRows(const float *in, const float *factor, Sizes sizes, Sizes to,
                  float *out);

/// out[permutation] = in. False, and nothing done, unless all it does is to
/// turn matrices, and their elements have 1, 2, 4 or 8 bytes.
bool transposeRows(const char *in, Sizes sizes, Sizes permutation, size_t width,
                   char *out);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_ROWS_H
