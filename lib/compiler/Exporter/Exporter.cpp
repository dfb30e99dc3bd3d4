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
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Lowering/Rules.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace glow;
using namespace mlir;

namespace {

class Exporter : RewriterBase::Listener {
public:
  Exporter(ModuleOp module, FuncOp function, int64_t opset,
           const FrozenRewritePatternSet &rules)
      : module(module), function(function), version{opset},
        rewriter(module.getContext()), rules(rules) {
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
  bool chooseRow(Operation *op, bool isDefaultDomain);
  bool chooseFor(Operation *op);
  bool dropIdentity(Operation *op);
  bool replaceByConstant(Operation *op);
  bool splitBroadcast(Operation *op);

  ModuleOp module;
  FuncOp function;
  const WrittenFor version;
  PatternRewriter rewriter;
  PatternApplicator rules;
  SmallVector<Operation *> open;
  NodeForms forms;
};

} // namespace

bool Exporter::chooseRow(Operation *op, bool isDefaultDomain) {
  NodeForm form = formOf(op, isDefaultDomain, version);
  if (!form.row)
    return false;
  forms[op] = std::move(form);
  return true;
}

bool Exporter::dropIdentity(Operation *op) {
  if (!isIdentity(op))
    return false;
  rewriter.replaceOp(op, op->getOperand(0));
  return true;
}

/// Replaces a node without operands by a constant. A large constant of equal
/// elements becomes a scalar that is broadcast.
bool Exporter::replaceByConstant(Operation *op) {
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  if (!evaluator || op->getNumOperands() != 0 || op->getNumResults() != 1)
    return false;
  auto values = evaluator->evaluate({op}, [](Value) { return ElementsAttr(); });
  if (failed(values))
    return false;
  ElementsAttr value = values->front();
  auto type = llvm::cast<RankedTensorType>(value.getType());
  constexpr int64_t few = 16;
  auto dense = llvm::dyn_cast<DenseElementsAttr>(value);
  const bool repeats = type.getNumElements() > few && dense && dense.isSplat();
  if (repeats) {
    type = RankedTensorType::get({}, type.getElementType());
    value = DenseElementsAttr::get(type, dense.getSplatValue<Attribute>());
  }
  SymbolTable symbols(module);
  auto name = rewriter.getStringAttr("constant");
  OpBuilder storage(function);
  ConstantOp constant = ConstantOp::create(storage, op->getLoc(), name, value);
  symbols.insert(constant, Block::iterator(function));
  Value read =
      ReadOp::create(rewriter, op->getLoc(), type,
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
  return dropIdentity(op) || replaceByConstant(op) ||
         chooseRow(op, /*isDefaultDomain=*/true) || splitBroadcast(op) ||
         succeeded(rules.matchAndRewrite(op, rewriter)) ||
         chooseRow(op, /*isDefaultDomain=*/false);
}

bool Exporter::choose(bool tells) {
  for (Operation &op : llvm::reverse(function.block()))
    if (findNode(op.getName().getStringRef()))
      open.push_back(&op);
  bool hasAll = true;
  DenseSet<Location> reported; // a node may have become several
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
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

FailureOr<std::string> glow::exportOnnx(ModuleOp module) {
  auto functions = module.getOps<FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return module.emitError()
           << "a model of ONNX is one function; this module has others";
  RewritePatternSet patterns(module.getContext());
  addRules("", patterns);
  FrozenRewritePatternSet rules(std::move(patterns));
  // The newest opset that programs of today read. A model that needs an
  // operator of a later opset gets a later one.
  constexpr int64_t usual = 17;
  std::vector<int64_t> opsets = opsetsFrom(usual);
  for (int64_t opset : opsets) {
    OwningOpRef<ModuleOp> copy = module.clone();
    ConstantTable constants(*copy);
    Exporter exporter(*copy, *copy->getOps<FuncOp>().begin(), opset, rules);
    if (exporter.choose(/*tells=*/false))
      return exporter.write();
  }
  Exporter exporter(module, *functions.begin(), usual, rules);
  exporter.choose(/*tells=*/true);
  return failure();
}
