//===- Inputs.h - tensors from files and from chance ------------*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_INPUTS_H
#define GLOW_TOOLS_GLOW_INPUTS_H

#include "Shapes.h"
#include "glow/Values/HostValue.h"
#include <optional>
#include <string>
#include <vector>

namespace glow::tool {

/// What the user says about inputs.
struct InputOptions {
  std::vector<std::string> files;  ///< --input, "NAME=FILE" each
  std::vector<std::string> shapes; ///< --shape
  std::optional<uint64_t> seed;    ///< of --random
  std::string preset = "auto";     ///< of --preprocess
  uint64_t memoryLimit = 0;        ///< of --memory-limit; 0: the default
};

/// Makes one value each input of the model: from its file, or random if there
/// is a seed and it is a tensor. An `.npz` without a name gives all inputs that
/// it has arrays of. Fails naming the input, and what to do when there is
/// nothing for it.
Result<std::vector<NamedValue>> makeValues(std::vector<Binding> inputs,
                                           const InputOptions &options);

/// The same where all inputs must be tensors.
Result<std::vector<NamedTensor>> makeInputs(std::vector<Binding> inputs,
                                            const InputOptions &options);

/// Random values: floats uniform in [-1,1), u8 and i8 over all they can hold,
/// other integers and bools 0 or 1, which are indices into anything. The same
/// for the same seed, name and type everywhere.
Result<Tensor> randomTensor(const std::string &name, const TensorType &type,
                            uint64_t seed);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_INPUTS_H
