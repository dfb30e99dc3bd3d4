//===- Program.cpp - the loops of one node --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Program.h"
#include "glow/Base/ComputedIn.h"
#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Scalar.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <cmath>

using namespace glow;
using namespace glow::loops;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Length Tensor::count() const {
  Length count = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    count = count * length(i);
  return count;
}

Sizes Tensor::sizes() const {
  Sizes sizes;
  for (size_t i = 0; i < shape.size(); ++i)
    sizes.push_back(lengths.empty() ? Size(shape[i]) : Size(lengths[i]));
  return sizes;
}

Tensor loops::tensorOf(ElementKind kind, const Sizes &sizes,
                       llvm::StringRef name) {
  Tensor tensor{.kind = kind, .shape = sizes.extents(), .name = name.str()};
  if (!sizes.areFixed())
    for (const Size &size : sizes)
      tensor.lengths.push_back(size.length());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

bool Program::Less::operator()(const Node *a, const Node *b) const {
  auto key = [](const Node *node) {
    return std::tuple(node->op, node->form, node->outside, node->integer,
                      std::bit_cast<uint64_t>(node->real),
                      std::string_view(node->name), node->operands.size());
  };
  auto first = key(a), second = key(b);
  if (first != second)
    return first < second;
  return std::ranges::lexicographical_compare(
      a->operands, b->operands,
      [](Term x, Term y) { return std::less<>()(x.get(), y.get()); });
}

Term Program::unique(Node node) {
  node.program = this;
  for (Term operand : node.operands)
    node.indices |= operand->indices;
  auto found = known.find(&node);
  if (found != known.end())
    return Term(found->second);
  nodes.push_back(std::make_unique<Node>(std::move(node)));
  const Node *made = nodes.back().get();
  known[made] = made;
  return Term(made);
}

Term Program::number(int64_t value) {
  return unique({.op = Op::Number,
                 .form = Form::Index,
                 .integer = value,
                 .low = value,
                 .high = value});
}
Terms Program::numbers(const Ints &values) {
  Terms result;
  for (int64_t value : values)
    result.push_back(number(value));
  return result;
}
Term Program::real(double value) {
  return unique({.op = Op::Number, .form = Form::Element, .real = value});
}

Program::Program(std::vector<Tensor> given) {
  for (Tensor &tensor : given)
    addTensor(std::move(tensor));
}

unsigned Program::addTensor(Tensor tensor) {
  for (const Length &length : tensor.lengths)
    addVariables(length);
  tensors.push_back(std::move(tensor));
  return unsigned(tensors.size()) - 1;
}

void Program::addVariables(const Length &length) {
  length.visitVariables([&](const SizeVariable &variable) { size(variable); });
}

Term Program::size(const Length &length) {
  if (length.isFixed())
    return number(length.fixed());
  Terms stack;
  auto join = [&](auto make) {
    Term right = stack.pop_back_val();
    stack.back() = make(stack.back(), right);
  };
  length.visitSteps([&](const Length::Step &step) {
    using Step = Length::Step;
    switch (step.op) {
    case Step::Number:
      return stack.push_back(number(step.number));
    case Step::Variable:
      return stack.push_back(size(step.variable));
    case Step::Greater:
      return join([](Term a, Term b) { return greatest(a, b); });
    case Step::Lesser:
      return join([](Term a, Term b) { return greatest(a, b, false); });
    default:
      return join([&](Term a, Term b) {
        return make(step.op == Step::Add        ? Op::Add
                    : step.op == Step::Multiply ? Op::Multiply
                                                : Op::Divide,
                    {a, b});
      });
    }
  });
  return stack.front();
}

Term Program::size(const SizeVariable &variable) {
  auto found = llvm::find(sizes, variable);
  if (found == sizes.end())
    found = sizes.insert(found, variable);
  if (variable.low == variable.high)
    return number(variable.low);
  return unique({.op = Op::Size,
                 .form = Form::Index,
                 .integer = found - sizes.begin(),
                 .low = variable.low,
                 .high = variable.high});
}

Term Program::addIndex(const Length &length, llvm::StringRef name) {
  const int64_t extent = length.range().high;
  addVariables(length);
  extents.push_back(extent);
  lengths.push_back(length);
  indexNames.push_back(name.str());
  unsigned place = unsigned(extents.size()) - 1;
  indexTerms.push_back(unique({.op = Op::Index,
                               .form = Form::Index,
                               .integer = place,
                               .indices = complete() ? IndexSet(1) << place : 0,
                               .low = 0,
                               .high = std::max<int64_t>(extent - 1, 0)}));
  return indexTerms.back();
}
Term Program::index(int64_t extent, llvm::StringRef name) {
  return extent == 1 ? number(0) : boundedIndex(extent, name);
}
Term Program::index(const Length &length, llvm::StringRef name) {
  return length.isFixed() ? index(length.fixed(), name)
                          : boundedIndex(Size(length), name);
}
Term Program::boundedIndex(const Size &size, llvm::StringRef name) {
  Term index = addIndex(size.length(), name);
  statements.back().indices.push_back(unsigned(index->integer));
  return index;
}
std::pair<Term, Term> Program::split(unsigned index, int64_t by) {
  std::string name = nameOf(index).str();
  Term whole =
      addIndex(quotient(length(index), by), name.empty() ? "" : name + "o");
  return {whole, addIndex(by, name.empty() ? "" : name + "i")};
}
Terms Program::indices(const Sizes &sizes, llvm::StringRef name) {
  Terms result;
  for (auto [i, size] : llvm::enumerate(sizes))
    result.push_back(
        index(size, name.empty() ? "" : name.str() + std::to_string(i)));
  return result;
}

ElementKind loops::computedIn(ElementKind kind) {
  return *elementKindNamed(glow::computedIn(name(kind)));
}

Term Program::load(unsigned tensor, Terms subscripts, Outside outside,
                   Form form) {
  // An index cannot hold the largest numbers of u64.
  if (isFloat(computes) && computedIn(tensors[tensor].kind) == ElementKind::I64)
    form = Form::Index;
  if (outside != Outside::Never && areInside(subscripts, tensors[tensor]))
    outside = Outside::Never;
  Node node{.op = Op::Load,
            .form = form,
            .outside = outside,
            .integer = tensor,
            .low = expr::endOf(true),
            .high = expr::endOf(false)};
  node.operands = std::move(subscripts);
  return unique(std::move(node));
}

/// The value of a scalar function of numbers; nullopt if it is not known here.
static std::optional<double> compute(llvm::StringRef function,
                                     llvm::ArrayRef<double> x) {
#include "glow/Loops/ScalarCalls.cpp.inc"
  return std::nullopt;
}

Term Program::call(llvm::StringRef function, llvm::ArrayRef<Term> operands) {
  Node node{.op = Op::Call, .form = Form::Element, .name = function.str()};
  llvm::SmallVector<double> numbers;
  for (Term operand : operands) {
    node.operands.push_back(asElement(operand));
    if (node.operands.back()->isNumber())
      numbers.push_back(node.operands.back()->real);
  }
  if (isFloat(computes) && numbers.size() == operands.size())
    if (std::optional<double> value = compute(function, numbers))
      return real(*value);
  return unique(std::move(node));
}

Term Program::formula(llvm::StringRef text, llvm::ArrayRef<Term> operands) {
  Node node{.op = Op::Formula, .form = Form::Element, .name = text.str()};
  for (Term operand : operands)
    node.operands.push_back(asElement(operand));
  return unique(std::move(node));
}

Term Program::replace(Term term, unsigned from, Term to) {
  return replace(term, [&](Term one) {
    if (!one->dependsOn(from))
      return one;
    return one->op == Op::Index ? to : Term();
  });
}

Term Program::replace(Term term, llvm::function_ref<Term(Term)> to) {
  if (!term)
    return term;
  if (Term given = to(term))
    return given;
  Terms operands;
  for (Term operand : term->operands)
    operands.push_back(replace(operand, to));
  switch (term->op) {
  case Op::Number:
  case Op::Index:
  case Op::Size:
    return term;
  case Op::Load:
    return load(unsigned(term->integer), operands, term->outside, term->form);
  case Op::Call:
    return call(term->name, operands);
  case Op::Formula:
    return formula(term->name, operands);
  case Op::Convert:
    return term->form == Form::Boolean ? asBoolean(operands[0])
                                       : asElement(operands[0]);
  default:
    return make(term->op, operands);
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

double loops::identityOf(ReductionKind combine, ElementKind kind) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double end = std::ldexp(1.0, int(bitWidth(kind)) - isSigned(kind));
  switch (combine) {
  case ReductionKind::Product:
  case ReductionKind::And:
    return 1;
  case ReductionKind::Max:
    return isFloat(kind) ? -infinity : isSigned(kind) ? -end : 0;
  case ReductionKind::Min: // of 64 bits, the next number that a double holds
    return isFloat(kind) ? infinity : end - 1;
  case ReductionKind::ArgMax:
  case ReductionKind::ArgMin:
    return -1;
  default:
    return 0;
  }
}

const Bounds *Statement::boundsOf(unsigned index) const {
  auto found = llvm::find_if(
      bounds, [&](const Bounds &one) { return one.index == index; });
  return found == bounds.end() ? nullptr : &*found;
}
bool Statement::isInBounds(unsigned index) const {
  return llvm::any_of(bounds, [&](const Bounds &one) {
    return one.low->dependsOn(index) || one.high->dependsOn(index);
  });
}

const PlanEntry *Statement::planned(llvm::StringRef use) const {
  auto found = llvm::find_if(
      plan, [&](const PlanEntry &entry) { return entry.use == use; });
  return found == plan.end() ? nullptr : &*found;
}

Term Program::beginScan(const Size &size, bool backwards,
                        llvm::StringRef name) {
  const Length length = size.length();
  if (length == 1)
    return number(0);
  Term index = addIndex(length, name);
  openScan = unsigned(scans.size());
  scans.push_back({unsigned(index->integer), backwards});
  return index;
}

void Program::begin(ReductionKind combine, unsigned tensor, bool accumulates) {
  statements.push_back({.combine = combine,
                        .tensor = tensor,
                        .accumulates = accumulates,
                        .scan = openScan});
}
void Program::bound(Term index, Term low, Term high) {
  statements.back().bounds.push_back(
      {unsigned(index->integer), low, high, hasLoad(low) || hasLoad(high)});
}
void Program::end(Terms subscripts, Term value, Term last) {
  Statement &statement = statements.back();
  statement.subscripts = std::move(subscripts);
  statement.value = asElement(value);
  if (givesIndex(statement.combine))
    statement.index = last;
  else if (last)
    statement.otherwise = asElement(last);
}
void Program::fill(ReductionKind combine, unsigned tensor) {
  begin(ReductionKind::Assign, tensor);
  const Tensor &filled = tensors[tensor];
  end(indices(filled.sizes()), real(identityOf(combine, filled.kind)));
}
Statement Program::fillOf(const Statement &sum) {
  fill(sum.combine, sum.tensor);
  Statement filled = statements.back();
  statements.pop_back();
  filled.scan = sum.scan;
  return filled;
}
