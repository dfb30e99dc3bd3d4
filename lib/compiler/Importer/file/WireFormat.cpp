//===- WireFormat.cpp - an ONNX file without its numbers ------------------===//
// SPDX-License-Identifier: MIT
//
// Nearly all bytes of an ONNX file are weights. Protobuf would copy them, twice
// while its strings grow, and can only report that a damaged file is damaged.
// The walk takes the numbers out, checks every length, and passes the rest to
// protobuf. So a large model costs no memory, and a truncated file gets a
// message with the byte.
//
// Messages may nest 400 deep, over a hundred graphs of three messages each, and
// protobuf gets this limit. Code that walks over a model recurses for each
// graph; a hundred of them run on a stack of one MiB. A deeper file is refused
// here, before any such code runs.
//
//===----------------------------------------------------------------------===//

#include "WireFormat.h"
#include <algorithm>
#include <optional>

using namespace glow;

namespace {

constexpr size_t maximalSkeleton = size_t(512) << 20;

/// Bounds of messages and texts: an empty message has two bytes in the file,
/// and some hundred as an object; an empty text has forty.
constexpr size_t maximalMessages = size_t(1) << 22;
constexpr size_t maximalTexts = size_t(1) << 24;

enum Message : uint8_t {
  Model,
  Graph,
  Node,
  Attribute,
  Tensor,
  Sparse,
  Function,
  Training,
  ValueInfo,
  Type,
  TensorType,
  ElementType,
  Shape,
  Dimension,
  Annotation,
  Leaf, // has no message in it
};

/// The fields that hold messages, by the message around them. A missing row
/// costs only the precise position of an error; but every path to a Tensor must
/// be here.
struct Child {
  Message in;
  uint32_t field;
  Message is;
};
constexpr Child children[] = {
    {Model, 7, Graph},       {Model, 8, Leaf},        {Model, 14, Leaf},
    {Model, 20, Training},   {Model, 25, Function},   {Graph, 1, Node},
    {Graph, 5, Tensor},      {Graph, 11, ValueInfo},  {Graph, 12, ValueInfo},
    {Graph, 13, ValueInfo},  {Graph, 14, Annotation}, {Graph, 15, Sparse},
    {Node, 5, Attribute},    {Attribute, 5, Tensor},  {Attribute, 6, Graph},
    {Attribute, 10, Tensor}, {Attribute, 11, Graph},  {Attribute, 14, Type},
    {Attribute, 15, Type},   {Attribute, 22, Sparse}, {Attribute, 23, Sparse},
    {Tensor, 13, Leaf},      {Sparse, 1, Tensor},     {Sparse, 2, Tensor},
    {Function, 7, Node},     {Function, 9, Leaf},     {Function, 11, Attribute},
    {Training, 1, Graph},    {Training, 2, Graph},    {ValueInfo, 2, Type},
    {Type, 1, TensorType},   {Type, 4, ElementType},  {Type, 8, TensorType},
    {Type, 9, ElementType},  {TensorType, 2, Shape},  {ElementType, 1, Type},
    {Shape, 1, Dimension},   {Annotation, 2, Leaf},
};

std::optional<Message> childOf(Message in, uint32_t field) {
  for (const Child &child : children)
    if (child.in == in && child.field == field)
      return child.is;
  return std::nullopt;
}

/// Fields of TensorProto. `segment`, for parts of a tensor, is dropped: no
/// exporter writes it.
constexpr uint32_t segmentField = 3, rawDataField = 9;

bool holdsNumbers(uint32_t field) {
  return field == 4 || field == 5 || field == 7 || field == rawDataField ||
         field == 10 || field == 11;
}

struct Field {
  uint64_t start, begin, end; // of the tag, of what follows it and its length
  uint32_t number, wire;
  bool cut; // `end` is that of the message around it, and should be beyond
};

/// Byte `i` of a varint of five bytes.
char fifth(uint64_t value, int i) {
  return char((value >> (7 * i) & 0x7f) | (i < 4 ? 0x80 : 0));
}

class Walk {
public:
  explicit Walk(std::span<const char> file) : file(file) {}

  Status message(Message kind, uint64_t begin, uint64_t end, int depth);

  Skeleton skeleton;

private:
  Result<Field> fieldAt(uint64_t at, uint64_t end) const;
  Status rewrite(const Field &field, Message kind, int depth,
                 TensorChunks &chunks);
  Status inner(const Field &field, Message kind, int depth);
  void refer(TensorChunks chunks);
  Status cutOff(const Field &field) const;
  Status count(const Field &field, bool isMessage);
  void appendFive(uint64_t value) {
    for (int i = 0; i < 5; ++i)
      skeleton.message += fifth(value, i);
  }
  void copy(uint64_t begin, uint64_t end) {
    skeleton.message.append(file.data() + begin, end - begin);
  }

