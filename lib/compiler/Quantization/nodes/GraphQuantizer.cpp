//===- GraphQuantizer.cpp - a version of a module -------------------------===//
// SPDX-License-Identifier: MIT

#include "GraphQuantizer.h"
#include "NodeInserter.h"
#include "ShowValues.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include <array>

using namespace glow;
using namespace mlir;

namespace {

class GraphQuantizer {
public:
  GraphQuantizer(ModuleOp module, GraphQuantization &request)
      : source(module, request), request(request), options(request.options),
        inserter(source) {}

  void run();

private:
  void wish();
  void prepare();
  bool isUsable(NodeLayer &layer);
  bool isUsable(const NodeLayer &layer, const LayerOperand &operand);
  bool hasRange(const NodeLayer &layer, const LayerOperand &operand);
  void remark(const std::string &text) { request.remarks.push_back(text); }
  void remarkZeros();
  void report();
  void addTo(GraphLayer &row, const NodeLayer &layer);
  void reportNodes();
  std::vector<NodeLayer> copiesOf(size_t row, OpBuilder &builder);
  std::vector<std::pair<Operation *, unsigned>>
  moversOf(const LayerKinds &kinds);
  LayerKinds kindsOfLayers() const;
  void chooseRanges(const LayerKinds &kinds);
  void makeIntegers(const LayerKinds &kinds);
  void makeCopies(const LayerKinds &kinds);

  NodeSource source;
  GraphQuantization &request;
  const QuantizeOptions &options;
  NodeInserter inserter;
  /// The layers of each row of the report: those of one operator of the file
  /// have one.
  std::vector<std::vector<size_t>> rows;
};

} // namespace

static std::string nameOf(const NodeLayer &layer) {
  return nameIn(layer.node->getLoc()).str();
}

