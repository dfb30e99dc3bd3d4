//===- ChangedNodes.cpp - nodes of a file that a pass has changed ---------===//
// SPDX-License-Identifier: MIT

#include "ChangedNodes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/TextName.h"
#include "glow/Importer/WholeModel.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

void glow::forEachRead(const onnx::NodeProto &node,
                       llvm::function_ref<void(const std::string &)> visit) {
  for (const std::string &input : node.input())
    if (!input.empty())
      visit(input);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    const auto read = [&](const onnx::GraphProto &graph) {
      for (const onnx::NodeProto &inner : graph.node())
        forEachRead(inner, visit);
      for (const onnx::ValueInfoProto &output : graph.output())
        visit(output.name());
    };
    if (attribute.has_g())
      read(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      read(graph);
  }
}

/// All names in a graph, and in graphs inside of it.
static void addNames(const onnx::GraphProto &graph, llvm::StringSet<> &names) {
  const auto addAll = [&](const auto &values) {
    for (const auto &value : values)
      names.insert(value.name());
  };
  addAll(graph.input()), addAll(graph.output()), addAll(graph.initializer());
  for (const onnx::NodeProto &node : graph.node()) {
    names.insert(node.name());
    names.insert_range(node.output());
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        addNames(attribute.g(), names);
  }
}

