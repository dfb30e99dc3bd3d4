//===- ControlFlow.cpp - calls of functions of instructions ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Build.h"
#include "glow/IR/ControlFlow.h"
#include "glow/IRGen/IRGen.h"

using namespace mlir;
using namespace glow;

static LogicalResult generateIf(IfOp node, InstrBuilder &instr) {
  instr.write(node->getResults());
  instr.read(node.getCondition());
  instr.read(node.getCaptured());
  instr.read(node.getOthers());
  instr.attribute("then", node.getThen().str());
  instr.attribute("otherwise", node.getOtherwise().str());
  return instr.create(ir::IfInstr::getOperationName());
}

/// The function of a loop. The function of instructions may have its name
/// already.
static FuncOp bodyOf(LoopOp node) {
  auto functions = node->getParentOfType<ModuleOp>().getOps<FuncOp>();
  return *llvm::find_if(functions, [&](FuncOp one) {
    return one.getSymName() == node.getBody();
  });
}

static LogicalResult generateLoop(LoopOp node, InstrBuilder &instr) {
  instr.write(node->getResults());
  SmallVector<SmallVector<Value>> next;
  for (Value initial : node.getInitial())
    next.push_back(instr.allocate("next", initial.getType()));
  instr.use(next);
  auto scalar = [&](unsigned width) {
    return RankedTensorType::get({},
                                 IntegerType::get(node.getContext(), width));
  };
  instr.use(instr.allocate("trip", scalar(64)));
  SmallVector<SmallVector<Value>> going;
  if (node.givesGoing(bodyOf(node)))
    going.push_back(instr.allocate("going", scalar(1)));
  instr.use(going);
  instr.read(node.getTrips());
  instr.read(node.getCondition());
  instr.read(node.getInitial());
  instr.read(node.getSliced());
  instr.read(node.getCaptured());
  instr.attribute("body", node.getBody().str());
  Builder builder(node.getContext());
  instr.attribute("count", node.getCount().value_or(
                               Attribute(builder.getDenseI64ArrayAttr({}))));
  SmallVector<int64_t> forward(node.getSliced().size() + node.stackedCount());
  instr.attribute("backwards", node.getBackwards()
                                   ? Attribute(node.getBackwardsAttr())
                                   : builder.getDenseI64ArrayAttr(forward));
  instr.attribute("checked", builder.getBoolAttr(node.getChecked()));
  return instr.create(ir::LoopInstr::getOperationName());
}

LogicalResult glow::generateCall(Operation *node, InstrBuilder &instr) {
  instr.beginNode(node);
  if (auto branch = dyn_cast<IfOp>(node))
    return generateIf(branch, instr);
  return generateLoop(cast<LoopOp>(node), instr);
}
