//===- OnnxValue.h - values of any kind in ONNX's files ---------*- C++ -*-===//

#ifndef GLOW_TENSORFILES_ONNXVALUE_H
#define GLOW_TENSORFILES_ONNXVALUE_H

#include "glow/Base/Status.h"
#include "glow/HostOperators/HostValue.h"
#include <string_view>

namespace glow {

/// What a `.pb` file holds, and its name, which may be "": a TensorProto, also
/// of strings, a SequenceProto, or, if `optional`, an OptionalProto. The bytes
/// of the last two do not say which they are.
///
/// Fails as parseOnnxTensor does, and with Code::Unsupported for maps and
/// sparse tensors.
Result<NamedValue> parseOnnxValue(std::string_view bytes, bool optional);

} // namespace glow

#endif // GLOW_TENSORFILES_ONNXVALUE_H
