//===- Program.h - a compiled model -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_PROGRAM_H
#define GLOW_PROGRAM_PROGRAM_H

#include "glow/Program/CodeOptions.h"
#include "glow/Program/Length.h"
#include "glow/Program/Tensor.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glow {

/// An input or output of a model, under the model's name for it.
struct Binding {
  std::string name;

  /// The type; static in a Program. In a model that is not specialised yet, a
  /// symbolic dimension is negative.
  TensorType type;

  /// The model's names of the dimensions, "" for an unnamed one. Empty, or as
  /// many as the type has dimensions.
  std::vector<std::string> dimensions;

  /// False if the model declares no rank; then `type` and `dimensions` are
  /// without dimensions.
  bool ranked = true;

  /// The type of a value that is no tensor of numbers: "a sequence",
  /// "strings"...; else "". These values lack a `type`, and occur only in
  /// models that run in stages.
  std::string other = {};

  /// Whether a model reads at most its kind. Tensors of any shape are then
  /// accepted, and `type` has the declared shape.
  bool anyShape = false;

  /// In a Program, the sizes of a run, of which `type` has the greatest; empty
  /// if all runs have the sizes of `type`.
  std::vector<Length> lengths = {};
};

/// A tensor that is the same in all runs.
struct Constant {
  std::string name;
  TensorType type;
  const void *data = nullptr;        ///< `type.bytes()` bytes
  std::shared_ptr<const void> owner; ///< keeps `data` alive; may be a file map

  /// Whether a tensor has the same type and the same bytes.
  bool sameAs(TensorView tensor) const;
};

/// An output whose value the next run of a session reads as an input. Both have
/// one type.
struct StatePair {
  std::string input, output;
  bool isGiven = false; ///< by the user; else names and types suggest the pair
  bool operator==(const StatePair &) const = default;
};

/// Code in a form that only the devices of one backend understand.
class ProgramCode {
public:
  virtual ~ProgramCode() = default;
};

/// A model, compiled for one backend and one set of shapes, or for all sizes in
/// a range.
struct Program {
  std::string backend; ///< the name of the backend that can run it
  std::string device;  ///< required device of a host; "": any of the backend
  std::string entry;   ///< the function it was compiled from
  std::vector<Binding> inputs, outputs;
  std::vector<Constant> constants;
  std::vector<Constant> assumed; ///< required values of inputs
  /// The states of its sessions. They do not change a run of the program.
  /// Empty until Session::compile declares them, except for compiled files.
  std::optional<std::vector<StatePair>> states = {};
  Math math = Math::Default; ///< arithmetic of its code
  uint64_t arenaBytes = 0;   ///< memory for all intermediate values of a run
  uint64_t liveBytes = 0;    ///< the peak of bytes in use within the arena
  std::shared_ptr<const ProgramCode> code;
  std::vector<SizeCondition> conditions; ///< each run must meet all of them

  /// The bytes of all constants.
  uint64_t constantBytes() const;
};

/// A backend's choices for a step of a program, for people.
struct StepReport {
  std::string node, instruction;
  std::string algorithm, tile, layout; ///< "" without a choice
  double predictedCycles = 0;          ///< on one core; 0 if unknown
  bool fewerOperations = false; ///< fewer than in the definition of the node
  bool moves = false;           ///< moves elements and computes nothing
  /// The most times that a run executes the step, as in a loop; nothing without
  /// a bound. `predictedCycles` are for one execution.
  std::optional<uint64_t> runs = 1;
};

} // namespace glow

#endif // GLOW_PROGRAM_PROGRAM_H
