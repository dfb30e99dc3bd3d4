//===- Inline.h - one element of a program inside another -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Index notation that writes each element of its result once is a function of
// the element's indices. Its value can be inlined into a statement of another
// program, beside formulas, so that no memory is needed between the two.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_INLINE_H
#define GLOW_LOOPS_INLINE_H

#include "glow/Loops/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace glow::loops {

/// Whether the program is a single statement that assigns each element of the
/// first tensor once, at its indices in order, and does not read that tensor.
bool writesEachOnce(const Program &program);

/// Whether such a program reads from `tensor` only the element at the indices
/// that it writes. The tensor must have the shape of the result.
bool readsInPlace(const Program &program, unsigned tensor);

/// Rebuilds trees of one program in another.
class Translation {
public:
  /// The tree for a load of the first program, at subscripts of the other.
  using Load = llvm::function_ref<Term(const Node &load, const Terms &places)>;
  Translation(Program &to, Load load) : to(to), load(load) {}

  /// Gives the tree in place of an index. Each index needs one.
  void set(Term from, Term tree) { known[from.get()] = tree; }
  Term operator()(Term term);

private:
  Term make(Term term);

  Program &to;
  Load load;
  llvm::DenseMap<const Node *, Term> known;
};

/// The value that `from` assigns to the element at `place`, as a tree of `to`.
/// Requires writesEachOnce(from). The value has conditions for loads that may
/// be outside, which `load` need not have.
Term inlinedValue(Program &to, const Program &from, const Terms &place,
                  Translation::Load load);

/// Replacement of a tensor of the inlined program: a tree for its element at
/// the written indices or, if `element` is null, a tensor number of the other
/// program.
struct InlinedTensor {
  Term element{};
  unsigned number = 0;
};

/// The value that `from` assigns to the element at `place`, as a tree of `to`.
/// Requires writesEachOnce(from). `tensors` has an entry for each tensor of
/// `from`; the first entry is ignored. An entry with an element requires
/// readsInPlace.
Term inlined(Program &to, const Program &from, const Terms &place,
             llvm::ArrayRef<InlinedTensor> tensors);

} // namespace glow::loops

#endif // GLOW_LOOPS_INLINE_H
