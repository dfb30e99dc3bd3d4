//===- QuantizeModule.h - glow quantize of a module -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEMODULE_H
#define GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEMODULE_H

#include "glow/Quantization/Options.h"
#include "glow/Toolchain/Toolchain.h"
#include <string>
#include <vector>

namespace glow::tool {

/// The options of the pass quantize-graph.
struct GraphQuantization {
  std::string profile; ///< a file; "" where activations stay floats
  std::string schema, calibration;
  QuantizeOptions how;
  std::vector<std::string> only, skip;
};

/// Whether a file is a module rather than a model of ONNX, by its name.
bool isModuleFile(const std::string &path);

/// The module of a session in integers: a model of ONNX, bytecode or text, as
/// the name of the output says. Fails with Code::Reported after an error at a
/// node.
Result<std::string> quantizedModule(Session &session, CompileRequest request,
                                    const GraphQuantization &options,
                                    const std::string &output);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEMODULE_H
