//===- AttentionSoftmax.cpp - formula and softmax of rows of scores -------===//
// SPDX-License-Identifier: MIT

#include "AttentionEmitter.h"

using namespace glow::cpu;
using namespace llvm;

void AttentionEmitter::emitSoftmax(Value *row, Value *index, Value *firstKey,
                                   int64_t count, ArrayRef<Value *> ofBlock) {
  SmallVector<Value *> arguments = {row};
  for (const Extra &extra : extras) {
    Value *offset = code.add(code.add(code.times(image, extra.steps[0]),
                                      code.times(head, extra.steps[1])),
                             code.add(code.times(index, extra.steps[2]),
                                      code.times(firstKey, extra.steps[3])));
    arguments.push_back(code.at(code.buffer(extra.buffer), offset));
  }
  if (!ofBlock.empty())
    arguments.push_back(code.at(largest, index));
  append_range(arguments, ofBlock);
  if (!softmax)
    softmax = makeSoftmax(count, arguments);
  code.CreateCall(softmax, arguments);
}

Function *AttentionEmitter::makeSoftmax(int64_t count,
                                        ArrayRef<Value *> arguments) {
  SmallVector<llvm::Type *> parameters;
  for (Value *argument : arguments)
    parameters.push_back(argument->getType());
  Function *function = code.module.addFunction(
      code.function->getName() + ".softmax" + Twine(count), parameters,
      /*internal=*/true);
  // Not inlined: a tile would contain the exponential once for each of up to
  // eight rows.
  function->addFnAttr(Attribute::NoInline);
  Emitter row(code.module, function);
  // The largest score is subtracted before the exponential, so that no power
  // exceeds 1.
  Value *best = emitFormulaOfRow(row, count);
  if (isBlocked(a)) {
    emitPowersOfBlock(row, count, best);
  } else {
    Value *sum = emitPowers(row, count, best);
    Value *one = ConstantFP::get(row.vector, 1.0);
    Value *factor = row.CreateFDiv(one, sum);
    overRow(row, count, factor, [&](Value *place, Value *factor, int64_t) {
      scale(row, row.at(function->getArg(0), place), factor);
      return factor;
    });
  }
  row.CreateRetVoid();
  return function;
}

void AttentionEmitter::scale(Emitter &code, Value *place, Value *factor) {
  code.storeVector(code.CreateFMul(code.loadVector(place), factor), place);
}

Value *AttentionEmitter::larger(Emitter &code, Value *a, Value *b) {
  // LLVM's maximum intrinsics either drop NaN or take several instructions.
  return code.CreateSelect(code.CreateFCmpOGT(a, b), a, b);
}

/// Combines all lanes; every lane has the result.
static Value *
overLanes(Emitter &code, Value *vector,
          function_ref<Value *(Emitter &, Value *, Value *)> combine) {
  for (int64_t step = lanes / 2; step; step /= 2) {
    SmallVector<int> turned;
    for (int64_t lane = 0; lane < lanes; ++lane)
      turned.push_back(int(lane ^ step));
    vector = combine(code, vector, code.CreateShuffleVector(vector, turned));
  }
  return vector;
}

Value *AttentionEmitter::emitFormulaOfRow(Emitter &row, int64_t count) {
  Value *scores = row.function->getArg(0);
  Value *least = row.splat(ConstantFP::getInfinity(row.getFloatTy(), true));
  auto most = [&](Value *place, Value *best, int64_t count) {
    Value *value = rowFormula(row, place, count);
    if (count < lanes) { // lanes beyond the end have weight 0
      SmallVector<Constant *> inside;
      for (int64_t i = 0; i < lanes; ++i)
        inside.push_back(row.getInt1(i < count));
      value = row.CreateSelect(ConstantVector::get(inside), value, least);
    }
    row.storeVector(value, row.at(scores, place));
    return larger(row, value, best);
  };
  return overLanes(row, overRow(row, count, least, most), larger);
}

Value *AttentionEmitter::emitPowers(Emitter &row, int64_t count, Value *best) {
  Value *scores = row.function->getArg(0);
  auto power = [&](Value *place, Value *sum, int64_t) {
    Value *value = powerOf(row, row.loadVector(row.at(scores, place)), best);
    row.storeVector(value, row.at(scores, place));
    return row.CreateFAdd(sum, value);
  };
  Value *sum =
      overRow(row, count, ConstantAggregateZero::get(row.vector), power);
  return overLanes(row, sum, [](Emitter &code, Value *a, Value *b) {
    return code.CreateFAdd(a, b);
  });
}

Value *AttentionEmitter::powerOf(Emitter &row, Value *value, Value *best) {
  static const Formula exponential = *Formula::parse("sub(x0, x1); exp(t0)");
  return emitFormula(row, exponential, {value, best}, Rounding::Fast);
}

void AttentionEmitter::emitPowersOfBlock(Emitter &row, int64_t count,
                                         Value *best) {
  unsigned next = unsigned(extras.size()) + 1;
  Value *place = row.function->getArg(next);
  Value *before = row.splat(row.loadElement(place));
  best = larger(row, best, before);
  auto storeFirst = [&](Value *vector, Value *to) {
    row.CreateStore(row.CreateExtractElement(vector, uint64_t(0)), to);
  };
  storeFirst(best, place);
  // exp(before - best) scales sums relative to the old largest score to sums
  // relative to the new one. Before the first key, `before` is the least number
  // and the sums are 0.
  Value *factor = powerOf(row, before, best);
  Value *sum = emitPowers(row, count, best);
  Value *total = row.at(place, paddedRows());
  Value *scaled = row.CreateFMul(row.splat(row.loadElement(total)), factor);
  storeFirst(row.CreateFAdd(scaled, sum), total);
  Value *sums = row.function->getArg(next + 1);
  for (int64_t p = 0; p < panels(); ++p) {
    for (int64_t b = 0; b < panelBlocks(); ++b)
      scale(row, row.at(sums, b * lanes), factor);
    sums = row.at(sums, row.function->getArg(next + 2));
  }
}

Value *AttentionEmitter::overRow(
    Emitter &row, int64_t count, Value *carried,
    function_ref<Value *(Value *, Value *, int64_t)> body) {
  if (count >= lanes)
    carried = row.loop(row.integer(0), row.integer(count / lanes), {carried},
                       [&](Value *v, Emitter::Values values) {
                         return Emitter::Values{
                             body(row.times(v, lanes), values[0], lanes)};
                       })[0];
  if (int64_t rest = count % lanes)
    carried = body(row.integer(count - rest), carried, rest);
  return carried;
}

Value *AttentionEmitter::rowFormula(Emitter &row, Value *place, int64_t count) {
  SmallVector<Value *> operands = {
      row.loadVector(row.at(row.function->getArg(0), place))};
  for (auto [i, extra] : enumerate(extras)) {
    Value *pointer = row.function->getArg(unsigned(i) + 1);
    // An operand that does not vary along the keys is a scalar of the row.
    operands.push_back(extra.steps[3]
                           ? row.loadVector(row.at(pointer, place), count)
                           : row.splat(row.loadElement(pointer)));
  }
  return emitFormula(row, formula, operands, Rounding::Fast);
}
