//===- LoopValues.h - trees over indices as LLVM IR -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Elements are vectors of 16 lanes, one for each value of the lane index. An
// index expression is a scalar unless it depends on the lane index. Values that
// an outer scope has computed are reused.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H

#include "LoopPlan.h"
#include "codegen/emit/ElementOps.h"
#include "codegen/emit/OpenSizes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>
#include <map>
#include <set>

namespace glow::cpu {

/// The coordinates of a copy in a tile: a number for each of the plan's rows,
/// and the vector along its lanes.
using Copy = std::array<int64_t, 3>;

class LoopValues {
public:
  /// Begins in the function's first block. `failed` is the number of the buffer
  /// that a failing load sets.
  LoopValues(Emitter &code, const LoopPlan &plan, unsigned failed);

  /// Enters and leaves the scope of a loop. Values that are computed inside are
  /// forgotten by leave().
  void enter();
  void leave();

  /// Sets the value of an index for the first copy and lane of a tile.
  void bind(unsigned index, llvm::Value *value);
  /// The same where an outer scope has another value of the index; the scope
  /// forgets what depends on it.
  void rebind(unsigned index, llvm::Value *value);
  void unbind(unsigned index) { bound.erase(index); }
  bool isBound(unsigned index) const { return bound.contains(index); }
  /// The number of valid lanes of a tile's last vector; 0 for all.
  void setTail(int64_t vectors, int64_t count);
  /// The valid lanes of the only vector; null for all.
  void setMask(llvm::Value *lanes) { mask = lanes; }

  /// Sets the value that loads of the statement's result give; null ends this.
  void setResult(llvm::Value *vector) { result = vector; }

  /// Assumes a condition to be true, until the scope is left.
  void assume(loops::Term condition);
  bool isAssumed(loops::Term condition) const;

  /// Computes the values that are invariant in inner loops. If the number of
  /// valid lanes of a tile is not known yet, only values that are uniform over
  /// lanes.
  void hoist();
  void hoist(llvm::ArrayRef<Copy> copies);

  /// Prefetches the elements that a loaded index leads to in a later iteration
  /// of the loop over `index`, for the given copies.
  void fetchAhead(unsigned index, llvm::ArrayRef<Copy> copies);

  /// The value of an index expression in the first lane.
  llvm::Value *index(loops::Term term, Copy copy = {});
  /// An element, as a vector. An index or a boolean is a vector only if it
  /// depends on the lane.
  llvm::Value *value(loops::Term term, Copy copy);
  /// The conjunction of the conditions that are not assumed; null if there are
  /// none.
  llvm::Value *all(llvm::ArrayRef<loops::Term> conditions, Copy copy);
  /// Makes the run fail if `holds` is false and the first `ranges` ranges of
  /// the statement are not empty.
  void checkInside(llvm::Value *holds, Copy copy, size_t ranges);
  /// The valid lanes where `holds` is true, which may be null.
  llvm::Value *lanesWhere(llvm::Value *holds, Copy copy);

  /// Writes a vector to the statement's result, in the lanes of `mask`.
  void store(llvm::Value *vector, llvm::Value *mask, Copy copy);
  /// Loads the result, in the lanes where `holds`; in all lanes if it is null.
  llvm::Value *loadPlace(llvm::Value *holds, Copy copy);
  /// Writes the first lane, if `holds`, which may be null.
  void storeFirst(llvm::Value *vector, llvm::Value *holds, Copy copy);

