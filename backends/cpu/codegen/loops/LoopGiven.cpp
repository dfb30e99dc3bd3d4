//===- LoopGiven.cpp - plans that are given, and whole plans --------------===//
// SPDX-License-Identifier: MIT

#include "LoopPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::loops;

/// The most vectors or rows: more of them exceed the registers.
static constexpr int64_t mostSideBySide = 16;

void LoopPlan::refuse(llvm::StringRef use, const llvm::Twine &reason) {
  if (wrong.empty())
    wrong = ("the plan's '" + use + "' " + reason).str();
}

void LoopPlan::takeLanes(const PlanEntry &given) {
  if (given.parts.empty())
    return;
  const PlanEntry::Part &part = given.parts.front();
  if (given.parts.size() > 1)
    return refuse("lanes", "has more than one index");
  if (width == 1)
    return refuse("lanes", "has an index on a processor without vectors");
  if (!llvm::is_contained(statement.indices, part.index))
    return refuse("lanes", "is no index of the statement");
  if (!mayBeLanes(part.index))
    return refuse("lanes",
                  "has an index whose values have no lanes: it has one value, "
                  "is in the bounds of others, or its places are not next to "
                  "each other");
  if (part.size > mostSideBySide || (part.size > 1 && !place.of(part.index)))
    return refuse("lanes", "has more vectors than are computed side by side");
  lanes = {part.index, part.size};
  llvm::erase(placed, part.index);
  llvm::erase(summed, part.index);
}

void LoopPlan::takeRows(const PlanEntry &given) {
  if (given.parts.empty())
    return;
  if (!mayHaveRows())
    return refuse("rows", "has indices where no terms are summed in registers");
  if (given.parts.size() > (sumsLanes() || width == 1 ? 2 : 1))
    return refuse("rows", "has more indices than are taken at a time");
  for (const PlanEntry::Part &part : given.parts) {
    if (!llvm::is_contained(placed, part.index))
      return refuse("rows", "has an index that is no loop over places");
    if (!mayBeRow(part.index) || part.size > mostSideBySide)
      return refuse("rows",
                    "has an index whose values are not computed side by side");
    rows.push_back(
        {part.index, std::min(part.size, program.extent(part.index))});
    llvm::erase(placed, part.index);
  }
}

void LoopPlan::takeInnermost(const PlanEntry &given) {
  if (given.parts.empty())
    return;
  unsigned index = given.parts.front().index;
  if (given.parts.size() > 1 || sums() || !lanes ||
      !llvm::is_contained(placed, index))
    return refuse("innermost", "is no loop over places of an assignment with "
                               "lanes");
  innermost = index;
  llvm::erase(placed, index);
}

/// Puts loops in the given order.
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

void LoopPlan::takeOrders() {
  if (!takeOrder(statement.planned("loops"), placed))
    refuse("loops", "does not have each loop over places once");
  if (!takeOrder(statement.planned("sums"), summed))
    return refuse("sums", "does not have each loop over terms once");
  auto given = summed;
  orderTerms(statement, summed);
  if (given != summed)
    refuse("sums", "has an index before those that its bounds depend on");
}

void LoopPlan::takeThreads(const PlanEntry &given) {
  std::vector<PlaceLoop> loops = loopsOverPlaces();
  bool areOutermost =
      given.parts.size() <= loops.size() &&
      llvm::all_of(llvm::zip(given.parts, loops), [](auto pair) {
        return std::get<0>(pair).index == std::get<1>(pair).index;
      });
  if (!areOutermost)
    return refuse("threads", "does not have the outermost loops in order");
  threads = given.parts.size();
}

void LoopPlan::checkUses() {
  for (const PlanEntry &entry : statement.plan)
    if (!llvm::is_contained(
            llvm::ArrayRef<llvm::StringRef>{"lanes", "rows", "loops",
                                            "innermost", "sums", "threads"},
            llvm::StringRef(entry.use)))
      refuse(entry.use, "is none of lanes, rows, loops, innermost, sums and "
                        "threads");
}

/// The statement with all parts of the plan. A given part without indices
/// stays, as it would otherwise be chosen again.
Statement LoopPlan::planned() const {
  Statement whole = statement;
  whole.plan.clear();
  auto add = [&](const char *use, llvm::ArrayRef<LoopTile> tiles) {
    if (tiles.empty() && !statement.planned(use))
      return;
    PlanEntry &entry = whole.plan.emplace_back(PlanEntry{use});
    for (const LoopTile &tile : tiles)
      entry.parts.push_back({tile.index, tile.size});
  };
  auto addLoops = [&](const char *use, llvm::ArrayRef<unsigned> indices) {
    llvm::SmallVector<LoopTile> tiles;
    for (unsigned index : indices)
      tiles.push_back({index, 1});
    add(use, tiles);
  };
  addLoops("loops", placed);
  if (lanes)
    add("lanes", {*lanes});
  else if (width > 1)
    whole.plan.emplace_back(PlanEntry{"lanes"});
  add("rows", rows);
  addLoops("innermost",
           innermost ? llvm::ArrayRef(*innermost) : llvm::ArrayRef<unsigned>());
  addLoops("sums", summed);
  llvm::SmallVector<unsigned> shared;
  for (const PlaceLoop &loop : loopsOverPlaces())
    if (shared.size() < threads)
      shared.push_back(loop.index);
  if (outer.empty())
    addLoops("threads", shared);
  return whole;
}
