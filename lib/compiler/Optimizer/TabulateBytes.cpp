//===- TabulateBytes.cpp - functions of a byte as tables ------------------===//
// SPDX-License-Identifier: MIT
//
// A byte has 256 values, so any function from bytes to bytes, element by
// element, is a table. The nodes themselves compute the table for all bytes at
// once, by the interpreter's kernels: no backend can differ from these.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_TABULATEBYTES
#include "glow/Optimizer/Passes.h.inc"

namespace {

constexpr int64_t allBytes = 256;

bool isByte(Value value) {
  auto kind = kindOf(kindOfElements(value));
  return kind == ElementKind::I8 || kind == ElementKind::U8;
}

/// The number that all elements of an operand equal; nullopt if they differ.
std::optional<double> numberFor(Value operand) {
  double number = numberOf(operand);
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

/// A function of the elements of one tensor of bytes.
struct FunctionOfByte {
  Value byte;
  bool computes; ///< more than steps of another scale
};

/// Replaces every function from one tensor of bytes to bytes by a table,
/// however many nodes it takes.
///
/// Pinned after the rewrites, which know some functions behind sums. Before
/// nodes are lowered, since records state which nodes are functions of one
/// element. A change of scale alone gets no table: code behind sums rounds once
/// for it. Ends because it visits each node once; replaced nodes are dead.
struct TabulateBytes : impl::TabulateBytesBase<TabulateBytes> {
  using TabulateBytesBase::TabulateBytesBase;

  void runOnOperation() override {
    evaluator = NodeEvaluator::of(&getContext());
    if (!evaluator)
      return;
    SymbolTable symbols(getOperation());
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      functions.clear();
      within.clear();
      {
        ConstantTable constants(getOperation());
        for (Operation &op : function.block())
          if (auto found = functionOf(op))
            functions[op.getResult(0)] = *found;
      }
      if (failed(tabulate(function, symbols)))
        return signalPassFailure();
    }
  }

private:
  /// The operands that vary by element; the others are numbers that all
  /// elements share. Nullopt for a node that does not work element by element.
  static std::optional<SmallVector<Value>> elementsRead(Operation &op) {
    if (op.getNumResults() != 1 || hasQuantized(&op))
      return std::nullopt;
    if (isa<Quantize, Dequantize>(op)) {
      for (Value parameter : op.getOperands().drop_front())
        if (elementsOf(parameter) != 1 || !numberFor(parameter))
          return std::nullopt;
      return SmallVector<Value>{op.getOperand(0)};
    }
    const NodeInfo *info = findNode(op.getName().getStringRef());
    if (!info || (info->kernel != NodeKernel::Formula && !isa<Cast>(op)))
      return std::nullopt;
    SmallVector<Value> read;
    for (Value operand : op.getOperands())
      if (!numberFor(operand))
        read.push_back(operand);
    return read;
  }

  std::optional<FunctionOfByte> functionOf(Operation &op) {
    auto read = elementsRead(op);
    if (!read || read->empty())
      return std::nullopt;
    FunctionOfByte made{Value(), !isa<Quantize, Dequantize, Cast>(op)};
    for (Value operand : *read) {
      FunctionOfByte before{operand, false};
      if (auto found = functions.find(operand); found != functions.end())
        before = found->second;
      else if (!isByte(operand) || isConstant(operand))
        return std::nullopt;
      if ((made.byte && made.byte != before.byte) ||
          shapeOf(before.byte) != shapeOf(op.getResult(0)))
        return std::nullopt;
      made = {before.byte, made.computes || before.computes};
    }
    return made;
  }

  bool mayBeTable(Value value) {
    auto found = functions.find(value);
    return found != functions.end() && found->second.computes && isByte(value);
  }
  /// Whether every reader of a value is part of a longer function with results
  /// of bytes.
  bool isWithin(Value value) {
    if (auto known = within.find(value); known != within.end())
      return known->second;
    bool is = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user->getNumResults() == 1 &&
             functions.contains(user->getResult(0)) &&
             (mayBeTable(user->getResult(0)) || isWithin(user->getResult(0)));
    });
    return within[value] = is && !value.use_empty();
  }

  LogicalResult tabulate(FuncOp function, SymbolTable &symbols) {
    SmallVector<Operation *> ends;
    for (Operation &op : function.block())
      if (op.getNumResults() == 1)
        if (mayBeTable(op.getResult(0)) && !isWithin(op.getResult(0)))
          ends.push_back(&op);
    // All tables are computed before any node is replaced, since functions
    // share nodes.
    SmallVector<ElementsAttr> tables;
    for (Operation *end : ends) {
      auto table = tableOf(end->getResult(0));
      if (failed(table))
        return failure();
      tables.push_back(*table);
    }
    for (auto [end, table] : llvm::zip(ends, tables))
      replace(end->getResult(0), table, symbols);
    return success();
  }

  /// The nodes from the bytes to `value`, in order.
  SmallVector<Operation *> nodesOf(Value value) {
    llvm::SmallSetVector<Operation *, 8> nodes;
    nodes.insert(value.getDefiningOp());
    for (size_t i = 0; i < nodes.size(); ++i)
      for (Value operand : nodes[i]->getOperands())
        if (functions.contains(operand))
          nodes.insert(operand.getDefiningOp());
    SmallVector<Operation *> ordered(nodes.begin(), nodes.end());
    llvm::sort(ordered, [](Operation *left, Operation *right) {
      return left->isBeforeInBlock(right);
    });
    return ordered;
  }

  /// The function's value for each byte, the least byte first.
  FailureOr<ElementsAttr> tableOf(Value value) {
    Value byte = functions.find(value)->second.byte;
    Location location = value.getLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    OpBuilder builder(module->getBodyRegion());
    Ints numbers;
    for (int64_t i = 0; i < allBytes; ++i)
      numbers.push_back(int64_t(expr::lowestOf(kindOfElements(byte))) + i);
    IRMapping mapping;
    mapping.map(byte, createLiteral(builder, location, numbers, {allBytes},
                                    kindOfElements(byte))
                          .getResult());
    for (Operation *node : nodesOf(value)) {
      bool isScaled = isa<Quantize, Dequantize>(node);
      for (Value operand : node->getOperands())
        if (!mapping.contains(operand))
          mapping.map(operand,
                      createSplat(builder, location, *numberFor(operand),
                                  isScaled ? Ints() : Ints{allBytes},
                                  kindOfElements(operand))
                          .getResult());
      Operation *made = builder.clone(*node, mapping);
      made->getResult(0).setType(RankedTensorType::get(
          {allBytes}, kindOfElements(node->getResult(0))));
    }
    SmallVector<Operation *> nodes;
    for (Operation &op : *module->getBody())
      nodes.push_back(&op);
    auto values =
        evaluator->evaluate(nodes, [](Value) { return ElementsAttr(); });
    if (failed(values))
      return failure();
    return values->front();
  }

  void replace(Value value, ElementsAttr table, SymbolTable &symbols) {
    OpBuilder builder(value.getDefiningOp());
    Location location = value.getLoc();
    auto constant = ConstantOp::create(builder, location, "table", table);
    constant->remove();
    StringAttr symbol = symbols.insert(constant);
    Value read = ReadOp::create(builder, location, table.getType(),
                                FlatSymbolRefAttr::get(symbol));
    value.replaceAllUsesWith(createIntLookupTable(
        builder, location, functions.find(value)->second.byte, read));
  }

  const NodeEvaluator *evaluator = nullptr;
  llvm::DenseMap<Value, FunctionOfByte> functions;
  llvm::DenseMap<Value, bool> within;
};

} // namespace
} // namespace glow
