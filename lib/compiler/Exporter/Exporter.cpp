//===- Exporter.cpp - from nodes to an ONNX file --------------------------===//
// SPDX-License-Identifier: MIT
//
// The exporter finds an ONNX operator for every node. A node without an
// operator is lowered to simpler nodes, by the rules for any backend, until
// every node has one. Rules only lower nodes, so this ends.
//
//===----------------------------------------------------------------------===//

#include "glow/Exporter/Exporter.h"
#include "ModelWriter.h"
#include "SizeWriter.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/Verify.h"
#include "glow/Importer/Importer.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace glow;
using namespace mlir;

namespace {

class Exporter : RewriterBase::Listener {
public:
  /// With `prefersOther`, operators of other domains come before the rules:
  /// a rule may lead to a node that no operator is.
  Exporter(ModuleOp module, FuncOp function, int64_t opset, bool prefersOther,
           const FrozenRewritePatternSet &rules)
      : module(module), function(function), version{opset},
        prefersOther(prefersOther), rewriter(module.getContext()),
        rules(rules) {
    this->rules.applyDefaultCostModel();
    rewriter.setListener(this);
  }

  /// Finds an operator for every node; false if some node has none. With
  /// `tells`, reports each such node, otherwise stops at the first.
  bool choose(bool tells);

  FailureOr<std::string> write() { return writeModel(module, forms, version); }

private:
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (findNode(op->getName().getStringRef()))
      open.push_back(op);
  }
  void notifyOperationErased(Operation *op) override;
  bool chooseRow(Operation *op,
                 llvm::function_ref<bool(const NodeForm &)> suits);
  void settleOperands(Operation *op);
  bool chooseFor(Operation *op);
  bool dropIdentity(Operation *op);
  bool spreadOpen(Operation *op);
  bool replaceByConstant(Operation *op);
  bool splitBroadcast(Operation *op);

  ModuleOp module;
  FuncOp function;
  const WrittenFor version;
  const bool prefersOther;
  PatternRewriter rewriter;
  PatternApplicator rules;
  SmallVector<Operation *> open; ///< null where one was erased since
  NodeForms forms;
};

} // namespace

void Exporter::notifyOperationErased(Operation *op) {
  llvm::replace(open, op, static_cast<Operation *>(nullptr));
}

/// Chooses a row of the default domain, or of another. The nodes that an
/// operator stands for become an operation of their own.
bool Exporter::chooseRow(Operation *op,
                         llvm::function_ref<bool(const NodeForm &)> suits) {
  NodeForm form = formOf(op, suits, version);
  if (!form.row)
    return false;
  if (!form.hasPaths()) {
    forms[op] = {std::move(form)};
    return true;
  }
  auto joined = std::make_shared<JoinedNodes>(op, form);
  auto whole = UnrealizedConversionCastOp::create(
      rewriter, op->getLoc(), op->getResultTypes(), joined->operands);
  forms[whole] = {std::move(form), std::move(joined)};
  rewriter.replaceOp(op, whole.getResults());
  return true;
}

/// Makes constants of the operands that are: a record may read their elements.
void Exporter::settleOperands(Operation *op) {
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Operation *operand = op->getOperand(i).getDefiningOp();
    while (operand && findNode(operand->getName().getStringRef())) {
      rewriter.setInsertionPoint(operand);
      if (!dropIdentity(operand) && !replaceByConstant(operand))
        break;
      operand = op->getOperand(i).getDefiningOp();
    }
  }
  rewriter.setInsertionPoint(op);
}

bool Exporter::dropIdentity(Operation *op) {
  if (!isIdentity(op))
    return false;
  rewriter.replaceOp(op, op->getOperand(0));
  return true;
}

