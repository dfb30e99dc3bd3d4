//===- KeptInputs.cpp - what a recurrent node computes, kept
//---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Nodes.h"
#include "glow/Graph/Parts.h"

using namespace mlir;
using namespace glow;

/// The Lstm whose states `inputs` reads, or null.
static Lstm lstmOf(LstmInputs inputs) {
  auto lstm = inputs.getStates().getDefiningOp<Lstm>();
  return lstm && inputs.getStates() == lstm.getOut() ? lstm : Lstm();
}

bool glow::areOfLstm(Value value) {
  auto inputs = value.getDefiningOp<LstmInputs>();
  Lstm lstm = lstmOf(inputs);
  return lstm && !lstm.getLengths() && !inputs.getLengths() &&
         lstm.getWeights() == inputs.getWeights() &&
         lstm.getGates() == inputs.getGates() &&
         lstm.getInitial() == inputs.getInitial() &&
         lstm.getDirectionAttr() == inputs.getDirectionAttr();
}

Value glow::ofKeptLstm(PatternRewriter &rewriter, Value value) {
  Lstm lstm = lstmOf(value.getDefiningOp<LstmInputs>());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(lstm);
  auto kept = KeptLstm::create(
      rewriter, lstm.getLoc(), lstm.getWeights(), lstm.getGates(),
      lstm.getInitial(), lstm.getLengths(), lstm.getInitialCell(),
      lstm.getPeepholes(), lstm.getDirection(), lstm.getActivations(),
      lstm.getClip(), lstm.getCoupled());
  Value inputs = kept.getInputs();
  rewriter.replaceOp(lstm, kept->getResults().drop_back());
  return inputs;
}
