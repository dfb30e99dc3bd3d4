//===- WholeModel.h - an ONNX file that will be changed ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORTER_WHOLEMODEL_H
#define GLOW_IMPORTER_WHOLEMODEL_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <string>

namespace onnx {
class ModelProto;
} // namespace onnx

namespace glow {

/// Reads an ONNX file into one message, weights in other files included. Fails,
/// naming the file, if it is no ONNX model or is larger than a message may be.
Status readWhole(const std::string &path, onnx::ModelProto &model);

/// Replaces calls of the model's functions by their nodes. A model with a
/// function for another opset than its own stays as it is. Whether it changed;
/// fails as opening the file does.
Result<bool> inlineFunctions(onnx::ModelProto &model);

/// Raises a model to opset `wanted`, or as close to it as its operators keep
/// their meaning, but at least to `least`: operators get the names and the
/// inputs that import records give them there. Returns the node that prevents
/// `least`, in which case the model is unchanged, or "".
std::string raiseOpset(onnx::ModelProto &model, int64_t least, int64_t wanted);

/// The opset of the default domain; 0: the model has none.
int64_t opsetOf(const onnx::ModelProto &model);

} // namespace glow

#endif // GLOW_IMPORTER_WHOLEMODEL_H
