//===- StageImporter.cpp - stages of a graph ------------------------------===//
// SPDX-License-Identifier: MIT
//
// Importing determines where a stage ends. All remaining nodes are tried, given
// the shapes of the values so far. Nodes that cannot be imported wait, with the
// nodes that depend on them; the rest is the stage. There is no list of dynamic
// operators: a `Slice` with a constant start never waits. The ordinary pipeline
// compiles the stage.
//
// A stage records what it used: the types of values, and the values that a node
// needed as numbers. It holds for any run in which these are the same.
//
//===----------------------------------------------------------------------===//

#include "file/Tensors.h"
#include "graph/GraphImporter.h"
#include "graph/Sequences.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace glow;
using namespace mlir;
using llvm::StringRef;

const HostValue *GraphFrame::find(std::string_view name) const {
  for (const GraphFrame *frame = this; frame; frame = frame->outer)
    if (auto found = frame->values.find(name); found != frame->values.end())
      return &found->second;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Nodes of the host
//===----------------------------------------------------------------------===//

/// A copy of a module's constant as a host value, with bytes of its own.
static Result<HostValue> hostCopyOf(ElementsAttr value) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  TensorBytes bytes = bytesOf(value);
  Result<Tensor> tensor =
      Tensor::zeros({*kindOf(type.getElementType()), Ints(type.getShape())});
  if (!tensor)
    return tensor.status();
  if (!bytes.bytes.empty())
    std::memcpy(tensor->data(), bytes.bytes.data(), bytes.bytes.size());
  return HostValue(tensor.take());
}

static ElementsAttr attributeOf(const HostValue &value, StringRef name,
                                MLIRContext *context) {
  std::shared_ptr<const Tensor> tensor = value.sharedTensor();
  auto type = RankedTensorType::get(tensor->type().shape,
                                    typeOf(context, tensor->type().kind));
  ArrayRef data(static_cast<const char *>(tensor->data()),
                tensor->type().bytes());
  return elementsNamed(name, type, {data, tensor});
}

/// The inputs of a node that the host runs, if all are constants.
std::optional<std::vector<HostValue>>
GraphImporter::constantInputs(llvm::ArrayRef<Value> inputs) {
  std::vector<HostValue> known(inputs.size());
  for (auto [input, value] : llvm::zip_equal(inputs, known)) {
    if (!input)
      continue;
    if (!values.isConstant(input))
      return std::nullopt;
    Result<ElementsAttr> found = values.evaluate(input);
    Result<HostValue> copy = found ? hostCopyOf(*found) : found.status();
    if (!copy)
      return std::nullopt;
    value = copy.take();
  }
  return known;
}

static bool hasGraph(const onnx::NodeProto &node) {
  return llvm::any_of(node.attribute(),
                      [](auto &attribute) { return attribute.has_g(); });
}

/// Imports a node that runs on the host. If every input is a constant, the host
/// runs the node now, as exporters ask for the indices in a constant mask.
void GraphImporter::importHostNode(ImportScope &scope,
                                   const onnx::NodeProto &node,
                                   const HostEntry &host, StringRef why) {
  std::optional<llvm::SmallVector<Value>> inputs = inputsOf(scope, node);
  if (!inputs)
    return failInner(node);
  std::optional<std::vector<HostValue>> known;
  Result<HostAttributes> attributes = hostAttributesOf(model, node);
  if (!inputs->empty() && !hasGraph(node) && attributes &&
      llvm::none_of(*inputs, isSequence))
    known = constantInputs(*inputs);
  if (!known) {
    fail(node,
         std::string("it runs on the host, since ") +
             (why.empty() ? StringRef(host.reason) : why).str(),
         true);
    return failInner(node);
  }
  std::vector<const HostValue *> given;
  for (auto [input, value] : llvm::zip_equal(*inputs, *known))
    given.push_back(input ? &value : nullptr);
  HostCall call(given, *attributes, unsigned(node.output_size()),
                model.opset(node).value_or(0), {});
  if (std::string reason = call.misuse(host); !reason.empty())
    return fail(node, reason);
  if (Status status = host.run(call); !status.ok())
    return fail(node, status.message());
  setHostResults(scope, node, call);
}

void GraphImporter::setHostResults(ImportScope &scope,
                                   const onnx::NodeProto &node,
                                   HostCall &call) {
  MLIRContext *context = storage.builder().getContext();
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string &name = node.output(i);
    const HostValue &result = call.results()[size_t(i)];
    if (name.empty())
      continue;
    if (result.tensor())
      scope.values[name] =
          storage.addConstant(name, attributeOf(result, name, context));
    else
      needsHost = "'" + name + "' is " + result.text();
  }
}

//===----------------------------------------------------------------------===//
// A stage
//===----------------------------------------------------------------------===//