ChangedNodes::ChangedNodes(ModuleOp module, onnx::ModelProto &model)
    : module(module), function(*module.getOps<FuncOp>().begin()), model(model),
      version{opsetOf(model)} {
  addNames(model.graph(), taken);
  for (auto [i, node] : llvm::enumerate(model.graph().node()))
    for (const std::string &output : node.output())
      if (!output.empty()) {
        nodes.try_emplace(output, int(i));
        break;
      }
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string ChangedNodes::unique(StringRef wanted) {
  std::string name = wanted.str();
  for (unsigned number = 2; !taken.insert(name).second; ++number)
    name = (wanted + "_" + llvm::Twine(number)).str();
  return name;
}

/// Whether a node is left out between new operations, which take a value of any
/// rank: the product of a batch of matrices is a product of one matrix in the
/// module.
static bool isSkipped(Operation *op) {
  const std::optional<Origin> origin = originOf(op);
  return origin && origin->op == "MatMul" && llvm::isa<Reshape>(op);
}

/// Gives values the names that they have in the file. The first value with a
/// name has it; another value has the name of the output that saves it.
void ChangedNodes::nameValues() {
  llvm::StringSet<> claimed;
  for (Operation &op : function.block())
    for (OpResult result : op.getResults())
      if (StringRef name = valueNameOf(result);
          !name.empty() && (!originOf(&op) || outputOfFile(result) >= 0) &&
          claimed.insert(name).second) {
        names[result] = name.str();
        taken.insert(name);
      }
  for (auto save : function.block().getOps<SaveOp>()) {
    auto port = SymbolTable::lookupNearestSymbolFrom<PlaceholderOp>(
        save, save.getStorageAttr());
    if (!save.getIn().getDefiningOp<ReadOp>() &&
        claimed.insert(port.portName()).second)
      if (names.try_emplace(save.getIn(), port.portName()).second)
        taken.insert(port.portName());
  }
  // A node that is left out gives its name to the new one before it.
  for (auto &[op, instance] : instanceOf)
    if (isSkipped(op) && !originOf(op->getOperand(0).getDefiningOp()))
      names[op->getOperand(0)] = nameOf(op->getResult(0));
}

std::string ChangedNodes::nameOfStorage(Operation *op) {
  auto read = llvm::cast<ReadOp>(op);
  Operation *storage =
      SymbolTable::lookupNearestSymbolFrom(op, read.getStorageAttr());
  if (auto port = llvm::dyn_cast<PlaceholderOp>(storage))
    return port.portName().str();
  auto constant = llvm::cast<ConstantOp>(storage);
  StringRef own = nameIn(constant.getLoc());
  const bool isThere =
      llvm::any_of(model.graph().initializer(),
                   [&](const auto &tensor) { return tensor.name() == own; });
  if (originOf(constant) && isThere)
    return own.str();
  std::string &name = storages[constant.getSymName()];
  if (!name.empty())
    return name;
  name = unique(own.empty() ? constant.getSymName() : own);
  if (!writeTensor(name, constant.getValue(), tensors.emplace_back()))
    constant.emitError() << "its data is not here";
  return name;
}

std::string ChangedNodes::nameOf(Value value) {
  if (auto known = names.find(value); known != names.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  if (llvm::isa<ReadOp>(op))
    return nameOfStorage(op);
  const std::optional<Origin> origin = originOf(op);
  if (isSkipped(op) && !origin->inputs.empty()) {
    Value before = op->getOperand(0);
    return origin->inputs[0] >= 0 && isKept(before)
               ? model.graph()
                     .node(nodes.lookup(origin->output))
                     .input(int(origin->inputs[0]))
               : nameOf(before);
  }
  StringRef wanted = valueNameOf(llvm::cast<OpResult>(value));
  if (wanted.empty())
    wanted = nameIn(op->getLoc());
  if (wanted.empty())
    wanted = op->getName().stripDialect();
  return names[value] = unique(wanted);
}

/// Whether a value is the one that the file has: no pass has made it.
bool ChangedNodes::isKept(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto read = llvm::dyn_cast<ReadOp>(op)) {
    auto constant = SymbolTable::lookupNearestSymbolFrom<ConstantOp>(
        op, read.getStorageAttr());
    return !constant || originOf(constant);
  }
  if (!originOf(op))
    return false;
  auto instance = instanceOf.find(op);
  return instance == instanceOf.end() || instance->second->number == 0;
}

//===----------------------------------------------------------------------===//
// Nodes of the file
//===----------------------------------------------------------------------===//

/// An operation that gives an output which the node has already is part of
/// another instance.
void ChangedNodes::findInstances() {
  llvm::StringMap<std::vector<NodeInstance *>> ofNode;
  for (Operation &op : function.block()) {
    const std::optional<Origin> origin = originOf(&op);
    const bool isRoot = origin && llvm::any_of(origin->outputs, [](int64_t i) {
                          return i >= 0;
                        });
    if (!isRoot || origin->output.empty() || !nodes.contains(origin->output))
      continue;
    std::vector<NodeInstance *> &own = ofNode[origin->output];
    auto isFree = [&](NodeInstance *instance) {
      return llvm::none_of(origin->outputs, [&](int64_t output) {
        return instance->results.contains(output);
      });
    };
    auto place = llvm::find_if(own, isFree);
    if (place == own.end()) {
      instances.push_back(std::make_unique<NodeInstance>(
          NodeInstance{nodes.lookup(origin->output), unsigned(own.size())}));
      own.push_back(instances.back().get());
      place = std::prev(own.end());
    }
    instanceOf[&op] = *place;
    for (auto [i, output] : llvm::enumerate(origin->outputs))
      if (output >= 0)
        (*place)->results[output] = op.getResult(unsigned(i));
  }
}

/// Gives the node another input, if the value is not that of the file. False if
/// operations of the node read different values in its place.
bool ChangedNodes::takeInput(onnx::NodeProto &node, int64_t input,
                             Value value) {
  const std::string name =
      isKept(value) ? node.input(int(input)) : nameOf(value);
  return changed.try_emplace(input, name).first->second == name;
}

/// Takes the inputs of the operations of a node that lead to `op`. False if
/// there are other operations between them.
bool ChangedNodes::takeInputs(Operation *op, onnx::NodeProto &node,
                              Parts &parts) {
  if (!parts.insert(op))
    return true;
  bool isWhole = true;
  const Origin origin = *originOf(op);
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    const bool isMore = i >= origin.inputs.size();
    const int64_t input = isMore ? -1 : origin.inputs[i];
    if (areOfOneOperator(op, value.getDefiningOp()))
      isWhole &= takeInputs(value.getDefiningOp(), node, parts);
    else if (input >= 0)
      isWhole &= takeInput(node, input, value);
    else if (isMore && !isKept(value))
      changed[node.input_size()] = nameOf(value); // one that was absent
    else if (!isKept(value)) {
      isWhole = false;
      takeBehind(value.getDefiningOp(), op, node, parts);
    }
  }
  return isWhole;
}