  std::span<const char> file;
  size_t messages = 0, texts = 0;
};

Status noField(uint64_t at) {
  return failure(Code::InvalidArgument,
                 "not an ONNX model: no field begins at byte ", at);
}

Status tooLarge() {
  return failure(Code::Unsupported,
                 "the model without its tensors has more than 512 MiB");
}

Status Walk::cutOff(const Field &field) const {
  if (field.end == file.size())
    return failure(Code::InvalidArgument,
                   "not an ONNX model: the file ends inside a field at byte ",
                   field.start);
  return failure(Code::InvalidArgument, "not an ONNX model: the field at byte ",
                 field.start, " is longer than the message around it");
}

/// The field whose tag is at `at`, in a message that ends at `end`.
Result<Field> Walk::fieldAt(uint64_t at, uint64_t end) const {
  const char *cursor = file.data() + at, *last = file.data() + end;
  Field field{at, at, end, 0, 0, true};
  uint64_t tag, length;
  // A varint must end within ten bytes.
  auto noVarint = [&] {
    return last - cursor < 10 ? cutOff(field) : noField(at);
  };
  if (!readVarint(cursor, last, tag))
    return noVarint();
  if (tag >> 3 == 0 || tag >> 32 != 0)
    return noField(at);
  field.number = uint32_t(tag >> 3);
  field.wire = tag & 7;
  field.begin = cursor - file.data();
  switch (field.wire) {
  case 0:
    if (!readVarint(cursor, last, length))
      return noVarint();
    length = cursor - file.data() - field.begin;
    break;
  case 1:
    length = 8;
    break;
  case 2:
    if (!readVarint(cursor, last, length))
      return noVarint();
    field.begin = cursor - file.data();
    break;
  case 5:
    length = 4;
    break;
  default:
    return noField(at);
  }
  field.cut = length > end - field.begin;
  field.end = field.cut ? end : field.begin + length;
  return field;
}

/// Rewrites the message in a field. Its new length is known only after its
/// contents, so the length always takes five bytes.
Status Walk::inner(const Field &field, Message kind, int depth) {
  if (depth == deepestMessage)
    return failure(Code::InvalidArgument, "not an ONNX model: more than ",
                   deepestMessage, " messages lie in one another at byte ",
                   field.start);
  std::string &out = skeleton.message;
  for (uint32_t tag = field.number << 3 | 2; tag; tag >>= 7)
    out += char((tag & 0x7f) | (tag > 0x7f ? 0x80 : 0));
  size_t place = out.size();
  appendFive(0);
  if (Status status = message(kind, field.begin, field.end, depth + 1);
      !status.ok())
    return status;
  uint64_t length = out.size() - place - 5;
  for (int i = 0; i < 5; ++i)
    out[place + i] = fifth(length, i);
  return Status();
}

Status Walk::count(const Field &field, bool isMessage) {
  size_t most = isMessage ? maximalMessages : maximalTexts;
  if (++(isMessage ? messages : texts) <= most)
    return Status();
  return failure(Code::Unsupported, "the model has more than ", most,
                 isMessage ? " messages" : " texts",
                 ", the next of them at byte ", field.start);
}

/// Rewrites one field of a message of this kind; numbers go to `chunks`.
Status Walk::rewrite(const Field &field, Message kind, int depth,
                     TensorChunks &chunks) {
  std::optional<Message> child = childOf(kind, field.number);
  if (kind == Tensor && holdsNumbers(field.number)) {
    chunks.push_back({field.number, field.begin, field.end - field.begin});
  } else if (Status many =
                 field.wire == 2 ? count(field, child.has_value()) : Status();
             !many.ok()) {
    return many;
  } else if (child && field.wire == 2) {
    // A truncated field is rewritten too: an error inside it is more precise.
    if (Status status = inner(field, *child, depth); !status.ok())
      return status;
  } else if (kind != Tensor || field.number != segmentField) {
    // Checked before the copy: one field could be as long as the file.
    if (field.end - field.start > maximalSkeleton)
      return tooLarge();
    copy(field.start, field.end);
  }
  return field.cut ? cutOff(field) : Status();
}

/// Ends a TensorProto with segment { begin: index }, the index in five bytes.
void Walk::refer(TensorChunks chunks) {
  skeleton.message.append({segmentField << 3 | 2, 6, 1 << 3});
  appendFive(skeleton.tensors.size());
  skeleton.tensors.push_back(std::move(chunks));
}

Status Walk::message(Message kind, uint64_t begin, uint64_t end, int depth) {
  TensorChunks chunks;
  for (uint64_t at = begin; at < end;) {
    Result<Field> field = fieldAt(at, end);
    if (!field)
      return field.status();
    if (Status status = rewrite(*field, kind, depth, chunks); !status.ok())
      return status;
    if (skeleton.message.size() > maximalSkeleton)
      return tooLarge();
    at = field->end;
  }
  if (!chunks.empty())
    refer(std::move(chunks));
  return Status();
}

} // namespace

bool glow::readVarint(const char *&at, const char *end, uint64_t &value) {
  value = 0;
  const char *cursor = at;
  for (int shift = 0; shift < 70 && cursor != end; shift += 7) {
    uint64_t byte = uint8_t(*cursor++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      at = cursor;
      return true;
    }
  }
  return false;
}

Result<Skeleton> glow::skeletonOf(std::span<const char> file) {
  if (file.empty())
    return failure(Code::InvalidArgument,
                   "not an ONNX model: the file is empty");
  std::string_view start(file.data(), std::min<size_t>(file.size(), 64));
  // A Git LFS pointer takes the model's place in a clone without large files.
  if (start.starts_with("version https://git-lfs"))
    return failure(Code::InvalidArgument, "not an ONNX model, but a pointer of "
                                          "Git LFS to one: fetch the file");
  Walk walk(file);
  if (Status status = walk.message(Model, 0, file.size(), 0); !status.ok())
    return status;
  return std::move(walk.skeleton);
}
