//===- LoopLanes.cpp - lanes and rows of loops ----------------------------===//
// SPDX-License-Identifier: MIT
//
// The index along the lanes is chosen by the cost of loads and stores, and rows
// by the loads that they share.
//
//===----------------------------------------------------------------------===//

#include "LoopFactors.h"
#include "LoopPlan.h"
#include "glow/Base/SortByKey.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::loops;

std::optional<int64_t> cpu::repeatsOf(const Affine &offset, unsigned index,
                                      int64_t width) {
  std::optional<int64_t> repeats;
  for (auto [term, factor] : offset.others) {
    if (!term->dependsOn(index))
      continue;
    if (repeats || factor != 1 || term->op != Op::Divide ||
        term->operands[0] != term->program->indexTerm(index) ||
        !term->operands[1]->isNumber())
      return std::nullopt;
    repeats = term->operands[1]->integer;
  }
  bool divides = repeats && *repeats > 1 && width % *repeats == 0;
  return divides && offset.of(index) == 0 ? repeats : std::nullopt;
}

namespace {

/// A load, with the dependence of its offset on each index.
struct Read {
  Term load;
  Affine offset;

  /// Whether the load does not depend on the index.
  bool isFixed(unsigned index) const { return !load->dependsOn(index); }
  double cost(unsigned index, int64_t width) const {
    if (isFixed(index))
      return 0.5;
    if (offset.isOpaqueIn(index))
      return repeatsOf(offset, index, width) ? 2 : 24;
    return offset.of(index) == 1 ? 1 : 12;
  }
};

std::vector<Read> readsOf(Program &program, const Statement &statement) {
  std::vector<Read> reads;
  Statement each = statement;
  each.finish = Term(); // evaluated once for all terms
  for (Term term : treesOf(each))
    if (term->op == Op::Load)
      reads.push_back(
          {term, affineOf(offsetOf(program, term->operands,
                                   program.tensors[size_t(term->integer)]))});
  return reads;
}

} // namespace

/// Whether an index may run along the lanes. The order of terms matters if
/// several terms are assigned to one element.
bool LoopPlan::mayBeLanes(unsigned index) const {
  return (placesAreApart || sums()) && turnsOf(index) >= 2 &&
         !place.isOpaqueIn(index) && !statement.isInBounds(index) &&
         (placesAreApart || place.of(index) == 1);
}

/// Chooses the index for which the loads and stores of a vector cost least.
void LoopPlan::chooseLanes() {
  if (const PlanEntry *given = statement.planned("lanes"))
    return takeLanes(*given);
  if (width == 1)
    return;
  std::vector<Read> reads = readsOf(program, statement);
  double best = 0;
  for (unsigned index : statement.indices) {
    if (!mayBeLanes(index))
      continue;
    int64_t extent = turnsOf(index), step = place.of(index);
    double cost = 0;
    for (const Read &read : reads)
      cost += read.cost(index, width);
    cost += step == 1 ? 1 : step == 0 ? 40.0 / double(extent) : 24;
    // Lanes of the last vector may be unused.
    cost *= double((extent + width - 1) / width * width) / double(extent);
    if (lanes && cost >= best)
      continue;
    best = cost;
    lanes = {index, 1};
  }
  if (!lanes)
    return;
  llvm::erase(placed, lanes->index);
  llvm::erase(summed, lanes->index);
}

/// The largest of the candidates that divides the extent; the first if none
/// does.
static int64_t tileOf(int64_t extent, int64_t most) {
  if (extent <= most)
    return extent;
  for (int64_t size = most; 2 * size > most; --size)
    if (extent % size == 0)
      return size;
  return most;
}

/// Whether an index may be unrolled. Loads with guards that depend on the index
/// exclude it.
bool LoopPlan::mayBeRow(unsigned index) const {
  return !statement.isInBounds(index) &&
         llvm::none_of(treesOf(statement), [&](Term term) {
           return term->op == Op::Load && term->dependsOn(index) &&
                  term->outside != Outside::Never;
         });
}
bool LoopPlan::mayHaveRows() const {
  return (lanes || width == 1) && placesAreApart && sums() &&
         summed.size() + sumsLanes() != 0;
}

