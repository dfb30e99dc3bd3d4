//===- LocalPlan.cpp - products with factors in local memory --------------===//
// SPDX-License-Identifier: MIT
//
// In a sum of products, one factor often depends on a row of the result, and
// the other on its lanes: products of matrices, and convolutions. A group keeps
// the factors of its lanes in local memory, for as many terms as fit, and each
// of its work-items multiplies them by the factors of its rows. How a factor of
// lanes is found in memory does not matter then: strides, borders and
// conversions are those of one element, once for all rows.
//
//===----------------------------------------------------------------------===//

#include "glow/DevicePlan/DevicePlan.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::plans;
using namespace glow::loops;

/// The least rows and terms that are worth the copies.
static constexpr int64_t leastRows = 64, leastTerms = 32;
/// The least products: a driver compiles such a kernel for a second.
static constexpr int64_t leastProducts = int64_t(1) << 20;

/// Joins the lanes with the index that moves by all of them, if the other
/// factor does not depend on it: the pixels of an image are one index.
void DevicePlan::joinLanes(Term rowLoad) {
  const unsigned inner = lanes->index;
  const int64_t extent = program.extent(inner);
  if (extent >= forms.localLanes / 2)
    return;
  for (unsigned outerIndex : items) {
    if (outerIndex == inner || place.of(outerIndex) != extent ||
        rowLoad->dependsOn(outerIndex))
      continue;
    Term both = program.addIndex(
        program.length(outerIndex) * program.length(inner),
        (program.nameOf(outerIndex).str() + program.nameOf(inner).str()));
    Term size = program.number(extent);
    auto joined = [&](Term term) {
      term = program.replace(term, outerIndex, make(Op::Divide, {both, size}));
      return program.replace(term, inner, make(Op::Modulo, {both, size}));
    };
    const unsigned index = unsigned(both->integer);
    place.setFactor(outerIndex, 0);
    place.setFactor(inner, 0);
    place.setFactor(index, 1);
    statement.value = joined(statement.value);
    *llvm::find(statement.indices, outerIndex) = index;
    llvm::erase(statement.indices, inner);
    *llvm::find(items, outerIndex) = index;
    llvm::erase(items, inner);
    statement.subscripts = {termOf(program, place, statement.indices)};
    lanes->index = index;
    return;
  }
}

/// Orders the terms as the factors of a row are in memory; false if these are
/// not in one piece, at one distance.
bool DevicePlan::orderLocal(Term rowLoad) {
  Affine offset = affineOf(offsetOf(program, rowLoad->operands,
                                    program.tensors[size_t(rowLoad->integer)]));
  if (!offset.others.empty() || !offset.isFixed())
    return false;
  localTerms = summed;
  llvm::sort(localTerms, [&](unsigned a, unsigned b) {
    return std::pair(offset.of(b), b) < std::pair(offset.of(a), a);
  });
  int64_t next = localTerms.empty() ? 0 : offset.of(localTerms.back());
  for (unsigned index : llvm::reverse(localTerms)) {
    if (offset.of(index) <= 0 || offset.of(index) != next)
      return false;
    next *= program.extent(index);
  }
  return !localTerms.empty();
}

bool DevicePlan::chooseLocal() {
  const Term value = statement.value;
  if (!forms.hasLocal || statement.combine != ReductionKind::Sum ||
      value->op != Op::Multiply || program.computes != ElementKind::F32 ||
      !placesAreApart || !statement.bounds.empty() || statement.accumulates ||
      statement.finish || statement.scan || !outer.empty() ||
      program.tensors[statement.tensor].kind != ElementKind::F32 ||
      !areInside(statement.subscripts, program.tensors[statement.tensor]))
    return false;
  int64_t terms = 1;
  for (unsigned index : summed)
    terms *= program.extent(index);
  int64_t products = terms;
  for (unsigned index : items)
    products *= program.extent(index);
  auto lane = llvm::find_if(items, [&](unsigned index) {
    return place.of(index) == 1 && !place.isOpaqueIn(index);
  });
  if (products < leastProducts || terms < leastTerms || terms > INT32_MAX ||
      lane == items.end() || program.extent(*lane) < 4)
    return false;
  for (size_t number : {size_t(0), size_t(1)}) {
    Term rowLoad = value->operands[number], other = value->operands[1 - number];
    if (rowLoad->op != Op::Load || rowLoad->outside != Outside::Never ||
        rowLoad->dependsOn(*lane) || !other->dependsOn(*lane))
      continue;
    for (unsigned index : items)
      if (index != *lane && rowLoad->dependsOn(index) &&
          !other->dependsOn(index) && program.extent(index) >= leastRows &&
          (!row || program.extent(index) > program.extent(row->index)))
        row = {index, forms.localRows};
    if (!row || !orderLocal(rowLoad)) {
      row.reset();
      localTerms.clear();
      continue;
    }
    lanes = {*lane, forms.localLanes};
    if (!statement.planned("lanes"))
      joinLanes(rowLoad);
    rowFactor = rowLoad;
    laneFactor = statement.value->operands[0] == rowLoad
                     ? statement.value->operands[1]
                     : statement.value->operands[0];
    hasLocalVectors = forms.hasLanes && areVectors(laneFactor, lanes->index);
    localSize = forms.localTerms;
    group = forms.localGroup;
    width = 16;
    return true;
  }
  return false;
}
