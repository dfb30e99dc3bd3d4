//===- LoopScan.cpp - statements that hold step by step -------------------===//
// SPDX-License-Identifier: MIT
//
// A scan step depends on the step before, but often only on the same items. If
// all statements access changed tensors at the same value of an index, this
// index becomes the outermost loop, and its values are distributed over
// threads. The index along which elements are contiguous stays inside, for
// lanes.
//
//===----------------------------------------------------------------------===//

#include "LoopScan.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Statement;
using loops::Term;

namespace {

/// Finds indices that correspond in all statements, by the subscripts of
/// changed tensors in which they occur.
class SharedIndices {
public:
  SharedIndices(const loops::Program &program, ArrayRef<Statement> statements)
      : program(program), statements(statements) {
    for (const Statement &statement : statements)
      changed.insert(statement.tensor);
    for (auto [number, statement] : enumerate(statements)) {
      visit(number, statement.tensor, statement.subscripts);
      for (Term term : treesOf(statement))
        if (term->op == Op::Load)
          visit(number, unsigned(term->integer), term->operands);
    }
  }

  std::vector<SharedIndex> find() const {
    std::vector<SharedIndex> result;
    for (auto leader = classes.begin(); leader != classes.end(); ++leader)
      if ((*leader)->isLeader())
        if (std::optional<SharedIndex> shared = indicesOf(**leader))
          result.push_back(*shared);
    return result;
  }

private:
  /// A tensor with the number of a subscript; or a statement, numbered after
  /// the tensors, with an index.
  using Member = std::pair<size_t, size_t>;
  using Classes = EquivalenceClasses<Member>;

  bool isPlace(const Member &member) const {
    return member.first < program.tensors.size();
  }
  size_t ownerOf(size_t statement) const {
    return program.tensors.size() + statement;
  }

  void visit(size_t statement, unsigned tensor, const loops::Terms &places) {
    if (!changed.contains(tensor))
      return;
    const loops::Tensor &its = program.tensors[tensor];
    auto indices = places.size() == its.shape.size()
                       ? indicesOf(places)
                       : indicesOf(affineOf(places.front()), its);
    for (auto [number, index] : enumerate(indices)) {
      Member place(tensor, number);
      if (index && is_contained(statements[statement].indices, *index) &&
          !statements[statement].boundsOf(*index))
        classes.unionSets(place, {ownerOf(statement), size_t(*index)});
      else
        mixed.insert(place);
    }
  }

  /// The index that forms each subscript alone, or the quotient of one that is
  /// split; nothing for another subscript.
  using PlaceIndices = SmallVector<std::optional<unsigned>>;
  PlaceIndices indicesOf(const loops::Terms &places) const {
    PlaceIndices indices;
    for (Term place : places)
      indices.push_back(place->op == Op::Index
                            ? std::optional(unsigned(place->integer))
                            : quotientIn(affineOf(place)));
    return indices;
  }

  /// The index q of a sum `q * by + r`, where r has `by` values.
  std::optional<unsigned> quotientIn(const loops::Affine &sum) const {
    if (sum.indices.size() != 2 || sum.constant != 0 || !sum.isFixed() ||
        !sum.others.empty())
      return std::nullopt;
    auto [first, one] = *sum.indices.begin();
    auto [second, other] = *sum.indices.rbegin();
    if (one == 1 && other == program.extent(first))
      return second;
    if (other == 1 && one == program.extent(second))
      return first;
    return std::nullopt;
  }

  /// The same for an offset, the sum of subscripts: an index that moves by the
  /// stride of a dimension, beside indices that stay within the stride.
  PlaceIndices indicesOf(const loops::Affine &offset,
                         const loops::Tensor &tensor) const {
    const Ints &shape = tensor.shape;
    PlaceIndices indices(shape.size());
    bool isPlain =
        offset.constant == 0 && offset.others.empty() && offset.isFixed() &&
        tensor.lengths.empty() &&
        all_of(offset.indices, [](const auto &one) { return one.second > 0; });
    if (!isPlain)
      return indices;
    auto spanOf = [&](int64_t below) {
      int64_t span = 0;
      for (auto [index, factor] : offset.indices)
        if (factor < below)
          span += factor * (program.extent(index) - 1);
      return span;
    };
    int64_t step = 1;
    for (size_t number = shape.size(); number-- > 0;) {
      SmallVector<unsigned> found;
      for (auto [index, factor] : offset.indices)
        if (factor >= step && factor < step * shape[number])
          found.push_back(index);
      if (found.size() == 1 && offset.of(found.front()) == step &&
          spanOf(step) < step && program.extent(found.front()) <= shape[number])
        indices[number] = found.front();
      if (found.size() == 2 && spanOf(step) < step)
        indices[number] = quotientOf(offset, found, step, shape[number]);
      step *= shape[number];
    }
    return indices;
  }

