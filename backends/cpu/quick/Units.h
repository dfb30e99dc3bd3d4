//===- Units.h - live intervals of values -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Live intervals. Each start of a block and each instruction has two positions,
// one to read and one to write. The interval of a unit reaches from its first
// to its last position, without holes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_UNITS_H
#define GLOW_BACKENDS_CPU_QUICK_UNITS_H

#include "Fold.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include <vector>

namespace glow::cpu::quick {

enum class Kind : uint8_t { General, Vector, Mask };

/// A value, or a part of a vector value that fits one register.
struct Unit {
  Kind kind = Kind::General;
  int from = 0, to = 0;  ///< live interval: positions, both included
  double weight = 0;     ///< estimated number of accesses
  bool isAcross = false; ///< a call lies in the live interval
  int phi = -1;          ///< the phi unit that it is moved to, or -1
  /// Coalescing hints: units whose registers it may take after their last use.
  llvm::SmallVector<int, 3> heirOf;

  int reg = -1; ///< -1 if it is spilled
};

class Units {
public:
  /// `parts`: registers of a vector.
  Units(llvm::Function &function, llvm::DominatorTree &dominators,
        const Folds &folds, unsigned parts);

  /// The units of a value: one for each part, one in all if all elements are
  /// equal, and none for a value without users.
  struct Range {
    int first = -1;
    unsigned count = 0;
  };
  Range rangeOf(const llvm::Value *value) const { return ranges.lookup(value); }
  int of(const llvm::Value *value) const { return rangeOf(value).first; }
  unsigned partsOf(const llvm::Value *value) const {
    return rangeOf(value).count;
  }
  /// The unit of a part.
  int of(const llvm::Value *value, unsigned part) const {
    Range range = rangeOf(value);
    return range.first + int(range.count > 1 ? part : 0);
  }

  /// Blocks in the order of their code; the blocks of a loop are contiguous.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order; }
  bool isInnermostLoop(const llvm::BasicBlock *header) const {
    return innermost.contains(header);
  }

  llvm::SmallVector<Unit, 0> units;

private:
  void orderBlocks(llvm::Function &function);
  void findLoops(llvm::DominatorTree &dominators);
  void makeUnits(llvm::Function &function);
  void add(const llvm::Value &value);
  unsigned unitsOf(const llvm::Value &value) const;

  /// The data-flow sets of a block: values that it reads before it writes them,
  /// values that it writes, and values that are live at its begin and end.
  struct Block {
    int start = 0, end = 0; ///< read positions of the first and the last
    double weight = 1;
    llvm::BitVector read, written, in, out;
  };
  Block &at(const llvm::BasicBlock *block) { return all[block->getNumber()]; }
  void findLives(llvm::Function &function);
  void flow(llvm::BasicBlock *block);
  void leave(llvm::BasicBlock *block);
  void spread();
  void markCalls();
  void inherit();
  void link(Range heir, Range value);
  void linkPhi(const llvm::PHINode &phi);
  void extend(Range range, int position, double weight);

  const Folds &folds;
  const unsigned parts;
  llvm::SmallVector<llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::Value *, Range> ranges;
  std::vector<Block> all;       ///< by number
  llvm::SmallVector<int> calls; ///< positions
  llvm::DenseSet<const llvm::BasicBlock *> innermost;
};

/// Assigns registers to units, by weight. The last `kept` vector registers stay
/// free. False if a mask gets no register, because masks cannot be spilled.
bool allocate(Units &units, bool wide, unsigned kept);

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_UNITS_H
