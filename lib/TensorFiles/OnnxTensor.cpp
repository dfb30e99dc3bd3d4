//===- OnnxTensor.cpp - tensors in ONNX's TensorProto files ---------------===//

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
  switch (type) {
  case TensorProto::FLOAT:
    return ElementKind::F32;
  case TensorProto::FLOAT16:
    return ElementKind::F16;
  case TensorProto::BFLOAT16:
    return ElementKind::BF16;
  case TensorProto::DOUBLE:
    return ElementKind::F64;
  case TensorProto::INT8:
    return ElementKind::I8;
  case TensorProto::INT16:
    return ElementKind::I16;
  case TensorProto::INT32:
    return ElementKind::I32;
  case TensorProto::INT64:
    return ElementKind::I64;
  case TensorProto::UINT8:
    return ElementKind::U8;
  case TensorProto::UINT16:
    return ElementKind::U16;
  case TensorProto::UINT32:
    return ElementKind::U32;
  case TensorProto::UINT64:
    return ElementKind::U64;
  case TensorProto::BOOL:
    return ElementKind::Bool;
  case TensorProto::UNDEFINED:
    return invalid("it is no ONNX tensor: it has no element type");
  case TensorProto::STRING:
    return Status(Code::Unsupported, "string tensors are not supported");
  default:
    // Compared as a number: newer versions have more than the enumeration.
    return failure(Code::Unsupported, "ONNX element type ", type,
                   " is not supported");
  }
}

/// Copies a field of numbers, each of which holds one element.
template <typename T, typename Field>
static Status copyField(const Field &field, std::span<T> out) {
  if (size_t(field.size()) != out.size())
    return failure(Code::InvalidArgument, "it has ", field.size(),
                   " elements of data, its shape needs ", out.size());
  for (int i = 0; i < field.size(); ++i) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      out[size_t(i)] = T::fromBits(uint16_t(field.Get(i)));
    else
      out[size_t(i)] = static_cast<T>(field.Get(i));
  }
  return Status();
}

/// The field that holds elements of type `T` when they are not raw.
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
  uint64_t wanted = tensor.type().bytes();
  if (raw.size() != wanted)
    return failure(Code::InvalidArgument, "it has ", raw.size(),
                   " bytes of data, its type ", tensor.type().text(), " needs ",
                   wanted);
  if (wanted == 0)
    return Status();
  std::memcpy(tensor.data(), raw.data(), wanted);
  if (tensor.type().kind == ElementKind::Bool)
    for (uint8_t &byte :
         std::span(static_cast<uint8_t *>(tensor.data()), wanted))
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

/// Whether the data can fill the shape, before memory is taken for it: every
/// element takes a byte at least in any of the fields.
static bool dataCanFill(const TensorType &type, size_t fileBytes) {
  return type.isStatic() && uint64_t(type.elements()) <= fileBytes;
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

/// Whether the bytes are a message of this type and nothing else.
template <typename Message> static bool isMessage(std::string_view bytes) {
  Message message;
  return message.ParseFromArray(bytes.data(), int(bytes.size())) &&
         message.unknown_fields().empty();
}

bool glow::isOnnxSequence(std::string_view bytes) {
  // All three start with their name, where a tensor has its dimensions.
  return bytes.starts_with('\n') &&
         bytes.size() <= size_t(std::numeric_limits<int>::max()) &&
         (isMessage<onnx::SequenceProto>(bytes) ||
          isMessage<onnx::OptionalProto>(bytes) ||
          isMessage<onnx::MapProto>(bytes));
}
