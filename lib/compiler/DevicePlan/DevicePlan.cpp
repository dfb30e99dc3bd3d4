//===- DevicePlan.cpp - work-items of a statement -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/DevicePlan/DevicePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace glow;
using namespace glow::plans;
using namespace glow::loops;

DevicePlan::DevicePlan(Program &program, Statement given,
                       const PlanForms &forms, llvm::ArrayRef<unsigned> outer)
    : program(program), forms(forms), statement(std::move(given)), outer(outer),
      group(forms.group) {
  joinIndices(program, statement, outer);
  place = affineOf(offsetOf(program, statement.subscripts,
                            program.tensors[statement.tensor]));
  Places places = placesOf(program, statement, place, outer);
  placesAreApart = places.areApart;
  covers = places.cover;
  items = places.placed;
  summed = places.summed;
  orderSums();
  const PlanEntry *local = statement.planned("local");
  if ((local ? local->parts.empty() : statement.planned("lanes") != nullptr) ||
      !chooseLocal())
    chooseLanesAndRow();
  takeGiven();
  // The last index has neighbouring elements, which neighbouring work-items
  // compute; tiles are inside. Work-items of a group share factors of lanes.
  if (isLocal()) {
    for (unsigned index : {lanes->index, row->index}) {
      llvm::erase(items, index);
      items.push_back(index);
    }
  } else if (lanes) {
    llvm::erase(items, lanes->index);
    items.push_back(lanes->index);
  }
}

int64_t DevicePlan::stepOf(unsigned index) const {
  if (lanes && lanes->index == index)
    return lanes->size;
  return row && row->index == index ? row->size : 1;
}
int64_t DevicePlan::countOf(unsigned index) const {
  return (program.extent(index) + stepOf(index) - 1) / stepOf(index);
}

