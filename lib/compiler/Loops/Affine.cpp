//===- Affine.cpp - affine indices ----------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions/Numbers.h"
#include "glow/Loops/Program.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::loops;

/// Whether the subscripts were replaced by a single element number. The access
/// was checked to be inside the tensor before that.
static bool isFlat(const Terms &subscripts, const Ints &shape) {
  return subscripts.size() == 1 && shape.size() != 1;
}

bool loops::areInside(const Terms &subscripts, const Ints &shape) {
  if (isFlat(subscripts, shape))
    return true;
  return llvm::all_of(llvm::zip_equal(subscripts, shape), [](auto pair) {
    auto [subscript, size] = pair;
    return subscript->low >= 0 && subscript->high < size;
  });
}

Terms loops::conditionsOf(const Terms &subscripts, const Ints &shape) {
  Terms conditions;
  if (isFlat(subscripts, shape))
    return conditions;
  for (auto [subscript, size] : llvm::zip_equal(subscripts, shape)) {
    Program &program = *subscript->program;
    if (subscript->low < 0)
      conditions.push_back(make(Op::LessEqual, {program.number(0), subscript}));
    if (subscript->high >= size)
      conditions.push_back(make(Op::Less, {subscript, program.number(size)}));
  }
  return conditions;
}

int64_t Affine::of(unsigned index) const {
  auto found = indices.find(index);
  return found == indices.end() ? 0 : found->second;
}
bool Affine::isOpaqueIn(unsigned index) const {
  return llvm::any_of(
      others, [&](const auto &other) { return other.first->dependsOn(index); });
}

static void addTo(Affine &sum, Term term, int64_t times) {
  switch (term->op) {
  case Op::Number:
    sum.constant =
        expr::add(sum.constant, expr::multiply(times, term->integer));
    return;
  case Op::Index: {
    int64_t &factor = sum.indices[unsigned(term->integer)];
    factor = expr::add(factor, times);
    if (factor == 0)
      sum.indices.erase(unsigned(term->integer));
    return;
  }
  case Op::Add:
  case Op::Subtract:
    addTo(sum, term->operands[0], times);
    addTo(sum, term->operands[1], term->op == Op::Add ? times : -times);
    return;
  case Op::Multiply:
    for (int side : {0, 1})
      if (Term number = term->operands[side]; number->isNumber())
        return addTo(sum, term->operands[1 - side],
                     expr::multiply(times, number->integer));
    break;
  default:
    break;
  }
  for (auto &[other, factor] : sum.others)
    if (other == term) {
      factor += times;
      return;
    }
  sum.others.emplace_back(term, times);
}

Affine loops::affineOf(Term term) {
  Affine sum;
  addTo(sum, term, 1);
  llvm::erase_if(sum.others, [](const auto &other) { return !other.second; });
  return sum;
}

Term loops::termOf(Program &program, const Affine &sum,
                   llvm::ArrayRef<unsigned> order) {
  Term result = program.number(sum.constant);
  auto add = [&](Term term, int64_t factor) {
    result = make(Op::Add,
                  {result, make(Op::Multiply, {term, program.number(factor)})});
  };
  for (unsigned index : order)
    if (int64_t factor = sum.of(index))
      add(program.indexTerm(index), factor);
  for (auto [term, factor] : sum.others)
    add(term, factor);
  return result;
}

Term loops::termOf(Program &program, const Affine &sum) {
  llvm::SmallVector<unsigned> order;
  for (auto [index, factor] : sum.indices)
    order.push_back(index);
  return termOf(program, sum, order);
}

Term loops::offsetOf(Program &program, const Terms &subscripts,
                     const Ints &shape) {
  if (isFlat(subscripts, shape))
    return subscripts[0];
  Term offset = program.number(0);
  for (auto [subscript, size] : llvm::zip_equal(subscripts, shape))
    offset = make(Op::Add, {make(Op::Multiply, {offset, program.number(size)}),
                            subscript});
  return offset;
}
