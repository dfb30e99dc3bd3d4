//===- OnnxValueWriter.cpp - files of ONNX of values of any kind ----------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/OnnxValue.h"
#include <algorithm>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

using namespace glow;

/// The bytes of elements in a file.
static std::string rawData(const Tensor &tensor) {
  const ElementKind kind = tensor.type().kind;
  auto *from = static_cast<const uint8_t *>(tensor.data());
  if (!sharesBytes(kind))
    return std::string(reinterpret_cast<const char *>(from),
                       tensor.type().bytes());
  const uint64_t elements = uint64_t(tensor.type().elements());
  std::string raw(bytesInFile(kind, elements), 0);
  for (uint64_t i = 0; i < elements; ++i) {
    const uint64_t at = i * bitWidth(kind);
    const unsigned bits = unsigned(from[i]) << at % 8;
    raw[at / 8] = char(uint8_t(raw[at / 8]) | bits);
    if (bits >> 8)
      raw[at / 8 + 1] = char(bits >> 8);
  }
  return raw;
}

static void write(const HostValue &value, onnx::TensorProto &proto) {
  if (const Strings *strings = value.strings()) {
    proto.set_data_type(onnx::TensorProto::STRING);
    proto.mutable_dims()->Assign(strings->shape.begin(), strings->shape.end());
    for (const std::string &text : strings->elements)
      proto.add_string_data(text);
    return;
  }
  const Tensor &tensor = *value.tensor();
  proto.set_data_type(onnxDataType(tensor.type().kind));
  proto.mutable_dims()->Assign(tensor.type().shape.begin(),
                               tensor.type().shape.end());
  proto.set_raw_data(rawData(tensor));
}

static void write(const HostValue &value, onnx::SequenceProto &proto);
static void write(const HostValue &value, onnx::OptionalProto &proto);

/// Writes each element as a value of its own, as in ONNX's recorded cases.
static void write(const HostValue &value, onnx::MapProto &proto) {
  const Map &map = *value.map();
  if (const Strings *keys = map.keys.strings()) {
    proto.set_key_type(onnx::TensorProto::STRING);
    for (const std::string &key : keys->elements)
      proto.add_string_keys(key);
  } else {
    proto.set_key_type(onnx::TensorProto::INT64);
    for (int64_t key : map.keys.tensor()->elements<int64_t>())
      proto.add_keys(key);
  }
  proto.mutable_values()->set_elem_type(onnx::SequenceProto::TENSOR);
  for (int64_t i = 0; i < map.size(); ++i)
    if (Result<HostValue> element = elementsAt(map.values, {i}, {}))
      write(*element, *proto.mutable_values()->add_tensor_values());
}

static void write(const HostValue &value, onnx::SequenceProto &proto) {
  const HostValue::Sequence &sequence = *value.sequence();
  proto.set_elem_type(onnx::SequenceProto::TENSOR);
  const bool someAbsent = std::ranges::any_of(
      sequence, [](const HostValue &element) { return element.isNothing(); });
  for (const HostValue &element : sequence) {
    if (someAbsent) {
      proto.set_elem_type(onnx::SequenceProto::OPTIONAL);
      write(element, *proto.add_optional_values());
    } else if (element.sequence()) {
      proto.set_elem_type(onnx::SequenceProto::SEQUENCE);
      write(element, *proto.add_sequence_values());
    } else if (element.map()) {
      proto.set_elem_type(onnx::SequenceProto::MAP);
      write(element, *proto.add_map_values());
    } else {
      write(element, *proto.add_tensor_values());
    }
  }
}

static void write(const HostValue &value, onnx::OptionalProto &proto) {
  if (value.isNothing()) {
    proto.set_elem_type(onnx::OptionalProto::UNDEFINED);
  } else if (value.sequence()) {
    proto.set_elem_type(onnx::OptionalProto::SEQUENCE);
    write(value, *proto.mutable_sequence_value());
  } else if (value.map()) {
    proto.set_elem_type(onnx::OptionalProto::MAP);
    write(value, *proto.mutable_map_value());
  } else {
    proto.set_elem_type(onnx::OptionalProto::TENSOR);
    write(value, *proto.mutable_tensor_value());
  }
}

template <typename Proto> static std::string bytesAs(const NamedValue &named) {
  Proto proto;
  proto.set_name(named.name);
  write(named.value, proto);
  return proto.SerializeAsString();
}

std::string glow::onnxValueBytes(const NamedValue &named, OnnxForm form) {
  if (form == OnnxForm::Optional || named.value.isNothing())
    return bytesAs<onnx::OptionalProto>(named);
  if (named.value.sequence())
    return bytesAs<onnx::SequenceProto>(named);
  if (named.value.map())
    return bytesAs<onnx::MapProto>(named);
  return bytesAs<onnx::TensorProto>(named);
}
