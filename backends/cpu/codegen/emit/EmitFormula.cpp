//===- EmitFormula.cpp - formulas on vectors ------------------------------===//
// SPDX-License-Identifier: MIT

#include "ElementOps.h"
#include "Formulas.h"
#include "glow/IR/FormulaLoops.h"
#include "llvm/ADT/DenseMap.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Term;

namespace {

/// Joins the trees of a formula's calls into one tree.
class FormulaTree {
public:
  explicit FormulaTree(size_t inputs)
      : program(std::vector<loops::Tensor>(inputs, {ElementKind::F32, {}})) {}

  Term build(const Formula &formula) {
    for (const Formula::Call &call : formula.calls)
      results.push_back(build(call));
    return results.empty() ? input(0) : results.back();
  }

private:
  Term build(const Formula::Call &call) {
    const ir::LoopsInfo &info = *ir::findLoops(call.mnemonic);
    size_t count = info.signature.size() - 1;
    loops::Terms operands;
    SmallVector<double> numbers;
    for (auto [i, argument] : enumerate(call.arguments)) {
      auto *number = std::get_if<double>(&argument);
      if (i < count)
        operands.push_back(number ? program.real(*number) : valueOf(argument));
      else
        numbers.push_back(number ? *number : 0);
    }
    return info.formula(program, operands, numbers);
  }

  Term valueOf(const Formula::Argument &argument) {
    if (auto *value = std::get_if<Formula::Value>(&argument))
      return results[value->index];
    return input(std::get<Formula::Input>(argument).index);
  }
  Term input(size_t index) {
    return program.load(unsigned(index), {}, loops::Outside::Never,
                        loops::Form::Element);
  }

  loops::Program program;
  std::vector<Term> results;
};

/// The `x` of a quotient by 1 + exp(x), as in logistic functions; null for
/// others.
static Term exponentOfDivisor(const loops::Node &quotient) {
  if (quotient.op != loops::Op::Divide)
    return {};
  const Term &sum = quotient.operands[1];
  if (sum->op != loops::Op::Add)
    return {};
  for (unsigned i : {0, 1}) {
    const Term &one = sum->operands[i], &power = sum->operands[1 - i];
    if (one->isNumber() && one->real == 1 && power->op == loops::Op::Call &&
        power->name == "exp")
      return power->operands.front();
  }
  return {};
}

/// The values of trees, each computed once, for several vectors. A value is
/// computed for all vectors before the next one, so that the processor finds
/// instructions that do not wait for each other.
class TreeEmitter {
public:
  TreeEmitter(Emitter &code, ArrayRef<Vectors> inputs, size_t count,
              Rounding rounding)
      : ops(code, code.getFloatTy()), inputs(inputs), count(count),
        isExact(rounding == Rounding::Exact ||
                code.module.math == Math::Strict) {
    ops.roundsProducts = rounding != Rounding::Fast;
  }

  Vectors emit(Term term) {
    if (term->op == loops::Op::Load)
      return inputs[size_t(term->integer)];
    if (auto known = values.find(term.get()); known != values.end())
      return known->second;
    Vectors results = compute(term);
    values[term.get()] = results;
    return results;
  }

private:
  Vectors compute(const Term &term) {
    if (Term exponent = isExact ? Term() : exponentOfDivisor(*term)) {
      Vectors dividend = emit(term->operands[0]), by = divisors(exponent);
      return eachVector(
          [&](size_t i) { return ops.divide(dividend[i], by[i]); });
    }
    SmallVector<Vectors> operands;
    for (Term operand : term->operands)
      operands.push_back(emit(operand));
    return eachVector([&](size_t i) {
      SmallVector<Value *> x;
      for (const Vectors &operand : operands)
        x.push_back(operand[i]);
      return ops.apply(*term, x);
    });
  }

  Vectors divisors(const Term &exponent) {
    const bool isNegated = exponent->op == loops::Op::Negate;
    Vectors x = emit(isNegated ? exponent->operands.front() : exponent);
    return eachVector([&](size_t i) {
      return ops.onePlusExpOfMinus(isNegated ? x[i] : ops.negate(x[i]));
    });
  }

  Vectors eachVector(function_ref<Value *(size_t)> of) const {
    Vectors results;
    for (size_t i = 0; i < count; ++i)
      results.push_back(of(i));
    return results;
  }

  ElementOps ops;
  ArrayRef<Vectors> inputs;
  const size_t count;
  const bool isExact;
  DenseMap<const loops::Node *, Vectors> values;
};

} // namespace

Value *glow::cpu::emitFormula(Emitter &code, const Formula &formula,
                              ArrayRef<Value *> inputs, Rounding rounding) {
  SmallVector<Vectors> vectors;
  for (Value *input : inputs)
    vectors.push_back({input});
  return emitFormulas(code, formula, vectors, 1, rounding).front();
}

Vectors glow::cpu::emitFormulas(Emitter &code, const Formula &formula,
                                ArrayRef<Vectors> inputs, size_t count,
                                Rounding rounding) {
  FormulaTree tree(inputs.size());
  return TreeEmitter(code, inputs, count, rounding)
      .emit(asElement(tree.build(formula)));
}

unsigned glow::cpu::operationsOf(const Formula &formula) {
  return ir::operationsOf(formula);
}

Value *glow::cpu::emitLargest(Emitter &code, ArrayRef<Value *> x) {
  ElementOps ops(code, code.getFloatTy());
  Value *result = x[0];
  for (Value *next : x.drop_front())
    result = ops.best(result, next, /*isMax=*/true);
  return result;
}
