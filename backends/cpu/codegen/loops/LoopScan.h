//===- LoopScan.h - statements that hold step by step -----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H

#include "LoopEmitter.h"

namespace glow::cpu {

/// An index that stands for the same in all statements: its number in each.
using SharedIndex = llvm::SmallVector<unsigned, 4>;

/// How the statements of a scan are run.
struct ScanPlan {
  ScanPlan(loops::Program &program, llvm::ArrayRef<loops::Statement> statements,
           const Target &target);

  loops::Program &program;
  loops::Scan scan;
  std::vector<SharedIndex> shared; ///< no step needs others of its values
  std::string wrong; ///< about given threads; empty where they can be
  std::vector<LoopPlan> plans; ///< the outer indices: shared ones, the scan's

  /// The statements of the program as they run, with all parts of their plans
  /// given; the shared indices are their threads.
  std::vector<loops::Statement> planned() const;

private:
  void chooseThreads(llvm::ArrayRef<loops::Statement> statements);
};

/// The code of the statements, in one function; values of shared indices are
/// shared out to threads. `buffers` as LoopEmitter has it.
NativeStep::Phase emitScan(Emitter &code, const ScanPlan &plan,
                           unsigned buffers);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H
