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
  Units(llvm::Function &function, const Folds &folds, unsigned parts);

  /// The first unit of a value, or -1 where none reads it.
  int of(const llvm::Value *value) const { return first.lookup_or(value, -1); }
  /// Units of a value: 1 if all elements are one.
  unsigned partsOf(const llvm::Value *value) const;
  /// That of a part.
  int of(const llvm::Value *value, unsigned part) const {
    return of(value) + int(partsOf(value) > 1 ? part : 0);
  }

  /// Blocks in the order of their code; loops stand together.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order; }
  bool isInnermostLoop(const llvm::BasicBlock *header) const {
    return innermost.contains(header);
  }

  llvm::SmallVector<Unit, 0> units;

private:
  void orderBlocks(llvm::Function &function);
  void findLoops(llvm::Function &function);
  void makeUnits(llvm::Function &function);
  void add(const llvm::Value &value);
  /// What a block has to do with units: the values that it reads before it
  /// writes them, those that it writes, and those that live where it begins and
  /// ends.
  struct Flow {
    llvm::BitVector read, written, in, out;
  };
  using Flows = llvm::DenseMap<const llvm::BasicBlock *, Flow>;
  void findLives();
  Flow flowOf(llvm::BasicBlock *block);
  void leave(llvm::BasicBlock *block, Flow &flow);
  void spread(Flows &flows) const;
  void markCalls();
  void inherit();
  void extend(const llvm::Value *value, int position, double weight);

  struct Span {
    int start = 0, end = 0; // the position to read of the first and the last
  };

  const Folds &folds;
  const unsigned parts;
  llvm::SmallVector<llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::Value *, int> first;
  llvm::DenseMap<const llvm::Instruction *, int> positions;
  llvm::DenseMap<const llvm::BasicBlock *, Span> spans;
  llvm::DenseMap<const llvm::BasicBlock *, double> weights;
  llvm::DenseSet<const llvm::BasicBlock *> innermost;
};

/// Gives units registers, the often used ones first; the last `kept` vectors'
/// registers have none. False if masks find none, which cannot be in memory.
bool allocate(Units &units, bool wide, unsigned kept);

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_UNITS_H