/// Takes operations of a node behind new ones.
void ChangedNodes::takeBehind(Operation *made, Operation *op,
                              onnx::NodeProto &node, Parts &parts) {
  for (Value value : made->getOperands()) {
    Operation *before = value.getDefiningOp();
    if (areOfOneOperator(op, before))
      (void)takeInputs(before, node, parts);
    else if (!originOf(before))
      takeBehind(before, op, node, parts);
  }
}

LogicalResult ChangedNodes::writeInstance(NodeInstance &instance) {
  onnx::NodeProto node = model.graph().node(instance.node);
  changed.clear();
  Parts parts;
  bool isWhole = true;
  for (auto &[output, result] : instance.results)
    isWhole &= takeInputs(result.getOwner(), node, parts);
  if (!isWhole)
    return writeParts(instance, parts);
  for (auto &[input, name] : changed) {
    if (input == node.input_size())
      node.add_input();
    node.set_input(int(input), name);
  }
  for (int i = 0; i < node.output_size(); ++i)
    if (auto result = instance.results.find(i);
        result != instance.results.end())
      node.set_output(i, nameOf(result->second));
    else if (instance.number > 0)
      node.set_output(i, "");
  if (instance.number > 0)
    node.set_name(unique(node.name() + "_copy"));
  made.emplace_back(std::move(node), &instance);
  return success();
}

