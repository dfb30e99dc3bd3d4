//===- FuseLoops.cpp - index notation with its neighbours -----------------===//
// SPDX-License-Identifier: MIT
//
// A statement that assigns each element of its result once is a loop over the
// result, like a formula. It can be fused with a formula after it, and with a
// formula before it whose result is read only at the index that is written. The
// loops of the records decide both (glow/IR/FormulaLoops.h): this file knows no
// operator.
//
//===----------------------------------------------------------------------===//

#include "Algorithm.h"
#include "Fusion.h"
#include "common/Library.h"
#include "common/Target.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/FormulaLoops.h"
#include "glow/IR/InstrInfo.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

using mlir::failure;

//===----------------------------------------------------------------------===//
// Nodes as formulas
//===----------------------------------------------------------------------===//

namespace {

/// A node as a formula of tensors.
struct FormulaNode {
  Formula formula;
  SmallVector<Value> operands; ///< each once
  bool isIndexed;              ///< whether index notation is among its calls

  Formula::Input inputOf(Value operand) {
    auto *found = llvm::find(operands, operand);
    size_t place = size_t(found - operands.begin());
    if (found == operands.end())
      operands.push_back(operand);
    return {place};
  }
};

} // namespace

/// An attribute as the argument of a formula; nothing if a formula cannot
/// express it.
static std::optional<Formula::Argument> argumentOf(Attribute attribute) {
  if (auto flag = dyn_cast_or_null<BoolAttr>(attribute))
    return double(flag.getValue());
  if (auto number = numberOf(attribute)) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer && int64_t(*number) != integer.getInt()
               ? std::nullopt
               : std::optional<Formula::Argument>(*number);
  }
  if (auto text = dyn_cast_or_null<StringAttr>(attribute))
    return text.getValue().contains('\'')
               ? std::nullopt
               : std::optional<Formula::Argument>(
                     Formula::Text{text.getValue().str()});
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return Formula::Numbers(list.asArrayRef().begin(), list.asArrayRef().end());
  if (auto list = dyn_cast_or_null<DenseF64ArrayAttr>(attribute))
    return Formula::Numbers(list.asArrayRef().begin(), list.asArrayRef().end());
  if (auto type = dyn_cast_or_null<TypeAttr>(attribute))
    if (auto kind = kindOf(type.getValue()))
      return *kind;
  return std::nullopt;
}

/// Whether the instruction has one result, followed by the operands of the
/// node.
static bool hasOperandsOf(const ir::InstrInfo &instr, const NodeInfo &info) {
  return instr.operands.size() == info.operands.size() + 1 &&
         llvm::all_of_zip(instr.operands.subspan(1), info.operands,
                          [](const auto &mine, const auto &theirs) {
                            return StringRef(mine.name) == theirs.name &&
                                   theirs.count != Count::Many;
                          });
}

/// Whether the code of a node is its loops, in f32.
static bool runsAsLoops(Operation *node) {
  const ir::LoopsInfo *loops = ir::findLoops(node->getName().stripDialect());
  if (!loops || loops->formula || node->getNumResults() != 1 ||
      !kindOfElements(node->getResult(0)).isF32() ||
      node->hasAttr(GlowDialect::predicate) || hasCode(node))
    return false;
  auto first = node->getNumOperands() == 0
                   ? std::nullopt
                   : kindOf(kindOfElements(node->getOperand(0)));
  // Kernels of the library have vectors.
  return !first || isScalar(node) ||
         !findLibraryKernel(node->getName().stripDialect().str(), *first,
                            ElementKind::F32);
}

/// A call of the node's index notation.
static std::optional<FormulaNode> callOf(Operation *node) {
  StringRef mnemonic = node->getName().stripDialect();
  const ir::InstrInfo *instr = ir::findInstr(mnemonic);
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!instr || !info || !hasOperandsOf(*instr, *info) || !runsAsLoops(node))
    return std::nullopt;
  FormulaNode piece{{}, {}, /*isIndexed=*/true};
  Formula::Call call{mnemonic.str(), {}};
  unsigned next = 0;
  for (int32_t count : sizesOfOperands(*info, node)) {
    if (count == 0)
      call.arguments.push_back(Formula::Absent());
    else
      call.arguments.push_back(piece.inputOf(node->getOperand(next++)));
  }
  for (const ir::AttributeInfo &attribute : instr->attributes) {
    auto value = argumentOf(node->getAttr(attribute.name));
    if (!value)
      return std::nullopt;
    call.arguments.push_back(std::move(*value));
  }
  piece.formula.calls.push_back(std::move(call));
  return piece;
}