Value GraphImporter::stageInput(StringRef name, const HostValue &value) {
  const Tensor *tensor = value.tensor();
  looked.emplace_back(name.str(), std::nullopt);
  if (!tensor)
    return Value();
  looked.back().second = tensor->type();
  Result<Value> input = storage.addStageInput(name, tensor->type());
  if (!input) {
    broken = true;
    emitError(storage.named(name)) << input.status().message();
    return Value();
  }
  std::string symbol =
      llvm::cast<ReadOp>(input->getDefiningOp()).getStorage().str();
  stageInputs.emplace_back(symbol, name.str());
  // A larger tensor is no shape and no condition, and would be compared in each
  // run.
  constexpr int64_t few = 4096;
  if (tensor->type().elements() <= few)
    (void)storage.setValue(
        symbol, {symbol, tensor->type(), tensor->data(), value.sharedTensor()});
  return *input;
}

GraphImporter::Scopes GraphImporter::scopesOf(const GraphFrame &frame) {
  Scopes scopes;
  if (frame.outer)
    scopes = scopesOf(*frame.outer);
  scopes.push_back(std::make_unique<ImportScope>(
      *frame.graph->proto, scopes.empty() ? nullptr : scopes.back().get()));
  scopes.back()->frame = &frame;
  return scopes;
}

/// Whether all values that a node reads exist: in the frames, the file, or the
/// stage so far.
static bool isThere(ImportScope &scope, const std::string &name) {
  for (ImportScope *at = &scope; at; at = at->outer) {
    if (at->frame && at->frame->values.contains(name))
      return true;
    if (auto found = at->values.find(name); found != at->values.end())
      return bool(found->second);
    if (at->initializers.contains(name) || at->sparse.contains(name))
      return true;
  }
  return false;
}

void GraphImporter::importStageNodes(const GraphFrame &frame,
                                     ImportScope &scope, ImportedStage &stage) {
  const ModelGraph &graph = *frame.graph;
  for (auto &[name, count] : graph.readers)
    scope.used.insert(name);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (frame.done[i])
      continue;
    lastReason.clear();
    importNode(scope, *graph.protos[i]);
    const std::vector<std::string> &outputs = graph.nodes[i].outputs;
    bool imported = llvm::all_of(outputs, [&](const std::string &name) {
      return name.empty() || !scope.used.contains(name) ||
             scope.values.lookup(name);
    });
    if (imported)
      stage.nodes.push_back(int(i));
    // Only nodes that could run next have a reason: the other nodes wait for
    // their inputs.
    else if (llvm::all_of(graph.nodes[i].reads,
                          [&](auto &name) { return isThere(scope, name); }))
      stage.waiting[int(i)] = lastReason;
  }
}

/// Saves the stage's values that later nodes read, or that nodes around the
/// graph read.
Status GraphImporter::saveStageOutputs(const GraphFrame &frame,
                                       ImportScope &scope,
                                       ImportedStage &stage) {
  const ModelGraph &graph = *frame.graph;
  std::vector<bool> inside = frame.done;
  for (int node : stage.nodes)
    inside[size_t(node)] = true;
  llvm::StringSet<> wanted, read;
  wanted.insert_range(graph.outputs);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (!inside[i])
      read.insert_range(graph.nodes[i].reads);
  for (int node : stage.nodes)
    for (const std::string &name : graph.nodes[size_t(node)].outputs) {
      Value value = name.empty() ? Value() : scope.values.lookup(name);
      const bool isRead = read.contains(name);
      if (!value || !(isRead || wanted.contains(name)))
        continue;
      // Nodes around a body read all its outputs.
      Status status = storage.addOutput({name, {}, false, {}, {}, {}}, value,
                                        isRead || frame.outer);
      if (!status.ok())
        return status;
      stage.outputs.push_back(name);
    }
  return Status();
}

void GraphImporter::finishStage(const GraphFrame &frame, ImportedStage &stage) {
  llvm::StringMap<std::string> names;
  for (auto &[symbol, name] : stageInputs) {
    names[symbol] = name;
    if (!storage.isAssumed(symbol))
      continue;
    const HostValue &value = *frame.find(name);
    stage.assumed.push_back({name, value.tensor()->type(),
                             value.tensor()->data(), value.sharedTensor()});
  }
  stage.looked = std::move(looked);
  stage.refused = failures.refusals();
  if (stage.nodes.empty())
    return;
  stage.module = storage.finishStage();
  for (auto port : stage.module->getOps<PlaceholderOp>())
    if (port.getRole() == PlaceholderRole::Input)
      stage.inputs.push_back(names.lookup(port.getSymName()));
}

FailureOr<ImportedStage> GraphImporter::runStage(const GraphFrame &frame) {
  ImportedStage stage;
  Scopes scopes = scopesOf(frame);
  importStageNodes(frame, *scopes.back(), stage);
  if (Status status = saveStageOutputs(frame, *scopes.back(), stage);
      !status.ok()) {
    emitError(storage.file()) << status.message();
    return mlir::failure();
  }
  if (broken)
    return mlir::failure();
  finishStage(frame, stage);
  return stage;
}
