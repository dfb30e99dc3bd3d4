//===- Inline.cpp - one element of a program inside another ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Inline.h"
#include "llvm/ADT/DenseMap.h"
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

namespace {

class Inliner {
public:
  Inliner(Program &to, const Program &from, const Terms &place,
          llvm::ArrayRef<InlinedTensor> tensors)
      : to(to), statement(from.statements.front()), tensors(tensors) {
    for (auto [mine, theirs] : llvm::zip_equal(statement.subscripts, place))
      if (mine->op == Op::Index)
        known[mine.get()] = theirs;
  }

  /// The value of an element. If a load is out of bounds, it is the statement's
  /// other value.
  Term value() {
    Term value = translate(statement.value);
    Term otherwise =
        statement.otherwise ? translate(statement.otherwise) : to.real(0);
    return inside ? make(Op::Select, {inside, value, otherwise}) : value;
  }

private:
  Term translate(Term term) {
    Term &made = known[term.get()];
    if (made)
      return made;
    Term result = make(term);
    return known[term.get()] = result; // the map may have grown
  }

  Term make(Term term) {
    Terms operands;
    for (Term operand : term->operands)
      operands.push_back(translate(operand));
    switch (term->op) {
    case Op::Number:
      return numberLike(*term);
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
  static Term make(Op op, llvm::ArrayRef<Term> operands) {
    return loops::make(op, operands);
  }

  Term numberLike(const Node &number) {
    if (number.form == Form::Element)
      return to.real(number.real);
    Term integer = to.number(number.integer);
    return number.form == Form::Boolean ? asBoolean(integer) : integer;
  }

  Term load(const Node &load, const Terms &subscripts) {
    const InlinedTensor &tensor = tensors[size_t(load.integer)];
    if (tensor.element)
      return tensor.element;
    if (load.outside == Outside::Skips)
      for (Term condition : conditionsOf(subscripts, to.tensors[tensor.number]))
        inside = inside ? make(Op::Both, {inside, condition}) : condition;
    return to.load(tensor.number, subscripts,
                   load.outside == Outside::Skips ? Outside::Zero
                                                  : load.outside,
                   load.form);
  }

  Program &to;
  const Statement &statement;
  llvm::ArrayRef<InlinedTensor> tensors;
  llvm::DenseMap<const Node *, Term> known;
  Term inside; ///< the condition that all loads are inside; null for none
};

} // namespace

Term loops::inlined(Program &to, const Program &from, const Terms &place,
                    llvm::ArrayRef<InlinedTensor> tensors) {
  return Inliner(to, from, place, tensors).value();
}