/// A node as a formula; nothing if the node is no loop over its result.
static std::optional<FormulaNode> pieceOf(Operation *node) {
  if (!node)
    return std::nullopt;
  auto fused = dyn_cast<CpuFusedLoops>(node);
  if (!fused)
    return callOf(node);
  if (!kindOfElements(fused).isF32())
    return std::nullopt;
  return FormulaNode{formulaOf(fused), SmallVector<Value>(fused.getOperands()),
                     !ir::isPointwise(formulaOf(fused))};
}

//===----------------------------------------------------------------------===//
// Two loops as one
//===----------------------------------------------------------------------===//

/// Whether the statement waits for elements of a large tensor at loaded
/// indices.
static bool waits(const loops::Program &program) {
  SmallVector<loops::Term> open = {program.statements.front().value};
  llvm::SmallPtrSet<const loops::Node *, 32> seen;
  while (!open.empty()) {
    loops::Term term = open.pop_back_val();
    if (!seen.insert(term.get()).second)
      continue;
    if (term->op == loops::Op::Load) {
      const loops::Tensor &tensor = program.tensors[size_t(term->integer)];
      int64_t bytes = expr::prod(tensor.shape) * int64_t(byteSize(tensor.kind));
      if (bytes > Target::secondLevelCache &&
          llvm::any_of(term->operands, loops::hasLoad))
        return true;
    }
    open.append(term->operands.begin(), term->operands.end());
  }
  return false;
}

/// Whether the fused loop is as fast as two loops. A processor has some hundred
/// instructions in flight. With many instructions between loads, few loads are
/// in flight at once, and loads that cannot be prefetched are waited for.
static bool isFast(const loops::Program &program, const Formula &formula) {
  constexpr unsigned fewOperations = 8;
  return ir::operationsOf(formula) <= fewOperations || !waits(program);
}

/// Fuses two pieces, where `first` computes operand `place` of `next`.
static std::optional<FusedFormula> fused(const FormulaNode &first,
                                         const FormulaNode &next, size_t place,
                                         RankedTensorType result) {
  if (!first.formula.mayPrecede(next.formula))
    return std::nullopt;
  SmallVector<Value> operands = first.operands;
  for (auto [i, value] : llvm::enumerate(next.operands))
    if (i != place)
      operands.push_back(value);
  std::optional<FusedFormula> both = withOrderedOperands(
      joined(first.formula, next.formula, first.operands.size(), place),
      operands);
  if (!both || both->operands.empty())
    return std::nullopt;
  SmallVector<RankedTensorType> types;
  for (Value operand : both->operands)
    types.push_back(tensorType(operand));
  std::unique_ptr<loops::Program> program =
      ir::loopsOf(both->formula, result, types);
  return program && isFast(*program, both->formula) ? both : std::nullopt;
}

namespace {

/// Fuses a loop with the loop that computes one of its operands and has no
/// other user, if one of them is index notation.
struct FuseLoops : RewritePattern {
  explicit FuseLoops(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *node,
                                PatternRewriter &rewriter) const override {
    std::optional<FormulaNode> next = pieceOf(node);
    if (!next)
      return failure();
    RankedTensorType result = tensorType(node->getResult(0));
    for (auto [place, operand] : llvm::enumerate(next->operands)) {
      if (operand.getType() != result || !onlyUser(operand, node))
        continue;
      std::optional<FormulaNode> first = pieceOf(operand.getDefiningOp());
      if (!first || !(first->isIndexed || next->isIndexed))
        continue;
      if (auto both = fused(*first, *next, place, result)) {
        Location locations[] = {operand.getDefiningOp()->getLoc(),
                                node->getLoc()};
        // The step has the name of the index notation, because it may fail.
        if (!first->isIndexed)
          std::swap(locations[0], locations[1]);
        rewriter.replaceOp(node,
                           makeFused(rewriter, rewriter.getFusedLoc(locations),
                                     *both, Ints(result.getShape())));
        return success();
      }
    }
    return failure();
  }
};

} // namespace

void cpu::addLoops(RewritePatternSet &patterns) {
  patterns.add<FuseLoops>(patterns.getContext());
}
