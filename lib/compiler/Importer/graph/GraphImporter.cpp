//===- GraphImporter.cpp - the nodes of a model ---------------------------===//
// SPDX-License-Identifier: MIT
//
// A node that fails does not end the import. Nodes that depend on it are left
// out silently, and all nodes that fail for a reason of their own are reported
// together. Users need the whole list to convert a model.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "Sequences.h"
#include "file/Tensors.h"
#include "glow/Base/Functions/Lists.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/TextName.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

ImportScope::ImportScope(const onnx::GraphProto &graph, ImportScope *outer)
    : graph(graph), outer(outer) {
  for (const onnx::TensorProto &tensor : graph.initializer())
    initializers[tensor.name()] = &tensor;
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    sparse.insert(tensor.values().name());
}

bool ImportScope::defines(StringRef name) const {
  return values.contains(name) || initializers.contains(name) ||
         (frame && frame->values.contains(name.str())) ||
         sparse.contains(name) || (outer && outer->defines(name));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Result<Value> GraphImporter::constantOf(const onnx::TensorProto &tensor,
                                        StringRef name) {
  Result<TensorHeader> header = headerOf(tensor);
  if (!header)
    return header.status();
  if (Status status = storage.admit(name, header->kind, header->shape);
      !status.ok())
    return status.prefixed("is too large: ");
  Result<TensorBytes> bytes = readTensor(model, tensor, *header);
  if (!bytes)
    return bytes.status();
  auto type = RankedTensorType::get(
      header->shape, typeOf(storage.builder().getContext(), header->kind));
  return storage.addConstant(name, elementsNamed(name, type, bytes.take()));
}

Value GraphImporter::initializer(ImportScope &scope, StringRef name) {
  const onnx::TensorProto *tensor = scope.initializers.lookup(name);
  if (tensor && tensor->data_type() == onnx::TensorProto::STRING) {
    needsHost = "initializer '" + name.str() + "' is of strings";
    return Value();
  }
  Result<Value> value =
      scope.sparse.contains(name)
          ? failure(Code::Unsupported, "is sparse, which is not supported")
          : constantOf(*tensor, name);
  if (value)
    return *value;
  broken = true;
  emitError(storage.named(name))
      << "initializer '" << name << "' " << value.status().message();
  return Value();
}

Value GraphImporter::valueOf(ImportScope &scope, StringRef name) {
  if (auto found = scope.values.find(name); found != scope.values.end())
    return found->second;
  if (scope.frame)
    if (auto given = scope.frame->values.find(name.str());
        given != scope.frame->values.end())
      // Created only when it is read: a stage should not depend on unread
      // values.
      return scope.values[name] = stageInput(name, given->second);
  if (scope.initializers.contains(name) || scope.sparse.contains(name))
    return scope.values[name] = initializer(scope, name);
  return scope.outer ? valueOf(*scope.outer, name) : Value();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

void GraphImporter::fail(const onnx::NodeProto &node, StringRef reason,
                         bool inStages) {
  lastReason = reason.str();
  failures.add(domainName(node.domain()), node.op_type(),
               model.opset(node).value_or(0), reason, model.label(node),
               inStages);
}

/// Reports the nodes in the graphs of a failed node that would fail as well.
/// These nodes are not imported.
void GraphImporter::failInner(const onnx::NodeProto &node) {
  auto look = [&](const onnx::GraphProto &graph) {
    for (const onnx::NodeProto &inner : graph.node()) {
      OperatorRows rows = rowsOf(model, inner);
      if (!rows.reason.empty())
        fail(inner, rows.reason);
      failInner(inner);
    }
  };
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      look(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      look(graph);
  }
}

void GraphImporter::checkResults(ImportContext &context) {
  for (unsigned i = 0; i < context.outputs(); ++i) {
    if (!context.wantsOutput(i))
      continue;
    Value value = i < context.results.size() ? context.results[i] : Value();
    Status status;
    if (value)
      status = isSequence(value) ? Status() : storage.admitResult(value);
    else
      status = failure(Code::Unsupported, "its output ", i, ", '",
                       context.node.output(int(i)), "', is not supported");
    if (!status.ok())
      (void)context.fail(status.message());
  }
}

Operation *GraphImporter::lastMade() {
  Block *block = storage.builder().getInsertionBlock();
  return block->empty() ? nullptr : &block->back();
}

/// Runs the function of the row. The errors that it reports, and those of the
/// verifiers of its nodes, become the reason of a failure.
bool GraphImporter::runEntry(ImportContext &context) {
  Block *block = storage.builder().getInsertionBlock();
  Operation *before = lastMade();
  std::string reported;
  ScopedDiagnosticHandler capture(
      block->getParentOp()->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return mlir::failure();
        reported += (reported.empty() ? "" : "; ") + diagnostic.str();
        return success();
      });
  bool done = succeeded(context.entry.run(context)) && context.reason.empty();
  // The functions of the language are total, and cannot report a list that is
  // too long. Errors before this point follow from the truncated list.
  if (int64_t length = std::exchange(expr::tooLongList(), 0)) {
    reported.clear();
    context.reason.clear();
    done = succeeded(context.fail("it would take a list of " + Twine(length) +
                                  " numbers, but at most " +
                                  Twine(expr::longestList) + " are possible"));
  }
  // Only the new nodes: earlier nodes were verified when they were created.
  auto first = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &op : llvm::make_range(first, block->end())) {
    context.made.push_back(&op);
    if (done && reported.empty() && failed(verify(&op)))
      done = false;
  }
  if (done && reported.empty()) {
    checkResults(context);
  } else if (!reported.empty()) {
    context.reason += (context.reason.empty() ? "" : ": ") + reported;
  } else if (!context.innerFailed) {
    (void)context.fail("its import failed without a reason");
  }
  return context.reason.empty() && !context.innerFailed;
}

