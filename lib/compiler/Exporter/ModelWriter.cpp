//===- ModelWriter.cpp - writer of ONNX graphs ----------------------------===//
// SPDX-License-Identifier: MIT

#include "ModelWriter.h"
#include "SizeWriter.h"
#include "glow/Graph/ControlFlow.h"
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
      : module(module), symbols(module), function(entriesOf(module).front()),
        forms(forms), whole(*model.mutable_graph()), graph(&whole),
        sizes(whole, [this](StringRef name) { return unique(name, values); }) {}

  FailureOr<std::string> write(const WrittenFor &version);

private:
  LogicalResult writePort(PlaceholderOp port);
  LogicalResult writeStorage();
  void nameSaved();
  void nameValues();
  LogicalResult writeNodes(FuncOp from);
  void writeOp(Operation *op);
  void writeSave(SaveOp save);
  void writeIdentity(const std::string &from, const std::string &to);

  using Names = std::vector<std::string>;
  LogicalResult writeIf(IfOp branch);
  LogicalResult writeLoop(LoopOp loop);
  LogicalResult writeScan(LoopOp scan);
  LogicalResult checkLoop(LoopOp loop, bool isScan);
  LogicalResult writeGraph(FuncOp from, ArrayRef<std::string> takes,
                           ArrayRef<std::string> declared,
                           onnx::GraphProto &body);
  onnx::GraphProto &bodyOf(onnx::NodeProto &node, const char *attribute);
  Names namesOf(ValueRange all);
  Names freshNames(StringRef wanted, size_t count);
  std::string numberNamed(StringRef wanted, int64_t number);
  void add(onnx::NodeProto node, Operation *op, ValueRange results);
  std::string unique(StringRef wanted, llvm::StringSet<> &taken);
  std::string nameOf(Value value);

  ModuleOp module;
  SymbolTable symbols;
  FuncOp function;
  const NodeForms &forms;
  onnx::ModelProto model;
  onnx::GraphProto &whole; ///< has all constants and sizes
  onnx::GraphProto *graph; ///< the graph that is being written
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
      isInput ? *whole.add_input() : *whole.add_output();
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
  llvm::DenseSet<Attribute> called;
  for (FuncOp one : neededBy(function, symbols))
    for (ArrayAttr ports : {one.getTakesAttr(), one.getGivesAttr()})
      called.insert_range(ports);
  for (auto port : module.getOps<PlaceholderOp>())
    if (!called.contains(FlatSymbolRefAttr::get(port.getSymNameAttr())) &&
        failed(writePort(port)))
      return failure();
  llvm::StringSet<> read;
  module.walk([&](ReadOp op) {
    if (!op.use_empty())
      read.insert(op.getStorage());
  });
  for (auto constant : module.getOps<ConstantOp>()) {
    if (!read.contains(constant.getSymName()))
      continue;
    std::string name = unique(constant.getSymName(), values);
    storages[constant.getSymName()] = name;
    if (!writeTensor(name, constant.getValue(), *whole.add_initializer()))
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
  for (FuncOp one : module.getOps<FuncOp>())
    for (Operation &op : llvm::reverse(one.block()))
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
    *whole.add_initializer() = tensor;
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
  *graph->add_node() = std::move(node);
}

/// Writes an Identity for an output whose value is an input, a constant or
/// another output.
void ModelWriter::writeSave(SaveOp save) {
  std::string from = nameOf(save.getIn()),
              to = storages.lookup(save.getStorage());
  if (from != to)
    writeIdentity(from, to);
}

void ModelWriter::writeIdentity(const std::string &from,
                                const std::string &to) {
  onnx::NodeProto &node = *graph->add_node();
  node.set_op_type("Identity");
  node.set_name(unique(to, nodes));
  node.add_input(from);
  node.add_output(to);
}

