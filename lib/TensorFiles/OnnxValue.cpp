//===- OnnxValue.cpp - values of any kind in ONNX's files -----------------===//

#include "glow/TensorFiles/OnnxValue.h"
#include "glow/TensorFiles/OnnxTensor.h"
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

/// All elements of a repeated field.
template <typename List> static Result<HostValue> sequenceOf(const List &list) {
  HostValue::Sequence sequence;
  for (const auto &element : list) {
    Result<HostValue> value = valueOf(element);
    if (!value)
      return value.status();
    sequence.push_back(value.take());
  }
  return HostValue(std::move(sequence));
}

static Result<HostValue> valueOf(const onnx::SequenceProto &proto) {
  switch (proto.elem_type()) {
  case onnx::SequenceProto::UNDEFINED: // nobody said of what it is empty
  case onnx::SequenceProto::TENSOR:
    return sequenceOf(proto.tensor_values());
  case onnx::SequenceProto::SEQUENCE:
    return sequenceOf(proto.sequence_values());
  case onnx::SequenceProto::OPTIONAL:
    return sequenceOf(proto.optional_values());
  default:
    return Status(Code::Unsupported,
                  "a sequence of maps or sparse tensors is not supported");
  }
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
  default:
    return Status(Code::Unsupported,
                  "an optional map or sparse tensor is not supported");
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

static bool isStrings(std::string_view bytes) {
  onnx::TensorProto proto;
  return bytes.size() <= size_t(std::numeric_limits<int>::max()) &&
         proto.ParseFromArray(bytes.data(), int(bytes.size())) &&
         proto.data_type() == onnx::TensorProto::STRING;
}

Result<NamedValue> glow::parseOnnxValue(std::string_view bytes, bool optional) {
  if (optional && bytes.empty()) // a message without fields
    return NamedValue();
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