std::optional<llvm::SmallVector<Value>>
GraphImporter::inputsOf(ImportScope &scope, const onnx::NodeProto &node) {
  llvm::SmallVector<Value> inputs;
  for (const std::string &input : node.input()) {
    inputs.push_back(input.empty() ? Value() : valueOf(scope, input));
    if (!input.empty() && !inputs.back())
      return std::nullopt; // what it depends on failed
  }
  bool complete = true;
  forDifferentiated(node, [&](const std::string &name) {
    complete &= bool(valueOf(scope, name));
  });
  return complete ? std::optional(inputs) : std::nullopt;
}

void GraphImporter::importNode(ImportScope &scope,
                               const onnx::NodeProto &node) {
  for (const std::string &output : node.output())
    if (!output.empty())
      scope.values[output] = Value(); // until it is there
  OperatorRows rows = rowsOf(model, node);
  if (!rows.reason.empty()) {
    fail(node, rows.reason);
    return failInner(node);
  }
  if (!rows.import)
    return importHostNode(scope, node, *rows.host);
  importByEntry(scope, node, rows);
}

/// Gives a value its name in the model, if the node at `location` made it and
/// it has none yet.
static void nameResult(Value value, Location location, StringRef name) {
  auto result = llvm::dyn_cast_or_null<OpResult>(value);
  if (!result || !findNode(result.getOwner()->getName().getStringRef()))
    return;
  const Location own = result.getOwner()->getLoc();
  if (nameIn(own) == nameIn(location) && valueNameOf(result).empty())
    setValueName(result, name);
}

/// Imports an operator of tensors whose input is a sequence: one that copies
/// any value, or that the host runs.
void GraphImporter::importOfSequence(ImportScope &scope,
                                     const onnx::NodeProto &node,
                                     const OperatorRows &rows, Value input) {
  if (!rows.host)
    return fail(node, "an input is a sequence, but should be a tensor");
  if (rows.host->isCopy && node.output_size() == 1)
    scope.values[node.output(0)] = input;
  else
    importHostNode(scope, node, *rows.host);
}

void GraphImporter::importByEntry(ImportScope &scope,
                                  const onnx::NodeProto &node,
                                  const OperatorRows &rows) {
  std::optional<llvm::SmallVector<Value>> inputs = inputsOf(scope, node);
  if (!inputs)
    return failInner(node);
  if (!rows.import->takesSequences && llvm::any_of(*inputs, isSequence))
    return importOfSequence(scope, node, rows, inputs->front());
  ImportContext context(*this, scope, node, *rows.import, *model.opset(node),
                        storage.named(nodeName(node)));
  context.inputs = std::move(*inputs);
  const unsigned unknownBefore = unknownValues;
  values.onlyConstants = rows.host && (rows.host->unlessConstant || preferHost);
  Operation *before = lastMade();
  bool done = runEntry(context);
  if (done)
    roundOnce(context);
  values.onlyConstants = false;
  if (!done) {
    if (context.needsHost && rows.host)
      return importHostNode(scope, node, *rows.host, context.whyHost);
    if (!context.reason.empty())
      fail(node, context.reason, rows.host || unknownValues > unknownBefore);
    if (!context.innerFailed)
      failInner(node);
    return;
  }
  for (size_t i = 0; i < context.results.size(); ++i)
    if (int(i) < node.output_size() && !node.output(int(i)).empty()) {
      scope.values[node.output(int(i))] = context.results[i];
      nameResult(context.results[i], context.location(), node.output(int(i)));
    }
  if (forChanges)
    addOrigins(context, before);
}

