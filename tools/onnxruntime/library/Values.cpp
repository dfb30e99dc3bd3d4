//===- Values.cpp - tensors, sequences and maps ---------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Memory.h"
#include "library/Objects.h"
#include "library/Payload.h"
#include "library/Table.h"
#include <cstring>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static std::vector<int64_t> shapeOf(const int64_t *shape, size_t rank) {
  if (!shape && rank)
    throw Failure(ORT_INVALID_ARGUMENT, "the shape of a tensor of rank " +
                                            std::to_string(rank) + " is null");
  return {shape, shape + rank};
}

void entry::CreateTensorAsOrtValue(OrtAllocator *allocator,
                                   const int64_t *shape, size_t rank,
                                   int element, OrtValue **out) {
  auto made = std::make_shared<Payload>();
  made->element = element;
  made->shape = shapeOf(shape, rank);
  if (made->isText() || allocator == defaultAllocator()) {
    *out = new OrtValue{makeTensor(element, made->shape)};
    return;
  }
  made->bytes = made->count() * bytesOf(element);
  made->data = allocateBy(*allocator, made->bytes);
  made->release = [allocator, data = made->data] {
    allocator->Free(allocator, data);
  };
  *out = new OrtValue{std::move(made)};
}

/// A tensor in memory of the application.
static std::shared_ptr<Payload> tensorAt(void *data, size_t bytes,
                                         const int64_t *shape, size_t rank,
                                         int element) {
  auto made = std::make_shared<Payload>();
  made->element = element;
  made->shape = shapeOf(shape, rank);
  if (made->isText())
    throw Failure(ORT_INVALID_ARGUMENT,
                  "a tensor of strings has no bytes of the application: "
                  "CreateTensorAsOrtValue and FillStringTensor make one");
  const size_t needed = made->count() * bytesOf(element);
  if (bytes < needed)
    throw Failure(ORT_INVALID_ARGUMENT,
                  made->type().text() + " has " + std::to_string(needed) +
                      " bytes, and the memory has " + std::to_string(bytes));
  if (!data && needed)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "the memory of " + made->type().text() + " is null");
  made->data = data;
  made->bytes = needed;
  return made;
}

void entry::CreateTensorWithDataAsOrtValue(const OrtMemoryInfo *info,
                                           void *data, size_t bytes,
                                           const int64_t *shape, size_t rank,
                                           int element, OrtValue **out) {
  if (info->device != OrtDeviceTypeCpu)
    throw Failure(ORT_NOT_IMPLEMENTED, "a tensor is in memory '" + info->name +
                                           "', it should be the processor's");
  *out = new OrtValue{tensorAt(data, bytes, shape, rank, element)};
}

void entry::CreateTensorWithDataAndDeleterAsOrtValue(OrtAllocator *deleter,
                                                     void *data, size_t bytes,
                                                     const int64_t *shape,
                                                     size_t rank, int element,
                                                     OrtValue **out) {
  auto made = tensorAt(data, bytes, shape, rank, element);
  made->release = [deleter, data] { deleter->Free(deleter, data); };
  *out = new OrtValue{std::move(made)};
}

void entry::ReleaseValue(OrtValue *value) { delete value; }

void entry::IsTensor(const OrtValue *value, int *out) {
  *out = value->payload->isTensor();
}

void entry::IsSparseTensor(const OrtValue *, int *out) { *out = 0; }

void entry::HasValue(const OrtValue *value, int *out) {
  *out = value->payload->kind != ONNX_TYPE_OPTIONAL;
}

/// Throws Failure unless the value is a tensor.
static Payload &tensorIn(const OrtValue *value) {
  if (!value->payload->isTensor())
    throw Failure(ORT_INVALID_ARGUMENT, "the value is no tensor");
  return *value->payload;
}

static Payload &numbersIn(const OrtValue *value) {
  Payload &tensor = tensorIn(value);
  if (tensor.isText())
    throw Failure(ORT_INVALID_ARGUMENT,
                  "a tensor of strings has no memory to point to");
  return tensor;
}

void entry::GetTensorMutableData(OrtValue *value, void **out) {
  *out = numbersIn(value).data;
}

void entry::GetTensorData(const OrtValue *value, const void **out) {
  *out = numbersIn(value).data;
}

void entry::GetTensorSizeInBytes(const OrtValue *value, size_t *out) {
  *out = numbersIn(value).bytes;
}

void entry::GetTensorMemoryInfo(const OrtValue *value,
                                const OrtMemoryInfo **out) {
  tensorIn(value);
  *out = &processorMemory();
}

void entry::TensorAt(OrtValue *value, const int64_t *indices, size_t count,
                     void **out) {
  const Payload &tensor = numbersIn(value);
  if (count != tensor.shape.size())
    throw Failure(ORT_INVALID_ARGUMENT, "there are " + std::to_string(count) +
                                            " indices into " +
                                            tensor.type().text());
  size_t offset = 0;
  for (size_t i = 0; i < count; ++i) {
    if (indices[i] < 0 || indices[i] >= tensor.shape[i])
      throw Failure(ORT_INVALID_ARGUMENT,
                    "index " + std::to_string(indices[i]) +
                        " is not in dimension " + std::to_string(i) + " of " +
                        tensor.type().text());
    offset = offset * tensor.shape[i] + indices[i];
  }
  *out = static_cast<char *>(tensor.data) + offset * bytesOf(tensor.element);
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

static std::vector<std::string> &textsIn(const OrtValue *value) {
  Payload &tensor = tensorIn(value);
  if (!tensor.isText())
    throw Failure(ORT_INVALID_ARGUMENT, "the value is " + tensor.type().text() +
                                            ", it should be of strings");
  return tensor.texts;
}

static std::string &textIn(const OrtValue *value, size_t index) {
  std::vector<std::string> &texts = textsIn(value);
  if (index >= texts.size())
    throw Failure(ORT_INVALID_ARGUMENT,
                  "string " + std::to_string(index) + " is not among the " +
                      std::to_string(texts.size()) + " of the tensor");
  return texts[index];
}

static void checkCount(size_t is, size_t shouldBe) {
  if (is != shouldBe)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "there are " + std::to_string(is) + " strings or offsets, " +
                      "and the tensor has " + std::to_string(shouldBe));
}

