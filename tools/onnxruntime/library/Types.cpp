//===- Types.cpp - types of values ----------------------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Objects.h"
#include "library/Payload.h"
#include "library/Table.h"
#include <algorithm>

using namespace glow;
using namespace glow::ort;

static OrtTypeInfo typeOf(const Payload &payload);

static std::shared_ptr<OrtTypeInfo> sharedTypeOf(const Payload &payload) {
  return std::make_shared<OrtTypeInfo>(typeOf(payload));
}

static OrtTypeInfo typeOf(const Payload &payload) {
  OrtTypeInfo type;
  type.kind = payload.kind;
  if (payload.isTensor()) {
    type.tensor = {payload.type()};
  } else if (payload.kind == ONNX_TYPE_MAP) {
    type.map = {payload.parts[0]->element, sharedTypeOf(*payload.parts[1])};
  } else if (payload.kind == ONNX_TYPE_SEQUENCE && !payload.parts.empty()) {
    type.sequence = {sharedTypeOf(*payload.parts[0])};
  }
  return type;
}

void entry::GetTypeInfo(const OrtValue *value, OrtTypeInfo **out) {
  *out = new OrtTypeInfo(typeOf(*value->payload));
}

void entry::GetValueType(const OrtValue *value, int *out) {
  *out = value->payload->kind;
}

void entry::GetTensorTypeAndShape(const OrtValue *value,
                                  OrtTensorTypeAndShapeInfo **out) {
  if (!value->payload->isTensor())
    throw Failure(ORT_INVALID_ARGUMENT, "the value is no tensor");
  *out = new OrtTensorTypeAndShapeInfo{value->payload->type()};
}

void entry::ReleaseTypeInfo(OrtTypeInfo *type) { delete type; }

void entry::GetOnnxTypeFromTypeInfo(const OrtTypeInfo *type, int *out) {
  *out = type->kind;
}

void entry::GetDenotationFromTypeInfo(const OrtTypeInfo *type, const char **out,
                                      size_t *length) {
  *out = type->denotation.c_str();
  *length = type->denotation.size();
}

//===----------------------------------------------------------------------===//
// Details, which the type owns
//===----------------------------------------------------------------------===//

void entry::CastTypeInfoToTensorInfo(const OrtTypeInfo *type,
                                     const OrtTensorTypeAndShapeInfo **out) {
  *out = type->kind == ONNX_TYPE_TENSOR ? &type->tensor : nullptr;
}

void entry::CastTypeInfoToMapTypeInfo(const OrtTypeInfo *type,
                                      const OrtMapTypeInfo **out) {
  *out = type->kind == ONNX_TYPE_MAP ? &type->map : nullptr;
}

void entry::CastTypeInfoToSequenceTypeInfo(const OrtTypeInfo *type,
                                           const OrtSequenceTypeInfo **out) {
  *out = type->kind == ONNX_TYPE_SEQUENCE ? &type->sequence : nullptr;
}

void entry::CastTypeInfoToOptionalTypeInfo(const OrtTypeInfo *type,
                                           const OrtOptionalTypeInfo **out) {
  *out = type->kind == ONNX_TYPE_OPTIONAL ? &type->optional : nullptr;
}

static OrtTypeInfo *copyOf(const std::shared_ptr<OrtTypeInfo> &type) {
  return type ? new OrtTypeInfo(*type) : new OrtTypeInfo();
}

void entry::GetMapKeyType(const OrtMapTypeInfo *type, int *out) {
  *out = type->key;
}

void entry::GetMapValueType(const OrtMapTypeInfo *type, OrtTypeInfo **out) {
  *out = copyOf(type->value);
}

void entry::GetSequenceElementType(const OrtSequenceTypeInfo *type,
                                   OrtTypeInfo **out) {
  *out = copyOf(type->element);
}

void entry::GetOptionalContainedTypeInfo(const OrtOptionalTypeInfo *type,
                                         OrtTypeInfo **out) {
  *out = copyOf(type->content);
}

// The casts give no object that a caller owns.
void entry::ReleaseMapTypeInfo(OrtMapTypeInfo *) {}
void entry::ReleaseSequenceTypeInfo(OrtSequenceTypeInfo *) {}

//===----------------------------------------------------------------------===//
// Types of tensors
//===----------------------------------------------------------------------===//

void entry::CreateTensorTypeAndShapeInfo(OrtTensorTypeAndShapeInfo **out) {
  *out = new OrtTensorTypeAndShapeInfo();
}

void entry::ReleaseTensorTypeAndShapeInfo(OrtTensorTypeAndShapeInfo *type) {
  delete type;
}

void entry::SetTensorElementType(OrtTensorTypeAndShapeInfo *type, int element) {
  type->element = element;
}

void entry::SetDimensions(OrtTensorTypeAndShapeInfo *type, const int64_t *sizes,
                          size_t count) {
  if (!sizes && count)
    throw Failure(ORT_INVALID_ARGUMENT, "the sizes are null");
  type->shape.assign(sizes, sizes + count);
  type->names.assign(count, "");
}

static void checkCount(size_t is, const TensorType &type) {
  if (is > type.shape.size())
    throw Failure(ORT_INVALID_ARGUMENT, std::to_string(is) +
                                            " sizes are asked for of " +
                                            type.text());
}

void entry::SetSymbolicDimensions(OrtTensorTypeAndShapeInfo *type,
                                  const char **names, size_t count) {
  checkCount(count, *type);
  for (size_t i = 0; i < count; ++i)
    type->names[i] = names && names[i] ? names[i] : "";
}

void entry::GetTensorElementType(const OrtTensorTypeAndShapeInfo *type,
                                 int *out) {
  *out = type->element;
}

void entry::GetDimensionsCount(const OrtTensorTypeAndShapeInfo *type,
                               size_t *out) {
  *out = type->shape.size();
}

void entry::GetDimensions(const OrtTensorTypeAndShapeInfo *type, int64_t *out,
                          size_t count) {
  checkCount(count, *type);
  std::copy_n(type->shape.begin(), out ? count : 0, out);
}

void entry::GetSymbolicDimensions(const OrtTensorTypeAndShapeInfo *type,
                                  const char **out, size_t count) {
  checkCount(count, *type);
  for (size_t i = 0; out && i < count; ++i)
    out[i] = type->names[i].c_str();
}

/// -1 where a size is open.
void entry::GetTensorShapeElementCount(const OrtTensorTypeAndShapeInfo *type,
                                       size_t *out) {
  *out = type->isOpen() ? size_t(-1) : elementCount(type->shape);
}

bool entry::TensorTypeAndShape_HasShape(const OrtTensorTypeAndShapeInfo *type) {
  return type && type->hasRank;
}
