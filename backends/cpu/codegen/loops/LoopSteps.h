//===- LoopSteps.h - the plan and the code of a program ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H

#include "LoopScan.h"
#include "glow/Loops/Text.h"
#include "llvm/ADT/PointerUnion.h"
#include <deque>

namespace glow::cpu {

/// The plan of a program's statements, one phase after the other.
struct ProgramPlan {
  ProgramPlan() = default;
  ProgramPlan(ProgramPlan &&) = default;

  std::deque<LoopPlan> statements;
  std::deque<ScanPlan> scans;
  /// Plans of statements or scans, in the order of the program.
  std::vector<llvm::PointerUnion<const LoopPlan *, const ScanPlan *>> phases;

  bool mayFail = false;
  bool onlyFails = false; ///< the run always fails, and there are no phases
  /// Bytes of the error flag, and of the factors after it.
  int64_t sharedBytes = NativeStep::flagBytes;

  /// The error for the first given part of a plan that is impossible; empty for
  /// none.
  std::string wrong() const;
  /// The statements as they run, with all parts of their plans. A statement
  /// that writes identity elements is left out: its sum implies it.
  std::vector<loops::Statement> planned() const;
};

/// Plans the statements of a program. Computed factors get their own tensors
/// and statements. Nothing if no code can be made for a statement.
std::optional<ProgramPlan> planProgram(const CodeModule &module,
                                       loops::Program &program);

/// The plans of a file (CodeOptions::plans) for the loops of layers.
class GivenPlans {
public:
  /// Null for the name "". Fails with the place of a mistake in the file.
  static Result<std::unique_ptr<GivenPlans>> read(const std::string &file);

  /// Replaces the plan of a program's statements by the plan in the file for
  /// the layer with equal statements; returns whether the file has one.
  bool give(llvm::StringRef layer, loops::Program &program,
            const ProgramPlan &plan);
  /// Records the first impossible part, for `check`.
  void refuse(llvm::StringRef layer, const std::string &wrong);
  /// Fails if a part is impossible, or if a plan was used for no layer.
  Status check() const;

private:
  struct Given {
    std::string layer, text; ///< without plans
    std::vector<loops::Statement> statements;
    bool isUsed = false;
  };
  std::string file;
  std::vector<loops::NamedProgram> programs; ///< that have the trees
  std::vector<Given> given;
  Status status;
};

/// The loops of a `cpu_fused_loops` instruction; null for any other.
std::unique_ptr<loops::Program> loopsOfFused(mlir::Operation *instr);

/// Plans a program by the plan that is given for its layer, if there is one.
std::optional<ProgramPlan> planLayer(const CodeModule &module,
                                     loops::Program &program,
                                     llvm::StringRef layer);

/// Emits a program on the first buffers of an instruction with so many buffers,
/// by planLayer; nothing if no code can be made for a statement. The code reads
/// the values of the program's size variables, in their order, from
/// StepInfo::sizes.
std::optional<NativeStep> emitProgram(CodeModule &module,
                                      loops::Program &program,
                                      const llvm::Twine &name,
                                      const Instr &instr);
std::optional<NativeStep> emitProgram(CodeModule &module,
                                      loops::Program &program,
                                      const llvm::Twine &name,
                                      llvm::StringRef layer, unsigned buffers);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H
