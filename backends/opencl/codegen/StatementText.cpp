//===- StatementText.cpp - OpenCL C of one statement ----------------------===//
// SPDX-License-Identifier: MIT

#include "StatementText.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

StatementText::StatementText(Program &program, const DevicePlan &plan,
                             Values &values)
    : program(program), plan(plan), values(values) {
  auto isOfLanes = [&](Term condition) {
    return plan.lanes && !plan.isLocal() &&
           condition->dependsOn(plan.lanes->index);
  };
  for (Term term : treesOf(statement()))
    if (term->op == Op::Load && term->outside == Outside::Skips)
      for (Term condition :
           conditionsOf(term->operands, program.tensors[size_t(term->integer)]))
        (isOfLanes(condition) ? laneGuards : guards).push_back(condition);
  llvm::append_range(placeGuards,
                     conditionsOf(statement().subscripts,
                                  program.tensors[statement().tensor]));
}

//===----------------------------------------------------------------------===//
// Work-items
//===----------------------------------------------------------------------===//

/// Declares the values of an index that the work-item computes. `place` is the
/// number of the work-item along the index.
void StatementText::bindItem(unsigned index, const std::string &place) {
  const std::string name = "i" + std::to_string(index);
  const int64_t step = plan.stepOf(index);
  if (step == 1 && !(plan.row && plan.row->index == index)) {
    values.line("const int " + name + " = (int)" + place + ";");
    values.bind(index, name);
    return;
  }
  const std::string size = std::to_string(step);
  const bool isLane = plan.lanes && plan.lanes->index == index;
  values.line("const int " + name + " = (int)" + place + " * " + size + ";");
  std::string end = values.number(program.extent(index));
  const int64_t count = isLane ? step / plan.width : step;
  const int64_t each = isLane ? plan.width : 1;
  // The last tile begins earlier, and stores only the elements of its own.
  for (int64_t i = 0; i < count; ++i)
    values.line("const int " + name + "_" + std::to_string(i) + " = min(" +
                name + " + " + std::to_string(i * each) + ", " + end + " - " +
                std::to_string(each) + ");");
  values.bind(index, name);
}

/// Declares indices from the number of a work-item among all.
void StatementText::decode(llvm::ArrayRef<unsigned> indices,
                           const std::string &place) {
  std::string rest = place;
  for (unsigned index : llvm::reverse(indices)) {
    if (index == indices.front())
      return bindItem(index, rest);
    std::string count = values.number(plan.countOf(index));
    bindItem(index, "(" + rest + " % " + count + ")");
    std::string next = values.fresh("w");
    values.line("const long " + next + " = " + rest + " / " + count + ";");
    rest = next;
  }
}

void StatementText::bindItems() {
  llvm::ArrayRef<unsigned> items = plan.items;
  if (items.empty())
    return;
  // Groups are whole: some work-items have nothing to do.
  values.line("if (get_global_id(0) >= (size_t)" +
              values.number(plan.countOf(items.back())) + ") return;");
  bindItem(items.back(), "get_global_id(0)");
  items = items.drop_back();
  if (!items.empty()) {
    bindItem(items.back(), "get_global_id(1)");
    items = items.drop_back();
  }
  if (!items.empty())
    decode(items, "(long)get_global_id(2)");
}

