//===- Term.cpp - trees that are folded as they are made ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions/Numbers.h"
#include "glow/Loops/Program.h"
#include <cmath>
#include <numeric>

using namespace glow;
using namespace glow::loops;

using Operands = llvm::ArrayRef<Term>;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Node nodeOf(Op op, Form form, Operands operands) {
  Node node{.op = op, .form = form};
  node.operands.assign(operands.begin(), operands.end());
  node.program = operands.front()->program;
  return node;
}

static Term add(Op op, Form form, Operands operands) {
  return operands.front()->program->unique(nodeOf(op, form, operands));
}

Term loops::asElement(Term term) {
  if (term->form == Form::Element)
    return term;
  if (term->form == Form::Index && term->isNumber())
    return term->program->real(double(term->integer));
  return add(Op::Convert, Form::Element, term);
}

Term loops::asBoolean(Term term) {
  if (term->form == Form::Boolean)
    return term;
  if (term->isNumber()) {
    bool holds = term->form == Form::Index ? term->integer : term->real != 0;
    Node node{.op = Op::Number, .form = Form::Boolean, .integer = holds};
    node.program = term->program;
    return term->program->unique(node);
  }
  // Undoes a conversion from boolean to element.
  if (term->op == Op::Convert && term->operands[0]->form == Form::Boolean)
    return term->operands[0];
  return add(Op::Convert, Form::Boolean, term);
}

