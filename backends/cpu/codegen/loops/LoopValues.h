//===- LoopValues.h - trees over indices as LLVM IR -------------*- C++ -*-===//
//
// Elements are vectors of 16 lanes, one for each value of the index that runs
// along the lanes; an index is one integer as long as it does not depend on
// that one. What was computed further out is not computed again.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H

#include "LoopPlan.h"
#include "codegen/emit/ElementOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <array>
#include <map>
#include <set>

namespace glow::cpu {

/// Which of the places of a tile: a number for each of the plan's rows, and the
/// vector along its lanes.
using Copy = std::array<int64_t, 3>;

class LoopValues {
public:
  /// Begins in the function's first block. `failed` is the number of the buffer
  /// that a load that fails sets.
  LoopValues(Emitter &code, const LoopPlan &plan, unsigned failed);

  /// What follows is computed inside of a loop, and forgotten at its end.
  void enter();
  void leave();

  /// The value of an index in the first of a tile's copies and lanes.
  void bind(unsigned index, llvm::Value *value);
  void unbind(unsigned index) { bound.erase(index); }
  bool isBound(unsigned index) const { return bound.contains(index); }
  /// How many lanes there are of a tile's last vector; 0 for all.
  void setTail(int64_t vectors, int64_t count);
  /// Which lanes there are of the only vector; null for all.
  void setMask(llvm::Value *lanes) { mask = lanes; }

  /// What loads of the statement's place give, until it is called with null.
  void setResult(llvm::Value *vector) { result = vector; }

  /// Takes conditions for granted, until the scope is left.
  void assume(loops::Term condition);
  bool isAssumed(loops::Term condition) const;

  /// Computes what does not change in loops further in: of a tile of which it
  /// is not known yet how many lanes it has, what is the same in all of them.
  void hoist();
  void hoist(llvm::ArrayRef<Copy> copies);

  /// Fetches what an element leads to in a later turn of the loop over an
  /// index, which is bound, as far as so many copies read it.
  void fetchAhead(unsigned index, llvm::ArrayRef<Copy> copies);

  /// An index in the first lane.
  llvm::Value *index(loops::Term term, Copy copy = {});
  /// An element, as a vector; an index or a truth as one where it depends on
  /// the lane.
  llvm::Value *value(loops::Term term, Copy copy);
  /// Whether all of these hold that are not taken for granted; null if there
  /// are none.
  llvm::Value *all(llvm::ArrayRef<loops::Term> conditions, Copy copy);
  /// Has the run fail where this does not hold, and the first ranges of the
  /// statement, so many that are given, are not empty.
  void checkInside(llvm::Value *holds, Copy copy, size_t ranges);
  /// The lanes that there are, of those where `holds`, which may be null.
  llvm::Value *lanesWhere(llvm::Value *holds, Copy copy);

  /// Writes a vector to the statement's place, in the lanes of `mask`.
  void store(llvm::Value *vector, llvm::Value *mask, Copy copy);
  /// The place's value, in the lanes where `holds`; in all lanes if it is null.
  llvm::Value *loadPlace(llvm::Value *holds, Copy copy);
  /// Writes the first lane, if `holds`, which may be null.
  void storeFirst(llvm::Value *vector, llvm::Value *holds, Copy copy);

  /// The first `count` lanes.
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
  llvm::Value *divide(llvm::Value *a, llvm::Value *b, bool rest);
  llvm::Value *divideLanes(loops::Term term, Copy copy);
  bool dividesLanes(loops::Term term) const;
  llvm::Value *iota(llvm::Type *element, int64_t step);
  llvm::Value *perLane(llvm::Type *element,
                       llvm::function_ref<int64_t(int64_t lane)> valueOf);
  loops::Term unassumed(llvm::ArrayRef<loops::Term> conditions) const;
  /// Whether the run fails already where this does not hold; from here on it
  /// does, until the scope is left.
  bool isChecked(loops::Term condition, Copy copy, size_t ranges);
  size_t rangesAround(loops::Term term) const;
  bool isReachKnown(loops::Term term) const;
  llvm::Value *isReached(size_t ranges);
  llvm::Value *fromMemory(llvm::Value *value, ElementKind kind, bool asIndex);
  llvm::Value *toMemory(llvm::Value *value, ElementKind kind);
  llvm::Type *memoryType(ElementKind kind);

  struct Offset {
    loops::Affine affine;
    loops::Term ordered; ///< the same, what changes least first
  };
  bool isNeighbours(const Offset &offset) const;
  /// Bytes of a tensor that one turn of a loop reads, counted from the constant
  /// of their offsets.
  struct Fetch {
    unsigned tensor;
    loops::Affine way;  ///< there, but for what tells its bytes apart
    const Offset *from; ///< of the first
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
  Offset offsetOf(const loops::Terms &subscripts, const Ints &shape);
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
  Offset target;                                 ///< of the place
  std::set<const loops::Node *> looked; ///< subscripts that have to be inside
  /// How many of the statement's ranges, from the first on, are around what has
  /// to be inside.
  std::map<const loops::Node *, size_t> around;
  std::vector<loops::Term> trees, addresses; ///< to be hoisted

  struct Scope {
    std::map<Key, llvm::Value *> values;
    llvm::SmallPtrSet<const loops::Node *, 4> assumed;
    std::set<Key> checked;
  };
  std::vector<Scope> scopes;
  int64_t tailVector = -1, tailCount = 0;
  llvm::Value *mask = nullptr;
  llvm::Value *result = nullptr; ///< of the sum, while it is finished
  bool isAhead = false; ///< nothing has to be inside
};

/// Whether integers of 64 bits need not be more than 32 bits in between: of
/// these, registers hold twice as many.
bool isNarrow(const loops::Program &program);

/// Whether an element that an element leads to may be outside of its tensor.
bool canFail(const loops::Program &program, const loops::Statement &statement);

/// Whether an index that has no bounds has no value: then nothing is looked at,
/// since bounds stand behind all such indices.
bool isNeverMet(const loops::Program &program,
                const loops::Statement &statement);

/// Whether elements lead to places of a result that has none: whichever they
/// are, they are outside.
bool onlyFails(const loops::Program &program,
               const loops::Statement &statement);

/// Whether the result has no element, and none is looked at that may lead to
/// one or bound an index.
bool writesNothing(const loops::Program &program,
                   const loops::Statement &statement);

/// Whether code can be made for all trees of a program.
bool hasLoopCode(const loops::Program &program);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPVALUES_H
