//===- NetGraph.cpp - Caffe2 nets as the graph of a model -----------------===//
// SPDX-License-Identifier: MIT
//
// Operators of a net run in order, and an operator may overwrite a blob, even
// one that it reads. In a graph each value has one node. So every write of a
// blob makes a value of its own: the last one has the blob's name, unless the
// blob is an input, and the others have `@` and a number behind it.
//
// A blob of quantised numbers is three values: bytes, their scale and their
// zero point. The records of operators that read or write all three say so.
//
//===----------------------------------------------------------------------===//

#include "NetGraph.h"
#include "GraphMaker.h"
#include "rows/ImportRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using llvm::StringRef;

void GraphMaker::countWrites(const caffe2::Net &net) {
  for (const caffe2::Operator &op : net.op())
    for (const std::string &output : op.output())
      ++writes[output];
}

/// The name of the value that an operator writes into a blob.
std::string GraphMaker::written(const std::string &blob) {
  if (scopes.size() > 1) {
    std::string name = freeName(blob);
    inner.insert(name);
    return name;
  }
  const unsigned count = ++writesSoFar[blob];
  if (count == writes[blob] && !inputs.contains(blob))
    return blob;
  return freeName(blob + "@" + std::to_string(count));
}

/// A name that no blob has, nor a value of an inner net.
std::string GraphMaker::freeName(std::string name) {
  while (writes.contains(name) || inputs.contains(name) ||
         declared.contains(name) || inner.contains(name))
    name += "@";
  return name;
}

/// The value of a blob; null if there is none.
const std::string *GraphMaker::find(StringRef blob) const {
  for (const llvm::StringMap<std::string> &values : llvm::reverse(scopes))
    if (auto found = values.find(blob); found != values.end())
      return &found->second;
  return nullptr;
}

/// Makes sure that a blob has a value before an operator reads it: a blob that
/// nothing has written is an input of the model.
Status GraphMaker::read(const std::string &blob, const std::string &place) {
  if (find(blob))
    return Status();
  if (inInit)
    return failure(Code::InvalidArgument, place, ", reads blob '", blob,
                   "', which no operator before it makes: an init net has no "
                   "inputs; are the two nets exchanged?");
  if (!declared.empty() && !declared.contains(blob))
    return failure(Code::InvalidArgument, place, ", reads blob '", blob,
                   "', which no operator before it makes and external_input "
                   "does not list");
  scopes.front()[blob] = blob;
  inputs.insert(blob);
  ports.declare(blob, *main.add_input());
  return Status();
}

/// Moves the value of an argument. A net or a tensor, which no record takes,
/// becomes an empty tensor, so that its operator is refused with the others.
static onnx::AttributeProto::AttributeType moveValue(caffe2::Argument &from,
                                                     onnx::AttributeProto &to) {
  using onnx::AttributeProto;
  if (from.floats_size()) {
    to.mutable_floats()->Swap(from.mutable_floats());
    return AttributeProto::FLOATS;
  }
  if (from.ints_size()) {
    to.mutable_ints()->Swap(from.mutable_ints());
    return AttributeProto::INTS;
  }
  if (from.strings_size()) {
    to.mutable_strings()->Swap(from.mutable_strings());
    return AttributeProto::STRINGS;
  }
  if (from.has_f()) {
    to.set_f(from.f());
    return AttributeProto::FLOAT;
  }
  if (from.has_i()) {
    to.set_i(from.i());
    return AttributeProto::INT;
  }
  if (from.has_s()) {
    to.set_s(from.s());
    return AttributeProto::STRING;
  }
  if (!from.has_n() && !from.nets_size() && !from.has_t() &&
      !from.tensors_size())
    return AttributeProto::UNDEFINED; // an empty list
  to.mutable_t();
  return AttributeProto::TENSOR;
}

/// An empty list is the default of every list, and makes no attribute.
void GraphMaker::addAttribute(caffe2::Argument &argument,
                              onnx::NodeProto &node) {
  if (ImportRegistry::instance().isHint(caffe2Domain, argument.name()))
    return;
  onnx::AttributeProto attribute;
  attribute.set_name(argument.name());
  attribute.set_type(moveValue(argument, attribute));
  if (attribute.type() != onnx::AttributeProto::UNDEFINED)
    node.add_attribute()->Swap(&attribute);
}

Status GraphMaker::addInput(const std::string &blob, const std::string &place,
                            onnx::NodeProto &node) {
  if (Status status = read(blob, place); !status.ok())
    return status;
  const std::string &value = *find(blob);
  node.add_input(value);
  readers.insert(value);
  return Status();
}

Status GraphMaker::addInputs(const caffe2::Operator &op,
                             const std::string &place, onnx::NodeProto &node) {
  std::string reason;
  const ImportEntry *entry =
      ImportRegistry::instance().find(caffe2Domain, op.type(), 1, reason);
  const bool takesSteps = entry && entry->takesSteps;
  for (const std::string &blob : op.input()) {
    if (Status status = addInput(blob, place, node); !status.ok())
      return status;
    auto steps = quantized.find(*find(blob));
    if (entry && takesSteps != (steps != quantized.end()))
      return failure(Code::InvalidArgument, place, ", reads blob '", blob,
                     "', ",
                     takesSteps ? "which has no scale: an Int8 operator should "
                                  "write it"
                                : "whose integers have a scale: Int8Dequantize "
                                  "should come between");
    if (!takesSteps)
      continue;
    node.add_input(steps->second.scale);
    node.add_input(steps->second.zero);
  }
  return Status();
}