  /// The same for two indices of a dimension of `size`, in an offset.
  std::optional<unsigned> quotientOf(const loops::Affine &offset,
                                     ArrayRef<unsigned> two, int64_t step,
                                     int64_t size) const {
    for (auto [whole, rest] :
         {std::pair(two[0], two[1]), std::pair(two[1], two[0])})
      if (offset.of(rest) == step &&
          offset.of(whole) == step * program.extent(rest) &&
          program.extent(whole) * program.extent(rest) == size)
        return whole;
    return std::nullopt;
  }

  /// The index of each statement in a class; nothing if a statement or a
  /// changed tensor has none or several.
  std::optional<SharedIndex> indicesOf(const Classes::ECValue &leader) const {
    std::map<size_t, size_t> indices, places;
    for (auto member = classes.member_begin(leader);
         member != classes.member_end(); ++member) {
      if (isPlace(*member) && mixed.contains(*member))
        return std::nullopt;
      auto &known = isPlace(*member) ? places : indices;
      if (!known.insert(*member).second)
        return std::nullopt;
    }
    if (indices.size() != statements.size() || places.size() != changed.size())
      return std::nullopt;
    SharedIndex shared;
    for (auto [statement, index] : indices)
      shared.push_back(unsigned(index));
    return shared;
  }

  const loops::Program &program;
  ArrayRef<Statement> statements;
  std::set<unsigned> changed;
  std::set<Member> mixed; ///< subscripts that are not always an index
  Classes classes;
};

/// Whether lanes would be contiguous along the index.
bool isForLanes(loops::Program &program, ArrayRef<Statement> statements,
                const SharedIndex &shared) {
  return any_of(zip_equal(statements, shared), [&](auto pair) {
    auto &[statement, index] = pair;
    return affineOf(offsetOf(program, statement.subscripts,
                             program.tensors[statement.tensor]))
               .of(index) == 1;
  });
}

/// Splits an index along which lanes are contiguous, if all statements share
/// it: a part of the elements stays in the cache for all steps, and threads
/// share the parts.
void splitLanes(loops::Program &program, std::vector<Statement> &statements) {
  constexpr int64_t most = 256, least = 64;
  if (any_of(statements,
             [](const Statement &one) { return !one.plan.empty(); }))
    return;
  for (const SharedIndex &shared : SharedIndices(program, statements).find()) {
    const Length length = program.length(shared.front());
    if (!isForLanes(program, statements, shared) || !length.isFixed())
      continue;
    int64_t by = std::min(most, length.fixed() / 2);
    while (by >= least && (by % least || length.fixed() % by))
      --by;
    if (by < least)
      continue;
    for (auto [statement, index] : zip_equal(statements, shared))
      splitIndex(program, statement, index, by);
    return;
  }
}

} // namespace

ScanPlan::ScanPlan(loops::Program &program, ArrayRef<Statement> given,
                   const Target &target)
    : program(program), scan(program.scans[*given.front().scan]) {
  std::vector<Statement> statements;
  llvm::SmallSet<size_t, 4> fills;
  for (const Statement &statement : given) {
    // Identity elements, for elements that a sum may not reach.
    Statement unplanned = statement;
    unplanned.plan.clear();
    LoopPlan plan(program, unplanned, target, {scan.index});
    if (plan.sums() && !plan.covers && !statement.accumulates) {
      fills.insert(statements.size());
      statements.push_back(program.fillOf(statement));
    }
    statements.push_back(statement);
  }
  if (target.lanes > 1)
    splitLanes(program, statements);
  chooseThreads(statements);
  for (auto [number, statement] : enumerate(statements)) {
    SmallVector<unsigned> outer;
    for (const SharedIndex &one : shared)
      outer.push_back(one[number]);
    for (unsigned index : outer)
      erase(statement.indices, index);
    outer.push_back(scan.index);
    plans.emplace_back(program, statement, target, outer);
    plans.back().isFill = fills.contains(number);
  }
}

/// Chooses the shared indices. The first statement with given threads decides
/// for all statements.
void ScanPlan::chooseThreads(ArrayRef<Statement> statements) {
  auto first = find_if(statements, [](const Statement &statement) {
    return statement.planned("threads");
  });
  const loops::PlanEntry *given =
      first == statements.end() ? nullptr : first->planned("threads");
  auto isGiven = [&](const SharedIndex &found) {
    return any_of(given->parts, [&](const loops::PlanEntry::Part &part) {
      return part.index == found[size_t(first - statements.begin())];
    });
  };
  for (const SharedIndex &found : SharedIndices(program, statements).find())
    if (given ? isGiven(found) : !isForLanes(program, statements, found))
      shared.push_back(found);
  if (given && shared.size() != given->parts.size())
    wrong = "the plan's 'threads' has an index that steps of the scan do not "
            "share";
}

