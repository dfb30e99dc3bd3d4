//===- HostAttributes.cpp - attributes of a host node ---------------------===//
// SPDX-License-Identifier: MIT

#include "Tensors.h"
#include <cstring>

using namespace glow;

Result<HostValue> glow::hostValueOf(ParsedModel &model,
                                    const onnx::TensorProto &proto) {
  if (proto.data_type() == onnx::TensorProto::STRING) {
    Strings strings{Ints(proto.dims().begin(), proto.dims().end()),
                    {proto.string_data().begin(), proto.string_data().end()}};
    std::optional<int64_t> wanted = checkedProduct(strings.shape);
    if (wanted && uint64_t(*wanted) == strings.elements.size())
      return HostValue(std::move(strings));
    return failure(Code::InvalidArgument, "has ", strings.elements.size(),
                   " strings, but its shape is ", shapeText(strings.shape));
  }
  Result<TensorHeader> header = headerOf(proto);
  if (!header)
    return header.status();
  Result<TensorBytes> bytes = readTensor(model, proto, *header);
  if (!bytes)
    return bytes.status();
  Result<Tensor> tensor = Tensor::zeros({header->kind, header->shape});
  if (!tensor)
    return tensor.status();
  if (header->bytes)
    std::memcpy(tensor->data(), bytes->bytes.data(), header->bytes);
  return HostValue(tensor.take());
}

static Result<HostAttribute> valueOf(ParsedModel &model,
                                     const onnx::AttributeProto &proto) {
  switch (proto.type()) {
  case onnx::AttributeProto::INT:
    return HostAttribute(int64_t(proto.i()));
  case onnx::AttributeProto::FLOAT:
    return HostAttribute(double(proto.f()));
  case onnx::AttributeProto::STRING:
    return HostAttribute(proto.s());
  case onnx::AttributeProto::INTS:
    return HostAttribute(Ints(proto.ints().begin(), proto.ints().end()));
  case onnx::AttributeProto::FLOATS:
    return HostAttribute(Reals(proto.floats().begin(), proto.floats().end()));
  case onnx::AttributeProto::STRINGS:
    return HostAttribute(std::vector<std::string>(proto.strings().begin(),
                                                  proto.strings().end()));
  case onnx::AttributeProto::TENSOR: {
    Result<HostValue> tensor = hostValueOf(model, proto.t());
    if (!tensor)
      return tensor.status();
    return HostAttribute(tensor.take());
  }
  default:
    return failure(Code::Unsupported, "is of a type that is not supported");
  }
}

Result<HostAttributes> glow::hostAttributesOf(ParsedModel &model,
                                              const onnx::NodeProto &node) {
  HostAttributes attributes;
  for (const onnx::AttributeProto &proto : node.attribute()) {
    // A type describes an optional or a sequence, which host values know
    // themselves.
    if (proto.type() == onnx::AttributeProto::GRAPH ||
        proto.type() == onnx::AttributeProto::TYPE_PROTO)
      continue;
    Result<HostAttribute> value = valueOf(model, proto);
    if (!value)
      return value.status().prefixed("attribute '" + proto.name() + "' ");
    attributes.emplace(proto.name(), value.take());
  }
  return attributes;
}
