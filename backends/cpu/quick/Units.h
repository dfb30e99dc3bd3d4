//===- Units.h - what needs a register, and how long ----------*- C++ -*-===//
//
// Positions: each start of a block and each instruction has two, one to read
// and one to write. A unit lives from the first to the last where it may be
// read, whatever lies between.
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

/// A value, or the part of a vector that one register has.
struct Unit {
  Kind kind = Kind::General;
  int from = 0, to = 0;  ///< positions, both included
  double weight = 0;     ///< how often it is read or written
  bool isAcross = false; ///< whether a call lies between
  int phi = -1;          ///< the unit that it is moved to, or -1
  /// Units whose register it may have from where they are read last.
  llvm::SmallVector<int, 3> heirOf;

  int reg = -1; ///< -1 if it is in memory
};

class Units {
public:
  /// `parts`: registers of a vector.
  Units(llvm::Function &function, llvm::DominatorTree &dominators,
        const Folds &folds, unsigned parts);

  /// The units of a value, of which no element reads another's: one if all
  /// elements are one, none where no one reads it.
  struct Range {
    int first = -1;
    unsigned count = 0;
  };
  Range rangeOf(const llvm::Value *value) const { return ranges.lookup(value); }
  int of(const llvm::Value *value) const { return rangeOf(value).first; }
  unsigned partsOf(const llvm::Value *value) const {
    return rangeOf(value).count;
  }
  /// That of a part.
  int of(const llvm::Value *value, unsigned part) const {
    Range range = rangeOf(value);
    return range.first + int(range.count > 1 ? part : 0);
  }

  /// Blocks in the order of their code; loops stand together.
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

  /// What a block has to do with units: the values that it reads before it
  /// writes them, those that it writes, and those that live where it begins and
  /// ends.
  struct Block {
    int start = 0, end = 0; ///< the position to read of the first and the last
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

/// Gives units registers, the often used ones first; the last `kept` vectors'
/// registers have none. False if masks find none, which cannot be in memory.
bool allocate(Units &units, bool wide, unsigned kept);

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_UNITS_H
