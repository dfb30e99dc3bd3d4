//===- Inputs.h - tensors from files and random tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_INPUTS_H
#define GLOW_TOOLS_GLOW_DATA_INPUTS_H

#include "glow/Values/HostValue.h"
#include "images/Pictures.h"
#include "model/Runner.h"
#include <optional>
#include <string>
#include <vector>

namespace glow::tool {

/// The user's options for inputs.
struct InputOptions {
  std::vector<std::string> files;  ///< --input, "NAME=FILE" each
  std::vector<std::string> shapes; ///< --shape
  std::vector<std::string> values; ///< --value, "NAME=NUMBERS" each
  std::optional<uint64_t> seed;    ///< of --random
  ImageOptions pictures;
  bool tells = false;       ///< reports each image's conversion on stderr
  uint64_t memoryLimit = 0; ///< of --memory-limit; 0: the default
};

/// `given` with the values of flags that every command has, for this model.
InputOptions inputsOf(const ModelOptions &options, const Session &session,
                      InputOptions given = {});

/// Makes one value each input of the model: from its file or its numbers, or
/// random if there is a seed and it is a tensor. The batch is 1 by default. An
/// `.npz` without a name gives all inputs that it has arrays of. Fails naming
/// the input, and what to do when there is nothing for it.
Result<std::vector<NamedValue>> makeValues(std::vector<Binding> inputs,
                                           const InputOptions &options);

/// The same where all inputs must be tensors.
Result<std::vector<NamedTensor>> makeInputs(std::vector<Binding> inputs,
                                            const InputOptions &options);

/// The compile request of the flags if no inputs are made: --shape, a batch of
/// 1, and --value. Fails as InputShapes::checkKnown.
Result<CompileRequest> completeRequest(const ModelOptions &options,
                                       const std::vector<Binding> &inputs);

/// Random values: floats uniform in [-1,1), u8 and i8 over all they can hold,
/// other integers and bools 0 or 1, which are indices into anything. The same
/// for the same seed, name and type everywhere.
Result<Tensor> randomTensor(const std::string &name, const TensorType &type,
                            uint64_t seed);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_INPUTS_H