void entry::FillStringTensor(OrtValue *value, const char *const *texts,
                             size_t count) {
  std::vector<std::string> &to = textsIn(value);
  checkCount(count, to.size());
  for (size_t i = 0; i < count; ++i)
    to[i] = texts[i] ? texts[i] : "";
}

void entry::FillStringTensorElement(OrtValue *value, const char *text,
                                    size_t index) {
  textIn(value, index) = text;
}

void entry::GetResizedStringTensorElementBuffer(OrtValue *value, size_t index,
                                                size_t bytes, char **out) {
  std::string &text = textIn(value, index);
  text.resize(bytes);
  *out = text.data();
}

void entry::GetStringTensorDataLength(const OrtValue *value, size_t *out) {
  *out = 0;
  for (const std::string &text : textsIn(value))
    *out += text.size();
}

void entry::GetStringTensorContent(const OrtValue *value, void *bytes,
                                   size_t byteCount, size_t *offsets,
                                   size_t count) {
  const std::vector<std::string> &texts = textsIn(value);
  checkCount(count, texts.size());
  size_t needed;
  GetStringTensorDataLength(value, &needed);
  if (byteCount < needed || (needed && !bytes))
    throw Failure(ORT_INVALID_ARGUMENT,
                  "the strings have " + std::to_string(needed) +
                      " bytes, and there is room for " +
                      std::to_string(bytes ? byteCount : 0));
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    offsets[i] = at;
    if (!texts[i].empty())
      std::memcpy(static_cast<char *>(bytes) + at, texts[i].data(),
                  texts[i].size());
    at += texts[i].size();
  }
}

void entry::GetStringTensorElementLength(const OrtValue *value, size_t index,
                                         size_t *out) {
  *out = textIn(value, index).size();
}

void entry::GetStringTensorElement(const OrtValue *value, size_t bytes,
                                   size_t index, void *out) {
  const std::string &text = textIn(value, index);
  if (bytes < text.size() || (!out && !text.empty()))
    throw Failure(ORT_INVALID_ARGUMENT, "the string has " +
                                            std::to_string(text.size()) +
                                            " bytes, and there is room for " +
                                            std::to_string(out ? bytes : 0));
  if (!text.empty())
    std::memcpy(out, text.data(), text.size());
}

//===----------------------------------------------------------------------===//
// Sequences and maps
//===----------------------------------------------------------------------===//

static const Payload &partsIn(const OrtValue *value) {
  const Payload &payload = *value->payload;
  if (payload.kind != ONNX_TYPE_SEQUENCE && payload.kind != ONNX_TYPE_MAP)
    throw Failure(ORT_INVALID_ARGUMENT, "the value is no sequence or map");
  return payload;
}

void entry::GetValueCount(const OrtValue *value, size_t *out) {
  *out = partsIn(value).parts.size();
}

void entry::GetValue(const OrtValue *value, int index, OrtAllocator *,
                     OrtValue **out) {
  const Payload &payload = partsIn(value);
  if (index < 0 || size_t(index) >= payload.parts.size())
    throw Failure(ORT_INVALID_ARGUMENT,
                  "value " + std::to_string(index) + " is not among the " +
                      std::to_string(payload.parts.size()) + " of the value");
  *out = new OrtValue{payload.parts[index]};
}

static void checkMap(const Payload &map) {
  if (map.parts.size() != 2)
    throw Failure(ORT_INVALID_ARGUMENT, "a map is made of " +
                                            std::to_string(map.parts.size()) +
                                            " values, it should be of 2");
  glowValueOf(map); // or fails
}

void entry::CreateValue(const OrtValue *const *values, size_t count, int kind,
                        OrtValue **out) {
  if (kind != ONNX_TYPE_SEQUENCE && kind != ONNX_TYPE_MAP)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "a value is made of kind " + std::to_string(kind) +
                      ", it should be a sequence or a map");
  auto made = std::make_shared<Payload>();
  made->kind = kind;
  for (size_t i = 0; i < count; ++i) {
    if (!values[i])
      throw Failure(ORT_INVALID_ARGUMENT,
                    "value " + std::to_string(i) + " is null");
    made->parts.push_back(values[i]->payload);
  }
  if (kind == ONNX_TYPE_MAP)
    checkMap(*made);
  *out = new OrtValue{std::move(made)};
}

void entry::GetTensorElementTypeAndShapeDataReference(const OrtValue *value,
                                                      int *element,
                                                      const int64_t **shape,
                                                      size_t *rank) {
  const Payload &tensor = tensorIn(value);
  *element = tensor.element;
  *shape = tensor.shape.empty() ? nullptr : tensor.shape.data();
  *rank = tensor.shape.size();
}
