//===- Predict.h - predicted times of steps ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_PREDICT_H
#define GLOW_BACKENDS_CPU_COMPILE_PREDICT_H

#include "common/Processor.h"
#include "glow/Program/Steps.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <vector>

namespace glow::cpu {

/// The work of an instruction according to the index notation of its record,
/// for code whose emitter does not count its work.
Work workOf(mlir::Operation *instr, const Step &step,
            llvm::ArrayRef<BufferPlace> buffers);

/// The input of the cost model for a step.
struct CountedStep {
  std::optional<Work> work; ///< nothing for a step that is not called
  bool isKernel = false;    ///< it is a kernel of the library
  /// Bytes of operands that are packed, by their place among the buffers.
  llvm::SmallVector<std::pair<size_t, double>, 2> packed{};
};

/// Cycles of one core for each step of a program, in a run that follows another
/// one.
std::vector<double> predictCycles(const Processor &processor,
                                  const StepCode &steps,
                                  llvm::ArrayRef<CountedStep> works);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_PREDICT_H
