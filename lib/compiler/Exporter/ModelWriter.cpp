//===- ModelWriter.cpp - writer of ONNX graphs ----------------------------===//
// SPDX-License-Identifier: MIT

#include "ModelWriter.h"
#include "SizeWriter.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/TextName.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <limits>

using namespace glow;
using namespace mlir;
using llvm::StringRef;

namespace {

class ModelWriter {
public:
  ModelWriter(ModuleOp module, const NodeForms &forms)
      : module(module), function(*module.getOps<FuncOp>().begin()),
        forms(forms), graph(*model.mutable_graph()),
        sizes(graph, [this](StringRef name) { return unique(name, values); }) {}

  FailureOr<std::string> write(const WrittenFor &version);

private:
  LogicalResult writePort(PlaceholderOp port);
  LogicalResult writeStorage();
  void nameSaved();
  void nameValues();
  void writeOp(Operation *op);
  void writeSave(SaveOp save);
  std::string unique(StringRef wanted, llvm::StringSet<> &taken);
  std::string nameOf(Value value);

  ModuleOp module;
  FuncOp function;
  const NodeForms &forms;
  onnx::ModelProto model;
  onnx::GraphProto &graph;
  std::set<std::string> domains;
  llvm::StringSet<> values, nodes;       ///< names that are taken
  llvm::StringMap<std::string> storages; ///< names of storage, by symbol
  llvm::DenseMap<Value, std::string> names;
  llvm::StringMap<std::string> dimensions; ///< their names, by variable
  SizeWriter sizes;
};

} // namespace

std::string ModelWriter::unique(StringRef wanted, llvm::StringSet<> &taken) {
  std::string name = wanted.str();
  for (unsigned number = 1; !taken.insert(name).second; ++number)
    name = (wanted + "_" + llvm::Twine(number)).str();
  return name;
}

std::string ModelWriter::nameOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto read = llvm::dyn_cast<ReadOp>(op))
    return storages.lookup(read.getStorage());
  std::string &name = names[value];
  if (name.empty() && isListOfSizes(op)) {
    name = sizes.tensor(sizesOf(llvm::cast<Literal>(op).getValuesAttr()),
                        llvm::cast<RankedTensorType>(value.getType()));
  } else if (name.empty()) {
    StringRef wanted = nameIn(op->getLoc());
    auto form = forms.find(op);
    if (wanted.empty() && form != forms.end() && form->second.joined)
      wanted = form->second.form.row->op;
    name =
        unique(wanted.empty() ? op->getName().stripDialect() : wanted, values);
  }
  return name;
}

/// Writes an input or an output. Open dimensions have the names that the model
/// gave them; an output's dimension has the name of an input's dimension of the
/// same size, else the text of its length.
LogicalResult ModelWriter::writePort(PlaceholderOp port) {
  const bool isInput = port.getRole() == PlaceholderRole::Input;
  if (!isInput && port.getRole() != PlaceholderRole::Output)
    return port.emitError()
           << "storage that a run keeps cannot be written as ONNX";
  const std::string name = port.portName().str();
  storages[port.getSymName()] = name;
  values.insert(name);
  auto type = llvm::cast<RankedTensorType>(port.getType());
  onnx::ValueInfoProto &value =
      isInput ? *graph.add_input() : *graph.add_output();
  writeValue(name, type, value);
  if (isInput)
    sizes.addInput(name, type);
  auto &shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (auto [axis, size] : llvm::enumerate(sizesOf(type))) {
    const Length length = size.length();
    const SizeVariable *variable = length.variable();
    if (size.isFixed() || (!isInput && !variable))
      continue;
    if (!variable)
      return port.emitError()
             << "dimension " << axis << " has the size " << length.text()
             << ", but an input of a model of ONNX has names as sizes";
    std::string own = variable->name;
    if (auto names = port.getDimensionsAttr(); names && isInput)
      own = llvm::cast<StringAttr>(names[axis]).str();
    auto place = dimensions.try_emplace(variable->name, own).first;
    auto &dimension = *shape.mutable_dim(int(axis));
    dimension.set_dim_param(place->second);
    if (place->second.empty())
      dimension.Clear();
  }
  return success();
}

