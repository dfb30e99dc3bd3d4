//===- OnnxValue.cpp - values of any kind in ONNX's files -----------------===//
// SPDX-License-Identifier: MIT
//
// Sequences, optionals and maps nest, as in ONNX's messages for data. Elements
// of a sequence must be of one kind, which a file may violate. A map whose
// values are not single elements has no host value.
//
//===----------------------------------------------------------------------===//

#include "glow/TensorFiles/OnnxValue.h"
#include "glow/TensorFiles/OnnxTensor.h"
#include <cstring>
#include <limits>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

using namespace glow;

static Result<HostValue> stringsOf(const onnx::TensorProto &proto) {
  Strings strings{Ints(proto.dims().begin(), proto.dims().end()),
                  {proto.string_data().begin(), proto.string_data().end()}};
  std::optional<int64_t> wanted = checkedProduct(strings.shape);
  if (wanted && uint64_t(*wanted) == strings.elements.size())
    return HostValue(std::move(strings));
  return failure(Code::InvalidArgument, "it has ", strings.elements.size(),
                 " strings, but its shape is ", shapeText(strings.shape));
}

static Result<HostValue> valueOf(const onnx::TensorProto &proto) {
  if (proto.data_type() == onnx::TensorProto::STRING)
    return stringsOf(proto);
  Result<NamedTensor> tensor = parseOnnxTensor(proto.SerializeAsString());
  if (!tensor)
    return tensor.status();
  return HostValue(std::move(tensor->tensor));
}

static Result<HostValue> valueOf(const onnx::SequenceProto &proto);
static Result<HostValue> valueOf(const onnx::OptionalProto &proto);
static Result<HostValue> valueOf(const onnx::MapProto &proto);

/// All elements of a repeated field.
template <typename List> static Result<HostValue> sequenceOf(const List &list) {
  HostValue::Sequence sequence;
  for (const auto &element : list) {
    Result<HostValue> value = valueOf(element);
    if (!value)
      return value.status();
    const HostValue &first = sequence.empty() ? *value : sequence.front();
    if (!value->isNothing() && !first.isNothing() && !isOfKind(*value, first))
      return failure(Code::InvalidArgument, "it holds ", first.text(), " and ",
                     value->text(), ", which are of two kinds");
    sequence.push_back(value.take());
  }
  return HostValue(std::move(sequence));
}

static Result<HostValue> valueOf(const onnx::SequenceProto &proto) {
  switch (proto.elem_type()) {
  case onnx::SequenceProto::UNDEFINED: // empty, of no kind that is said
  case onnx::SequenceProto::TENSOR:
    return sequenceOf(proto.tensor_values());
  case onnx::SequenceProto::SEQUENCE:
    return sequenceOf(proto.sequence_values());
  case onnx::SequenceProto::OPTIONAL:
    return sequenceOf(proto.optional_values());
  case onnx::SequenceProto::MAP:
    return sequenceOf(proto.map_values());
  default:
    return Status(Code::Unsupported,
                  "a sequence of sparse tensors is not supported");
  }
}

/// The values of a map as a list: each may be a tensor of one element, or all
/// may be in one tensor.
static Result<HostValue> listOf(const HostValue::Sequence &values) {
  if (values.size() == 1)
    return values.front();
  if (!values.empty() && values.front().strings()) {
    Strings list{{int64_t(values.size())}, {}};
    for (const HostValue &value : values) {
      const Strings *strings = value.strings();
      if (!strings || strings->elements.size() != 1)
        return failure(Code::Unsupported, "a map to ", value.text(),
                       " is not supported");
      list.elements.push_back(strings->elements.front());
    }
    return HostValue(std::move(list));
  }
  TensorType type{ElementKind::F32, {int64_t(values.size())}};
  if (!values.empty() && values.front().tensor())
    type.kind = values.front().tensor()->type().kind;
  Result<Tensor> list = Tensor::zeros(type);
  const size_t bytes = byteSize(type.kind);
  for (size_t i = 0; list && i < values.size(); ++i) {
    const Tensor *tensor = values[i].tensor();
    if (!tensor || tensor->type().kind != type.kind ||
        tensor->type().elements() != 1)
      return failure(Code::Unsupported, "a map to ", values[i].text(),
                     " is not supported");
    std::memcpy(static_cast<char *>(list->data()) + i * bytes, tensor->data(),
                bytes);
  }
  if (!list)
    return list.status();
  return HostValue(list.take());
}