void StatementText::shareItems(uint64_t count) {
  int64_t all = 1;
  for (unsigned index : plan.items)
    all *= plan.countOf(index);
  std::string item = values.fresh("w");
  values.open("for (long " + item + " = get_local_id(0); " + item + " < " +
              values.number(all) + "; " + item +
              " += " + std::to_string(count) + ")");
  decode(plan.items, item);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::vector<Term> StatementText::guardsAt(size_t level) const {
  std::vector<Term> found;
  for (Term guard : guards)
    if (values.isKnown(guard) && values.levelOf(guard) == level &&
        !llvm::is_contained(found, guard))
      found.push_back(guard);
  return found;
}

void StatementText::emit() {
  values.plan = &plan;
  const size_t items = values.depth();
  if (!plan.placesAreApart) {
    values.changed.insert(statement().tensor);
    emitInMemory(0);
  } else if (plan.sums()) {
    emitTile();
  } else {
    emitAssigned();
  }
  while (values.depth() > items)
    values.close();
  for (unsigned index : statement().indices)
    values.unbind(index);
  values.plan = nullptr;
}

/// The value of an assignment, in a variable.
std::string StatementText::assignedValue() {
  std::string holds = values.all(guards);
  if (holds.empty())
    return values.get(statement().value);
  std::string other = statement().otherwise ? values.get(statement().otherwise)
                                            : values.literal(0);
  std::string variable = values.fresh("r");
  values.line(values.elementType() + " " + variable + " = " + other + ";");
  values.open("if (" + holds + ")");
  values.isGuarded = true;
  std::string value = values.get(statement().value);
  values.line(variable + " = " + value + ";");
  values.isGuarded = false;
  values.close();
  return variable;
}

void StatementText::emitAssigned() {
  storeElement(assignedValue(), {}, /*isPlace=*/false);
}

/// Stores an element where its subscripts are inside of the tensor.
void StatementText::storeElement(const std::string &value, Copy copy,
                                 bool isPlace) {
  const unsigned tensor = statement().tensor;
  std::string place = values.get(termOf(program, plan.place), copy, true);
  std::string inside = values.all(placeGuards, copy, true);
  std::string text = values.store(tensor, place, value);
  if (isPlace) {
    // The place of an element is a whole number, whatever the kind is in which
    // elements are compared.
    const ElementKind computes = program.computes;
    program.computes = ElementKind::I64;
    text = values.store(tensor, place, value);
    program.computes = computes;
  }
  values.line((inside.empty() ? "" : "if (" + inside + ") ") + "{ " + text +
              " }");
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

std::string StatementText::accumulator(Copy copy) const {
  return "a" + std::to_string(copy.row) + "_" + std::to_string(copy.vector);
}

std::string StatementText::combined(const std::string &sum,
                                    const std::string &term) const {
  const bool isReal = isFloat(program.computes);
  const std::string suffix = suffixOf(program.computes);
  auto wrapped = [&](const char *op) {
    return isReal ? sum + op + term
                  : "(" + values.elementType() + ")((ulong)" + sum + op +
                        "(ulong)" + term + ")";
  };
  switch (statement().combine) {
  case ReductionKind::Product:
    return wrapped(" * ");
  case ReductionKind::Max:
    return "glow_max_" + suffix + "(" + term + ", " + sum + ")";
  case ReductionKind::Min:
    return "glow_min_" + suffix + "(" + term + ", " + sum + ")";
  case ReductionKind::Or:
    return "(" + sum + " != 0 || " + term + " != 0) ? " + values.literal(1) +
           " : " + values.literal(0);
  case ReductionKind::And:
    return "(" + sum + " != 0 && " + term + " != 0) ? " + values.literal(1) +
           " : " + values.literal(0);
  default:
    return wrapped(" + ");
  }
}

void StatementText::emitTile() {
  const int64_t rows = plan.row ? plan.row->size : 1;
  const int64_t vectors = plan.lanes ? plan.lanes->size / plan.width : 1;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t vector = 0; vector < vectors; ++vector)
      copies.push_back({row, vector});
  const bool isIndex = givesIndex(statement().combine);
  const std::string lanes = plan.lanes ? std::to_string(plan.width) : "";
  double identity =
      identityOf(statement().combine, program.tensors[statement().tensor].kind);
  for (Copy copy : copies)
    values.line(values.elementType() + lanes + " " + accumulator(copy) + " = " +
                values.literal(isIndex ? 0 : identity) + ";");
  if (isIndex)
    values.line("long best = -1;");
  if (statement().combine == ReductionKind::Mean)
    values.line("long terms = 0;");
  // Conditions on the element alone.
  const size_t level = values.depth();
  std::string holds = values.all(guardsAt(level));
  std::vector<Term> before;
  for (Term guard : guards)
    if (values.isKnown(guard) && values.levelOf(guard) < level)
      before.push_back(guard);
  std::string earlier = values.all(before);
  if (!earlier.empty())
    holds = holds.empty() ? earlier : earlier + " && " + holds;
  values.open(holds.empty() ? "" : "if (" + holds + ")");
  sums(0);
  values.close();
  storeTile();
}

/// Opens the loop over an index, within its bounds.
void StatementText::openLoop(unsigned index) {
  Term low = program.number(0), high = program.end(index);
  if (const Bounds *given = statement().boundsOf(index)) {
    if (given->fails) {
      Term inside = make(Op::Both, {make(Op::LessEqual, {low, given->low}),
                                    make(Op::LessEqual, {given->high, high})});
      Term isFine = make(
          Op::Either, {make(Op::LessEqual, {given->high, given->low}), inside});
      values.checkInside(values.get(isFine));
    }
    low = expr::max(given->low, low);
    high = expr::min(given->high, high);
  }
  std::string name = values.fresh("x");
  std::string from = values.get(low), to = values.get(high);
  values.open("for (int " + name + " = (int)" + from + "; " + name +
              " < (int)" + to + "; ++" + name + ")");
  values.bind(index, name);
}

bool StatementText::masksAreKnown(size_t depth) const {
  return llvm::none_of(laneGuards, [&](Term guard) {
    return llvm::any_of(
        llvm::drop_begin(plan.summed, depth),
        [&](unsigned index) { return guard->dependsOn(index); });
  });
}

void StatementText::sums(size_t depth) {
  if (!laneGuards.empty() && !isBranched && masksAreKnown(depth)) {
    // Inside of the image, no term has a mask.
    isBranched = true;
    std::string inside;
    llvm::SmallVector<std::string> masks;
    const int64_t vectors = plan.lanes->size / plan.width;
    for (int64_t vector = 0; vector < vectors; ++vector) {
      std::string mask = values.fresh("m");
      values.line("const int" + std::to_string(plan.width) + " " + mask +
                  " = " + values.all(laneGuards, {0, vector}) + ";");
      masks.push_back(mask);
      inside += (inside.empty() ? "all(" : " && all(") + mask + ")";
    }
    values.open("if (" + inside + ")");
    sums(depth);
    values.close();
    values.open("else");
    masked.assign(masks.begin(), masks.end());
    sums(depth);
    masked.clear();
    values.close();
    isBranched = false;
    return;
  }
  if (depth == plan.summed.size())
    return addTerms();
  openLoop(plan.summed[depth]);
  if (std::string holds = values.all(guardsAt(values.depth())); !holds.empty())
    values.line("if (!(" + holds + ")) continue;");
  sums(depth + 1);
  values.unbind(plan.summed[depth]);
  values.close();
}

void StatementText::addTerms() {
  values.isGuarded = true;
  for (Copy copy : copies)
    if (givesIndex(statement().combine))
      addPlace(copy);
    else
      addTerm(copy);
  if (statement().combine == ReductionKind::Mean)
    values.line("++terms;");
  values.isGuarded = false;
}

/// A factor of a product, as many lanes as the sum has.
std::string StatementText::factor(Term term, Copy copy) {
  std::string value = values.get(term, copy);
  return plan.lanes && !values.isVector(term)
             ? "(float" + std::to_string(plan.width) + ")(" + value + ")"
             : value;
}

void StatementText::addTerm(Copy copy) {
  const std::string sum = accumulator(copy);
  Term value = statement().value;
  values.mask = masked.empty() ? "" : masked[size_t(copy.vector)];
  std::string next;
  const bool isSum = statement().combine == ReductionKind::Sum ||
                     statement().combine == ReductionKind::Mean;
  if (isSum && value->op == Op::Multiply && isFloat(program.computes))
    next = "MULTIPLY_ADD(" + factor(value->operands[0], copy) + ", " +
           factor(value->operands[1], copy) + ", " + sum + ")";
  else
    next = combined(sum, values.get(value, copy));
  if (!values.mask.empty())
    next = "select(" + sum + ", " + next + ", " + values.mask + ")";
  values.line(sum + " = " + next + ";");
  values.mask.clear();
}

/// Keeps the better of two terms, and its index: NaN wins, then the largest (or
/// least) term, then the first. A term without an index does not count.
void StatementText::addPlace(Copy copy) {
  const bool isReal = isFloat(program.computes);
  std::string term = values.get(statement().value, copy),
              its = values.fresh("g"), sum = accumulator(copy);
  values.line("const long " + its + " = " + indexOf(copy) + ";");
  const char *than =
      statement().combine == ReductionKind::ArgMax ? " > " : " < ";
  std::string leads = term + than + sum, same = term + " == " + sum;
  if (isReal) {
    leads += " || (isnan(" + term + ") && !isnan(" + sum + "))";
    same += " || (isnan(" + term + ") && isnan(" + sum + "))";
  }
  values.open("if (" + its + " >= 0 && (best < 0 || " + leads + " || ((" +
              same + ") && " + its + " < best)))");
  values.line(sum + " = " + term + "; best = " + its + ";");
  values.close();
}

/// The index that a term of ArgMax gives.
std::string StatementText::indexOf(Copy copy) {
  Term index = statement().index;
  std::string value = values.get(index, copy);
  return "(long)" + value;
}

std::string StatementText::finished(Copy copy) {
  std::string value = accumulator(copy);
  if (statement().combine == ReductionKind::Mean) {
    std::string mean = values.fresh("r");
    const std::string type = values.elementType();
    std::string quotient = isFloat(program.computes)
                               ? value + " / (" + type + ")terms"
                               : "divide_" + suffixOf(program.computes) + "(" +
                                     value + ", (" + type + ")terms)";
    values.line("const " + type + " " + mean + " = terms ? " + quotient +
                " : " + values.literal(0) + ";");
    value = mean;
  }
  if (statement().accumulates) {
    std::string place = values.get(termOf(program, plan.place), copy, true);
    std::string stored = values.fresh("r");
    std::string inside = values.all(placeGuards, copy, true);
    values.line("const " + values.elementType() + " " + stored + " = " +
                (inside.empty() ? "" : inside + " ? ") +
                values.load(statement().tensor, place, /*asIndex=*/false) +
                (inside.empty() ? "" : " : " + values.literal(0)) + ";");
    value = "(" + combined(stored, value) + ")";
  }
  if (statement().finish) {
    std::string reduced = values.fresh("r");
    values.line("const " + values.elementType() + " " + reduced + " = " +
                value + ";");
    values.resultOf = statement().tensor;
    values.result = reduced;
    value = values.get(statement().finish, copy);
    values.resultOf.reset();
  }
  return value;
}

void StatementText::storeTile() {
  if (!plan.lanes) {
    const bool isIndex = givesIndex(statement().combine);
    return storeElement(isIndex ? "best" : finished({}), {}, isIndex);
  }
  const std::string width = std::to_string(plan.width);
  const std::string lane = "i" + std::to_string(plan.lanes->index);
  for (Copy copy : copies) {
    std::string place = values.get(termOf(program, plan.place), copy, true);
    // The first lane that no tile before has.
    std::string first = lane + " + " +
                        std::to_string(copy.vector * plan.width) + " - " +
                        lane + "_" + std::to_string(copy.vector);
    std::string row;
    if (copy.row)
      row = "if (i" + std::to_string(plan.row->index) + "_" +
            std::to_string(copy.row) + " == i" +
            std::to_string(plan.row->index) + " + " + std::to_string(copy.row) +
            ") ";
    values.line(row + "store_lanes" + width + "(" + accumulator(copy) +
                ", (global float *)" + values.pointer(statement().tensor) +
                " + " + place + ", " + first + ");");
  }
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

void StatementText::emitInMemory(size_t depth) {
  if (depth < plan.summed.size()) {
    openLoop(plan.summed[depth]);
    emitInMemory(depth + 1);
    values.unbind(plan.summed[depth]);
    values.close();
    return;
  }
  const bool isFound =
      llvm::any_of(treesOf(statement().subscripts),
                   [](Term term) { return term->op == Op::Load; });
  std::string inside = values.all(placeGuards, {}, true);
  if (isFound && !inside.empty())
    values.checkInside(inside);
  if (!plan.sums()) {
    // The result must not move out of the condition.
    if (!inside.empty())
      values.open("if (" + inside + ")");
    std::string value = assignedValue();
    std::string place = values.get(termOf(program, plan.place), {}, true);
    values.line(values.store(statement().tensor, place, value));
    if (!inside.empty())
      values.close();
    return;
  }
  std::string holds = values.all(guards);
  for (const std::string &condition : {inside, holds})
    if (!condition.empty())
      values.open("if (" + condition + ")");
  values.isGuarded = true;
  std::string place = values.get(termOf(program, plan.place), {}, true);
  std::string old = values.fresh("r");
  values.line("const " + values.elementType() + " " + old + " = " +
              values.load(statement().tensor, place, /*asIndex=*/false) + ";");
  std::string term = values.get(statement().value);
  values.line(
      values.store(statement().tensor, place, "(" + combined(old, term) + ")"));
  values.isGuarded = false;
  for (const std::string &condition : {inside, holds})
    if (!condition.empty())
      values.close();
}
