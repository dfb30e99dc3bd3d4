//===- LoopSteps.h - the plan and the code of a program ---------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H

#include "LoopScan.h"
#include "glow/Loops/Text.h"
#include "llvm/ADT/PointerUnion.h"
#include <deque>

namespace glow::cpu {

/// How the statements of a program are run, one phase after the other.
struct ProgramPlan {
  ProgramPlan() = default;
  ProgramPlan(ProgramPlan &&) = default;

  std::deque<LoopPlan> statements;
  std::deque<ScanPlan> scans;
  /// Of either, in the order of the program.
  std::vector<llvm::PointerUnion<const LoopPlan *, const ScanPlan *>> phases;

  bool mayFail = false;
  bool onlyFails = false; ///< then there are no phases
  /// Bytes of the flag that the run fails, and of factors behind the flag.
  int64_t sharedBytes = NativeStep::flagBytes;

  /// The first given part of a plan that cannot be; empty for none.
  std::string wrong() const;
  /// The statements as they run, with all parts of their plans given. A
  /// statement that writes identity elements is left out: its sum asks for it.
  std::vector<loops::Statement> planned() const;
};

/// Plans the statements of a program. Computed factors become tensors and
/// statements of their own. Nothing where a statement has no form in code.
std::optional<ProgramPlan> planProgram(const CodeModule &unit,
                                       loops::Program &program);

/// Plans of a file (CodeOptions::plans) for the loops of layers.
class GivenPlans {
public:
  /// Null for the name "". Fails with the place of a mistake in the file.
  static Result<std::unique_ptr<GivenPlans>> read(const std::string &file);

  /// Gives the statements of a program, which has been planned, the plan of the
  /// layer whose statements are the same; whether the file has one.
  bool give(llvm::StringRef layer, loops::Program &program,
            const ProgramPlan &plan);
  /// Keeps the first part that cannot be for `check`.
  void refuse(llvm::StringRef layer, const std::string &wrong);
  /// Fails where a part cannot be, or a plan was given to no layer.
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

/// The same by the plan that is given for its layer, if there is one.
std::optional<ProgramPlan> planLayer(const CodeModule &unit,
                                     loops::Program &program,
                                     llvm::StringRef layer);

/// The code of a program on the first buffers of an instruction that has so
/// many, by planLayer; nothing where a statement has no form in code.
std::optional<NativeStep> emitProgram(CodeModule &unit, loops::Program &program,
                                      const llvm::Twine &name,
                                      const Instr &instr);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSTEPS_H
