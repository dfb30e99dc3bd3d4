//===- Lifetimes.h - live intervals of buffers ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_LIFETIMES_H
#define GLOW_IR_LIFETIMES_H

#include "glow/IR/Access.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <vector>

namespace glow::ir {

/// Numbers the instructions of a function and records the accesses of each
/// buffer.
///
/// Numbers stay valid while instructions are erased and buffers are replaced,
/// if `forget` and `absorb` are called for each. alloc and dealloc have no
/// number.
class Lifetimes {
public:
  explicit Lifetimes(FuncOp function);

  struct Entry {
    unsigned position;
    bool reads;
    bool writes;
  };

  /// Live interval: from the first instruction that needs the buffer to the
  /// last, inclusive.
  struct Range {
    unsigned first;
    unsigned last;
  };

  /// The instructions; null for a forgotten one.
  llvm::ArrayRef<mlir::Operation *> instrs() const { return order; }

  /// The accesses of the buffer, in program order.
  llvm::ArrayRef<Entry> entries(mlir::Value buffer) const;

  /// The live interval of the buffer; nothing for an unused buffer. A buffer of
  /// an asynchronous instruction is live until its token is read. A whole is
  /// live while one of its parts is.
  std::optional<Range> range(mlir::Value buffer) const;

  /// Whether an asynchronous instruction accesses the buffer, so that its
  /// entries are incomplete.
  bool inFlight(mlir::Value buffer) const;

  /// Whether an entry in [from, to] writes the buffer.
  bool writtenWithin(mlir::Value buffer, unsigned from, unsigned to) const;

  /// Whether there is an entry in [from, to).
  bool touchedWithin(mlir::Value buffer, unsigned from, unsigned to) const;

  /// Removes an instruction from all histories, before it is erased.
  void forget(unsigned position);

  /// Adds the history of `from`, which is about to be replaced, to that of
  /// `into`.
  void absorb(mlir::Value from, mlir::Value into);

  /// Recomputes which buffers lie within others.
  void findParts(FuncOp function);

  /// Moves the alloc before the first use of the buffer, and its dealloc after
  /// the last. Adds a missing dealloc, and keeps one of several. Drops a
  /// `reuse` of the buffer that no longer follows its last use. An unused
  /// buffer stays unchanged.
  void fit(AllocOp alloc);

private:
  llvm::SmallVector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Entry>> histories;
  llvm::DenseMap<mlir::Value, unsigned> flightEnds;
  llvm::DenseMap<mlir::Value, Range> partRanges; ///< a whole's, by its parts

  void extendFlights();
  void fitReuse(AllocOp reusing, Range reused);
};

/// Moves every alloc before the first use of its buffer, and every dealloc
/// after the last.
void fitAll(FuncOp function);

/// Buffers that share a piece of memory, one after the other, by their `reuse`.
/// A `reuse` that is not permitted is ignored.
struct Slot {
  llvm::SmallVector<AllocOp, 1> buffers;
  uint64_t bytes;
  unsigned first; ///< first instruction with a use
  unsigned last;  ///< last instruction with a use
};

/// The slots of a memory, or of the arena if none is named, in the order of
/// their allocs. They cover all used buffers in it that do not lie within
/// another.
std::vector<Slot> slotsOf(FuncOp function, const Lifetimes &lifetimes,
                          llvm::StringRef memory = "");

} // namespace glow::ir

#endif // GLOW_IR_LIFETIMES_H
