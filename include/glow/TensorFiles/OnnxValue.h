//===- OnnxValue.h - values of any kind in ONNX's files ---------*- C++ -*-===//

#ifndef GLOW_TENSORFILES_ONNXVALUE_H
#define GLOW_TENSORFILES_ONNXVALUE_H

#include "glow/Base/Status.h"
#include "glow/Values/HostValue.h"
#include <string_view>

namespace glow {

/// What a message is, where the bytes do not say: those of a sequence, an
/// optional and a map look alike.
enum class OnnxForm { Tensor, Sequence, Optional, Map };

/// That of a value which a model declares as `other`, the word of a Binding; ""
/// for a tensor of numbers.
OnnxForm formOf(std::string_view other);

/// What a `.pb` file holds, and its name, which may be "": a TensorProto, also
/// of strings, or what `form` says. Of the form Tensor, and of a sequence, it
/// may also be the other of the two.
///
/// Fails as parseOnnxTensor does, and with Code::Unsupported for sparse tensors
/// and for maps to what is no single number or string.
Result<NamedValue> parseOnnxValue(std::string_view bytes, OnnxForm form);

/// The inverse of `parseOnnxValue`, for a value of that form: a TensorProto of
/// a tensor and of strings, and the message of a sequence and of a map. What
/// the form calls an optional, and a value that is not there, is an
/// OptionalProto.
std::string onnxValueBytes(const NamedValue &named, OnnxForm form);

} // namespace glow

#endif // GLOW_TENSORFILES_ONNXVALUE_H
