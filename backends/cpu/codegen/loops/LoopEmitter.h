//===- LoopEmitter.h - the code of one statement ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPEMITTER_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPEMITTER_H

#include "LoopValues.h"
#include "codegen/step/Step.h"

namespace glow::cpu {

/// Emits the code of a statement of index notation according to its plan.
class LoopEmitter {
public:
  /// Begins in the first block of a step's function. `buffers` is the number of
  /// the instruction's buffers; a failing load sets the next one.
  LoopEmitter(Emitter &code, LoopPlan plan, unsigned buffers);

  /// Emits the whole function, for chunks of the statement.
  NativeStep::Phase emit();

  /// Emits the whole statement for these values of the plan's outer indices.
  void emitWithin(llvm::ArrayRef<llvm::Value *> outer);

  /// Whether a step of the scan assigns one element, and of its result reads
  /// that of the step before alone, which then stays in a register.
  bool carries(const loops::Scan &scan) const;
  /// Emits such a step and returns its element. `before` is the element of the
  /// step before, `noElement` for the first step.
  llvm::Value *emitCarried(llvm::ArrayRef<llvm::Value *> outer,
                           llvm::Value *before);
  llvm::Value *noElement() { return ops().number(0); }
  llvm::Value *number(const Length &length) { return valueOf(code, length); }

private:
  using Values = Emitter::Values;

  const loops::Statement &statement() const { return plan.statement; }
  ElementOps &ops() { return values.elements(); }
  const loops::Tensor &tensorOf(loops::Term load) const {
    return plan.program.tensors[size_t(load->integer)];
  }
  void bindOuter(llvm::ArrayRef<llvm::Value *> outer);
  bool inMemory() const { return !plan.placesAreApart; }

  Length countOf(const PlaceLoop &loop) const;
  /// The chunks of a statement whose loops or terms a run counts.
  struct Chunks {
    llvm::Value *count, *group; ///< of iterations; iterations of a chunk
  };
  Chunks chunksOf(Emitter &code, llvm::ArrayRef<PlaceLoop> outer) const;
  NativeStep::Phase emitOpen(llvm::ArrayRef<PlaceLoop> outer,
                             llvm::ArrayRef<PlaceLoop> inner);
  void loopOver(llvm::ArrayRef<PlaceLoop> loops,
                llvm::function_ref<void()> body);
  Values turnsAt(llvm::ArrayRef<PlaceLoop> loops, llvm::Value *number);
  Values turnsAfter(llvm::ArrayRef<PlaceLoop> loops, Values turns);
  void bindTurns(llvm::ArrayRef<PlaceLoop> loops, const Values &turns);
  void emitPlaces();
  void enterIndex(unsigned index, llvm::Value *value);
  void emitAlong(unsigned index, int64_t size,
                 llvm::function_ref<void(int64_t elements)> emit,
                 llvm::function_ref<void()> emitRest);
  void emitAt(unsigned index, llvm::Value *value,
              llvm::function_ref<void()> emit);
  void emitLastVectors(std::array<int64_t, 2> rows);
  void emitTiles(unsigned tile, std::array<int64_t, 2> rows);
  void emitVectors(std::array<int64_t, 2> rows);
  void emitTile(std::array<int64_t, 2> rows, int64_t vectors, int64_t tail);

  // Sums in registers.
  Values start();
  Values sum(size_t depth, Values sums);
  Values sumLanes(Values sums);
  int64_t sumsTogether(loops::Term low, loops::Term high) const;
  std::pair<Values, llvm::Value *> sumTogether(
      int64_t group, bool maybeNone, llvm::Value *from, llvm::Value *whole,
      Values sums,
      llvm::function_ref<Values(llvm::Value *at, Values, bool masked)> add);
  Values addTerms(Values sums, bool masked);
  llvm::Value *combine(llvm::Value *sum, Copy copy);
  llvm::Value *combine(llvm::Value *sum, llvm::Value *term);
  llvm::Value *finish(llvm::Value *sum, llvm::Value *count);
  llvm::Value *finished(llvm::Value *sum, Copy copy);
  void combineBoth(llvm::Value *&sum, llvm::Value *&second, llvm::Value *other,
                   llvm::Value *itsSecond);
  void combineLanes(llvm::Value *&sum, llvm::Value *&second);
  std::pair<loops::Term, loops::Term> givenBounds(unsigned index);
  std::pair<loops::Term, loops::Term> boundsOf(unsigned index);
  bool bound(unsigned index, loops::Term condition, loops::Term &low,
             loops::Term &high);
  llvm::Value *assigned(Copy copy);
  void storeTile(const Values &sums);
  /// Whether a sum has a second value: the number of its terms, or the index of
  /// the best term.
  bool hasSecond() const { return counts() || givesIndex(statement().combine); }
  std::pair<llvm::Value *, llvm::Value *> better(llvm::Value *best,
                                                 llvm::Value *place,
                                                 llvm::Value *term,
                                                 llvm::Value *its);
  bool counts() const {
    return statement().combine == loops::ReductionKind::Mean &&
           !(guards.empty() && statement().bounds.empty());
  }

  // In memory.
  void emitInMemory(size_t depth);
  void emitLanesInMemory(llvm::Value *first, llvm::Value *end,
                         llvm::function_ref<void(llvm::Value *at)> turn);
  void updatePlace();

  LoopPlan plan;
  Emitter &code;
  LoopValues values;
  loops::Terms guards, placeGuards;
  llvm::SmallVector<Copy> copies;
};

/// Fuses statements into the sums before them whose elements they change.
void finishSums(loops::Program &program,
                std::vector<loops::Statement> &statements);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPEMITTER_H
