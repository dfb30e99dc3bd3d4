//===- Fills.cpp - blobs that are filled with given values ----------------===//
// SPDX-License-Identifier: MIT
//
// The weights of a Caffe2 model are arguments of operators. Their numbers, of
// which there may be millions, become one tensor that constants refer to.
//
//===----------------------------------------------------------------------===//

#include "NetGraph.h"
#include "file/Tensors.h"
#include "glow/Base/Half.h"
#include "glow/Base/VisitKind.h"
#include "rows/ImportRegistry.h"
#include <algorithm>
#include <map>

using namespace glow;

namespace {

using Kinds = std::map<std::string_view, ElementKind>;

/// The kinds of given values, by operator.
Kinds kindsOfValues() {
  Kinds kinds;
  for (const ImportEntry *entry : ImportRegistry::instance().all())
    if (std::optional<ElementKind> kind = elementKindNamed(entry->valuesAs))
      kinds[entry->op] = *kind;
  return kinds;
}

/// Removes and returns the attribute of that name; nothing if there is none.
std::optional<onnx::AttributeProto> taken(onnx::NodeProto &node,
                                          const char *name) {
  auto &attributes = *node.mutable_attribute();
  for (int i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name() != name)
      continue;
    onnx::AttributeProto attribute;
    attribute.Swap(&attributes[i]);
    attributes.DeleteSubrange(i, 1);
    return attribute;
  }
  return std::nullopt;
}

template <typename From, typename To>
Status convert(const From &from, std::span<To> to) {
  if (size_t(from.size()) != to.size())
    return failure(Code::InvalidArgument, "argument 'values' has ", from.size(),
                   " numbers, but its shape takes ", to.size());
  std::transform(from.begin(), from.end(), to.begin(),
                 [](auto number) { return static_cast<To>(number); });
  return Status();
}

/// The numbers of the values in the kind of the tensor. Bytes are a text.
template <typename To>
Status store(const onnx::AttributeProto &values, std::span<To> to) {
  const bool isText =
      values.type() == onnx::AttributeProto::STRING || values.strings_size();
  if constexpr (std::is_same_v<To, uint8_t>) {
    const std::string &text =
        values.strings_size() ? values.strings(0) : values.s();
    return isText ? convert<std::string_view, To>(text, to)
                  : convert(values.ints(), to);
  } else if (isText) {
    return failure(Code::InvalidArgument,
                   "argument 'values' is a text, but numbers are wanted");
  } else if constexpr (std::is_floating_point_v<To> ||
                       std::is_same_v<To, Half>) {
    if (values.ints_size())
      return failure(Code::InvalidArgument, "argument 'values' is a list of "
                                            "integers, but reals are wanted");
    return convert(values.floats(), to);
  } else {
    if (values.floats_size())
      return failure(Code::InvalidArgument, "argument 'values' is a list of "
                                            "reals, but integers are wanted");
    return convert(values.ints(), to);
  }
}

Status fold(ParsedModel &model, onnx::NodeProto &node, ElementKind kind) {
  std::optional<onnx::AttributeProto> values = taken(node, "values");
  std::optional<onnx::AttributeProto> shape = taken(node, "shape");
  onnx::AttributeProto &whole = *node.add_attribute();
  whole.set_name("values");
  whole.set_type(onnx::AttributeProto::TENSOR);
  onnx::TensorProto &tensor = *whole.mutable_t();
  tensor.set_data_type(onnxDataType(kind));
  if (shape)
    tensor.mutable_dims()->Add(shape->ints().begin(), shape->ints().end());
  Result<TensorHeader> header = headerOf(tensor);
  if (!header)
    return header.status().prefixed("argument 'values' ");
  if (!values)
    values.emplace();
  Result<std::shared_ptr<char[]>> bytes = allocateBytes(header->bytes);
  if (!bytes)
    return bytes.status();
  tensor.mutable_segment()->set_begin(int64_t(model.elements.size()));
  tensor.mutable_segment()->set_end(0);
  model.elements.push_back({{bytes->get(), header->bytes}, *bytes});
  return visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    return store(*values, std::span(reinterpret_cast<T *>(bytes->get()),
                                    header->bytes / sizeof(T)));
  });
}

} // namespace

Status glow::foldFills(ParsedModel &model) {
  const Kinds kinds = kindsOfValues();
  for (onnx::NodeProto &node : *model.proto->mutable_graph()->mutable_node()) {
    // Files of ONNX may have the operators in the default domain, too.
    if (node.domain() != caffe2Domain && !node.domain().empty())
      continue;
    auto kind = kinds.find(node.op_type());
    if (kind == kinds.end())
      continue;
    if (Status status = fold(model, node, kind->second); !status.ok())
      return status.prefixed("node " + model.label(node) + ": ");
  }
  return Status();
}
