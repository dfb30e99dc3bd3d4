//===- OnnxKinds.h - element kinds by ONNX's numbers ------------*- C++ -*-===//

#ifndef GLOW_LIB_HOSTOPERATORS_ONNXKINDS_H
#define GLOW_LIB_HOSTOPERATORS_ONNXKINDS_H

#include "glow/Base/ElementKind.h"

namespace glow {

/// Of TensorProto.DataType, those that we have.
std::optional<ElementKind> kindOfOnnx(int64_t type);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_ONNXKINDS_H