/// The operator of the file, or the mnemonic of a node that is of none.
static std::string operatorOf(const NodeLayer &layer) {
  if (const std::optional<Origin> origin = originOf(layer.node))
    return origin->op.str();
  return layer.node->getName().stripDialect().str();
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void GraphQuantizer::wish() {
  if (options.wish)
    for (NodeLayer &layer : source.layers)
      layer.wish = options.wish(nameOf(layer), operatorOf(layer));
}

/// Whether a value has a range for which a float scale is precise enough.
bool GraphQuantizer::hasRange(const NodeLayer &layer,
                              const LayerOperand &operand) {
  const ValueProfile *found = source.profileOf(operand.value);
  if (!found || found->kind != ElementKind::F32)
    return false;
  const bool fits = hasScale(std::array{found->low, found->high});
  if (!fits)
    remark("'" + nameOf(layer) + "' stays in floats: '" +
           source.nameOf(operand.value) + "' has elements beyond 1e30");
  return fits;
}

/// The same for a constant.
bool GraphQuantizer::isUsable(const NodeLayer &layer,
                              const LayerOperand &operand) {
  const auto values = source.known.floatsOf(operand.value);
  if (!values || values->empty())
    return false;
  const bool isFinite = hasScale(*values);
  if (!isFinite)
    remark("'" + nameOf(layer) + "' stays in floats: its constant '" +
           InsertionPlace(layer.node, operand.value).name +
           "' has elements that are not finite");
  return isFinite;
}

bool GraphQuantizer::isUsable(NodeLayer &layer) {
  if (layer.wish == Wish::Floats)
    return false;
  const auto isKnown = [&](const LayerOperand &operand) {
    return isUsable(layer, operand);
  };
  if (layer.weights && !isKnown(*layer.weights))
    return false;
  if (options.activationBits == 0)
    return layer.weights.has_value();
  const auto inRange = [&](const LayerOperand &operand) {
    return hasRange(layer, operand);
  };
  return (!layer.bias || isKnown(*layer.bias)) &&
         llvm::all_of(layer.others, isKnown) &&
         llvm::all_of(layer.activations, inRange);
}

void GraphQuantizer::remarkZeros() {
  llvm::DenseSet<Value> reported;
  for (const NodeLayer &layer : source.layers)
    for (const LayerOperand &operand : layer.activations)
      if (const ValueProfile *found = source.profileOf(operand.value);
          found && isZero(*found) && reported.insert(operand.value).second)
        remark(zeroRemark(source.nameOf(operand.value), *found));
}

/// Changes the graph so that it is easier to quantize, and finds its layers.
void GraphQuantizer::prepare() {
  source.layers = layersOf(source.module, source.known);
  for (const NodeLayer &layer : source.layers) {
    if (!layer.weights || !layer.isWhole())
      continue;
    const LayerOperand &first = layer.activations[0];
    request.axes.try_emplace(source.nameOf(first.value), first.axis);
    const Value result = layer.shown(source.known);
    const int64_t axis = wrapped(layer.resultAxis, layer.result),
                  rank = rankOf(layer.result);
    request.axes.try_emplace(source.nameOf(result),
                             axis < 0 || result == layer.result
                                 ? axis
                                 : wrapped(axis - rank, result));
  }
  if (request.showsAll)
    return;
  wish();
  if (!source.values.empty()) {
    foldAffine(source);
    for (NodeLayer &layer : source.layers)
      layer.refresh();
    if (options.equalize)
      remark(std::to_string(equalize(source)) +
             " pairs of neighbours are equalized");
  }
  std::erase_if(source.layers,
                [&](NodeLayer &layer) { return !isUsable(layer); });
  if (options.activationBits == 0)
    return;
  if (const size_t gone =
          keepBetween(source.module, source.layers, source.known))
    remark(std::to_string(gone) + " nodes without weights stay in floats: what "
                                  "they read, or what reads them, does");
  remarkZeros();
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static double countOf(Value value) {
  return double(tensorType(value).getNumElements());
}

/// Products of a run, or elements of the result.
static double workOf(const NodeLayer &layer) {
  if (!layer.weights)
    return countOf(layer.result);
  const Value weights = layer.weights->value;
  const int64_t axis = layer.weights->axis;
  const double channels =
      axis < 0 ? 1 : double(tensorType(weights).getDimSize(unsigned(axis)));
  return countOf(layer.result) * countOf(weights) /
         std::max<double>(1, channels);
}

void GraphQuantizer::addTo(GraphLayer &row, const NodeLayer &layer) {
  row.name = nameOf(layer), row.op = operatorOf(layer);
  row.result = source.nameOf(layer.shown(source.known));
  row.mayBeBF16 =
      layer.weights && layer.isWhole() && options.activationBits != 0;
  row.work += workOf(layer);
  if (hasBlocks(layer, options)) {
    row.blocks = inserter.blocksName(layer);
    row.inner = size_t(tensorType(layer.weights->value).getDimSize(0));
  }
  for (const LayerOperand &operand : layer.activations) {
    row.activations.push_back(source.nameOf(operand.value));
    if (const ValueProfile *found = source.profileOf(operand.value))
      addStatistics(row, *found, options);
  }
}

void GraphQuantizer::reportNodes() {
  llvm::DenseMap<Operation *, int> places;
  source.module.walk([&](Operation *op) {
    if (!findNode(op->getName().getStringRef()))
      return;
    places[op] = int(request.nodes.size());
    StringRef name = nameIn(op->getLoc());
    GraphNode &node = request.nodes.emplace_back();
    node.name = (name.empty() ? op->getName().stripDialect() : name).str();
    for (Value operand : op->getOperands())
      if (auto maker = places.find(operand.getDefiningOp());
          maker != places.end())
        node.operands.emplace_back(maker->second, source.nameOf(operand));
  });
  for (auto [row, layers] : llvm::enumerate(rows))
    for (size_t layer : layers)
      request.nodes[size_t(places.at(source.layers[layer].node))].layer =
          int(row);
}

void GraphQuantizer::report() {
  for (auto [i, layer] : llvm::enumerate(source.layers)) {
    auto own = llvm::find_if(rows, [&](const std::vector<size_t> &layers) {
      return areOfOneOperator(source.layers[layers.front()].node, layer.node);
    });
    if (own == rows.end()) {
      rows.emplace_back();
      request.layers.emplace_back();
      own = std::prev(rows.end());
    }
    own->push_back(i);
    addTo(request.layers[size_t(own - rows.begin())], layer);
  }
  reportNodes();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Nodes that only move what layers read, with the bits of the reader. The
/// search goes from the last node to the first, since movers may follow movers.
std::vector<std::pair<Operation *, unsigned>>
GraphQuantizer::moversOf(const LayerKinds &kinds) {
  std::vector<std::pair<Operation *, unsigned>> movers;
  if (options.activationBits == 0)
    return movers;
  llvm::DenseSet<Operation *> nodes;
  llvm::DenseMap<Value, unsigned> read;
  for (auto [layer, kind] : llvm::zip_equal(source.layers, kinds)) {
    nodes.insert(layer.node);
    for (const LayerOperand &operand : layer.activations)
      if (kind.isInteger())
        read[operand.value] = kind.bits;
  }
  std::vector<Operation *> all;
  source.module.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all)) {
    if (nodes.contains(op) || isInner(op) || !keepsRange(op, source.known))
      continue;
    const auto found = llvm::find_if(
        op->getResults(), [&](Value result) { return read.contains(result); });
    Value value = onlyFloats(op, source.known);
    if (found == op->result_end() || !source.profileOf(value))
      continue;
    const unsigned bits = read.lookup(*found);
    movers.emplace_back(op, bits);
    read[value] = bits;
  }
  return movers;
}

/// Erases constants that integers have replaced, and nodes on them.
static void dropReplaced(ModuleOp module, const KnownValues &known) {
  std::vector<Operation *> all;
  module.walk([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (op->getNumResults() != 0 && op->use_empty() &&
        llvm::none_of(op->getResults(),
                      [&](Value result) { return known.varies(result); }))
      op->erase();
  llvm::DenseSet<StringRef> read;
  module.walk([&](Operation *op) {
    if (FlatSymbolRefAttr storage = storageNamed(op))
      read.insert(storage.getValue());
  });
  std::vector<ConstantOp> unread;
  module.walk([&](ConstantOp constant) {
    if (!read.contains(constant.getSymName()))
      unread.push_back(constant);
  });
  for (ConstantOp constant : unread)
    constant.erase();
}

/// Calibrates what the layers read, while the graph is as it was.
void GraphQuantizer::chooseRanges(const LayerKinds &kinds) {
  for (auto [layer, kind] : llvm::zip_equal(source.layers, kinds))
    if (kind.isInteger() && options.activationBits != 0)
      for (const LayerOperand &operand : layer.activations)
        inserter.choose(operand.value, kind.bits);
}

void GraphQuantizer::makeIntegers(const LayerKinds &kinds) {
  const auto movers = moversOf(kinds);
  chooseRanges(kinds);
  for (auto [mover, bits] : movers)
    inserter.choose(onlyFloats(mover, source.known), bits);
  for (auto [layer, kind] : llvm::zip_equal(source.layers, kinds))
    if (kind != floats)
      inserter.quantize(layer, kind);
  for (auto [mover, bits] : movers)
    inserter.move(mover, bits);
}

/// Clones the layers of a row, with all of an operator of the file but what
/// depends on constants.
std::vector<NodeLayer> GraphQuantizer::copiesOf(size_t row,
                                                OpBuilder &builder) {
  std::vector<NodeLayer> copies;
  for (size_t i : rows[row])
    copies.push_back(source.layers[i]);
  const auto isPart = [&](Operation &op) {
    return llvm::any_of(copies, [&](const NodeLayer &layer) {
      Operation *last = layer.result.getDefiningOp();
      return &op == layer.node || &op == last ||
             areOfOneOperator(&op, layer.node) || areOfOneOperator(&op, last);
    });
  };
  std::vector<Operation *> parts;
  for (Operation &op : *copies.front().node->getBlock())
    if (isPart(op) && source.known.varies(op.getResult(0)))
      parts.push_back(&op);
  IRMapping clones;
  for (Operation *op : parts)
    builder.clone(*op, clones);
  for (NodeLayer &copy : copies) {
    copy.node = clones.lookup(copy.node);
    copy.result = clones.lookup(copy.result);
    for (LayerOperand &operand : copy.activations)
      if (operand.reader)
        operand.reader = clones.lookup(operand.reader);
  }
  return copies;
}

/// Copies read the values of the graph, which stays as it is. They stand at the
/// end of the function.
void GraphQuantizer::makeCopies(const LayerKinds &kinds) {
  chooseRanges(kinds);
  std::vector<std::pair<Value, std::string>> results;
  for (auto [row, layers] : llvm::enumerate(rows)) {
    const LayerKind kind = kinds[layers.front()];
    const std::string result = request.layers[row].result;
    request.copies.push_back(result);
    if (kind == floats)
      continue;
    std::string name = result + "_alone";
    while (source.names.find(name))
      name += "_";
    request.copies.back() = name;
    OpBuilder builder =
        OpBuilder::atBlockEnd(source.layers[layers.front()].node->getBlock());
    std::vector<NodeLayer> copies = copiesOf(row, builder);
    for (NodeLayer &copy : copies)
      inserter.quantize(copy, kind);
    results.emplace_back(copies.back().shown(source.known), name);
  }
  for (const auto &[value, name] : results)
    showValue(value, name);
}

/// The kinds of all layers, of those of the rows.
LayerKinds GraphQuantizer::kindsOfLayers() const {
  LayerKinds kinds(source.layers.size(),
                   LayerKind{options.activationBits ? options.activationBits
                                                    : options.weightBits,
                             false});
  if (request.kinds)
    for (auto [layers, kind] : llvm::zip_equal(rows, *request.kinds))
      for (size_t layer : layers)
        kinds[layer] = kind;
  return kinds;
}

void GraphQuantizer::run() {
  prepare();
  if (request.showsAll) {
    showAll(source.module, source.names, source.known);
    return;
  }
  if (source.layers.empty())
    return;
  report();
  const LayerKinds kinds = kindsOfLayers();
  if (request.version == GraphQuantization::Quantized)
    makeIntegers(kinds);
  else if (request.version == GraphQuantization::Beside)
    makeCopies(kinds);
  llvm::DenseSet<Value> shown;
  for (const std::string &name : request.shown) {
    const Value value = source.names.find(name);
    if (value && !isInput(value) && !source.names.isOutput(name) &&
        shown.insert(value).second)
      showValue(value, name);
  }
  dropReplaced(source.module, source.known);
}

void glow::quantizeGraph(ModuleOp module, GraphQuantization &request) {
  request.layers.clear(), request.nodes.clear(), request.remarks.clear();
  request.copies.clear(), request.axes.clear();
  GraphQuantizer(module, request).run();
}
