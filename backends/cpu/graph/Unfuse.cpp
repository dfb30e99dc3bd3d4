//===- Unfuse.cpp - formulas of one node as the node ----------------------===//
//
// A processor without vectors has no epilogues. A node of its own may write over
// its operand, as the instruction of a formula may not, and memory is what a
// small processor has least of.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

using mlir::failure;

namespace {

struct UnfuseNode : OpRewritePattern<CpuFusedElementwise> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CpuFusedElementwise node,
                                PatternRewriter &rewriter) const override {
    const Formula &formula = formulaOf(node);
    if (!isScalar(node) || formula.calls.size() != 1)
      return failure();
    const Formula::Call &call = formula.calls.front();
    const ir::InstrInfo *instr = ir::findInstr(call.mnemonic);
    Type type = node->getResult(0).getType();
    if (!instr || !instr->attributes.empty())
      return failure();
    SmallVector<Value> operands;
    for (const Formula::Argument &argument : call.arguments) {
      auto *input = std::get_if<Formula::Input>(&argument);
      if (!input || node.getIns()[input->index].getType() != type)
        return failure();
      operands.push_back(node.getIns()[input->index]);
    }
    OperationState state(node.getLoc(), "glow." + call.mnemonic, operands,
                         {type});
    rewriter.replaceOp(node, rewriter.create(state));
    return success();
  }
};

} // namespace

void cpu::addUnfusing(RewritePatternSet &patterns) {
  patterns.add<UnfuseNode>(patterns.getContext());
}
