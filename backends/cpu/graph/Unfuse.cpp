//===- Unfuse.cpp - formulas of whole operands as nodes -------------------===//
// SPDX-License-Identifier: MIT
//
// Code for a processor without vectors has no epilogues. A separate node may
// write over its operand, unlike the instruction of a formula. This saves
// memory, of which a small processor has little.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

using mlir::failure;

namespace {

/// Whether a call is that of a node without attributes, on operands of the
/// whole shape.
bool isAlone(const Formula::Call &call, ValueRange inputs, Type type) {
  const ir::InstrInfo *instr = ir::findInstr(call.mnemonic);
  auto kinds = ir::formulaKinds(call.mnemonic, ElementKind::F32);
  auto isF32 = [](ElementKind kind) { return kind == ElementKind::F32; };
  if (!instr || !instr->attributes.empty() || !kinds || !isF32(kinds->result) ||
      !llvm::all_of(kinds->operands, isF32))
    return false;
  return llvm::all_of(call.arguments, [&](const Formula::Argument &argument) {
    if (auto *input = std::get_if<Formula::Input>(&argument))
      return inputs[input->index].getType() == type;
    return std::get_if<Formula::Value>(&argument) != nullptr;
  });
}

struct UnfuseNode : OpRewritePattern<CpuFusedLoops> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedLoops node,
                                PatternRewriter &rewriter) const override {
    if (!isScalar(node) || !isElementwise(node))
      return failure();
    const Formula &formula = formulaOf(node);
    Type type = node->getResult(0).getType();
    if (!llvm::all_of(formula.calls, [&](const Formula::Call &call) {
          return isAlone(call, node.getIns(), type);
        }))
      return failure();
    SmallVector<Value> results;
    for (const Formula::Call &call : formula.calls) {
      OperationState state(node.getLoc(), "glow." + call.mnemonic);
      for (const Formula::Argument &argument : call.arguments) {
        auto *input = std::get_if<Formula::Input>(&argument);
        state.addOperands(
            input ? Value(node.getIns()[input->index])
                  : results[std::get<Formula::Value>(argument).index]);
      }
      state.addTypes(type);
      results.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOp(node, results.back());
    return success();
  }
};

} // namespace

void cpu::addUnfusing(RewritePatternSet &patterns) {
  patterns.add<UnfuseNode>(patterns.getContext());
}