LogicalResult ModelWriter::writeNodes(FuncOp from) {
  for (Operation &op : from.block()) {
    LogicalResult written = success();
    if (auto branch = llvm::dyn_cast<IfOp>(op))
      written = writeIf(branch);
    else if (auto loop = llvm::dyn_cast<LoopOp>(op))
      written = loop.getSliced().empty() ? writeLoop(loop) : writeScan(loop);
    else if (auto save = llvm::dyn_cast<SaveOp>(op); save && from == function)
      writeSave(save);
    else if (isSliceOfTrips(&op))
      writeIdentity(nameOf(op.getOperand(0)), nameOf(op.getResult(0)));
    else if (!llvm::isa<ReadOp, SaveOp>(op) && !isListOfSizes(&op))
      writeOp(&op);
    if (failed(written))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

bool glow::isSliceOfTrips(Operation *op) {
  auto prefix = llvm::dyn_cast<Prefix>(op);
  auto loop = prefix ? prefix.getCount().getDefiningOp<LoopOp>() : LoopOp();
  return loop && prefix.getCount() == loop.getValues().back() &&
         prefix.getIn().getDefiningOp() == loop.getOperation();
}

ModelWriter::Names ModelWriter::namesOf(ValueRange all) {
  Names found;
  for (Value value : all)
    found.push_back(nameOf(value));
  return found;
}

ModelWriter::Names ModelWriter::freshNames(StringRef wanted, size_t count) {
  Names fresh;
  for (size_t i = 0; i < count; ++i)
    fresh.push_back(unique(wanted, values));
  return fresh;
}

std::string ModelWriter::numberNamed(StringRef wanted, int64_t number) {
  onnx::TensorProto &tensor = *whole.add_initializer();
  tensor.set_name(unique(wanted, values));
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_int64_data(number);
  return tensor.name();
}

onnx::GraphProto &ModelWriter::bodyOf(onnx::NodeProto &node,
                                      const char *attribute) {
  onnx::AttributeProto &made = *node.add_attribute();
  made.set_name(attribute);
  made.set_type(onnx::AttributeProto::GRAPH);
  return *made.mutable_g();
}

void ModelWriter::add(onnx::NodeProto node, Operation *op, ValueRange results) {
  for (Value result : results)
    node.add_output(nameOf(result));
  StringRef wanted = nameIn(op->getLoc());
  node.set_name(unique(wanted.empty() ? node.op_type() : wanted, nodes));
  domains.insert("");
  *graph->add_node() = std::move(node);
}

/// Writes a called function as a graph in a node: its parameters are values of
/// these names, of which the `declared` ones are inputs of the graph.
LogicalResult ModelWriter::writeGraph(FuncOp from, ArrayRef<std::string> takes,
                                      ArrayRef<std::string> declared,
                                      onnx::GraphProto &body) {
  body.set_name(from.getSymName().str());
  for (auto [name, value] : llvm::zip_equal(from.getTakesAttr(), takes)) {
    PlaceholderOp port = portOf(name, symbols);
    storages[port.getSymName()] = value;
    if (llvm::is_contained(declared, value))
      writeValue(value, port.getType(), *body.add_input());
  }
  onnx::GraphProto *outer = std::exchange(graph, &body);
  LogicalResult written = writeNodes(from);
  llvm::DenseMap<Attribute, Value> saved;
  for (auto save : from.block().getOps<SaveOp>())
    saved[save.getStorageAttr()] = save.getIn();
  for (Attribute name : from.getGivesAttr()) {
    // An output of its own: a value may be given twice, or come from outside.
    const std::string result = unique("result", values);
    writeIdentity(nameOf(saved[name]), result);
    writeValue(result, portOf(name, symbols).getType(), *body.add_output());
  }
  graph = outer;
  return written;
}

LogicalResult ModelWriter::writeIf(IfOp branch) {
  onnx::NodeProto node;
  node.set_op_type("If");
  node.add_input(nameOf(branch.getCondition()));
  auto writeBranch = [&](const char *attribute, StringRef name,
                         ValueRange captured) {
    return writeGraph(symbols.lookup<FuncOp>(name), namesOf(captured), {},
                      bodyOf(node, attribute));
  };
  if (failed(
          writeBranch("then_branch", branch.getThen(), branch.getCaptured())) ||
      failed(writeBranch("else_branch", branch.getOtherwise(),
                         branch.getOthers())))
    return failure();
  add(std::move(node), branch, branch.getValues());
  return success();
}

/// Checks that an operator of ONNX has all that the loop has.
LogicalResult ModelWriter::checkLoop(LoopOp loop, bool isScan) {
  auto refuse = [&](const char *what) {
    return loop.emitError() << "no operator of ONNX is a loop " << what;
  };
  for (Operation *user : loop.getValues().back().getUsers())
    if (!isSliceOfTrips(user))
      return refuse("whose number of trips is a value");
  auto body = symbols.lookup<FuncOp>(loop.getBody());
  if (isScan && loop.mayEndEarly(body))
    return refuse("that has slices and may end early");
  if (!isScan && loop.getBackwards())
    return refuse("that stacks slices from the end on, and has none");
  if (!loop.getCount() || llvm::isa<DenseI64ArrayAttr>(*loop.getCount()) ||
      loop.getChecked())
    return success();
  return isScan ? success() : refuse("of as many trips as a size");
}

LogicalResult ModelWriter::writeLoop(LoopOp loop) {
  if (failed(checkLoop(loop, /*isScan=*/false)))
    return failure();
  auto from = symbols.lookup<FuncOp>(loop.getBody());
  const bool givesGoing = loop.givesGoing(from);
  onnx::NodeProto node;
  node.set_op_type("Loop");
  std::string trips = loop.getTrips() ? nameOf(loop.getTrips()) : "";
  // A count that is checked is a limit of this compilation.
  if (loop.getCount() && !loop.getChecked()) {
    const Ints count(
        llvm::cast<DenseI64ArrayAttr>(*loop.getCount()).asArrayRef());
    std::string most = numberNamed("count", count.front());
    if (!trips.empty()) {
      onnx::NodeProto least;
      least.set_op_type("Min");
      least.add_input(trips);
      least.add_input(most);
      most = unique("trips", values);
      least.add_output(most);
      *graph->add_node() = std::move(least);
    }
    trips = most;
  }
  node.add_input(trips);
  node.add_input(loop.getCondition() ? nameOf(loop.getCondition()) : "");
  for (const std::string &name : namesOf(loop.getInitial()))
    node.add_input(name);

  onnx::GraphProto &body = bodyOf(node, "body");
  auto scalar = [&](unsigned width) {
    return RankedTensorType::get({},
                                 IntegerType::get(module.getContext(), width));
  };
  Names takes = freshNames("trip", 1), declared;
  llvm::append_range(takes, freshNames("carried", loop.carriedCount()));
  const std::string going = unique("going", values);
  writeValue(takes.front(), scalar(64), *body.add_input());
  writeValue(going, scalar(1), *body.add_input());
  declared.assign(takes.begin() + 1, takes.end());
  llvm::append_range(takes, namesOf(loop.getCaptured()));
  if (!givesGoing) {
    const std::string again = unique("again", values);
    onnx::GraphProto *outer = std::exchange(graph, &body);
    writeIdentity(going, again);
    graph = outer;
    writeValue(again, scalar(1), *body.add_output());
  }
  if (failed(writeGraph(from, takes, declared, body)))
    return failure();
  add(std::move(node), loop, loop.getValues().drop_back());
  return success();
}

LogicalResult ModelWriter::writeScan(LoopOp scan) {
  if (failed(checkLoop(scan, /*isScan=*/true)))
    return failure();
  auto from = symbols.lookup<FuncOp>(scan.getBody());
  for (auto read : from.block().getOps<ReadOp>())
    if (read.getStorageAttr() == from.getTakesAttr()[0] && !read.use_empty())
      return scan.emitError() << "no operator of ONNX is a loop with slices "
                                 "that reads the number of its trip";
  onnx::NodeProto node;
  node.set_op_type("Scan");
  for (ValueRange operands :
       {ValueRange(scan.getInitial()), ValueRange(scan.getSliced())})
    for (const std::string &name : namesOf(operands))
      node.add_input(name);
  const size_t sliced = scan.getSliced().size();
  onnx::AttributeProto &count = *node.add_attribute();
  count.set_name("num_scan_inputs");
  count.set_type(onnx::AttributeProto::INT);
  count.set_i(int64_t(sliced));
  auto addDirections = [&](const char *name, size_t first, size_t number) {
    if (!number)
      return;
    onnx::AttributeProto &directions = *node.add_attribute();
    directions.set_name(name);
    directions.set_type(onnx::AttributeProto::INTS);
    for (size_t i = first; i < first + number; ++i)
      directions.add_ints(scan.isBackwards(i));
  };
  addDirections("scan_input_directions", 0, sliced);
  addDirections("scan_output_directions", sliced, scan.stackedCount());
  Names takes = {"trip"}, declared = freshNames("carried", scan.carriedCount());
  llvm::append_range(declared, freshNames("slice", sliced));
  llvm::append_range(takes, declared);
  llvm::append_range(takes, namesOf(scan.getCaptured()));
  if (failed(writeGraph(from, takes, declared, bodyOf(node, "body"))))
    return failure();
  add(std::move(node), scan, scan.getValues().drop_back());
  return success();
}

FailureOr<std::string> ModelWriter::write(const WrittenFor &version) {
  model.set_producer_name("glow");
  whole.set_name(function.getSymName().str());
  if (failed(writeStorage()))
    return failure();
  nameSaved();
  nameValues();
  if (failed(writeNodes(function)))
    return failure();
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
