//===- Inline.h - one element of a program inside another -------*- C++ -*-===//
//
// Index notation that writes each element of its result once is a function of
// the element's indices. Its value can stand in the statement of another
// program, beside formulas, so that nothing between the two is in memory.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_INLINE_H
#define GLOW_LOOPS_INLINE_H

#include "glow/Loops/Program.h"
#include "llvm/ADT/ArrayRef.h"

namespace glow::loops {

/// Whether the program is one statement that assigns each element of the first
/// tensor once, in the place that its indices name in order, and reads none of
/// that tensor.
bool writesEachOnce(const Program &program);

/// Whether such a program reads nothing of a tensor but the element in the
/// place that it writes. The tensor has the shape of the result.
bool readsInPlace(const Program &program, unsigned tensor);

/// A tensor of the program that is inlined: its element in the place that is
/// written, or its number in the other program where `element` is null.
struct InlinedTensor {
  Term element{};
  unsigned number = 0;
};

/// The value that `from` assigns to the element at `place`, as a tree of `to`.
/// writesEachOnce(from) holds. `tensors` has an entry for each tensor of
/// `from`; the first entry is not used. readsInPlace holds for entries with an
/// element.
Term inlined(Program &to, const Program &from, const Terms &place,
             llvm::ArrayRef<InlinedTensor> tensors);

} // namespace glow::loops

#endif // GLOW_LOOPS_INLINE_H