static Result<HostValue> valueOf(const onnx::MapProto &proto) {
  Result<HostValue> values = valueOf(proto.values());
  if (values)
    values = listOf(*values->sequence());
  if (!values)
    return values;
  HostValue keys(
      Strings{{proto.string_keys_size()},
              {proto.string_keys().begin(), proto.string_keys().end()}});
  if (proto.key_type() != onnx::TensorProto::STRING) {
    Result<Tensor> numbers = tensorOf<int64_t>(
        {proto.keys_size()}, {proto.keys().data(), size_t(proto.keys_size())});
    if (!numbers)
      return numbers.status();
    keys = HostValue(numbers.take());
  }
  Result<Map> map = Map::of(keys, *values);
  if (!map)
    return map.status();
  return HostValue(map.take());
}

static Result<HostValue> valueOf(const onnx::OptionalProto &proto) {
  switch (proto.elem_type()) {
  case onnx::OptionalProto::UNDEFINED:
    return HostValue();
  case onnx::OptionalProto::TENSOR:
    return proto.has_tensor_value() ? valueOf(proto.tensor_value())
                                    : HostValue();
  case onnx::OptionalProto::SEQUENCE:
    return proto.has_sequence_value() ? valueOf(proto.sequence_value())
                                      : HostValue();
  case onnx::OptionalProto::OPTIONAL:
    return proto.has_optional_value() ? valueOf(proto.optional_value())
                                      : HostValue();
  case onnx::OptionalProto::MAP:
    return proto.has_map_value() ? valueOf(proto.map_value()) : HostValue();
  default:
    return Status(Code::Unsupported,
                  "an optional sparse tensor is not supported");
  }
}

template <typename Proto>
static Result<NamedValue> parseAs(std::string_view bytes) {
  Proto proto;
  if (!proto.ParseFromArray(bytes.data(), int(bytes.size())))
    return Status(Code::InvalidArgument,
                  "it is no value of ONNX, or is cut off or damaged");
  Result<HostValue> value = valueOf(proto);
  if (!value)
    return value.status();
  return NamedValue{proto.name(), value.take()};
}

/// Whether the bytes are exactly one message of this type.
template <typename Proto> static bool isWhole(std::string_view bytes) {
  Proto proto;
  return bytes.size() <= size_t(std::numeric_limits<int>::max()) &&
         proto.ParseFromArray(bytes.data(), int(bytes.size())) &&
         proto.unknown_fields().empty();
}

static bool isStrings(std::string_view bytes) {
  onnx::TensorProto proto;
  return bytes.size() <= size_t(std::numeric_limits<int>::max()) &&
         proto.ParseFromArray(bytes.data(), int(bytes.size())) &&
         proto.data_type() == onnx::TensorProto::STRING;
}

OnnxForm glow::formOf(std::string_view other) {
  return other == "a sequence"    ? OnnxForm::Sequence
         : other == "an optional" ? OnnxForm::Optional
         : other == "a map"       ? OnnxForm::Map
                                  : OnnxForm::Tensor;
}

Result<NamedValue> glow::parseOnnxValue(std::string_view bytes, OnnxForm form) {
  const bool optional = form == OnnxForm::Optional;
  if (optional && bytes.empty()) // a message without fields
    return NamedValue();
  if (form == OnnxForm::Map && isWhole<onnx::MapProto>(bytes))
    return parseAs<onnx::MapProto>(bytes);
  if (form == OnnxForm::Map)
    return Status(Code::InvalidArgument,
                  "it holds no map, or is cut off or damaged");
  if (form == OnnxForm::Sequence && isWhole<onnx::SequenceProto>(bytes))
    return parseAs<onnx::SequenceProto>(bytes);
  if (isOnnxSequence(bytes))
    return optional ? parseAs<onnx::OptionalProto>(bytes)
                    : parseAs<onnx::SequenceProto>(bytes);
  if (isStrings(bytes))
    return parseAs<onnx::TensorProto>(bytes);
  Result<NamedTensor> tensor = parseOnnxTensor(bytes);
  if (!tensor)
    return tensor.status();
  return NamedValue{tensor->name, std::move(tensor->tensor)};
}
