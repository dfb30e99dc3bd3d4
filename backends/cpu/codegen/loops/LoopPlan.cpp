//===- LoopPlan.cpp - plan of a statement's loops -------------------------===//
// SPDX-License-Identifier: MIT

#include "LoopPlan.h"
#include "LoopFactors.h"
#include "codegen/emit/Emit.h"
#include "glow/Base/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace glow;
using namespace glow::cpu;
using namespace glow::loops;

/// A number of chunks that is enough for any number of threads.
static constexpr int64_t enoughChunks = 64;

static void replaceIndex(Program &program, Statement &statement, unsigned from,
                         Term to) {
  for (Term &subscript : statement.subscripts)
    subscript = program.replace(subscript, from, to);
  statement.value = program.replace(statement.value, from, to);
  statement.otherwise = program.replace(statement.otherwise, from, to);
  statement.index = program.replace(statement.index, from, to);
  statement.finish = program.replace(statement.finish, from, to);
  for (Bounds &bounds : statement.bounds) {
    bounds.low = program.replace(bounds.low, from, to);
    bounds.high = program.replace(bounds.high, from, to);
  }
}

void cpu::splitIndex(Program &program, Statement &statement, unsigned index,
                     int64_t by) {
  auto [whole, rest] = program.split(index, by);
  auto at = llvm::find(statement.indices, index);
  at = statement.indices.erase(at);
  at = statement.indices.insert(at, unsigned(rest->integer));
  statement.indices.insert(at, unsigned(whole->integer));
  replaceIndex(
      program, statement, index,
      make(Op::Add, {make(Op::Multiply, {whole, program.number(by)}), rest}));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

LoopPlan::LoopPlan(Program &program, Statement given, const Target &target,
                   llvm::ArrayRef<unsigned> outer)
    : program(program), width(target.lanes), statement(std::move(given)),
      outer(outer) {
  divide();
  joinIndices(program, statement, outer);
  const Tensor &tensor = program.tensors[statement.tensor];
  place = affineOf(offsetOf(program, statement.subscripts, tensor));
  skipsTerms = llvm::any_of(treesOf(statement), [](Term term) {
    return term->op == Op::Load && term->outside == Outside::Skips;
  });
  findPlaces();
  chooseLanes();
  width > 1 ? chooseRows(target) : chooseSums(target);
  chooseInnermost();
  takeOrders();
  chooseThreads();
  checkUses();
}

/// Whether an index may be divided. An index along which elements are
/// contiguous may run along the lanes, and must not become shorter than 16.
bool LoopPlan::mayDivide(unsigned index, int64_t by) const {
  auto areNeighbours = [&](const Terms &subscripts, size_t tensor) {
    Affine offset =
        affineOf(offsetOf(program, subscripts, program.tensors[tensor]));
    return offset.of(index) == 1 && !offset.isOpaqueIn(index);
  };
  if (by >= width || statement.boundsOf(index))
    return !statement.boundsOf(index);
  if (areNeighbours(statement.subscripts, statement.tensor))
    return false;
  bool isSummed = llvm::none_of(
      statement.subscripts, [&](Term one) { return one->dependsOn(index); });
  return !isSummed || width % by != 0 ||
         llvm::none_of(treesOf(statement), [&](Term term) {
           return term->op == Op::Load &&
                  areNeighbours(term->operands, size_t(term->integer));
         });
}

/// Splits an index that subscripts divide by a constant into quotient and
/// remainder.
void LoopPlan::divide() {
  auto find = [&]() -> Term {
    for (Term term : treesOf(statement))
      if ((term->op == Op::Divide || term->op == Op::Modulo) &&
          term->form == Form::Index && term->operands[0]->op == Op::Index &&
          term->operands[1]->isNumber() && term->operands[1]->integer > 1 &&
          llvm::is_contained(statement.indices,
                             unsigned(term->operands[0]->integer)) &&
          mayDivide(unsigned(term->operands[0]->integer),
                    term->operands[1]->integer) &&
          program.length(unsigned(term->operands[0]->integer)).divisor() %
                  term->operands[1]->integer ==
              0)
        return term;
    return Term();
  };
  // This ends, because each iteration makes extents smaller.
  while (Term found = find()) {
    unsigned index = unsigned(found->operands[0]->integer);
    int64_t by = found->operands[1]->integer;
    splitIndex(program, statement, index, by);
  }
}

int64_t cpu::usualOf(const Length &length) {
  if (length.isFixed())
    return length.fixed();
  const LengthRange range = length.range();
  return std::llround(std::sqrt(double(std::max<int64_t>(range.low, 1)) *
                                double(std::max<int64_t>(range.high, 1))));
}
int64_t LoopPlan::usual(unsigned index) const {
  return usualOf(program.length(index));
}

int64_t LoopPlan::turnsOf(unsigned index) const {
  int64_t turns = usual(index);
  const Bounds *bounds = statement.boundsOf(index);
  for (unsigned other : statement.indices)
    if (bounds &&
        (bounds->low->dependsOn(other) || bounds->high->dependsOn(other)))
      turns /= std::max<int64_t>(program.extent(other), 1);
  return std::max<int64_t>(turns, 1);
}

void LoopPlan::findPlaces() {
  Places found = placesOf(program, statement, place, outer);
  placesAreApart = found.areApart;
  covers = found.cover;
  placed.assign(found.placed.begin(), found.placed.end());
  summed.assign(found.summed.begin(), found.summed.end());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::vector<PlaceLoop> LoopPlan::loopsOverPlaces() const {
  std::vector<PlaceLoop> loops;
  auto add = [&](unsigned index, int64_t step) {
    int64_t extent = program.extent(index);
    loops.push_back({index, (extent + step - 1) / step, step});
  };
  for (unsigned index : placed)
    add(index, 1);
  if (!placesAreApart)
    return loops;
  if (lanes && !sumsLanes())
    add(lanes->index, lanes->size * width);
  for (const LoopTile &row : rows)
    add(row.index, row.size);
  if (innermost)
    add(*innermost, 1);
  return loops;
}

int64_t LoopPlan::work() const {
  int64_t work = 1;
  for (unsigned index : statement.indices)
    work = expr::multiply(work, program.length(index).isFixed() ||
                                        statement.boundsOf(index)
                                    ? turnsOf(index)
                                    : program.extent(index));
  return expr::add(work / (lanes ? width : 1), 1);
}

/// Distributes the outermost loops over threads, as far as there is work.
void LoopPlan::chooseThreads() {
  if (!outer.empty())
    return;         // the scan's plan has the indices that threads share
  if (width == 1) { // the processor has one thread
    const PlanEntry *given = statement.planned("threads");
    if (given && !given->parts.empty())
      refuse("threads", "has an index on a processor without vectors");
    return;
  }
  if (const PlanEntry *given = statement.planned("threads"))
    return takeThreads(*given);
  std::vector<PlaceLoop> loops = loopsOverPlaces();
  int64_t chunks = 1;
  while (threads < loops.size() && chunks < enoughChunks &&
         work() / chunks > leastWork)
    chunks *= loops[threads++].count;
}

llvm::SmallVector<unsigned> LoopPlan::nesting() const {
  llvm::SmallVector<unsigned> order = outer;
  order.append(placed);
  if (lanes && !sumsLanes())
    order.push_back(lanes->index);
  for (const LoopTile &row : rows)
    order.push_back(row.index);
  if (innermost)
    order.push_back(*innermost);
  order.append(summed);
  if (sumsLanes())
    order.push_back(lanes->index);
  return order;
}
