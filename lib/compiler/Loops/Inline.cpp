//===- Inline.cpp - one element of a program inside another ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Inline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace glow;
using namespace glow::loops;

//===----------------------------------------------------------------------===//
// Programs that are functions of the indices
//===----------------------------------------------------------------------===//

/// Calls `check` once for each load in the trees; stops and returns false as
/// soon as `check` returns false.
static bool allLoads(llvm::ArrayRef<Term> roots,
                     llvm::function_ref<bool(Term)> check) {
  llvm::SmallVector<Term> open(roots);
  llvm::SmallPtrSet<const Node *, 16> seen;
  while (!open.empty()) {
    Term term = open.pop_back_val();
    if (!term || !seen.insert(term.get()).second)
      continue;
    if (term->op == Op::Load && !check(term))
      return false;
    open.append(term->operands.begin(), term->operands.end());
  }
  return true;
}

/// Whether the subscripts visit each element once: each is an index over its
/// whole dimension, or 0 for a dimension of size 1.
static bool areAllPlaces(const Program &program, const Terms &subscripts,
                         const Tensor &tensor) {
  if (subscripts.size() != tensor.shape.size())
    return false;
  IndexSet seen = 0;
  for (auto [i, subscript] : llvm::enumerate(subscripts)) {
    const Length size = tensor.length(i);
    if (subscript->isNumber(0) && size == 1)
      continue;
    if (subscript->op != Op::Index || (seen & subscript->indices) ||
        !(program.length(unsigned(subscript->integer)) == size))
      return false;
    seen |= subscript->indices;
  }
  return true;
}

bool loops::writesEachOnce(const Program &program) {
  if (program.statements.size() != 1 || !program.complete())
    return false;
  const Statement &statement = program.statements.front();
  return statement.combine == ReductionKind::Assign && statement.tensor == 0 &&
         !statement.scan && !statement.accumulates &&
         statement.bounds.empty() &&
         areAllPlaces(program, statement.subscripts, program.tensors.front()) &&
         allLoads({statement.value, statement.otherwise},
                  [](Term load) { return load->integer != 0; });
}

bool loops::readsInPlace(const Program &program, unsigned tensor) {
  const Statement &statement = program.statements.front();
  return program.tensors[tensor].hasSizesOf(program.tensors.front()) &&
         allLoads({statement.value, statement.otherwise}, [&](Term load) {
           return load->integer != tensor ||
                  (load->form == Form::Element &&
                   load->operands == statement.subscripts);
         });
}

//===----------------------------------------------------------------------===//
// Trees in another program
//===----------------------------------------------------------------------===//

Term Translation::operator()(Term term) {
  if (auto found = known.find(term.get()); found != known.end())
    return found->second;
  Term made = make(term);
  return known[term.get()] = made;
}

static Term numberLike(Program &to, const Node &number) {
  if (number.form == Form::Element)
    return to.real(number.real);
  Term integer = to.number(number.integer);
  return number.form == Form::Boolean ? asBoolean(integer) : integer;
}

Term Translation::make(Term term) {
  Terms operands;
  for (Term operand : term->operands)
    operands.push_back((*this)(operand));
  switch (term->op) {
  case Op::Number:
    return numberLike(to, *term);
  case Op::Size:
    return to.size(term->program->sizes[size_t(term->integer)]);
  case Op::Load:
    return load(*term, operands);
  case Op::Call:
    return to.call(term->name, operands);
  case Op::Formula:
    return to.formula(term->name, operands);
  case Op::Convert:
    return term->form == Form::Boolean ? asBoolean(operands[0])
                                       : asElement(operands[0]);
  default:
    return loops::make(term->op, operands);
  }
}

Term loops::inlinedValue(Program &to, const Program &from, const Terms &place,
                         Translation::Load load) {
  const Statement &statement = from.statements.front();
  Term inside; // the condition that all loads are inside; null for none
  auto guarded = [&](const Node &node, const Terms &subscripts) {
    if (node.outside == Outside::Skips)
      for (Term condition :
           conditionsOf(subscripts, from.tensors[size_t(node.integer)]))
        inside =
            inside ? loops::make(Op::Both, {inside, condition}) : condition;
    return load(node, subscripts);
  };
  Translation translate(to, guarded);
  for (auto [mine, theirs] : llvm::zip_equal(statement.subscripts, place))
    if (mine->op == Op::Index)
      translate.set(mine, theirs);
  Term value = translate(statement.value);
  Term otherwise =
      statement.otherwise ? translate(statement.otherwise) : to.real(0);
  return inside ? loops::make(Op::Select, {inside, value, otherwise}) : value;
}

Term loops::inlined(Program &to, const Program &from, const Terms &place,
                    llvm::ArrayRef<InlinedTensor> tensors) {
  return inlinedValue(
      to, from, place, [&](const Node &load, const Terms &subscripts) {
        const InlinedTensor &tensor = tensors[size_t(load.integer)];
        if (tensor.element)
          return tensor.element;
        return to.load(tensor.number, subscripts,
                       load.outside == Outside::Skips ? Outside::Zero
                                                      : load.outside,
                       load.form);
      });
}