/// Rewrites a node without operands whose sizes a run gives. A Splat becomes a
/// scalar that is broadcast, an Iota the list 0, 1, ... of integers, scaled,
/// shifted and broadcast: ONNX has an operator for this list alone.
bool Exporter::spreadOpen(Operation *op) {
  if (op->getNumOperands() != 0 || !takesLengths(op))
    return false;
  const Location location = op->getLoc();
  const Sizes shape = shapeOf(op->getResult(0));
  const Type kind = kindOfElements(op->getResult(0)),
             integer = rewriter.getI64Type();
  if (auto splat = llvm::dyn_cast<Splat>(op)) {
    Value one = createSplat(rewriter, location, splat.getValue(), {}, kind);
    rewriter.replaceOp(op, createBroadcast(rewriter, location, one, shape, -1));
    return true;
  }
  auto iota = llvm::dyn_cast<Iota>(op);
  const bool isList = iota && shape.size() == 1 && iota.getStart() == 0 &&
                      iota.getStep() == 1 && kind == integer;
  if (!iota || isList)
    return false;
  const Sizes list{shape[size_t(iota.getAxis())]};
  Value values = createIota(rewriter, location, 0, 1, 0, list, integer);
  values = createCast(rewriter, location, values, kind);
  auto all = [&](double number) {
    return createSplat(rewriter, location, number, list, kind);
  };
  values = createMul(rewriter, location, values, all(iota.getStep()));
  values = createAdd(rewriter, location, values, all(iota.getStart()));
  Sizes along(shape.size() - size_t(iota.getAxis()), 1);
  along.front() = list.front();
  values = createReshape(rewriter, location, values, along);
  rewriter.replaceOp(op,
                     createBroadcast(rewriter, location, values, shape, -1));
  return true;
}

/// The scalar that all elements of a constant equal; null if they differ.
static ElementsAttr repeatedElement(ElementsAttr value) {
  auto type = llvm::cast<RankedTensorType>(value.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  if (auto dense = llvm::dyn_cast<DenseElementsAttr>(value);
      dense && dense.isSplat())
    return DenseElementsAttr::get(scalar, dense.getSplatValue<Attribute>());
  const TensorBytes all = bytesOf(value);
  // In memory, a boolean of an attribute is a bit.
  if (all.bytes.empty() || type.getElementType().isInteger(1))
    return {};
  const size_t width = all.bytes.size() / size_t(type.getNumElements());
  if (all.bytes.drop_back(width) != all.bytes.drop_front(width))
    return {};
  return DenseElementsAttr::getFromRawBuffer(scalar,
                                             all.bytes.take_front(width));
}

/// Replaces a node without operands by a constant. A large constant of equal
/// elements becomes a scalar that is broadcast.
bool Exporter::replaceByConstant(Operation *op) {
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  if (!evaluator || op->getNumOperands() != 0 || op->getNumResults() != 1 ||
      takesLengths(op))
    return false;
  auto values = evaluator->evaluate({op}, [](Value) { return ElementsAttr(); });
  if (failed(values))
    return false;
  ElementsAttr value = values->front();
  constexpr int64_t few = 16;
  if (value.getNumElements() > few)
    if (ElementsAttr one = repeatedElement(value))
      value = one;
  const bool repeats = value != values->front();
  SymbolTable symbols(module);
  auto name = rewriter.getStringAttr("constant");
  OpBuilder storage(function);
  ConstantOp constant = ConstantOp::create(storage, op->getLoc(), name, value);
  symbols.insert(constant, Block::iterator(function));
  Value read =
      ReadOp::create(rewriter, op->getLoc(), value.getType(),
                     FlatSymbolRefAttr::get(constant.getSymNameAttr()));
  if (repeats)
    read = createBroadcast(rewriter, op->getLoc(), read,
                           shapeOf(op->getResult(0)), -1);
  rewriter.replaceOp(op, read);
  return true;
}

/// Splits a Broadcast along other axes than the last into a reshape and a
/// Broadcast along the last axes, the only ones that ONNX has.
bool Exporter::splitBroadcast(Operation *op) {
  auto broadcast = llvm::dyn_cast<Broadcast>(op);
  if (!broadcast || broadcast.getAxis() < 0)
    return false;
  Sizes sizes = shapeOf(broadcast.getIn());
  sizes.resize(size_t(rankOf(broadcast.getOut()) - broadcast.getAxis()), 1);
  Value reshaped =
      createReshape(rewriter, op->getLoc(), broadcast.getIn(), sizes);
  rewriter.replaceOp(op, createBroadcast(rewriter, op->getLoc(), reshaped,
                                         shapeOf(broadcast.getOut()), -1));
  return true;
}

bool Exporter::chooseFor(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (dropIdentity(op) || isListOfSizes(op) || spreadOpen(op) ||
      replaceByConstant(op))
    return true;
  settleOperands(op);
  auto isDefault = [](const NodeForm &form) { return !*form.row->domain; };
  // An operator for several nodes comes before operators for each node.
  auto isJoined = [](const NodeForm &form) { return form.hasPaths(); };
  auto isOther = [](const NodeForm &form) { return *form.row->domain != 0; };
  return chooseRow(op, isJoined) || chooseRow(op, isDefault) ||
         (prefersOther && chooseRow(op, isOther)) || splitBroadcast(op) ||
         succeeded(rules.matchAndRewrite(op, rewriter)) ||
         chooseRow(op, isOther);
}

/// The last node comes first: nodes that only lead to it may be part of its
/// operator.
bool Exporter::choose(bool tells) {
  for (FuncOp one : module.getOps<FuncOp>())
    for (Operation &op : one.block())
      if (findNode(op.getName().getStringRef()) && !isSliceOfTrips(&op))
        open.push_back(&op);
  bool hasAll = true;
  DenseSet<Location> reported; // a node may have become several
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!op)
      continue;
    if (isOpTriviallyDead(op)) {
      rewriter.eraseOp(op);
      continue;
    }
    if (chooseFor(op))
      continue;
    hasAll = false;
    if (!tells)
      return false;
    if (reported.insert(op->getLoc()).second)
      op->emitError() << "no operator of ONNX is '" << op->getName()
                      << "' as it is here, and no rule lowers it: no record "
                         "imports it as this node";
  }
  return hasAll;
}

