//===- AttentionSoftmax.cpp - formula and softmax of rows of scores -------===//
// SPDX-License-Identifier: MIT

#include "AttentionEmitter.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

void AttentionEmitter::emitSoftmax(Value *row, Value *index, Value *firstKey,
                                   const Length &count,
                                   ArrayRef<Value *> ofBlock) {
  SmallVector<Value *> arguments = {row};
  for (const Extra &extra : extras) {
    Value *offset = code.add(code.add(times(code, image, extra.steps[0]),
                                      times(code, head, extra.steps[1])),
                             code.add(times(code, index, extra.steps[2]),
                                      times(code, firstKey, extra.steps[3])));
    arguments.push_back(code.at(code.buffer(extra.buffer), offset));
  }
  if (!ofBlock.empty())
    arguments.push_back(code.at(largest, index));
  append_range(arguments, ofBlock);
  if (!count.isFixed())
    arguments.push_back(valueOf(code, count));
  if (!softmax)
    softmax = makeSoftmax(count, !ofBlock.empty(), arguments);
  code.CreateCall(softmax, arguments);
}

Function *AttentionEmitter::makeSoftmax(const Length &keys, bool isOfBlock,
                                        ArrayRef<Value *> arguments) {
  SmallVector<llvm::Type *> parameters;
  for (Value *argument : arguments)
    parameters.push_back(argument->getType());
  KeyCount count{keys.range().high};
  Function *function = code.module.addFunction(
      code.function->getName() + ".softmax" + Twine(count.fixed), parameters,
      /*internal=*/true);
  // Not inlined: a tile would contain the exponential once for each of up to
  // eight rows.
  function->addFnAttr(Attribute::NoInline);
  Emitter row(code.module, function);
  if (!keys.isFixed())
    count.open = function->getArg(unsigned(arguments.size()) - 1);
  // The largest score is subtracted before the exponential, so that no power
  // exceeds 1.
  Value *best = emitFormulaOfRow(row, count);
  if (isOfBlock) {
    emitPowersOfBlock(row, count, best);
  } else {
    Value *sum = emitPowers(row, count, best);
    Value *one = ConstantFP::get(row.vector, 1.0);
    Value *factor = row.CreateFDiv(one, sum);
    overRow(row, count, factor, [&](Value *place, Value *factor, KeyLanes) {
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

/// Whether each lane is one of the first `count`.
static Value *insideOf(Emitter &row, Value *count) {
  SmallVector<Constant *> numbers;
  for (int64_t i = 0; i < lanes; ++i)
    numbers.push_back(row.getInt32(uint32_t(i)));
  return row.CreateICmpULT(
      ConstantVector::get(numbers),
      row.CreateVectorSplat(unsigned(lanes),
                            row.CreateTrunc(count, row.getInt32Ty())));
}

Value *AttentionEmitter::emitFormulaOfRow(Emitter &row, KeyCount count) {
  Value *scores = row.function->getArg(0);
  Value *least = row.splat(ConstantFP::getInfinity(row.getFloatTy(), true));
  auto most = [&](Value *place, Value *best, KeyLanes keys) {
    Value *value = rowFormula(row, place, keys);
    // Lanes beyond the end have weight 0.
    if (keys.mask) {
      value = row.CreateSelect(keys.mask, value, least);
    } else if (keys.count < lanes) {
      SmallVector<Constant *> inside;
      for (int64_t i = 0; i < lanes; ++i)
        inside.push_back(row.getInt1(i < keys.count));
      value = row.CreateSelect(ConstantVector::get(inside), value, least);
    }
    row.storeVector(value, row.at(scores, place));
    return larger(row, value, best);
  };
  return overLanes(row, overRow(row, count, least, most), larger);
}

Value *AttentionEmitter::emitPowers(Emitter &row, KeyCount count, Value *best) {
  Value *scores = row.function->getArg(0);
  auto power = [&](Value *place, Value *sum, KeyLanes) {
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

void AttentionEmitter::emitPowersOfBlock(Emitter &row, KeyCount count,
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
    Emitter &row, KeyCount count, Value *carried,
    function_ref<Value *(Value *, Value *, KeyLanes)> body) {
  auto whole = [&](Value *v, const Emitter::Values &values) {
    return Emitter::Values{body(row.times(v, lanes), values[0], {})};
  };
  Value *zero = row.integer(0);
  if (count.open) {
    // The last vector, which perhaps is whole, has a mask.
    Value *full = row.CreateUDiv(row.CreateSub(count.open, row.integer(1)),
                                 row.integer(lanes));
    carried = row.loop(zero, full, {carried}, whole, /*maybeNone=*/true)[0];
    Value *place = row.times(full, lanes);
    Value *mask = insideOf(row, row.CreateSub(count.open, place));
    return body(place, carried, {lanes, mask});
  }
  if (count.fixed >= lanes)
    carried =
        row.loop(zero, row.integer(count.fixed / lanes), {carried}, whole)[0];
  if (int64_t rest = count.fixed % lanes)
    carried = body(row.integer(count.fixed - rest), carried, {rest});
  return carried;
}

Value *AttentionEmitter::rowFormula(Emitter &row, Value *place, KeyLanes keys) {
  auto load = [&](Value *pointer) -> Value * {
    if (!keys.mask)
      return row.loadVector(pointer, keys.count);
    return row.CreateMaskedLoad(row.vector, pointer, Align(4), keys.mask,
                                ConstantAggregateZero::get(row.vector));
  };
  SmallVector<Value *> operands = {
      row.loadVector(row.at(row.function->getArg(0), place))};
  for (auto [i, extra] : enumerate(extras)) {
    Value *pointer = row.function->getArg(unsigned(i) + 1);
    // An operand that does not vary along the keys is a scalar of the row.
    operands.push_back(extra.steps[3] == 0 ? row.splat(row.loadElement(pointer))
                                           : load(row.at(pointer, place)));
  }
  return emitFormula(row, formula, operands, Rounding::Fast);
}
