//===- Steps.h - a program as a list of instructions ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_STEPS_H
#define GLOW_PROGRAM_STEPS_H

#include "glow/Program/Kernel.h"
#include "glow/Program/Program.h"
#include <optional>
#include <string>
#include <vector>

namespace glow {

/// The location of a named buffer of a program.
struct BufferPlace {
  /// `Port` is a parameter or result of a called function, bound by the call.
  enum Where : uint32_t { Arena, Constant, Input, Output, Port };
  Where where = Arena;
  uint32_t index = 0;  ///< number of the constant, input or output in the
                       ///< Program, or of the port in StepCode::ports
  uint64_t offset = 0; ///< byte offset within the arena, constant, input,
                       ///< output or port
  TensorType type;
  std::string name;
  /// The steps during which the buffer is in use; the default is all.
  uint32_t first = 0, last = ~0u;
  /// The sizes of a run, of which `type` has the greatest; empty if all runs
  /// have the sizes of `type`. The elements of a run are dense.
  std::vector<Length> lengths = {};
};

/// An attribute whose list a run gives.
struct LengthList {
  uint32_t attribute = 0; ///< index into Step::attributes
  std::vector<Length> lengths;
};

/// A size that a run computes: the number in a buffer, an i64 of no dimensions,
/// when the step begins. A length that is a variable has the number from then
/// on; a fixed length must equal it.
struct LengthFrom {
  uint32_t operand = 0; ///< index into Step::buffers
  Length length;
};

/// A function that a step calls: steps of its own, which no other call has, and
/// ports. The called steps are behind the step that calls.
struct StepCall {
  uint32_t first = 0, count = 0;      ///< of StepCode::steps
  std::vector<uint32_t> takes, gives; ///< indices into StepCode::ports
};

/// An instruction and its arguments; see KernelCall.
struct Step {
  std::string instruction;       ///< the mnemonic without its dialect
  std::string node;              ///< the model's name of its node
  std::vector<uint32_t> buffers; ///< indices into StepCode::buffers
  std::vector<int32_t> segments;
  uint32_t results = 0; ///< number of written buffers, which come first
  std::vector<AttributeValue> attributes = {};
  std::vector<LengthList> lists = {};
  std::optional<LengthFrom> lengthFrom = {};
  /// The functions that an `if` or a `loop` calls, which a device executes
  /// itself (docs/ControlFlow.md); empty for instructions with kernels.
  std::vector<StepCall> calls = {};
};

/// A parameter or result of a called function.
struct StepPort {
  TensorType type;
  std::vector<Length> lengths = {}; ///< as those of a BufferPlace
};

/// The code of the interpreter, and of any backend that calls kernels one by
/// one: steps, executed in order. A backend may derive from it.
struct StepCode : ProgramCode {
  std::vector<BufferPlace> buffers;
  std::vector<Step> steps;     ///< steps of the entry, then of called functions
  std::vector<StepPort> ports; ///< parameters and results of these

  /// The number of steps of the entry, which a run executes in order.
  size_t entrySteps() const;
};

/// Whether a run gives sizes of the step.
bool isOpen(const StepCode &code, const Step &step);

/// Whether steps compute sizes of others.
bool computesLengths(const StepCode &code);

/// Whether a run gives sizes, by its inputs or by a step.
bool isOpen(const Program &program, const StepCode &code);

/// Checks that `program` holds StepCode and that all its indices, segments,
/// offsets and types are consistent, so that running it stays in bounds:
///   a buffer in the arena ends before `program.arenaBytes`;
///   other buffers end within their constant, input or output, and have
///   elements as large;
///   all types are static, and constants have data;
///   operands and attributes are those of the instruction's record;
///   one step computes a size, before all steps that have the size;
///   calls are of steps behind their own, and of no other's; the buffers of a
///   call are as large as its ports.
/// Fails with Code::InvalidArgument, naming the buffer or step.
Status checkSteps(const Program &program);

} // namespace glow

#endif // GLOW_PROGRAM_STEPS_H
