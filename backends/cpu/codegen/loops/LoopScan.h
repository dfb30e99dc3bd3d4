//===- LoopScan.h - statements that hold step by step -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H

#include "LoopEmitter.h"

namespace glow::cpu {

/// An index with the same role in all statements: its number in each statement.
using SharedIndex = llvm::SmallVector<unsigned, 4>;

/// The plan of a scan's statements.
struct ScanPlan {
  ScanPlan(loops::Program &program, llvm::ArrayRef<loops::Statement> statements,
           const Target &target);

  loops::Program &program;
  loops::Scan scan;
  std::vector<SharedIndex> shared; ///< scan steps need no other of its values
  std::string wrong; ///< the error for given threads; empty without one
  std::vector<LoopPlan> plans; ///< the outer indices: shared ones, the scan's

  /// The statements of the program as they run, with all parts of their plans
  /// given; the shared indices are their threads.
  std::vector<loops::Statement> planned() const;

private:
  void chooseThreads(llvm::ArrayRef<loops::Statement> statements);
};

/// Emits the statements in one function; values of shared indices are
/// distributed over threads. `buffers` is as in LoopEmitter.
NativeStep::Phase emitScan(Emitter &code, const ScanPlan &plan,
                           unsigned buffers);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPSCAN_H