static Term truth(Program *program, bool holds) {
  return asBoolean(program->number(holds));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static int64_t compute(Op op, int64_t a, int64_t b) {
  switch (op) {
  case Op::Add:
    return expr::add(a, b);
  case Op::Subtract:
    return expr::subtract(a, b);
  case Op::Multiply:
    return expr::multiply(a, b);
  case Op::Divide:
    return expr::divide(a, b);
  default:
    return expr::modulo(a, b);
  }
}

/// The bounds of an operation that is monotone in each operand.
static void boundByCorners(Node &node) {
  const Term &a = node.operands[0], &b = node.operands[1];
  node.low = expr::endOf(false);
  node.high = expr::endOf(true);
  for (int64_t x : {a->low, a->high})
    for (int64_t y : {b->low, b->high}) {
      int64_t value = compute(node.op, x, y);
      node.low = std::min(node.low, value);
      node.high = std::max(node.high, value);
    }
}

static void bound(Node &node) {
  const Term &a = node.operands[0], &b = node.operands[1];
  if (node.op == Op::Modulo) {
    bool known = b->low > 0;
    node.low = known ? 0 : expr::endOf(true);
    node.high = known ? b->high - 1 : expr::endOf(false);
  } else if (node.op == Op::Divide && b->low <= 0) {
    int64_t most = std::max(expr::abs(a->low), expr::abs(a->high));
    node.low = expr::subtract(-most, 1);
    node.high = most;
  } else {
    boundByCorners(node);
  }
}

/// The simplified form of an integer operation, or null.
static Term simplified(Op op, Term a, Term b) {
  Program &program = *a->program;
  if (a->isNumber() && b->isNumber())
    return program.number(compute(op, a->integer, b->integer));
  switch (op) {
  case Op::Add:
    return a->isNumber(0) ? b : b->isNumber(0) ? a : Term();
  case Op::Subtract:
    return b->isNumber(0) ? a : a == b ? program.number(0) : Term();
  case Op::Multiply:
    if (a->isNumber(0) || b->isNumber(0))
      return program.number(0);
    return a->isNumber(1) ? b : b->isNumber(1) ? a : Term();
  case Op::Divide:
    if (b->isNumber(1))
      return a;
    return b->isNumber() && a->low >= 0 && a->high < b->integer
               ? program.number(0)
               : Term();
  default:
    if (b->isNumber(1))
      return program.number(0);
    return b->isNumber() && a->low >= 0 && a->high < b->integer ? a : Term();
  }
}

/// The greatest common divisor of `by` and the sum's constant and factors.
static int64_t divisorOf(const Affine &sum, int64_t by) {
  by = std::gcd(by, sum.constant);
  by = std::gcd(by, sum.start.divisor());
  for (auto [index, factor] : sum.indices)
    by = std::gcd(by, sum.factorOf(index).divisor());
  for (auto [term, factor] : sum.others)
    by = std::gcd(by, factor);
  return by;
}

static Affine divided(Affine sum, int64_t by) {
  sum.constant /= by;
  sum.start = quotient(sum.start, by);
  const std::map<unsigned, int64_t> indices = sum.indices;
  for (auto [index, factor] : indices)
    sum.setFactor(index, quotient(sum.factorOf(index), by));
  for (auto &[term, factor] : sum.others)
    factor /= by;
  return sum;
}

static Term arithmetic(Op op, Term a, Term b);

/// Takes multiples of the divisor out of a sum: (8 x + y) / 8 is x + y / 8, and
/// the remainder of the sum is the remainder of y. Null where no part of the
/// sum is a multiple of the divisor.
static Term withoutWholes(Op op, const Affine &sum, Term b) {
  Affine wholes, rest;
  auto partOf = [&](int64_t factor) -> Affine & {
    return factor % b->integer == 0 ? wholes : rest;
  };
  partOf(sum.constant).constant = sum.constant;
  partOf(sum.start.divisor()).start = sum.start;
  for (auto [index, upper] : sum.indices) {
    const Length factor = sum.factorOf(index);
    partOf(factor.divisor()).setFactor(index, factor);
  }
  for (auto [term, factor] : sum.others)
    partOf(factor).others.emplace_back(term, factor);
  if (wholes.indices.empty() && wholes.others.empty() && !wholes.constant &&
      wholes.start == 0)
    return Term();
  Program &program = *b->program;
  Term left = arithmetic(op, termOf(program, rest), b);
  return op == Op::Divide
             ? arithmetic(
                   Op::Add,
                   termOf(program, divided(std::move(wholes), b->integer)),
                   left)
             : left;
}

/// Cancels a common divisor: (4 x + 8) / 8 is (x + 2) / 2, and the remainder is
/// four times the remainder of x + 2 by 2. Null where there is no common
/// divisor.
static Term reduced(Op op, Term a, Term b) {
  if ((op != Op::Divide && op != Op::Modulo) || !b->isNumber() ||
      b->integer <= 0)
    return Term();
  if (std::optional<Length> length = lengthOf(a))
    return op == Op::Modulo && length->divisor() % b->integer == 0
               ? b->program->number(0)
               : Term();
  Affine sum = affineOf(a);
  if (Term part = withoutWholes(op, sum, b))
    return part;
  int64_t by = divisorOf(sum, b->integer);
  if (by < 2)
    return Term();
  Program &program = *a->program;
  Term result = arithmetic(op, termOf(program, divided(std::move(sum), by)),
                           program.number(b->integer / by));
  return op == Op::Divide
             ? result
             : arithmetic(Op::Multiply, result, program.number(by));
}

static Term arithmetic(Op op, Term a, Term b) {
  if (Term simple = simplified(op, a, b))
    return simple;
  if (Term smaller = reduced(op, a, b))
    return smaller;
  Node node = nodeOf(op, Form::Index, {a, b});
  bound(node);
  return a->program->unique(node);
}

//===----------------------------------------------------------------------===//
// Booleans
//===----------------------------------------------------------------------===//

/// The result of a comparison of integers, if their bounds decide it.
static std::optional<bool> decided(Op op, Term a, Term b) {
  switch (op) {
  case Op::Less:
    return a->high < b->low    ? std::optional(true)
           : a->low >= b->high ? std::optional(false)
                               : std::nullopt;
  case Op::LessEqual:
    return a->high <= b->low  ? std::optional(true)
           : a->low > b->high ? std::optional(false)
                              : std::nullopt;
  default:
    if (a->high < b->low || a->low > b->high)
      return false;
    return a == b || (a->low == a->high && b->low == b->high)
               ? std::optional(true)
               : std::nullopt;
  }
}

/// The comparison of real numbers.
static bool holds(Op op, double a, double b) {
  return op == Op::Less ? a < b : op == Op::LessEqual ? a <= b : a == b;
}

static Term compare(Op op, Term a, Term b) {
  if (a->form == Form::Index && b->form == Form::Index) {
    if (std::optional<bool> holds = decided(op, a, b))
      return truth(a->program, *holds);
    return add(op, Form::Boolean, {a, b});
  }
  a = asElement(a);
  b = asElement(b);
  if (a->isNumber() && b->isNumber())
    return truth(a->program, holds(op, a->real, b->real));
  return add(op, Form::Boolean, {a, b});
}

static Term logical(Op op, Term a, Term b) {
  a = asBoolean(a);
  b = asBoolean(b);
  if (b->isNumber())
    std::swap(a, b);
  if (!a->isNumber())
    return a == b ? a : add(op, Form::Boolean, {a, b});
  bool decides = (op == Op::Either) == bool(a->integer);
  return decides ? a : b;
}

static Term select(Term condition, Term yes, Term no) {
  condition = asBoolean(condition);
  if (yes->form != no->form) {
    yes = asElement(yes);
    no = asElement(no);
  }
  if (condition->isNumber())
    return condition->integer ? yes : no;
  if (yes == no)
    return yes;
  Node node = nodeOf(Op::Select, yes->form, {condition, yes, no});
  if (yes->form == Form::Index) {
    node.low = std::min(yes->low, no->low);
    node.high = std::max(yes->high, no->high);
  }
  return condition->program->unique(node);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static bool areIndices(Operands operands) {
  return llvm::all_of(operands,
                      [](Term term) { return term->form == Form::Index; });
}

/// The value of an operation on real numbers.
static std::optional<double> compute(Op op, double a, double b) {
  switch (op) {
  case Op::Add:
    return a + b;
  case Op::Subtract:
    return a - b;
  case Op::Multiply:
    return a * b;
  case Op::Divide:
    return a / b;
  case Op::Negate:
    return -a;
  default:
    return std::nullopt;
  }
}

/// Whether multiplying by the reciprocal equals dividing, for every element.
/// That holds for powers of two whose reciprocal is a normal number of both
/// float kinds.
static bool hasExactReciprocal(double number) {
  int exponent;
  return std::abs(std::frexp(number, &exponent)) == 0.5 &&
         std::isnormal(float(1 / number));
}

static Term onElements(Op op, Operands operands) {
  Terms elements;
  for (Term operand : operands)
    elements.push_back(asElement(operand));
  Program &program = *elements[0]->program;
  const Node &last = *elements.back();
  if (!isFloat(program.computes) || !last.isNumber())
    return add(op, Form::Element, elements);
  if (elements[0]->isNumber())
    if (std::optional<double> value = compute(op, elements[0]->real, last.real))
      return program.real(*value);
  if (op == Op::Divide && hasExactReciprocal(last.real))
    return onElements(Op::Multiply, {elements[0], program.real(1 / last.real)});
  return add(op, Form::Element, elements);
}

Term loops::greatest(Term a, Term b, bool isGreatest) {
  Term isLess = make(Op::Less, {a, b});
  return make(Op::Select, {isLess, isGreatest ? b : a, isGreatest ? a : b});
}

bool loops::hasLoad(Term term) {
  return term->op == Op::Load || llvm::any_of(term->operands, hasLoad);
}

/// A remainder in a formula. If an operand is loaded, it is a remainder of
/// elements, even if the operand is an integer.
static Term remainder(Term a, Term b) {
  if (areIndices({a, b}) && !hasLoad(a) && !hasLoad(b))
    return arithmetic(Op::Modulo, a, b);
  return onElements(Op::Remainder, {a, b});
}

Term loops::make(Op op, Operands operands) {
  switch (op) {
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal:
    return compare(op, operands[0], operands[1]);
  case Op::Both:
  case Op::Either:
    return logical(op, operands[0], operands[1]);
  case Op::Not: {
    Term condition = asBoolean(operands[0]);
    return condition->isNumber()
               ? truth(condition->program, !condition->integer)
               : add(op, Form::Boolean, condition);
  }
  case Op::Select:
    return select(operands[0], operands[1], operands[2]);
  case Op::Remainder:
    return remainder(operands[0], operands[1]);
  case Op::Negate:
    if (areIndices(operands))
      return arithmetic(Op::Subtract, operands[0]->program->number(0),
                        operands[0]);
    return onElements(op, operands);
  default:
    return areIndices(operands) ? arithmetic(op, operands[0], operands[1])
                                : onElements(op, operands);
  }
}
