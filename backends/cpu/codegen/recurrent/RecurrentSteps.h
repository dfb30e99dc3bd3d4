//===- RecurrentSteps.h - steps that multiply by one matrix ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A step of a recurrence multiplies rows of the step before by weights, a tile
// at a time. A tile has some blocks of 16 units (a group) with all of their
// gates, for some items of the batch. The units are finished while their sums
// are in registers or caches.
//
// Running chunks claim the groups of all steps of a direction in order. A chunk
// waits until all groups that its own group needs are done. These were claimed
// before, so that a thread works on them and the wait ends. A chunk that starts
// late finds no group left.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENTSTEPS_H
#define GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENTSTEPS_H

#include "codegen/step/Step.h"

namespace glow::cpu {

/// Gates whose sums are computed together, `units` blocks of each at a time.
struct GatePass {
  int64_t firstGate, gates, units = 1;
  int64_t groups = 0, firstGroup = 0; ///< its share of a step's groups
};

/// The sizes of a recurrence, the greatest of a run and those that a run gives.
struct RecurrentSizes {
  int64_t steps, directions, batch, hidden;
  Length stepsInRun, itemsInRun;
  /// Whether a step may have fewer items than the one before. Then the first 8
  /// bytes of the shared memory are the flag of a failure.
  bool losesItems = false;
};

/// A block of up to 16 units of an item of the batch, behind its sums.
struct SummedUnits {
  llvm::Value *unit, *item; ///< the numbers of the first unit and of the item
  llvm::Value *sums;        ///< each gate's sums, 16 lanes each
  int64_t count;            ///< of units
};

/// Emits a recurrence. `weights` are [directions, depth, gates * hidden], and
/// each row that they multiply has `depth` elements.
class StepsEmitter {
public:
  StepsEmitter(CodeModule &module, const RecurrentSizes &sizes,
               const Operand &weights, Direction order,
               std::vector<GatePass> passes, const llvm::Twine &name);
  virtual ~StepsEmitter() = default;

  NativeStep emit();

protected:
  /// Rows of a step, `stride` elements apart.
  struct Rows {
    llvm::Value *first;
    int64_t stride;
  };

  /// Emits copies before the first step and behind the last one.
  virtual void emitBegin(Emitter &begin) = 0;
  virtual void emitEnd(Emitter &end) = 0;
  /// The items of the step, the first of all items; by default all.
  virtual llvm::Value *itemsOfStep();
  /// Finds the addresses of step `s`.
  virtual void findRows(llvm::Value *s) = 0;
  /// The rows that a pass multiplies in this step.
  virtual Rows rowsOf(const GatePass &pass) = 0;
  /// Emits the units behind the sums of a pass.
  virtual void emitUnits(const GatePass &pass, const SummedUnits &units) = 0;

  /// Whether the direction that is emitted begins with the last time step.
  bool isBackward() const {
    return direction == 1 || order == Direction::Reverse;
  }
  Length stateInRun() const { return sizes.itemsInRun * sizes.hidden; }
  /// The address of shared memory of `keptFloats` elements, and its first byte
  /// in the shared memory.
  llvm::Value *kept(Emitter &code) const;
  int64_t keptAt() const;

  const RecurrentSizes sizes;
  const int64_t depth, columns, blocks;
  std::vector<GatePass> passes;
  CodeModule &module;
  Emitter code;
  int64_t keptFloats = 0;     ///< shared memory of a subclass
  bool startsWithout = false; ///< the first step has sums of 0
  double operations = 30;     ///< for a unit behind its sums
  std::string failure;        ///< NativeStep::failure
  int64_t direction = 0;      ///< the direction that is emitted

private:
  void chooseTiles();
  void chooseUnits(GatePass &pass);
  Work work() const;
  int64_t groupsOfStep() const;
  int64_t sumsSize() const;
  void emitChunk(llvm::Value *chunk);
  void claim(llvm::Value *all);
  /// The first byte of the counters in the shared memory.
  int64_t countersAt() const {
    return sizes.losesItems ? NativeStep::flagBytes : 0;
  }
  llvm::Value *counter(int64_t which);
  void waitFor(llvm::Value *groups);
  void emitGroup(llvm::Value *index);
  void emitPass(const GatePass &pass, llvm::Value *group);
  void emitItems(const GatePass &pass, llvm::Value *group, llvm::Value *item,
                 int64_t count);
  void emitSums(const GatePass &pass, llvm::Value *group, llvm::Value *item,
                int64_t count);
  void emitBlock(const GatePass &pass, llvm::Value *group, int64_t unit,
                 llvm::Value *item, llvm::Value *sums);
  /// Floats of the packed weights of a direction.
  int64_t packedSize() const;
  llvm::Value *packed();
  void pack(NativeStep &step);

  const Operand weights;
  const Direction order;
  const std::string name;
  int64_t width;                  // items of a tile
  int64_t members = 1;            // chunks of a direction
  llvm::Value *isFirst = nullptr; // whether it is the first step
};

/// Packs weights [directions, depth, gates * hidden] for the passes: groups of
/// depth vectors for each block and gate. Units that are missing are 0.
struct RecurrentWeights {
  int64_t directions, depth, columns, hidden, blocks;
  std::vector<GatePass> passes;

  int64_t elements() const;
  /// The packing of constants.
  Packing packing(const Operand &weights) const;
  /// The phase that packs weights of a run to shared memory, from element
  /// `before` on.
  NativeStep::Phase phase(CodeModule &module, const Operand &weights,
                          int64_t before, const llvm::Twine &name) const;

private:
  float *packPass(const GatePass &pass, const float *from, float *to) const;
  void emitRows(Emitter &code, const GatePass &pass, llvm::Value *from,
                llvm::Value *to, llvm::Value *first) const;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_RECURRENT_RECURRENTSTEPS_H
