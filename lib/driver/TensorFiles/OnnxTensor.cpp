//===- OnnxTensor.cpp - tensors in ONNX's TensorProto files ---------------===//
// SPDX-License-Identifier: MIT
//
// A file may declare any shape. Before memory is allocated, its bytes must be
// able to fill the shape, so that a small file cannot take all memory.
//
//===----------------------------------------------------------------------===//

#include "glow/TensorFiles/OnnxTensor.h"
#include "glow/Base/VisitKind.h"
#include <cstring>
#include <limits>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

using namespace glow;
using onnx::TensorProto;

static Status invalid(const std::string &what) {
  return Status(Code::InvalidArgument, what);
}

static Result<ElementKind> kindOfData(int32_t type) {
  if (std::optional<ElementKind> kind = elementKindOfOnnx(type))
    return *kind;
  if (type == TensorProto::UNDEFINED)
    return invalid("it is no ONNX tensor: it has no element type");
  if (type == TensorProto::STRING)
    return Status(Code::Unsupported, "string tensors are not supported");
  return failure(Code::Unsupported, "ONNX element type ", type,
                 " is not supported");
}

/// Copies a field of numbers, each of which holds one element, or a byte that
/// several elements share.
template <typename T, typename Field>
static Status copyField(const Field &field, std::span<T> out) {
  constexpr ElementKind kind = kindOf<T>();
  const unsigned shared = elementsPerNumber(kind);
  size_t wanted = numbersInFile(kind, out.size());
  if (size_t(field.size()) != wanted)
    return failure(Code::InvalidArgument, "it has ", field.size(),
                   " elements of data, its shape needs ", wanted);
  for (size_t i = 0; i < out.size(); ++i) {
    auto number = field.Get(int(i / shared));
    if constexpr (isBits<T>) {
      const auto byte = uint8_t(number);
      out[i] =
          fromBits<T>(sharesBytes(kind) ? bitsInFile(kind, &byte, i % shared)
                                        : uint64_t(number));
    } else {
      out[i] = static_cast<T>(number);
    }
  }
  return Status();
}

/// The field that holds elements of type `T` if they are not raw.
template <typename T> static const auto &fieldOf(const TensorProto &proto) {
  if constexpr (std::is_same_v<T, float>)
    return proto.float_data();
  else if constexpr (std::is_same_v<T, double>)
    return proto.double_data();
  else if constexpr (std::is_same_v<T, int64_t>)
    return proto.int64_data();
  else if constexpr (std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>)
    return proto.uint64_data();
  else
    return proto.int32_data();
}

static Status copyRaw(const std::string &raw, Tensor &tensor) {
  ElementKind kind = tensor.type().kind;
  uint64_t elements = uint64_t(tensor.type().elements());
  uint64_t wanted = bytesInFile(kind, elements);
  if (raw.size() != wanted)
    return failure(Code::InvalidArgument, "it has ", raw.size(),
                   " bytes of data, its type ", tensor.type().text(), " needs ",
                   wanted);
  if (wanted == 0)
    return Status();
  auto *bytes = static_cast<uint8_t *>(tensor.data());
  auto *from = reinterpret_cast<const uint8_t *>(raw.data());
  if (sharesBytes(kind))
    for (size_t i = 0; i < elements; ++i)
      bytes[i] = bitsInFile(kind, from, i);
  else
    std::memcpy(bytes, raw.data(), wanted);
  if (kind == ElementKind::Bool)
    for (uint8_t &byte : std::span(bytes, wanted))
      byte = byte != 0;
  return Status();
}

static Status copyData(const TensorProto &proto, Tensor &tensor) {
  if (proto.has_raw_data())
    return copyRaw(proto.raw_data(), tensor);
  return visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
    return copyField(fieldOf<T>(proto), tensor.elements<T>());
  });
}

/// Whether the data can fill the shape, before memory is allocated: every
/// element takes at least two bits in any of the fields.
static bool dataCanFill(const TensorType &type, size_t fileBytes) {
  return type.isStatic() && uint64_t(type.elements()) / 4 <= fileBytes;
}

static Result<TensorProto> parseProto(std::string_view bytes) {
  TensorProto proto;
  if (bytes.size() > size_t(std::numeric_limits<int>::max()))
    return failure(Code::InvalidArgument, "it has ", bytes.size(),
                   " bytes, an ONNX tensor should have less than 2^31");
  if (bytes.empty())
    return invalid("it is no ONNX tensor: it is empty");
  if (!proto.ParseFromArray(bytes.data(), int(bytes.size())))
    return invalid("it is no ONNX tensor, or is cut off or damaged");
  if (proto.data_location() == TensorProto::EXTERNAL)
    return Status(Code::Unsupported,
                  "its data is in another file, it should be in this one");
  return proto;
}

static Result<NamedTensor> convert(std::string_view bytes) {
  Result<TensorProto> proto = parseProto(bytes);
  if (!proto)
    return proto.status();
  Result<ElementKind> kind = kindOfData(proto->data_type());
  if (!kind)
    return kind.status();
  TensorType type{*kind, Ints(proto->dims().begin(), proto->dims().end())};
  if (!dataCanFill(type, bytes.size()))
    return failure(Code::InvalidArgument, "its type ", type.text(),
                   " needs more than the ", bytes.size(), " bytes of the file");
  Result<Tensor> tensor = Tensor::zeros(std::move(type));
  if (!tensor)
    return tensor.status();
  if (Status status = copyData(*proto, *tensor); !status.ok())
    return status;
  return NamedTensor{proto->name(), tensor.take()};
}

Result<NamedTensor> glow::parseOnnxTensor(std::string_view bytes) {
  Result<NamedTensor> tensor = convert(bytes);
  if (!tensor && isOnnxSequence(bytes))
    return Status(Code::Unsupported,
                  "it holds a sequence, it should hold a tensor");
  return tensor;
}

/// Whether the bytes are exactly one message of this type.
template <typename Message> static bool isMessage(std::string_view bytes) {
  Message message;
  return message.ParseFromArray(bytes.data(), int(bytes.size())) &&
         message.unknown_fields().empty();
}

bool glow::isOnnxSequence(std::string_view bytes) {
  // All three message types start with their name, where a tensor has its
  // dimensions.
  return bytes.starts_with('\n') &&
         bytes.size() <= size_t(std::numeric_limits<int>::max()) &&
         (isMessage<onnx::SequenceProto>(bytes) ||
          isMessage<onnx::OptionalProto>(bytes) ||
          isMessage<onnx::MapProto>(bytes));
}
