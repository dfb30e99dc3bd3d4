//===- NetPorts.cpp - inputs of a Caffe2 net ------------------------------===//
// SPDX-License-Identifier: MIT

#include "NetPorts.h"
#include "NetSteps.h"
#include "glow/Values/HostCall.h"
#include "rows/ImportRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace glow;
using llvm::StringRef;

/// The element kinds of Caffe2's tensors, by their numbers in its files.
static std::optional<ElementKind> kindOfNumber(int64_t number) {
  switch (number) {
  case caffe2::Tensor::FLOAT:
    return ElementKind::F32;
  case caffe2::Tensor::INT32:
    return ElementKind::I32;
  case caffe2::Tensor::BYTE:
  case caffe2::Tensor::UINT8:
    return ElementKind::U8;
  case caffe2::Tensor::BOOL:
    return ElementKind::Bool;
  case caffe2::Tensor::INT8:
    return ElementKind::I8;
  case caffe2::Tensor::UINT16:
    return ElementKind::U16;
  case caffe2::Tensor::INT16:
    return ElementKind::I16;
  case caffe2::Tensor::INT64:
    return ElementKind::I64;
  case caffe2::Tensor::FLOAT16:
    return ElementKind::F16;
  case caffe2::Tensor::DOUBLE:
    return ElementKind::F64;
  default:
    return std::nullopt;
  }
}

/// The kinds of inputs in the record of an operator.
static std::span<const char *const> kindsOf(const caffe2::Operator &op) {
  std::string reason;
  if (const ImportEntry *entry =
          ImportRegistry::instance().find(caffe2Domain, op.type(), 1, reason))
    return entry->kinds;
  const HostEntry *entry = findHostOperator(caffe2Domain, op.type(), 1);
  return entry ? entry->kinds : std::span<const char *const>();
}

/// The kind that the first reader of a blob takes, also in the nets inside of
/// operators. No value if no operator reads the blob.
static std::optional<ElementKind> kindRead(const caffe2::Net &net,
                                           const std::string &blob) {
  for (const caffe2::Operator &op : net.op()) {
    if (isRecurrence(op)) {
      for (const caffe2::Argument &argument : op.arg())
        if (argument.name() == "step_net")
          if (auto kind = kindRead(argument.n(), blob))
            return kind;
      continue;
    }
    for (int i = 0; i < op.input_size(); ++i) {
      if (op.input(i) != blob)
        continue;
      auto kinds = kindsOf(op);
      return size_t(i) < kinds.size()
                 ? elementKindNamed(kinds[size_t(i)]).value_or(ElementKind::F32)
                 : ElementKind::F32;
    }
  }
  return std::nullopt;
}

/// Reads [kind, [sizes]].
static bool readPort(const llvm::json::Value &value, ElementKind &kind,
                     Ints &shape) {
  const llvm::json::Array *pair = value.getAsArray();
  if (!pair || pair->size() != 2)
    return false;
  std::optional<int64_t> number = (*pair)[0].getAsInteger();
  std::optional<ElementKind> known =
      number ? kindOfNumber(*number) : std::nullopt;
  const llvm::json::Array *sizes = (*pair)[1].getAsArray();
  if (!known || !sizes)
    return false;
  kind = *known;
  for (const llvm::json::Value &size : *sizes) {
    std::optional<int64_t> known = size.getAsInteger();
    if (!known || *known < 0)
      return false;
    shape.push_back(*known);
  }
  return true;
}

Result<NetPorts> NetPorts::read(ParsedModel &model, const std::string &path,
                                const caffe2::Net &net) {
  NetPorts result;
  for (const caffe2::Operator &op : net.op())
    for (const std::string &blob : op.input())
      result.ports.try_emplace(
          blob,
          Port{onnxDataType(kindRead(net, blob).value_or(ElementKind::F32)),
               {}});
  if (path.empty())
    return result;
  Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
  if (!file)
    return file.status();
  model.others.push_back(*file);
  auto json = llvm::json::parse(
      StringRef((*file)->bytes().data(), (*file)->bytes().size()));
  if (!json)
    return failure(Code::InvalidArgument,
                   "not JSON: ", llvm::toString(json.takeError()));
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return failure(Code::InvalidArgument,
                   "not an object of inputs, as {\"data\": [1, [1, 3, 8, 8]]}");
  for (auto &[name, value] : *object) {
    ElementKind kind;
    Ints shape;
    if (!readPort(value, kind, shape))
      return failure(Code::InvalidArgument, "input '", name.str(),
                     "' should be a kind and a shape, as [1, [1, 3, 8, 8]]");
    result.ports[name.str()] = {onnxDataType(kind), shape};
  }
  return result;
}

void NetPorts::declare(const std::string &blob,
                       onnx::ValueInfoProto &input) const {
  input.set_name(blob);
  onnx::TypeProto::Tensor &type = *input.mutable_type()->mutable_tensor_type();
  auto port = ports.find(blob);
  type.set_elem_type(port == ports.end() ? int(onnx::TensorProto::FLOAT)
                                         : port->second.type);
  if (port == ports.end() || !port->second.shape)
    return;
  type.mutable_shape();
  for (int64_t size : *port->second.shape)
    type.mutable_shape()->add_dim()->set_dim_value(size);
}

void NetPorts::inOrderOf(const caffe2::Net &net,
                         onnx::GraphProto &graph) const {
  auto placeOf = [&](const onnx::ValueInfoProto &input) {
    return std::find(net.external_input().begin(), net.external_input().end(),
                     input.name()) -
           net.external_input().begin();
  };
  auto &inputs = *graph.mutable_input();
  std::stable_sort(inputs.pointer_begin(), inputs.pointer_end(),
                   [&](auto *a, auto *b) { return placeOf(*a) < placeOf(*b); });
}