/// Puts the loops first on which conditions of terms depend, so that a skipped
/// loop costs one test.
void DevicePlan::orderSums() {
  if (!statement.bounds.empty())
    return;
  auto isTested = [&](unsigned index) {
    return llvm::any_of(treesOf(statement), [&](Term term) {
      return term->op == Op::Load && term->outside == Outside::Skips &&
             llvm::any_of(conditionsOf(term->operands,
                                       program.tensors[size_t(term->integer)]),
                          [&](Term one) { return one->dependsOn(index); });
    });
  };
  std::ranges::stable_partition(summed, isTested);
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// Whether vectors compute the tree: arithmetic of f32.
static bool hasVectors(const Program &program, Term term, unsigned index) {
  if (!term || !term->dependsOn(index))
    return true;
  switch (term->op) {
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
  case Op::Divide:
  case Op::Negate:
    return term->form == Form::Element &&
           llvm::all_of(term->operands, [&](Term operand) {
             return hasVectors(program, operand, index);
           });
  case Op::Load: {
    if (term->form != Form::Element || term->outside == Outside::Fails)
      return false;
    const Tensor &tensor = program.tensors[size_t(term->integer)];
    Affine offset = affineOf(
        offsetOf(const_cast<Program &>(program), term->operands, tensor));
    bool isPlain =
        tensor.kind == ElementKind::F32 || tensor.kind == ElementKind::F16;
    return isPlain && offset.of(index) > 0 && !offset.isOpaqueIn(index);
  }
  default:
    return false;
  }
}

/// Whether the factor, and conditions on it, have code for vectors.
bool DevicePlan::areVectors(Term factor, unsigned index) const {
  return hasVectors(program, factor, index) && hasSimpleGuards(index);
}

bool DevicePlan::hasSimpleGuards(unsigned index) const {
  // Guards of lanes are comparisons of numbers of 32 bits.
  auto isSimple = [&](Term term) {
    if (term->op != Op::Load || !term->dependsOn(index))
      return true;
    Terms conditions =
        conditionsOf(term->operands, program.tensors[size_t(term->integer)]);
    return llvm::all_of(treesOf(conditions), [&](Term part) {
      bool isSmall = part->form != Form::Index ||
                     (part->low >= INT32_MIN && part->high <= INT32_MAX);
      bool isVector = part->op == Op::Index || part->isNumber() ||
                      part->op == Op::Add || part->op == Op::Subtract ||
                      part->op == Op::Multiply || part->op == Op::LessEqual ||
                      part->op == Op::Less || part->op == Op::Both;
      return !part->dependsOn(index) || (isSmall && isVector);
    });
  };
  return llvm::all_of(treesOf(statement), isSimple);
}

bool DevicePlan::mayBeLanes(unsigned index) const {
  return forms.hasLanes && program.computes == ElementKind::F32 &&
         place.of(index) == 1 && !place.isOpaqueIn(index) && placesAreApart &&
         program.extent(index) >= 4 && llvm::is_contained(items, index) &&
         areInside(statement.subscripts, program.tensors[statement.tensor]) &&
         program.tensors[statement.tensor].kind == ElementKind::F32 &&
         !statement.isInBounds(index) && !statement.accumulates &&
         statement.combine == ReductionKind::Sum && !statement.finish &&
         !statement.scan && hasVectors(program, statement.value, index) &&
         hasSimpleGuards(index);
}

void DevicePlan::chooseLanes() {
  for (unsigned index : items)
    if (sums() && mayBeLanes(index)) {
      const int64_t extent = program.extent(index);
      width = extent >= 16 ? 16 : extent >= 8 ? 8 : 4;
      lanes = {index, extent >= 32 ? 32 : width};
      group = 1;
      return;
    }
}

void DevicePlan::chooseLanesAndRow() {
  chooseLanes();
  chooseRow();
}

/// An index along which vectors are used again.
bool DevicePlan::mayBeRow(unsigned index) const {
  auto isGuard = [&](Term term) {
    return term->op == Op::Load && term->outside != Outside::Never &&
           llvm::any_of(conditionsOf(term->operands,
                                     program.tensors[size_t(term->integer)]),
                        [&](Term one) { return one->dependsOn(index); });
  };
  return lanes && lanes->index != index && !statement.isInBounds(index) &&
         llvm::none_of(treesOf(statement), isGuard) &&
         llvm::any_of(treesOf(statement.value), [&](Term term) {
           return term->op == Op::Load && term->dependsOn(lanes->index) &&
                  !term->dependsOn(index);
         });
}

void DevicePlan::chooseRow() {
  for (unsigned index : items)
    if (mayBeRow(index) &&
        (!row || program.extent(index) > program.extent(row->index)))
      row = {index, 1};
  if (row)
    row->size = std::min<int64_t>(8, program.extent(row->index));
}

//===----------------------------------------------------------------------===//
// Given parts
//===----------------------------------------------------------------------===//

void DevicePlan::refuse(llvm::StringRef use, const std::string &reason) {
  if (wrong.empty())
    wrong = "'" + use.str() + "' " + reason;
}

/// Puts indices in the given order.
static bool takeOrder(const PlanEntry *given,
                      llvm::SmallVectorImpl<unsigned> &order) {
  if (!given)
    return true;
  llvm::SmallVector<unsigned> indices;
  for (const PlanEntry::Part &part : given->parts)
    indices.push_back(part.index);
  if (!std::ranges::is_permutation(indices, order))
    return false;
  order.assign(indices.begin(), indices.end());
  return true;
}

void DevicePlan::takeGiven() {
  auto isKnown = [&](llvm::StringRef use) {
    return use == "items" || use == "sums" ||
           ((forms.hasLanes || forms.hasLocal) &&
            (use == "lanes" || use == "rows")) ||
           (forms.hasLocal && use == "local");
  };
  for (const PlanEntry &entry : statement.plan)
    if (!isKnown(entry.use))
      refuse(entry.use,
             "is no part of a plan: there are items" +
                 std::string(forms.hasLocal   ? ", lanes, rows, sums and local"
                             : forms.hasLanes ? ", lanes, rows and sums"
                                              : " and sums"));
  if (takeLocal())
    return;
  if (const PlanEntry *given = statement.planned("lanes")) {
    lanes.reset();
    row.reset();
    width = 1;
    group = forms.group;
    for (const PlanEntry::Part &part : given->parts) {
      if (given->parts.size() > 1 || !mayBeLanes(part.index) ||
          part.size > 64 || part.size > program.extent(part.index) ||
          !llvm::isPowerOf2_64(uint64_t(part.size)) || part.size < 2)
        return refuse("lanes", "has an index whose values have no such lanes");
      lanes = {part.index, part.size};
      width = std::min<int64_t>(part.size, 16);
      group = 1;
    }
    chooseRow();
  }
  if (const PlanEntry *given = statement.planned("rows")) {
    row.reset();
    for (const PlanEntry::Part &part : given->parts) {
      if (given->parts.size() > 1 || !mayBeRow(part.index) || part.size < 1 ||
          part.size > 16 || part.size > program.extent(part.index) ||
          !llvm::is_contained(items, part.index))
        return refuse("rows", "has an index whose values share no vector");
      row = {part.index, part.size};
    }
  }
  if (!takeOrder(statement.planned("items"), items))
    refuse("items", "does not have all indices of the result");
  else if (const PlanEntry *given = statement.planned("items");
           given && !given->parts.empty())
    group = given->parts.back().size;
  if (group < 1 || group > forms.mostGroup)
    refuse("items", "has a group of more than " +
                        std::to_string(forms.mostGroup) + " work-items");
  if (!takeOrder(statement.planned("sums"), summed))
    refuse("sums", "does not have all indices of the terms");
}

/// Takes the parts of a plan with terms in local memory; whether it is one.
bool DevicePlan::takeLocal() {
  const PlanEntry *given = statement.planned("local");
  const bool isGiven = given && !given->parts.empty();
  if (!isGiven || !isLocal()) {
    if (isGiven)
      refuse("local", "has a statement that is no product of such factors");
    return isLocal() || isGiven;
  }
  llvm::SmallVector<unsigned> order;
  for (const PlanEntry::Part &part : given->parts)
    order.push_back(part.index);
  localSize = given->parts.back().size;
  const int64_t most = 4 * forms.localTerms;
  if (order != localTerms || localSize < 8 || localSize > most)
    refuse("local", "has other terms, or not from 8 to " +
                        std::to_string(most) + " of them");
  auto takeSize = [&](const char *use, DeviceTile &tile, bool isFixed) {
    const PlanEntry *entry = statement.planned(use);
    if (!entry)
      return;
    if (entry->parts.size() != 1 || entry->parts[0].index != tile.index ||
        entry->parts[0].size < 1 || (!isFixed && entry->parts[0].size > 16) ||
        (isFixed && entry->parts[0].size != tile.size))
      return refuse(use, "has an index whose values are not computed with "
                         "factors in local memory");
    tile.size = entry->parts[0].size;
  };
  takeSize("lanes", *lanes, /*isFixed=*/true);
  takeSize("rows", *row, /*isFixed=*/!forms.hasLanes);
  return true;
}

Statement DevicePlan::planned() const {
  Statement result = statement;
  auto entry = [&](const char *use, llvm::ArrayRef<unsigned> indices) {
    PlanEntry made{use, {}};
    for (unsigned index : indices)
      made.parts.push_back({index, 1});
    return made;
  };
  PlanEntry shared = entry("items", items);
  if (!shared.parts.empty())
    shared.parts.back().size = group;
  result.plan = {shared};
  if (!forms.hasLanes && !isLocal()) {
    if (forms.hasLocal) // so that none is chosen
      result.plan.push_back(entry("lanes", {}));
    result.plan.push_back(entry("sums", summed));
    return result;
  }
  PlanEntry vectors = entry("lanes", {}), unrolled = entry("rows", {});
  if (lanes)
    vectors.parts.push_back({lanes->index, lanes->size});
  if (row)
    unrolled.parts.push_back({row->index, row->size});
  result.plan.push_back(vectors);
  result.plan.push_back(unrolled);
  if (!isLocal()) {
    result.plan.push_back(entry("sums", summed));
    return result;
  }
  PlanEntry local = entry("local", localTerms);
  local.parts.back().size = localSize;
  result.plan.push_back(local);
  return result;
}