void GraphMaker::addOutputs(const caffe2::Operator &op, onnx::NodeProto &node) {
  std::string reason;
  const ImportEntry *entry =
      ImportRegistry::instance().find(caffe2Domain, op.type(), 1, reason);
  const bool givesSteps = entry && entry->givesSteps;
  for (const std::string &blob : op.output()) {
    std::string value = written(blob);
    node.add_output(value);
    if (givesSteps) {
      Steps steps{freeName(value + "@scale"), freeName(value + "@zero")};
      node.add_output(steps.scale);
      node.add_output(steps.zero);
      quantized[value] = std::move(steps);
    }
    scopes.back()[blob] = std::move(value);
  }
}

onnx::NodeProto &GraphMaker::newNode(const caffe2::Operator &op,
                                     const std::string &place) {
  onnx::NodeProto &node = *graph->add_node();
  node.set_op_type(op.type());
  node.set_domain(caffe2Domain);
  node.set_name(!op.name().empty() ? op.name()
                : op.output_size() ? op.output(0)
                                   : op.type());
  model.places[&node] = place;
  return node;
}

Status GraphMaker::addNode(caffe2::Operator &op, const std::string &place) {
  if (isRecurrence(op))
    return addRecurrence(op, place);
  onnx::NodeProto &node = newNode(op, place);
  if (Status status = addInputs(op, place, node); !status.ok())
    return status;
  addOutputs(op, node);
  for (caffe2::Argument &argument : *op.mutable_arg())
    addAttribute(argument, node);
  return Status();
}

Status GraphMaker::addNodes(caffe2::Net &net, const std::string &place) {
  for (int i = 0; i < net.op_size(); ++i) {
    caffe2::Operator &op = *net.mutable_op(i);
    std::string at = "operator " + std::to_string(i) + place;
    if (op.type().empty())
      return failure(Code::InvalidArgument, at, " has no type");
    if (Status status = addNode(op, at + ", '" + op.type() + "'"); !status.ok())
      return status;
    op.clear_arg(); // weights, of which the graph has a copy
  }
  return Status();
}

/// Without a list of them, the outputs are the values that no operator reads.
Status GraphMaker::addResults(const caffe2::Net &predict) {
  llvm::StringSet<> seen;
  auto add = [&](const std::string &value) {
    if (seen.insert(value).second)
      main.add_output()->set_name(value);
  };
  for (const std::string &blob : predict.external_output()) {
    if (!find(blob) && !declared.contains(blob))
      return failure(Code::InvalidArgument, "external_output lists blob '",
                     blob, "', which no operator makes");
    if (Status status = read(blob, "external_output"); !status.ok())
      return status;
    add(*find(blob));
  }
  if (predict.external_output().empty())
    for (const caffe2::Operator &op : predict.op())
      for (const std::string &output : op.output())
        if (const std::string *value = find(output);
            value && !readers.contains(*value))
          add(*value);
  return Status();
}

Status GraphMaker::run(caffe2::Net *init, caffe2::Net &predict) {
  if (init)
    countWrites(*init);
  countWrites(predict);
  for (const std::string &blob : predict.external_input())
    declared.insert(blob);
  inInit = true;
  if (init)
    if (Status status = addNodes(*init, " of the init net"); !status.ok())
      return status;
  inInit = false;
  if (Status status = addNodes(predict, ""); !status.ok())
    return status;
  ports.inOrderOf(predict, main);
  main.set_name(predict.name());
  return addResults(predict);
}

Status glow::readNets(ParsedModel &model, const NetPaths &paths) {
  auto open = [](const std::string &path, std::shared_ptr<MappedFile> &file)
      -> Result<std::unique_ptr<caffe2::Net>> {
    Result<std::shared_ptr<MappedFile>> opened = MappedFile::open(path);
    if (!opened)
      return opened.status();
    file = opened.take();
    return readNet(path, *file);
  };
  std::unique_ptr<caffe2::Net> init;
  if (!paths.init.empty()) {
    auto read = open(paths.init, model.others.emplace_back());
    if (!read)
      return read.status().prefixed(paths.init + ": ");
    init = read.take();
  }
  auto predict = open(paths.predict, model.file);
  if (!predict)
    return paths.init.empty() ? predict.status()
                              : predict.status().prefixed(paths.predict + ": ");
  Result<NetPorts> ports = NetPorts::read(model, paths.ports, **predict);
  if (!ports)
    return ports.status().prefixed(paths.ports + ": ");
  model.paths = paths.all();
  model.proto = std::make_unique<onnx::ModelProto>();
  model.proto->set_ir_version(newestIrVersion);
  return GraphMaker(model, *ports).run(init.get(), **predict);
}
