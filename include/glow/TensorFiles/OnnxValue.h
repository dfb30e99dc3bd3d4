//===- OnnxValue.h - values of any kind in ONNX's files ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TENSORFILES_ONNXVALUE_H
#define GLOW_TENSORFILES_ONNXVALUE_H

#include "glow/Base/Status.h"
#include "glow/Values/HostValue.h"
#include <string_view>

namespace glow {

/// The type of a message, which its bytes do not determine: a sequence, an
/// optional and a map look alike.
enum class OnnxForm { Tensor, Sequence, Optional, Map };

/// The form of a value that a model declares with `other`, the word of a
/// Binding; "" for a tensor of numbers.
OnnxForm formOf(std::string_view other);

/// Parses a `.pb` file: the value and its name, which may be "". It holds a
/// TensorProto, also of strings, or a message of the given form. With the form
/// Tensor or Sequence, the other of the two is accepted as well.
///
/// Fails as parseOnnxTensor does, and with Code::Unsupported for sparse tensors
/// and for maps whose values are not single numbers or strings.
Result<NamedValue> parseOnnxValue(std::string_view bytes, OnnxForm form);

/// The inverse of `parseOnnxValue`, for a value of that form. A tensor or
/// strings become a TensorProto; a sequence or a map becomes its message. With
/// the form Optional, and for an absent value, the result is an OptionalProto.
std::string onnxValueBytes(const NamedValue &named, OnnxForm form);

} // namespace glow

#endif // GLOW_TENSORFILES_ONNXVALUE_H
