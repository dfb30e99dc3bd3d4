//===- Affine.cpp - affine indices ----------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions/Numbers.h"
#include "glow/Loops/Program.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::loops;

//===----------------------------------------------------------------------===//
// Lengths
//===----------------------------------------------------------------------===//

static std::optional<Length> lengthOfSelect(const Node &node, const Length &yes,
                                            const Length &no) {
  const Node &condition = *node.operands[0];
  if (condition.op != Op::Less)
    return std::nullopt;
  std::optional<Length> a = lengthOf(condition.operands[0]);
  std::optional<Length> b = lengthOf(condition.operands[1]);
  if (a == no && b == yes)
    return greater(*a, *b);
  return a == yes && b == no ? std::optional(lesser(*a, *b)) : std::nullopt;
}

std::optional<Length> loops::lengthOf(Term term) {
  if (term->form != Form::Index || term->indices)
    return std::nullopt;
  switch (term->op) {
  case Op::Number:
    return term->integer;
  case Op::Size:
    return Length(term->program->sizes[size_t(term->integer)]);
  case Op::Load:
    return std::nullopt;
  default:
    break;
  }
  const size_t count = term->operands.size();
  if (count < 2)
    return std::nullopt;
  std::optional<Length> a = lengthOf(term->operands[count - 2]);
  std::optional<Length> b = a ? lengthOf(term->operands[count - 1]) : a;
  if (!b)
    return std::nullopt;
  switch (term->op) {
  case Op::Add:
    return *a + *b;
  case Op::Subtract:
    return *a - *b;
  case Op::Multiply:
    return *a * *b;
  case Op::Divide:
    return quotient(*a, *b);
  case Op::Modulo:
    return remainder(*a, *b);
  default:
    return lengthOfSelect(*term, *a, *b);
  }
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Whether the subscripts were replaced by a single element number. The access
/// was checked to be inside the tensor before that.
static bool isFlat(const Terms &subscripts, const Tensor &tensor) {
  return subscripts.size() == 1 && tensor.shape.size() != 1;
}

static std::optional<Length> endOf(Term term, bool isGreatest);

/// The end of an opaque tree: of a quotient or remainder by a positive length,
/// or of a tree with known bounds.
static std::optional<Length> endOfOpaque(Term term, bool isGreatest) {
  constexpr int64_t known = int64_t(1) << 62;
  if (term->op == Op::Divide || term->op == Op::Modulo)
    if (auto by = lengthOf(term->operands[1]); by && by->range().low > 0) {
      if (term->op == Op::Modulo)
        return isGreatest ? *by - 1 : Length(0);
      if (auto end = endOf(term->operands[0], isGreatest))
        return quotient(*end, *by);
    }
  const int64_t end = isGreatest ? term->high : term->low;
  return -known < end && end < known ? std::optional<Length>(end)
                                     : std::nullopt;
}

/// A length that a tree's value in a run does not exceed, or is not below of;
/// nothing if none is known.
static std::optional<Length> endOf(Term term, bool isGreatest) {
  const Affine sum = affineOf(term);
  Length end = sum.start + sum.constant;
  for (auto [index, upper] : sum.indices) {
    const Length factor = sum.factorOf(index);
    const LengthRange range = factor.range();
    if (range.low < 0 && range.high > 0)
      return std::nullopt;
    if ((range.low >= 0) == isGreatest)
      end = end + factor * (term->program->length(index) - 1);
  }
  for (auto [other, factor] : sum.others) {
    std::optional<Length> its = endOfOpaque(other, (factor > 0) == isGreatest);
    if (!its)
      return std::nullopt;
    end = end + *its * factor;
  }
  return end;
}

static bool isNotNegative(Term subscript) {
  if (subscript->low >= 0 || subscript->program->sizes.empty())
    return subscript->low >= 0;
  std::optional<Length> least = endOf(subscript, /*isGreatest=*/false);
  return least && least->range().low >= 0;
}

static bool isBelow(Term subscript, const Length &size) {
  const LengthRange range = size.range();
  if (subscript->high < range.low || subscript->program->sizes.empty())
    return subscript->high < range.low;
  std::optional<Length> greatest = endOf(subscript, /*isGreatest=*/true);
  return greatest && (size - *greatest).range().low > 0;
}

bool loops::areInside(const Terms &subscripts, const Tensor &tensor) {
  if (isFlat(subscripts, tensor))
    return true;
  for (auto [i, subscript] : llvm::enumerate(subscripts))
    if (!isNotNegative(subscript) || !isBelow(subscript, tensor.length(i)))
      return false;
  return true;
}

Terms loops::conditionsOf(Term subscript, const Length &size) {
  Program &program = *subscript->program;
  Terms conditions;
  if (!isNotNegative(subscript))
    conditions.push_back(make(Op::LessEqual, {program.number(0), subscript}));
  if (!isBelow(subscript, size))
    conditions.push_back(make(Op::Less, {subscript, program.size(size)}));
  return conditions;
}

Terms loops::conditionsOf(const Terms &subscripts, const Tensor &tensor) {
  Terms conditions;
  if (!isFlat(subscripts, tensor))
    for (auto [i, subscript] : llvm::enumerate(subscripts))
      llvm::append_range(conditions, conditionsOf(subscript, tensor.length(i)));
  return conditions;
}

//===----------------------------------------------------------------------===//
// Linear combinations
//===----------------------------------------------------------------------===//

int64_t Affine::of(unsigned index) const {
  auto found = indices.find(index);
  return found == indices.end() ? 0 : found->second;
}
Length Affine::factorOf(unsigned index) const {
  auto found = open.find(index);
  return found == open.end() ? Length(of(index)) : found->second;
}
void Affine::setFactor(unsigned index, const Length &factor) {
  indices.erase(index);
  open.erase(index);
  if (factor.isFixed()) {
    if (factor.fixed())
      indices[index] = factor.fixed();
    return;
  }
  const LengthRange range = factor.range();
  const bool isPositive = range.high >= expr::abs(range.low);
  indices[index] = isPositive ? std::max<int64_t>(range.high, 2)
                              : std::min<int64_t>(range.low, -2);
  open.emplace(index, factor);
}
bool Affine::isOpaqueIn(unsigned index) const {
  return llvm::any_of(
      others, [&](const auto &other) { return other.first->dependsOn(index); });
}

static void addOther(Affine &sum, Term term, int64_t times) {
  for (auto &[other, factor] : sum.others)
    if (other == term) {
      factor += times;
      return;
    }
  sum.others.emplace_back(term, times);
}

static void addTo(Affine &sum, Term term, const Length &times) {
  if (std::optional<Length> length = lengthOf(term)) {
    const Length all = *length * times;
    if (all.isFixed())
      sum.constant = expr::add(sum.constant, all.fixed());
    else
      sum.start = sum.start + all;
    return;
  }
  switch (term->op) {
  case Op::Index: {
    const unsigned index = unsigned(term->integer);
    return sum.setFactor(index, sum.factorOf(index) + times);
  }
  case Op::Add:
  case Op::Subtract:
    addTo(sum, term->operands[0], times);
    addTo(sum, term->operands[1],
          term->op == Op::Add ? times : Length() - times);
    return;
  case Op::Multiply:
    for (int side : {0, 1})
      if (std::optional<Length> by = lengthOf(term->operands[side]))
        return addTo(sum, term->operands[1 - side], times * *by);
    break;
  default:
    break;
  }
  if (times.isFixed())
    return addOther(sum, term, times.fixed());
  Program &program = *term->program;
  addOther(sum, make(Op::Multiply, {term, program.size(times)}), 1);
}

Affine loops::affineOf(Term term) {
  Affine sum;
  addTo(sum, term, 1);
  llvm::erase_if(sum.others, [](const auto &other) { return !other.second; });
  return sum;
}

Term loops::termOf(Program &program, const Affine &sum,
                   llvm::ArrayRef<unsigned> order) {
  Term result = program.size(sum.start + sum.constant);
  auto add = [&](Term term, const Length &factor) {
    result = make(Op::Add,
                  {result, make(Op::Multiply, {term, program.size(factor)})});
  };
  for (unsigned index : order)
    if (sum.of(index))
      add(program.indexTerm(index), sum.factorOf(index));
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
                     const Tensor &tensor) {
  if (isFlat(subscripts, tensor))
    return subscripts[0];
  Term offset = program.number(0);
  for (auto [i, subscript] : llvm::enumerate(subscripts))
    offset = make(Op::Add,
                  {make(Op::Multiply, {offset, program.size(tensor.length(i))}),
                   subscript});
  return offset;
}
