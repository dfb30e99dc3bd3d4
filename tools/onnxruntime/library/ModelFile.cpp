//===- ModelFile.cpp - facts of an ONNX file ------------------------------===//
// SPDX-License-Identifier: MIT
//
// The numbers of fields are those of onnx.proto, in the format of protocol
// buffers.
//
//===----------------------------------------------------------------------===//

#include "library/ModelFile.h"
#include "Reader.h"
#include <fstream>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static void readSize(Message message, TensorType &type) {
  int64_t size = -1;
  std::string name;
  for (Field field; message.next(field);) {
    if (field.number == 1)
      size = int64_t(field.integer);
    else if (field.number == 2)
      name = message.text(field);
  }
  type.shape.push_back(size);
  type.names.push_back(name);
}

static TensorType readTensorType(Message message) {
  TensorType type;
  type.hasRank = false;
  for (Field field; message.next(field);) {
    if (field.number == 1)
      type.element = int(field.integer);
    if (field.number != 2)
      continue;
    type.hasRank = true;
    Message sizes = message.in(field);
    for (Field size; sizes.next(size);)
      if (size.number == 1)
        readSize(sizes.in(size), type);
  }
  return type;
}

/// Types within types of a model are few; others are no model.
static constexpr int mostNested = 16;

static OrtTypeInfo readType(Message message, int nested = 0);

/// The only type in the message of a sequence or an optional.
static std::shared_ptr<OrtTypeInfo> readInner(Message message, int number,
                                              int nested) {
  for (Field field; message.next(field);)
    if (field.number == number)
      return std::make_shared<OrtTypeInfo>(
          readType(message.in(field), nested + 1));
  return std::make_shared<OrtTypeInfo>();
}

static int readKey(Message message) {
  int key = 0;
  for (Field field; message.next(field);)
    if (field.number == 1)
      key = int(field.integer);
  return key;
}

static OrtTypeInfo readType(Message message, int nested) {
  OrtTypeInfo type;
  if (nested > mostNested)
    return type;
  for (Field field; message.next(field);) {
    const Message inner = message.in(field);
    switch (field.number) {
    case 1:
      type.kind = ONNX_TYPE_TENSOR;
      type.tensor = {readTensorType(inner)};
      break;
    case 4:
      type.kind = ONNX_TYPE_SEQUENCE;
      type.sequence.element = readInner(inner, 1, nested);
      break;
    case 5:
      type.kind = ONNX_TYPE_MAP;
      type.map = {readKey(inner), readInner(inner, 2, nested)};
      break;
    case 6:
      type.denotation = message.text(field);
      break;
    case 9:
      type.kind = ONNX_TYPE_OPTIONAL;
      type.optional.content = readInner(inner, 1, nested);
      break;
    }
  }
  return type;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

static void readValue(Message message, ModelFile &file) {
  std::string name;
  OrtTypeInfo type;
  for (Field field; message.next(field);) {
    if (field.number == 1)
      name = message.text(field);
    else if (field.number == 2)
      type = readType(message.in(field));
  }
  file.types[name] = type;
}

static void readGraph(Message message, ModelFile &file) {
  for (Field field; message.next(field);) {
    if (field.number == 2)
      file.data.graph = message.text(field);
    else if (field.number == 10)
      file.data.graphDescription = message.text(field);
    else if (field.number == 11 || field.number == 12)
      readValue(message.in(field), file);
  }
}

static void readEntry(Message message, ModelFile &file) {
  std::string key, value;
  for (Field field; message.next(field);) {
    if (field.number == 1)
      key = message.text(field);
    else if (field.number == 2)
      value = message.text(field);
  }
  file.data.entries[key] = value;
}

ModelFile ort::readModelFile(const ReadPart &read, uint64_t bytes) {
  ModelFile file;
  Message message(read, 0, bytes);
  for (Field field; message.next(field);) {
    switch (field.number) {
    case 2:
      file.data.producer = message.text(field);
      break;
    case 4:
      file.data.domain = message.text(field);
      break;
    case 5:
      file.data.version = int64_t(field.integer);
      break;
    case 6:
      file.data.description = message.text(field);
      break;
    case 7:
      readGraph(message.in(field), file);
      break;
    case 14:
      readEntry(message.in(field), file);
      break;
    }
  }
  return file;
}

ModelFile ort::readModelFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return {};
  const uint64_t bytes = file.tellg();
  return readModelFile(
      [&](uint64_t at, char *to, size_t count) {
        // A seek drops what the stream has read ahead.
        if (uint64_t(file.tellg()) != at)
          file.seekg(at);
        return bool(file.read(to, count));
      },
      bytes);
}

ModelFile ort::readModelFile(std::string_view bytes) {
  return readModelFile(readFrom(bytes), bytes.size());
}
