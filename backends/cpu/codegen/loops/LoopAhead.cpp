//===- LoopAhead.cpp - prefetching for later iterations of a loop ---------===//
// SPDX-License-Identifier: MIT
//
// If an element is the index of another element, the processor sees no pattern
// of addresses and looks ahead only as far as its instruction window. So rows
// of a large tensor are prefetched some iterations before they are read.
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "glow/Base/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Term;

/// The prefetch distance in iterations: as many as memory serves at once, with
/// a line or two each.
static constexpr int64_t turnsAhead = 16;
static constexpr int64_t lineBytes = 64;
/// The processor itself prefetches the lines after these.
static constexpr int64_t mostLines = 8;

/// Whether a term loads from an index that was itself loaded by `index`.
static bool leadsOn(Term term, unsigned index) {
  return term->dependsOn(index) && any_of(treesOf(term), [&](Term part) {
           return part->op == Op::Load && part->dependsOn(index);
         });
}

/// The bytes of a large tensor that a load reads for the vectors of a tile;
/// nothing if its index was not loaded, or if lanes are not contiguous.
std::optional<LoopValues::Fetch> LoopValues::fetchOf(Term load, unsigned index,
                                                     int64_t vectors) const {
  const loops::Tensor &tensor = plan.program.tensors[size_t(load->integer)];
  const Offset &offset = offsetOf(load);
  const int64_t bytes = int64_t(byteSize(tensor.kind));
  if (none_of(offset.affine.others,
              [&](auto &other) { return leadsOn(other.first, index); }) ||
      expr::prod(tensor.shape) * bytes <= Target::secondLevelCache)
    return std::nullopt;
  int64_t count = 1;
  if (plan.lanes && offset.ordered->dependsOn(plan.lanes->index)) {
    auto repeats = repeatsOf(offset.affine, plan.lanes->index, plan.width);
    if (!repeats && !isNeighbours(offset))
      return std::nullopt;
    count = vectors * plan.width / repeats.value_or(1);
  }
  const int64_t low = offset.affine.constant * bytes;
  return Fetch{unsigned(load->integer), offset.affine, &offset, low,
               low + count * bytes};
}

/// The byte ranges that loads read; loads that differ only in constants share
/// one.
std::vector<LoopValues::Fetch>
LoopValues::fetchesFor(unsigned index, ArrayRef<Copy> copies) const {
  const int64_t vectors = copies.back()[2] + 1;
  std::vector<Fetch> fetches;
  for (Term load : trees) {
    if (load->op != Op::Load)
      continue;
    std::optional<Fetch> fetch = fetchOf(load, index, vectors);
    if (!fetch)
      continue;
    fetch->way.constant = 0;
    // A tile of all lanes begins with the first.
    if (plan.lanes &&
        plan.program.extent(plan.lanes->index) <= vectors * plan.width) {
      fetch->way.setFactor(plan.lanes->index, 0);
      erase_if(fetch->way.others, [&](auto &other) {
        return other.first->dependsOn(plan.lanes->index);
      });
    }
    auto same = find_if(fetches, [&](const Fetch &other) {
      return other.tensor == fetch->tensor &&
             other.way.indices == fetch->way.indices &&
             other.way.open == fetch->way.open &&
             other.way.start == fetch->way.start &&
             other.way.others == fetch->way.others;
    });
    if (same == fetches.end()) {
      fetches.push_back(*fetch);
      continue;
    }
    same->high = std::max(same->high, fetch->high);
    if (fetch->low < same->low)
      same->low = fetch->low, same->from = fetch->from;
  }
  return fetches;
}

/// Prefetches each line once.
void LoopValues::fetch(const Fetch &fetch, Copy copy) {
  const int64_t bytes =
      int64_t(byteSize(plan.program.tensors[fetch.tensor].kind));
  // The offset of the first byte in a line is a multiple of this step.
  int64_t step = std::gcd(lineBytes, fetch.way.start.divisor() * bytes);
  for (auto [index, factor] : fetch.way.indices)
    step = std::gcd(step, fetch.way.factorOf(index).divisor() * bytes);
  for (auto &[other, factor] : fetch.way.others)
    step = std::gcd(step, factor * bytes);
  Value *first = firstAddress(fetch.tensor, *fetch.from, copy);
  auto line = [&](int64_t at) {
    code.fetch(code.CreateGEP(code.getInt8Ty(), first, code.integer(at)));
  };
  const int64_t size = fetch.high - fetch.low;
  int64_t lines = std::min((size + lineBytes - 1) / lineBytes, mostLines);
  for (int64_t i = 0; i < lines; ++i)
    line(i * lineBytes);
  if (size - 1 - (lines - 1) * lineBytes >= step && lines < mostLines)
    line(size - 1);
}

void LoopValues::fetchAhead(unsigned index, ArrayRef<Copy> copies) {
  std::vector<Fetch> fetches = fetchesFor(index, copies);
  if (fetches.empty())
    return;
  Value *now = bound.at(index);
  enter();
  isAhead = true;
  Value *last = this->index(plan.program.size(plan.program.length(index) - 1));
  bind(index, code.smaller(code.add(now, code.integer(turnsAhead)), last));
  for (const Fetch &one : fetches)
    fetch(one, copies.front());
  isAhead = false;
  leave();
  bind(index, now);
}
