//===- OpenLoops.h - code of loops for sizes that a run gives ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_CPU_UNIT_OPENLOOPS_H
#define GLOW_TEST_CPU_UNIT_OPENLOOPS_H

#include "codegen/loops/LoopSteps.h"
#include "compile/Image.h"
#include "device/Kernel.h"
#include <random>

namespace glow::cpu::test {

/// The step of a program, as code in this process.
class LoopStep {
public:
  /// Null if no code can be made.
  static std::unique_ptr<LoopStep> make(const Target &target,
                                        const std::string &text);

  const std::vector<SizeVariable> &sizes() const { return variables; }
  const std::vector<loops::Tensor> &tensors() const { return all; }
  /// Whether a statement writes the tensor.
  bool isResult(size_t tensor) const { return results[tensor]; }
  /// The value of a length in a run with these sizes.
  int64_t at(const Length &length, const Ints &values) const;

  /// Runs the step; false if it failed. With `everyChunk`, chunks that have no
  /// work run, too.
  bool run(const Ints &values, const std::vector<char *> &buffers,
           bool everyChunk) const;

private:
  struct Phase {
    StepKernel kernel;
    StepMeasure measure;
    int64_t chunks;
  };
  std::vector<SizeVariable> variables;
  std::vector<loops::Tensor> all;
  std::vector<bool> results;
  std::vector<Phase> phases;
  int64_t sharedBytes = 0;
  std::shared_ptr<const Image> image;
};

/// The text of a program with these sizes fixed.
std::string withSizes(const std::string &text,
                      const std::vector<SizeVariable> &sizes,
                      const Ints &values);

/// The memory of a step's buffers: dense elements, and poison behind them.
class Buffers {
public:
  /// Random elements for a run with these sizes.
  Buffers(const LoopStep &step, const Ints &values, unsigned seed);

  std::vector<char *> pointers();
  /// A description of the first element of a result that differs, or of a byte
  /// that is written behind the elements; empty for none.
  std::string difference(const Buffers &other) const;

private:
  std::string differenceOf(size_t tensor, const Buffers &other) const;

  const LoopStep &step;
  std::vector<std::vector<char>> bytes, before;
  std::vector<size_t> counts; ///< of elements
};

} // namespace glow::cpu::test

#endif // GLOW_TEST_CPU_UNIT_OPENLOOPS_H