/// Checks that the file needs all conditions on sizes that the module needs: a
/// choice that was made for some sizes is not among the operators.
static LogicalResult checkConditions(ModuleOp module,
                                     const std::string &bytes) {
  const std::vector<SizeCondition> needed = conditionsOf(module);
  if (needed.empty())
    return success();
  ImportOptions options;
  for (auto port : module.getOps<PlaceholderOp>())
    if (port.getRole() == PlaceholderRole::Input)
      options.lengths[port.portName().str()] =
          sizesOf(llvm::cast<RankedTensorType>(port.getType()));
  unsigned calls = 0;
  options.computedLengths = &calls;
  OwningOpRef<ModuleOp> again =
      importBytes(*module.getContext(), bytes, options);
  if (!again)
    return mlir::failure();
  const std::vector<SizeCondition> found = conditionsOf(*again);
  for (const SizeCondition &condition : needed)
    if (!llvm::is_contained(found, condition)) {
      InFlightDiagnostic error =
          module.emitError()
          << "operators of ONNX are for all sizes, but these nodes are for "
          << condition.text();
      if (!condition.label.empty())
        error << " [" << condition.label << "]";
      return error << ": give one size in place of the range";
    }
  return success();
}

FailureOr<std::string> glow::exportOnnx(ModuleOp module) {
  SmallVector<FuncOp> entries = entriesOf(module);
  if (entries.size() != 1)
    return module.emitError() << "a model of ONNX is one function; this module "
                                 "has others that nothing calls";
  RewritePatternSet patterns(module.getContext());
  addRules("", patterns);
  FrozenRewritePatternSet rules(std::move(patterns));
  // The newest opset that programs of today read. A model that needs an
  // operator of a later opset gets a later one.
  constexpr int64_t usual = 17;
  std::vector<int64_t> opsets = opsetsFrom(usual);
  for (bool prefersOther : {false, true})
    for (int64_t opset : opsets) {
      OwningOpRef<ModuleOp> copy = module.clone();
      ConstantTable constants(*copy);
      Exporter exporter(*copy, entriesOf(*copy).front(), opset, prefersOther,
                        rules);
      SizeDecisions decisions;
      if (!exporter.choose(/*tells=*/false))
        continue;
      addConditions(*copy, decisions.conditions());
      FailureOr<std::string> bytes = exporter.write();
      if (succeeded(bytes) && failed(checkConditions(*copy, *bytes)))
        bytes = mlir::failure();
      return bytes;
    }
  Exporter exporter(module, entries.front(), usual, /*prefersOther=*/true,
                    rules);
  exporter.choose(/*tells=*/true);
  return mlir::failure();
}