void LoopPlan::chooseRows(const Target &target) {
  if (!lanes)
    return;
  const bool many = target.vectorRegisters > 16;
  // Smaller sizes than a tile are whole vectors and a masked one.
  int64_t vectors = (program.extent(lanes->index) + width - 1) / width;
  // Elements with many operations leave no registers for several rows.
  constexpr unsigned fewOperations = 8;
  bool isSmall = sums() || operationsIn(statement.value) <= fewOperations;
  // Functions of a step have temporary values, for which few registers are
  // left.
  if (statement.scan && !sums() && !many)
    isSmall &= llvm::none_of(treesOf(statement),
                             [](Term term) { return term->op == Op::Call; });
  if (!sumsLanes() && isSmall && !statement.planned("lanes"))
    lanes->size = tileOf(vectors, summed.empty() || many ? 4 : 2);
  if (const PlanEntry *given = statement.planned("rows"))
    return takeRows(*given);
  if (!mayHaveRows())
    return;
  std::vector<Read> reads = readsOf(program, statement);
  /// The number of loads that rows of the index share.
  auto shared = [&](unsigned index) {
    int64_t count = 0;
    if (mayBeRow(index))
      for (const Read &read : reads)
        count += read.isFixed(index) && read.load->indices;
    return count;
  };
  size_t most = sumsLanes() ? 2 : 1;
  auto byGain = placed;
  sortGreatestFirst(byGain, [&](unsigned index) {
    return shared(index) * std::min<int64_t>(usual(index), 4);
  });
  for (unsigned index : byGain) {
    if (rows.size() == most || !shared(index))
      break;
    int64_t size = sumsLanes() ? (many ? 4 : 2) : (many ? 6 : 2);
    rows.push_back({index, tileOf(usual(index), size)});
    llvm::erase(placed, index);
  }
}

/// The largest divisor of `extent` up to `most`.
static int64_t divisorOf(int64_t extent, int64_t most) {
  while (extent % most)
    --most;
  return most;
}

/// Chooses tiles for a processor without vectors: an element that several sums
/// read is loaded once. A tile divides its extent, so that no code for a
/// remainder is needed.
void LoopPlan::chooseSums(const Target &target) {
  if (const PlanEntry *given = statement.planned("rows"))
    return takeRows(*given);
  if (!mayHaveRows())
    return;
  // As many registers are left for operands and addresses.
  const bool isReal = program.computes == ElementKind::F32;
  const int64_t most = isReal ? std::min(target.floatRegisters / 2, 8u) : 4;
  std::vector<Read> reads = readsOf(program, statement);
  auto mayShare = [&](unsigned index) { return mayBeRow(index); };
  auto loadsOf = [&](llvm::ArrayRef<LoopTile> tile) {
    double loads = 0, sums = 1;
    for (const Read &read : reads) {
      double copies = 1;
      for (const LoopTile &row : tile)
        copies *= read.isFixed(row.index) ? 1.0 : double(row.size);
      loads += copies;
    }
    for (const LoopTile &row : tile)
      sums *= double(row.size);
    return loads / sums;
  };
  double least = loadsOf({});
  auto consider = [&](llvm::SmallVector<LoopTile, 2> tile) {
    llvm::erase_if(tile, [](const LoopTile &row) { return row.size < 2; });
    if (double loads = loadsOf(tile); loads < least)
      least = loads, rows = std::move(tile);
  };
  for (unsigned first : llvm::make_filter_range(placed, mayShare))
    for (int64_t size = 1; size <= most; size *= 2)
      for (unsigned second : llvm::make_filter_range(placed, mayShare)) {
        int64_t mine = divisorOf(program.length(first).divisor(), size);
        int64_t other =
            divisorOf(program.length(second).divisor(), most / mine);
        consider({{first, mine}, {second, second == first ? 1 : other}});
      }
  for (const LoopTile &row : rows)
    llvm::erase(placed, row.index);
}

/// Chooses the innermost loop, so that neighbours in a cache line are read one
/// after the other: an index along which strided lanes move to adjacent
/// elements.
void LoopPlan::chooseInnermost() {
  if (const PlanEntry *given = statement.planned("innermost"))
    return takeInnermost(*given);
  if (sums() || !lanes)
    return;
  for (const Read &read : readsOf(program, statement)) {
    if (read.cost(lanes->index, width) <= 1)
      continue;
    auto near = llvm::find_if(
        placed, [&](unsigned index) { return read.offset.of(index) == 1; });
    if (near == placed.end())
      continue;
    innermost = *near;
    placed.erase(near);
    if (!statement.planned("lanes"))
      lanes->size = 1;
    return;
  }
}