Status GraphImporter::importNodes(ImportScope &scope) {
  Result<GraphOrder> order = orderOf(scope.graph, [&](StringRef name) {
    return scope.outer && scope.outer->defines(name);
  });
  if (!order)
    return order.status();
  scope.used = std::move(order->used);
  for (int index : order->nodes) {
    const onnx::NodeProto &node = scope.graph.node(index);
    Operation *before = lastMade();
    importNode(scope, node);
    if (!forChanges || scope.outer)
      continue;
    keepReads(scope, node, before);
    if (Status status = addGiven(scope, node); !status.ok())
      return status;
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static bool hasShape(const ModelPort &port, RankedTensorType type) {
  auto fits = [](int64_t declared, int64_t size) {
    return declared < 0 || declared == size;
  };
  return !port.ranked || llvm::equal(port.shape, type.getShape(), fits);
}

/// Checks an output against its declaration. A wrong kind is an error. The
/// graph determines the shape, so another declared shape is a warning.
/// Exporters write down sizes that they observed, and editors of models leave
/// the old ones.
static LogicalResult checkDeclared(const ModelPort &port, Value value) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  if (!port.kind)
    return success();
  const bool isKind = kindOf(type.getElementType()) == *port.kind;
  if (isKind && hasShape(port, type))
    return success();
  InFlightDiagnostic reported =
      isKind ? emitWarning(value.getLoc()) : emitError(value.getLoc());
  reported << "output '" << port.name << "' is " << typeText(type)
           << ", but the model declares "
           << (port.ranked ? typeText(*port.kind, port.shape)
                           : std::string(name(*port.kind)));
  return success(isKind);
}

LogicalResult GraphImporter::saveOutputs(ImportScope &scope,
                                         const ModelInterface &interface) {
  llvm::StringSet<> seen;
  for (const ModelPort &port : interface.outputs) {
    if (!seen.insert(port.name).second)
      return emitError(storage.file())
             << "the output '" << port.name << "' is listed twice";
    Value value = valueOf(scope, port.name);
    if (isSequence(value))
      needsHost = "output '" + port.name + "' is a sequence";
    if (!value || isSequence(value))
      continue; // it failed, or depends on what failed
    if (failed(checkDeclared(port, value)))
      return mlir::failure();
    if (Status status = storage.addOutput(port, value); !status.ok())
      return emitError(storage.file()) << status.message();
  }
  return success();
}

LogicalResult GraphImporter::run(const ModelInterface &interface,
                                 const std::vector<Sizes> &shapes,
                                 bool *inStages) {
  ImportScope scope(model.proto->graph(), nullptr);
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!interface.inputs[i].other.empty()) {
      scope.values[interface.inputs[i].name] = Value();
      needsHost = "input '" + interface.inputs[i].name + "' is " +
                  interface.inputs[i].other;
      continue;
    }
    Result<Value> input = storage.addInput(interface.inputs[i], shapes[i]);
    if (!input)
      return emitError(storage.file()) << input.status().message();
    scope.values[interface.inputs[i].name] = *input;
  }
  if (Status status = importNodes(scope); !status.ok())
    return emitError(storage.file()) << status.message();
  LogicalResult saved = saveOutputs(scope, interface);
  if (forChanges && succeeded(saved) && !broken) {
    if (Status status = saveKept(scope, interface); !status.ok())
      return emitError(storage.file()) << status.message();
    return success();
  }
  if (succeeded(saved) && !broken && failures.empty() && needsHost.empty())
    return success();
  // Stages help only if a run may resolve every failure.
  if (inStages && succeeded(saved) && !broken && failures.allInStages())
    *inStages = true;
  else if (!failures.empty())
    failures.report(storage.file(), /*all=*/!inStages);
  else if (succeeded(saved) && !broken)
    emitError(storage.file()) << "the model runs in stages, and is no single "
                                 "program: "
                              << needsHost;
  return mlir::failure();
}