LogicalResult ModelWriter::writeStorage() {
  for (auto port : module.getOps<PlaceholderOp>())
    if (failed(writePort(port)))
      return failure();
  llvm::StringSet<> read;
  for (auto op : function.block().getOps<ReadOp>())
    if (!op.use_empty())
      read.insert(op.getStorage());
  for (auto constant : module.getOps<ConstantOp>()) {
    if (!read.contains(constant.getSymName()))
      continue;
    std::string name = unique(constant.getSymName(), values);
    storages[constant.getSymName()] = name;
    if (!writeTensor(name, constant.getValue(), *graph.add_initializer()))
      return constant.emitError()
             << "its data is not here: text leaves out long weights";
  }
  return success();
}

/// Names a value that is saved by its output, unless the value has a name
/// already.
void ModelWriter::nameSaved() {
  for (auto save : function.block().getOps<SaveOp>())
    if (!save.getIn().getDefiningOp<ReadOp>())
      names.try_emplace(save.getIn(), storages.lookup(save.getStorage()));
}

/// Gives values their names in the model. Where an operator became several
/// nodes, the last of them has its result.
void ModelWriter::nameValues() {
  for (Operation &op : llvm::reverse(function.block()))
    for (OpResult result : op.getResults())
      if (StringRef name = valueNameOf(result); !name.empty() &&
                                                !names.contains(result) &&
                                                values.insert(name).second)
        names[result] = name.str();
}

void ModelWriter::writeOp(Operation *op) {
  const WrittenNode &written = forms.at(op);
  const ImportInverse &row = *written.form.row;
  domains.insert(row.domain);
  std::vector<std::string> outputs;
  for (OpResult result : op->getResults())
    outputs.push_back(nameOf(result));
  auto nameOf = [&](Value value) { return this->nameOf(value); };
  auto add = [&](onnx::TensorProto tensor) {
    tensor.set_name(unique(outputs[0] + "." + tensor.name(), values));
    *graph.add_initializer() = tensor;
    return tensor.name();
  };
  onnx::NodeProto node;
  auto sizesNamed = [&](const Sizes &list) { return sizes.list(list); };
  const ModelNames names{nameOf, add, sizesNamed};
  if (written.joined)
    written.joined->write(op, names, node);
  else
    writeNode(op, written.form, names, node);
  writeOutputs(row, outputs, node);
  StringRef wanted = nameIn(op->getLoc());
  node.set_name(unique(wanted.empty() ? StringRef(outputs[0]) : wanted, nodes));
  *graph.add_node() = std::move(node);
}

/// Writes an Identity for an output whose value is an input, a constant or
/// another output.
void ModelWriter::writeSave(SaveOp save) {
  std::string from = nameOf(save.getIn()),
              to = storages.lookup(save.getStorage());
  if (from == to)
    return;
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type("Identity");
  node.set_name(unique(to, nodes));
  node.add_input(from);
  node.add_output(to);
}

FailureOr<std::string> ModelWriter::write(const WrittenFor &version) {
  model.set_producer_name("glow");
  graph.set_name(function.getSymName().str());
  if (failed(writeStorage()))
    return failure();
  nameSaved();
  nameValues();
  for (Operation &op : function.block()) {
    if (auto save = llvm::dyn_cast<SaveOp>(op))
      writeSave(save);
    else if (!llvm::isa<ReadOp>(op) && !isListOfSizes(&op))
      writeOp(&op);
  }
  version.setIn(model, domains);
  if (model.ByteSizeLong() > size_t(std::numeric_limits<int>::max()))
    return module.emitError() << "the model would take " << model.ByteSizeLong()
                              << " bytes, but a file of ONNX that has its "
                                 "weights in it takes less than 2 GB";
  return model.SerializeAsString();
}

FailureOr<std::string> glow::writeModel(ModuleOp module, const NodeForms &forms,
                                        const WrittenFor &version) {
  return ModelWriter(module, forms).write(version);
}
