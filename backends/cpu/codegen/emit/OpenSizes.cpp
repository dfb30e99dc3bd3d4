//===- OpenSizes.cpp - sizes that a run gives, in code --------------------===//
// SPDX-License-Identifier: MIT

#include "OpenSizes.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include <bit>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

Value *cpu::floorDivide(Emitter &code, Value *a, Value *b, bool rest) {
  llvm::Type *type = a->getType();
  const APInt *power;
  if (PatternMatch::match(b, PatternMatch::m_Power2(power)) &&
      power->isStrictlyPositive())
    return rest ? code.CreateAnd(a, ConstantInt::get(type, *power - 1))
                : code.CreateAShr(a, power->logBase2());
  auto number = [&](int64_t value) {
    return ConstantInt::get(type, value, true);
  };
  Value *minusOne = code.CreateICmpEQ(b, number(-1));
  Value *zero = code.CreateICmpEQ(b, number(0));
  // Division by 0 is undefined, and division by -1 may overflow.
  Value *divisor =
      code.CreateSelect(code.CreateOr(minusOne, zero), number(1), b);
  Value *quotient = code.CreateSDiv(a, divisor);
  Value *left = code.CreateSub(a, code.CreateMul(quotient, divisor));
  Value *below = code.CreateAnd(
      code.CreateICmpNE(left, number(0)),
      code.CreateICmpSLT(code.CreateXor(left, divisor), number(0)));
  if (rest) {
    left = code.CreateSelect(below, code.CreateAdd(left, divisor), left);
    return code.CreateSelect(code.CreateOr(minusOne, zero), number(0), left);
  }
  quotient = code.CreateSub(quotient, code.CreateZExt(below, type));
  quotient = code.CreateSelect(minusOne, code.CreateNeg(a), quotient);
  return code.CreateSelect(zero, number(0), quotient);
}

Value *cpu::sizeOf(Emitter &code, const SizeVariable &variable) {
  // At the beginning: no store of a loop changes it.
  Emitter::InsertPointGuard guard(code);
  BasicBlock &entry = code.function->getEntryBlock();
  code.SetInsertPoint(&entry, entry.begin());
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  auto *info = StructType::get(code.getContext(),
                               {pointer, pointer, pointer, integer, pointer});
  Value *sizes = code.CreateAlignedLoad(
      pointer, code.CreateStructGEP(info, code.function->getArg(0), 4),
      Align(8));
  LoadInst *size = code.CreateAlignedLoad(
      integer,
      code.CreateConstGEP1_64(integer, sizes, code.module.numberOf(variable)),
      Align(8));
  MDBuilder ranges(code.getContext());
  size->setMetadata(LLVMContext::MD_range,
                    ranges.createRange(APInt(64, uint64_t(variable.low)),
                                       APInt(64, uint64_t(variable.high) + 1)));
  return size;
}

Value *cpu::valueOf(Emitter &code, const Length &length) {
  return valueOf(code, length, [&](const SizeVariable &variable) {
    return sizeOf(code, variable);
  });
}

Value *cpu::valueOf(Emitter &code, const Length &length,
                    function_ref<Value *(const SizeVariable &)> sizeOf) {
  SmallVector<Value *> stack;
  auto join = [&](function_ref<Value *(Value *, Value *)> make) {
    Value *right = stack.pop_back_val();
    stack.back() = make(stack.back(), right);
  };
  length.visitSteps([&](const Length::Step &step) {
    using Step = Length::Step;
    switch (step.op) {
    case Step::Number:
      return stack.push_back(code.integer(step.number));
    case Step::Variable:
      return stack.push_back(sizeOf(step.variable));
    case Step::Add:
      return join([&](Value *a, Value *b) { return code.CreateAdd(a, b); });
    case Step::Multiply:
      return join([&](Value *a, Value *b) { return code.CreateMul(a, b); });
    case Step::Quotient:
      return join([&](Value *a, Value *b) {
        return floorDivide(code, a, b, /*rest=*/false);
      });
    case Step::Greater:
      return join([&](Value *a, Value *b) { return code.larger(a, b); });
    case Step::Lesser:
      return join([&](Value *a, Value *b) { return code.smaller(a, b); });
    }
  });
  return stack.front();
}

Value *cpu::times(Emitter &code, Value *value, const Length &length) {
  return length.isFixed() ? code.times(value, length.fixed())
                          : code.CreateNSWMul(value, valueOf(code, length));
}

void cpu::overTiles(Emitter &code, Value *count, int64_t width,
                    function_ref<void(Value *, int64_t)> body) {
  Value *full = code.CreateUDiv(count, code.integer(width));
  code.loop(
      code.integer(0), full,
      [&](Value *tile) { body(code.times(tile, width), width); },
      /*maybeNone=*/true);
  overRest(code, code.times(full, width),
           code.CreateURem(count, code.integer(width)), width, body);
}

void cpu::overRest(Emitter &code, Value *first, Value *rest, int64_t width,
                   function_ref<void(Value *, int64_t)> body) {
  for (auto some = int64_t(std::bit_floor(uint64_t(width - 1))); some > 0;
       some /= 2) {
    Value *has = code.CreateAnd(rest, code.integer(some));
    code.when(code.CreateICmpNE(has, code.integer(0)),
              [&] { body(first, some); });
    first = code.add(first, has);
  }
}

/// The name of the StepMeasure of a function.
static std::string measureName(const Function &function) {
  return (function.getName() + ".work").str();
}

Function *cpu::measureOf(const Function &function) {
  return function.getParent()->getFunction(measureName(function));
}

void cpu::emitMeasure(Emitter &of, function_ref<Value *(Emitter &)> chunks) {
  Function *function = of.module.addFunction(
      measureName(*of.function), of.module.stepType()->params().take_front(2),
      /*internal=*/false);
  Emitter code(of.module, function, of.lanes);
  code.CreateAlignedStore(code.larger(chunks(code), code.integer(1)),
                          function->getArg(1), Align(8));
  code.CreateRetVoid();
}

void cpu::emitMeasure(Emitter &of, const Length &chunks) {
  if (!chunks.isFixed())
    emitMeasure(of, [&](Emitter &code) { return valueOf(code, chunks); });
}