/// Writes the operations of a node one by one.
LogicalResult ChangedNodes::writeParts(const NodeInstance &instance,
                                       const Parts &parts) {
  const onnx::NodeProto &node = model.graph().node(instance.node);
  llvm::SmallVector<Operation *> ordered(parts.begin(), parts.end());
  llvm::sort(ordered, [](Operation *one, Operation *other) {
    return one->isBeforeInBlock(other);
  });
  for (Operation *op : ordered) {
    const Origin origin = *originOf(op);
    if (isSkipped(op))
      continue;
    // Operators repeat operands by themselves.
    auto broadcast = llvm::dyn_cast<Broadcast>(op);
    const bool isRepeated = broadcast && broadcast.getAxis() < 0;
    for (auto [value, input] : llvm::zip(op->getOperands(), origin.inputs)) {
      if (input >= 0 && isKept(value))
        names.try_emplace(value, node.input(int(input)));
    }
    if (isRepeated)
      names.try_emplace(broadcast.getOut(), nameOf(broadcast.getIn()));
    else if (mlir::failed(writeNew(op)))
      return mlir::failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// New operations
//===----------------------------------------------------------------------===//

void ChangedNodes::add(Operation *op, onnx::NodeProto node) {
  node.set_name(unique(nameIn(op->getLoc())));
  domains.insert(node.domain());
  made.emplace_back(std::move(node), nullptr);
}

static void addInt(onnx::NodeProto &node, const char *name, int64_t value) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

/// The greatest number of bits of integers in ONNX, up to opset 20, is 8.
void ChangedNodes::writeLinear(Operation *op) {
  onnx::NodeProto node;
  node.set_op_type(llvm::isa<Quantize>(op) ? "QuantizeLinear"
                                           : "DequantizeLinear");
  // Sums have no zero point in ONNX.
  const bool isSums = kindOfElements(op->getOperand(0)).isInteger(32);
  for (Value operand : op->getOperands().drop_back(isSums ? 1 : 0))
    node.add_input(nameOf(operand));
  node.add_output(nameOf(op->getResult(0)));
  const int64_t axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  const unsigned bits =
      kindOfElements(op->getOperand(2)).getIntOrFloatBitWidth();
  if (axis >= 0) {
    addInt(node, "axis", axis);
    leastOfLinear = std::max(leastOfLinear, 13u);
  }
  if (bits == 16 || bits == 4)
    leastOfLinear = 21;
  hasLinear = true;
  add(op, std::move(node));
}

/// The zero points of blocks, which share bytes in the file. Each column begins
/// at a byte.
std::string ChangedNodes::packedZeros(MatMulNBits op) {
  ConstantOp constant = constantOf(op.getZeros());
  std::string &name = storages[constant.getSymName()];
  if (!name.empty())
    return name;
  name = unique(nameIn(constant.getLoc()));
  const auto type = llvm::cast<RankedTensorType>(constant.getValue().getType());
  const TensorBytes codes = bytesOf(constant.getValue());
  const size_t blocks = size_t(type.getDimSize(1)), bits = size_t(op.getBits()),
               line = (blocks * bits + 7) / 8;
  std::string bytes(size_t(type.getDimSize(0)) * line, '\0');
  for (auto [i, code] : llvm::enumerate(codes.bytes)) {
    const size_t at = i % blocks * bits;
    char &byte = bytes[i / blocks * line + at / 8];
    byte = char(byte | code << at % 8);
  }
  onnx::TensorProto &tensor = tensors.emplace_back();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::UINT8);
  tensor.add_dims(type.getDimSize(0)), tensor.add_dims(int64_t(line));
  tensor.set_raw_data(std::move(bytes));
  return name;
}

void ChangedNodes::writeBlocks(MatMulNBits op) {
  onnx::NodeProto node;
  node.set_op_type("MatMulNBits");
  node.set_domain("com.microsoft");
  for (unsigned i = 0; i < 3; ++i)
    node.add_input(nameOf(op->getOperand(i)));
  if (op.getZeros())
    node.add_input(packedZeros(op));
  node.add_output(nameOf(op->getResult(0)));
  const auto widthOf = [](Value value) {
    return llvm::cast<RankedTensorType>(value.getType()).getShape().back();
  };
  addInt(node, "K", widthOf(op->getOperand(0)));
  addInt(node, "N", widthOf(op->getResult(0)));
  addInt(node, "bits", int64_t(op.getBits()));
  addInt(node, "block_size", int64_t(op.getBlockSize()));
  add(op, std::move(node));
}

LogicalResult ChangedNodes::writeNew(Operation *op) {
  if (auto blocks = llvm::dyn_cast<MatMulNBits>(op)) {
    writeBlocks(blocks);
    return success();
  }
  if (llvm::isa<Quantize, Dequantize>(op)) {
    writeLinear(op);
    return success();
  }
  std::vector<std::string> outputs;
  for (OpResult result : op->getResults())
    outputs.push_back(nameOf(result));
  dropOrigin(op);
  auto isOwn = [](const NodeForm &form) {
    return !*form.row->domain && !form.hasPaths();
  };
  const NodeForm form = formOf(op, isOwn, version);
  onnx::NodeProto node;
  auto name = [&](Value value) { return nameOf(value); };
  auto addTensor = [&](onnx::TensorProto tensor) {
    tensor.set_name(unique(outputs[0] + "." + tensor.name()));
    tensors.push_back(tensor);
    return tensor.name();
  };
  auto sizes = [](const Sizes &) { return std::string(); };
  if (!form.row || !writeNode(op, form, {name, addTensor, sizes}, node))
    return op->emitError() << "no operator of ONNX of opset " << version.opset
                           << " is '" << op->getName() << "' as it is here";
  writeOutputs(*form.row, outputs, node);
  add(op, std::move(node));
  return success();
}

/// Operators that the model's own opset lacks are in a domain that a model of
/// any opset may import.
void ChangedNodes::setLinearDomain() {
  if (!hasLinear || version.opset >= int64_t(leastOfLinear))
    return;
  for (auto &[node, instance] : made)
    if (!instance && StringRef(node.op_type()).ends_with("eLinear"))
      node.set_domain("com.microsoft");
  domains.insert("com.microsoft");
}

LogicalResult ChangedNodes::write() {
  findInstances();
  nameValues();
  for (Operation &op : function.block())
    if (!originOf(&op) && findNode(op.getName().getStringRef()) &&
        !op.use_empty() && mlir::failed(writeNew(&op)))
      return mlir::failure();
  for (auto &instance : instances)
    if (mlir::failed(writeInstance(*instance)))
      return mlir::failure();
  setLinearDomain();
  return success();
}
