//===- OnnxTensor.h - tensors in ONNX's TensorProto files -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TENSORFILES_ONNXTENSOR_H
#define GLOW_TENSORFILES_ONNXTENSOR_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string_view>

namespace glow {

/// Parses a `.pb` file with an ONNX TensorProto: the tensor and its name, which
/// may be "". All element kinds of Glow are read from raw data and from typed
/// fields; unknown fields of newer versions are skipped.
///
/// Fails with
///   Code::InvalidArgument  if it is no TensorProto, is cut off, or its data
///                          does not fill its shape;
///   Code::Unsupported      if it holds a sequence, an optional, strings, an
///                          unsupported element kind, or names another file.
Result<NamedTensor> parseOnnxTensor(std::string_view bytes);

/// Whether bytes that are no tensor are a SequenceProto, OptionalProto or
/// MapProto. The files of data sets do not name their message type.
bool isOnnxSequence(std::string_view bytes);

} // namespace glow

#endif // GLOW_TENSORFILES_ONNXTENSOR_H
