//===- Lifetimes.h - when buffers are in use --------------------*- C++ -*-===//

#ifndef GLOW_IR_LIFETIMES_H
#define GLOW_IR_LIFETIMES_H

#include "glow/IR/Access.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <vector>

namespace glow::ir {

/// The instructions of a function, numbered, and which touches which buffer.
///
/// Numbers stay as they are while instructions are erased and buffers are
/// replaced, if `forget` and `absorb` are told; alloc and dealloc have none.
class Lifetimes {
public:
  explicit Lifetimes(FuncOp function);

  struct Entry {
    unsigned position;
    bool reads;
    bool writes;
  };

  /// From the first instruction that needs the buffer to the last, inclusive.
  struct Range {
    unsigned first;
    unsigned last;
  };

  /// The instructions; null where one was forgotten.
  llvm::ArrayRef<mlir::Operation *> instrs() const { return order; }

  /// What touches the buffer, in program order.
  llvm::ArrayRef<Entry> entries(mlir::Value buffer) const;

  /// When the buffer is in use; none if it never is. What an asynchronous
  /// instruction touches is in use until its token is read, and a whole while
  /// a part of it is.
  std::optional<Range> range(mlir::Value buffer) const;

  /// Whether an asynchronous instruction touches the buffer, so that its
  /// entries do not say all.
  bool inFlight(mlir::Value buffer) const;

  /// Whether an entry in [from, to] writes the buffer.
  bool writtenWithin(mlir::Value buffer, unsigned from, unsigned to) const;

  /// Whether there is an entry in [from, to).
  bool touchedWithin(mlir::Value buffer, unsigned from, unsigned to) const;

  /// Removes an instruction from all histories, before it is erased.
  void forget(unsigned position);

  /// Adds the history of `from`, which is about to be replaced, to `into`.
  void absorb(mlir::Value from, mlir::Value into);

  /// Looks anew for the buffers that lie within others.
  void findParts(FuncOp function);

  /// Puts alloc before the first instruction of the buffer, and dealloc after
  /// the last. Makes a dealloc where there is none, and keeps one of several.
  /// Drops a `reuse` of the buffer that no longer follows on its last use. A
  /// buffer that is never in use stays as it is.
  void fit(AllocOp alloc);

private:
  llvm::SmallVector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Entry>> histories;
  llvm::DenseMap<mlir::Value, unsigned> flightEnds;
  llvm::DenseMap<mlir::Value, Range> partRanges; ///< of a whole

  void extendFlights();
  void fitReuse(AllocOp reusing, Range reused);
};

/// Puts every alloc before the first instruction of its buffer, and every
/// dealloc after the last.
void fitAll(FuncOp function);

/// Buffers that share one piece of memory, one after the other, as their
/// `reuse` permits. `reuse` where it is not permitted counts for nothing.
struct Slot {
  llvm::SmallVector<AllocOp, 1> buffers;
  uint64_t bytes;
  unsigned first; ///< the first instruction that needs it
  unsigned last;  ///< the last instruction that needs it
};

/// The slots of a memory, of the arena where none is named: of all buffers that
/// are in use and in it, except those within another. In the order of their
/// allocs.
std::vector<Slot> slotsOf(FuncOp function, const Lifetimes &lifetimes,
                          llvm::StringRef memory = "");

} // namespace glow::ir

#endif // GLOW_IR_LIFETIMES_H
