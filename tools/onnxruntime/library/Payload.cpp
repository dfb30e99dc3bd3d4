//===- Payload.cpp - values of an application -----------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Payload.h"
#include "library/Memory.h"
#include <cstdlib>
#include <cstring>

using namespace glow;
using namespace glow::ort;

size_t ort::elementCount(std::span<const int64_t> shape) {
  size_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(count, size_t(size), &count))
      throw Failure(ORT_INVALID_ARGUMENT,
                    "a size of a tensor is " + std::to_string(size) +
                        ", it should be at least 0 and fit into memory");
  return count;
}

size_t ort::bytesOf(int element) {
  std::optional<glow_kind> kind = kindOf(element);
  if (!kind)
    throw Failure(ORT_NOT_IMPLEMENTED,
                  "a tensor is of " + elementName(element) +
                      ", it should be of numbers of whole bytes or of strings");
  switch (*kind) {
  case GLOW_F64:
  case GLOW_I64:
  case GLOW_U64:
    return 8;
  case GLOW_F32:
  case GLOW_I32:
  case GLOW_U32:
    return 4;
  case GLOW_F16:
  case GLOW_BF16:
  case GLOW_I16:
  case GLOW_U16:
    return 2;
  default:
    return 1;
  }
}

size_t Payload::count() const { return elementCount(shape); }

TensorType Payload::type() const {
  TensorType type;
  type.element = element;
  type.shape = shape;
  type.names.resize(shape.size());
  return type;
}

std::shared_ptr<Payload> ort::makeTensor(int element,
                                         std::vector<int64_t> shape) {
  auto made = std::make_shared<Payload>();
  made->element = element;
  made->shape = std::move(shape);
  if (made->isText()) {
    made->texts.resize(made->count());
    return made;
  }
  if (__builtin_mul_overflow(made->count(), bytesOf(element), &made->bytes))
    throw Failure(ORT_INVALID_ARGUMENT,
                  made->type().text() + " does not fit into memory");
  made->data = allocate(made->bytes);
  made->release = [data = made->data] { std::free(data); };
  return made;
}

//===----------------------------------------------------------------------===//
// To Glow
//===----------------------------------------------------------------------===//

static glow_value *textsOf(const Payload &payload) {
  std::vector<const char *> texts;
  std::vector<size_t> lengths;
  for (const std::string &text : payload.texts) {
    texts.push_back(text.data());
    lengths.push_back(text.size());
  }
  glow_value *made;
  api::check(glow_value_new_strings(payload.shape.size(), payload.shape.data(),
                                    texts.data(), lengths.data(), &made));
  return made;
}

static glow_value *tensorOf(const Payload &payload) {
  if (payload.isText())
    return textsOf(payload);
  bytesOf(payload.element); // or fails
  const glow_tensor tensor = {*kindOf(payload.element), payload.shape.size(),
                              payload.shape.data(), payload.data};
  glow_value *made;
  api::check(glow_value_new_tensor(&tensor, &made));
  return made;
}

static glow_value *sequenceOf(const std::vector<GlowValue> &parts) {
  std::vector<const glow_value *> elements;
  for (const GlowValue &part : parts)
    elements.push_back(part.get());
  glow_value *made;
  api::check(glow_value_new_sequence(elements.data(), elements.size(), &made));
  return made;
}

GlowValue ort::glowValueOf(const Payload &payload) {
  if (payload.isTensor())
    return GlowValue(tensorOf(payload));
  std::vector<GlowValue> parts;
  for (const auto &part : payload.parts)
    parts.push_back(glowValueOf(*part));
  if (payload.kind == ONNX_TYPE_SEQUENCE)
    return GlowValue(sequenceOf(parts));
  glow_value *made;
  if (payload.kind == ONNX_TYPE_MAP)
    api::check(glow_value_new_map(parts[0].get(), parts[1].get(), &made));
  else
    api::check(glow_value_new_nothing(&made));
  return GlowValue(made);
}

//===----------------------------------------------------------------------===//
// From Glow
//===----------------------------------------------------------------------===//

static std::shared_ptr<Payload> tensorOf(const glow_value *value,
                                         const glow_tensor_info &info,
                                         const void *data) {
  auto made =
      makeTensor(elementOf(info.kind), {info.shape, info.shape + info.rank});
  if (!made->isText()) {
    if (made->bytes)
      std::memcpy(made->data, data, made->bytes);
    return made;
  }
  for (size_t i = 0; i < made->texts.size(); ++i) {
    const char *text;
    size_t length;
    api::check(glow_value_text(value, i, &text, &length));
    made->texts[i].assign(text, length);
  }
  return made;
}

static std::shared_ptr<Payload> take(glow_value *value) {
  return payloadOf(GlowValue(value).get());
}

std::shared_ptr<Payload> ort::payloadOf(const glow_value *value) {
  glow_tensor_info info;
  const void *data;
  api::check(glow_value_info(value, &info, &data));
  if (info.kind < GLOW_SEQUENCE)
    return tensorOf(value, info, data);
  auto made = std::make_shared<Payload>();
  glow_value *part;
  if (info.kind == GLOW_SEQUENCE) {
    made->kind = ONNX_TYPE_SEQUENCE;
    for (size_t i = 0; i < glow_value_count(value); ++i) {
      api::check(glow_value_element(value, i, &part));
      made->parts.push_back(take(part));
    }
  } else if (info.kind == GLOW_MAP) {
    made->kind = ONNX_TYPE_MAP;
    api::check(glow_value_keys(value, &part));
    made->parts.push_back(take(part));
    api::check(glow_value_values(value, &part));
    made->parts.push_back(take(part));
  } else {
    made->kind = ONNX_TYPE_OPTIONAL;
  }
  return made;
}