  /// The mask of the first `count` lanes.
  llvm::Value *below(llvm::Value *count);
  ElementOps &elements() { return ops; }

private:
  using Key = std::pair<const loops::Node *, std::array<int64_t, 4>>;
  Key keyOf(loops::Term term, Copy copy, bool firstLane) const;
  llvm::Value *make(loops::Term term, Copy copy, bool firstLane);
  llvm::Value *get(loops::Term term, Copy copy, bool firstLane);
  llvm::Value *makeIndex(loops::Term term, Copy copy, bool firstLane);
  llvm::Value *load(loops::Term term, Copy copy, bool firstLane);
  llvm::Value *loadOne(loops::Term term, llvm::Value *holds, Copy copy);
  llvm::Value *loadLanes(loops::Term term, llvm::Value *holds, Copy copy);
  loops::Terms addressTrees() const;
  llvm::Value *divideLanes(loops::Term term, Copy copy);
  bool dividesLanes(loops::Term term) const;
  llvm::Value *iota(llvm::Type *element, int64_t step);
  llvm::Value *perLane(llvm::Type *element,
                       llvm::function_ref<int64_t(int64_t lane)> valueOf);
  loops::Term unassumed(llvm::ArrayRef<loops::Term> conditions) const;
  /// Whether a condition was checked in this or an outer scope; marks it as
  /// checked until the scope is left.
  bool isChecked(loops::Term condition, Copy copy, size_t ranges);
  size_t rangesAround(loops::Term term) const;
  bool isReachKnown(loops::Term term) const;
  llvm::Value *isReached(size_t ranges);
  llvm::Value *fromMemory(llvm::Value *value, ElementKind kind, bool asIndex);
  llvm::Value *toMemory(llvm::Value *value, ElementKind kind);
  llvm::Type *memoryType(ElementKind kind);

  struct Offset {
    loops::Affine affine;
    loops::Term ordered; ///< the same, with slowly changing terms first
  };
  bool isNeighbours(const Offset &offset) const;
  /// Bytes of a tensor that one iteration of a loop reads, relative to the
  /// constant of their offsets.
  struct Fetch {
    unsigned tensor;
    loops::Affine way;  ///< the offset without its constant and lane index
    const Offset *from; ///< the offset of the first load
    int64_t low, high;
  };
  std::optional<Fetch> fetchOf(loops::Term load, unsigned index,
                               int64_t vectors) const;
  std::vector<Fetch> fetchesFor(unsigned index,
                                llvm::ArrayRef<Copy> copies) const;
  void fetch(const Fetch &fetch, Copy copy);
  llvm::Value *addressesOf(unsigned tensor, const Offset &offset, Copy copy);
  llvm::Value *firstAddress(unsigned tensor, const Offset &offset, Copy copy);
  llvm::Value *loadVector(unsigned tensor, const Offset &offset,
                          llvm::Value *where, Copy copy);
  llvm::Value *loadRepeated(unsigned tensor, const Offset &offset,
                            int64_t repeats, llvm::Value *where, Copy copy);
  const Offset &offsetOf(loops::Term load) const {
    return offsets.at(load.get());
  }
  bool isKnown(loops::Term term) const;
  Offset offsetOf(const loops::Terms &subscripts, const loops::Tensor &tensor);
  bool leadsInside(loops::Term load) const;
  loops::Terms placeOf(loops::Term load);
  llvm::Value *lookAt(loops::Term subscript, Copy copy, bool firstLane);

  Emitter &code;
  const LoopPlan &plan;
  const unsigned failed;
  const int64_t moved; ///< bytes of an element that is nothing but bits; or 0
  ElementOps ops;
  std::map<unsigned, llvm::Value *> bound;
  std::map<unsigned, llvm::Value *> buffers;
  std::map<const loops::Node *, Offset> offsets; ///< of loads
  Offset target;                                 ///< offset of the result
  std::set<const loops::Node *> looked; ///< subscripts that need a bounds check
  /// The number of leading ranges of the statement that enclose a bounds check.
  std::map<const loops::Node *, size_t> around;
  std::vector<loops::Term> trees, addresses; ///< to be hoisted

  struct Scope {
    std::map<Key, llvm::Value *> values;
    llvm::SmallPtrSet<const loops::Node *, 4> assumed;
    std::set<Key> checked;
    loops::IndexSet rebound = 0; ///< indices with another value outside
  };
  std::vector<Scope> scopes;
  int64_t tailVector = -1, tailCount = 0;
  llvm::Value *mask = nullptr;
  llvm::Value *result = nullptr; ///< the finished sum, see setResult
  bool isAhead = false;          ///< prefetching: no bounds are checked
};

/// Whether 32 bits suffice for intermediate integers of 64 bits: a register
/// holds twice as many of them.
bool isNarrow(const loops::Program &program);

using loops::canFail;
using loops::isNeverMet;
using loops::onlyFails;
using loops::writesNothing;

/// Whether code can be made for all trees of a program.
bool hasLoopCode(const loops::Program &program);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H