std::vector<Statement> ScanPlan::planned() const {
  std::vector<Statement> all;
  for (auto [number, plan] : enumerate(plans)) {
    if (plan.isFill)
      continue;
    Statement &statement = all.emplace_back(plan.planned());
    loops::PlanEntry threads{"threads"};
    for (const SharedIndex &one : shared) {
      statement.indices.insert(statement.indices.begin(), one[number]);
      threads.parts.push_back({one[number]});
    }
    statement.plan.push_back(threads);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

bool LoopEmitter::carries(const loops::Scan &scan) const {
  const loops::Tensor &tensor = plan.program.tensors[statement().tensor];
  bool isOne = plan.placesAreApart && !plan.sums() && !plan.lanes &&
               plan.loopsOverPlaces().empty() && placeGuards.empty() &&
               guards.empty() && tensor.kind == plan.program.computes &&
               statement().value->op != Op::Load;
  if (!isOne)
    return false;
  const Length step = plan.place.factorOf(scan.index);
  auto isBefore = [&](Term load) {
    loops::Affine offset =
        affineOf(offsetOf(plan.program, load->operands, tensor));
    return load->form == loops::Form::Element &&
           load->outside == loops::Outside::Zero && offset.others.empty() &&
           offset.indices == plan.place.indices &&
           offset.open == plan.place.open &&
           offset.start + offset.constant ==
               plan.place.start + plan.place.constant +
                   (scan.backwards ? step : 0 - step);
  };
  bool reads = false;
  for (Term term : treesOf(statement()))
    if (term->op == Op::Load && unsigned(term->integer) == statement().tensor) {
      if (!isBefore(term))
        return false;
      reads = true;
    }
  return reads;
}

Value *LoopEmitter::emitCarried(ArrayRef<Value *> outer, Value *before) {
  values.enter();
  values.setResult(before);
  bindOuter(outer);
  Value *element = assigned(Copy{});
  values.storeFirst(element, nullptr, Copy{});
  values.setResult(nullptr);
  values.leave();
  return element;
}

/// The plan of the steps after the first, which need no test for it.
static LoopPlan afterFirst(const LoopPlan &plan, const loops::Scan &scan) {
  LoopPlan after = plan;
  loops::Program &program = plan.program;
  const Term first = asElement(program.size(
      scan.backwards ? program.length(scan.index) - 1 : Length(0)));
  auto isFirst = [&](Term term) {
    return term->op == Op::Equal && term->operands[0]->op == Op::Convert &&
           term->operands[0]->operands[0] == program.indexTerm(scan.index) &&
           term->operands[1] == first;
  };
  after.statement.value = program.replace(plan.statement.value, [&](Term term) {
    return term->op == Op::Select && isFirst(term->operands[0])
               ? term->operands[2]
               : Term();
  });
  return after;
}

NativeStep::Phase cpu::emitScan(Emitter &code, const ScanPlan &plan,
                                unsigned buffers) {
  loops::Program &program = plan.program;
  std::vector<std::unique_ptr<LoopEmitter>> statements;
  for (const LoopPlan &statement : plan.plans)
    statements.push_back(
        std::make_unique<LoopEmitter>(code, statement, buffers));
  LoopEmitter &first = *statements.front();
  std::optional<LoopEmitter> rest;
  const Length &length = program.length(plan.scan.index);
  if (statements.size() == 1 && first.carries(plan.scan) && !mayBeNone(length))
    rest.emplace(code, afterFirst(plan.plans.front(), plan.scan), buffers);
  Length chunks = 1;
  for (const SharedIndex &shared : plan.shared)
    chunks = chunks * program.length(shared.front());
  Value *steps = first.number(length);
  SmallVector<Value *> values(plan.shared.size() + 1);
  auto bind = [&](Value *turn) {
    values.back() = plan.scan.backwards
                        ? code.CreateSub(first.number(length - 1), turn)
                        : turn;
  };
  auto step = [&](Value *turn) {
    bind(turn);
    for (auto &statement : statements)
      statement->emitWithin(values);
  };
  auto chunk = [&](Value *number) {
    for (size_t i = plan.shared.size(); i-- > 0;) {
      Value *extent = first.number(program.length(plan.shared[i].front()));
      values[i] = i ? code.CreateURem(number, extent) : number;
      number = code.CreateUDiv(number, extent);
    }
    if (!rest || length == 0)
      return code.loop(code.integer(0), steps, step, /*maybeNone=*/true);
    auto carried = [&](LoopEmitter &statement, Value *turn, Value *before) {
      bind(turn);
      return statement.emitCarried(values, before);
    };
    Value *element = carried(first, code.integer(0), first.noElement());
    code.loop(
        code.integer(1), steps, {element},
        [&](Value *turn, Emitter::Values before) -> Emitter::Values {
          return {carried(*rest, turn, before.front())};
        },
        /*maybeNone=*/!length.isFixed());
  };
  Value *end = code.function->getArg(3);
  if (chunks.isFixed()) {
    code.loop(code.function->getArg(2), end, chunk);
    code.CreateRetVoid();
    return {code.function, chunks.fixed()};
  }
  code.loop(code.function->getArg(2), code.smaller(end, first.number(chunks)),
            chunk, /*maybeNone=*/true);
  code.CreateRetVoid();
  emitMeasure(code,
              [&](Emitter &measured) { return valueOf(measured, chunks); });
  return {code.function, chunks.range().high};
}
