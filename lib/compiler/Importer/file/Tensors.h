//===- Tensors.h - from TensorProto to bytes --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Messages follow the name of the tensor: "has 20 bytes, but ...".
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_FILE_TENSORS_H
#define GLOW_LIB_IMPORTER_FILE_TENSORS_H

#include "Model.h"
#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Values/HostCall.h"

namespace glow {

/// The element kind of an ONNX data type. Fails, with the type's name in ONNX,
/// if there is no such kind.
Result<ElementKind> kindOfDataType(int32_t dataType);

/// "f32[2,3]", with "?" for a negative size.
std::string typeText(ElementKind kind, std::span<const int64_t> shape);

/// The bytes of a tensor; fails when a size is negative, when there are more
/// than 63 bits of them, or more dimensions than `highestRank`.
Result<uint64_t> checkedBytes(ElementKind kind, std::span<const int64_t> shape);

struct TensorHeader {
  ElementKind kind;
  Ints shape;
  uint64_t bytes;
};

/// The kind and shape that a TensorProto declares; its data may still be short.
Result<TensorHeader> headerOf(const onnx::TensorProto &tensor);

/// The elements of a tensor of the model, dense and row-major, aligned for its
/// kind; a boolean is one byte, 0 or 1. Fails unless their number is the one
/// that `header` requires. Not copied where the file has them in this form.
Result<TensorBytes> readTensor(ParsedModel &model,
                               const onnx::TensorProto &tensor,
                               const TensorHeader &header);

/// A tensor of the model as a value of the host: numbers, copied, or strings.
Result<HostValue> hostValueOf(ParsedModel &model,
                              const onnx::TensorProto &tensor);

/// The attributes of a node other than graphs.
Result<HostAttributes> hostAttributesOf(ParsedModel &model,
                                        const onnx::NodeProto &node);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_TENSORS_H
