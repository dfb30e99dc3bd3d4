//===- OnnxModel.h - a glance into an ONNX model ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TENSORFILES_ONNXMODEL_H
#define GLOW_TENSORFILES_ONNXMODEL_H

#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// The distinct operators in the bytes of a model, nested graphs included, in
/// alphabetical order: "Relu", or "com.microsoft::Gelu" outside ONNX's own
/// domain. Empty if the bytes are no model.
std::vector<std::string> onnxOperators(std::string_view bytes);

} // namespace glow

#endif // GLOW_TENSORFILES_ONNXMODEL_H
