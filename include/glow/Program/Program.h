//===- Program.h - what a backend makes of a model --------------*- C++ -*-===//

#ifndef GLOW_PROGRAM_PROGRAM_H
#define GLOW_PROGRAM_PROGRAM_H

#include "glow/Program/CodeOptions.h"
#include "glow/Program/Tensor.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// An input or output of a model, by the name the model gives it.
struct Binding {
  std::string name;

  /// Static in a Program. In a model that is not specialised yet, a symbolic
  /// dimension is negative.
  TensorType type;

  /// The model's names of the dimensions, "" where it has none. Empty, or as
  /// many as the type has dimensions.
  std::vector<std::string> dimensions;

  /// False in a model that does not say how many dimensions there are; then
  /// `type` and `dimensions` have none.
  bool ranked = true;

  /// "a sequence", "strings"...: what it is when it is no tensor of numbers,
  /// and then has no type; else "". Only a model that runs in stages has such.
  std::string other = {};

  /// Whether a model reads at most its kind: it may then be of any shape, and
  /// that of `type` is the one declared.
  bool anyShape = false;
};

/// A tensor that no run changes.
struct Constant {
  std::string name;
  TensorType type;
  const void *data = nullptr;        ///< `type.bytes()` bytes
  std::shared_ptr<const void> owner; ///< keeps `data` alive; may be a file map

  /// Whether a tensor has the same type and the same bytes.
  bool sameAs(TensorView tensor) const;
};

/// What only the devices of one backend understand.
class ProgramCode {
public:
  virtual ~ProgramCode() = default;
};

/// A model, compiled for one backend and one set of shapes.
struct Program {
  std::string backend; ///< the name of the backend that can run it
  std::string device;  ///< of a host, that it was made for; "": any of these
  std::string entry;   ///< the function it was made of
  std::vector<Binding> inputs, outputs;
  std::vector<Constant> constants;
  std::vector<Constant> assumed; ///< inputs that must have these values
  Math math = Math::Default;     ///< that its code was made for
  uint64_t arenaBytes = 0; ///< memory for all intermediate values of a run
  uint64_t liveBytes = 0;  ///< the most of it that holds values at one time
  std::shared_ptr<const ProgramCode> code;

  /// The bytes of all constants.
  uint64_t constantBytes() const;
};

/// What a backend chose for a step of a program, for people.
struct StepReport {
  std::string node, instruction;
  std::string algorithm, tile, layout; ///< "" where there is no choice
  double predictedCycles = 0;          ///< of one core; 0 if unknown
  bool fewerOperations = false; ///< than the definition of the node has
  bool moves = false;           ///< elements alone, and computes none
};

} // namespace glow

#endif // GLOW_PROGRAM_PROGRAM_H
