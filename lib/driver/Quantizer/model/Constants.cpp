//===- Constants.cpp - values that depend on no input ---------------------===//
// SPDX-License-Identifier: MIT

#include "ModelEdit.h"
#include "glow/TensorFiles/OnnxTensor.h"

using namespace glow;

Result<Tensor> glow::tensorOf(const onnx::TensorProto &proto) {
  Result<NamedTensor> named = parseOnnxTensor(proto.SerializeAsString());
  if (!named)
    return named.status().prefixed("tensor '" + proto.name() + "': ");
  return std::move(named->tensor);
}

Result<std::map<std::string, Tensor>>
glow::constantsOf(const ModelEdit &model, const std::set<std::string> &names,
                  const QuantizationRun &run) {
  std::map<std::string, Tensor> values;
  onnx::ModelProto rest = model.proto;
  rest.mutable_graph()->clear_output();
  for (const std::string &name : names) {
    const onnx::TensorProto *weights = model.initializer(name);
    if (!weights) {
      rest.mutable_graph()->add_output()->set_name(name);
      continue;
    }
    Result<Tensor> tensor = tensorOf(*weights);
    if (!tensor)
      return tensor.status();
    values[name] = tensor.take();
  }
  if (rest.graph().output().empty())
    return values;
  // Nodes that depend on no input are computed without inputs.
  const std::set<std::string> varying = model.varying();
  rest.mutable_graph()->clear_input();
  rest.mutable_graph()->clear_node();
  for (const onnx::NodeProto &node : model.graph().node())
    if (node.output_size() && !varying.count(node.output(0)))
      *rest.mutable_graph()->add_node() = node;
  Result<std::unique_ptr<ModelRun>> computed =
      ModelRun::of(rest.SerializeAsString(), run);
  if (!computed)
    return computed.status();
  std::vector<NamedTensor> outputs;
  if (Status status = (*computed)->run({}, outputs); !status.ok())
    return status;
  for (NamedTensor &output : outputs)
    values[output.name] = std::move(output.tensor);
  return values;
}
