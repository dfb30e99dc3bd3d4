//===- CopyPlaces.cpp - offsets of pieces, step by step -------------------===//
// SPDX-License-Identifier: MIT

#include "CopyPlaces.h"

#include <algorithm>

using namespace glow;

/// The number of steps that the search for one place looks ahead.
static constexpr unsigned window = 256;

CopyPlaces::CopyPlaces(const CopySteps &steps, std::vector<uint64_t> capacities,
                       Look look)
    : offsets(steps.pieces.size()), steps(steps), look(look),
      capacities(std::move(capacities)), left(steps.pieces.size()),
      lastTouch(steps.pieces.size()), taken(steps.size()),
      inUse(this->capacities.size()), found(inUse) {
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned piece : steps.touches[step]) {
      lastTouch[piece] = step;
      ++left[piece];
    }
}

std::optional<uint64_t> CopyPlaces::findOffset(const std::vector<Span> &spans,
                                               uint64_t bytes,
                                               uint64_t capacity, bool isNarrow,
                                               bool isLow) const {
  std::optional<uint64_t> result;
  uint64_t narrowest = ~uint64_t(0), begin = 0;
  auto look = [&](uint64_t end) {
    if (end < begin + bytes || (isNarrow && end - begin >= narrowest) ||
        (!isNarrow && isLow && result))
      return;
    narrowest = end - begin;
    result = isLow ? begin : end - bytes;
  };
  for (const Span &span : spans) {
    look(span.begin);
    begin = span.end;
  }
  look(capacity);
  return result;
}

/// Adds the pieces that the step touches and that have no place yet.
bool CopyPlaces::add(Spans &spans, unsigned step, Fit fit) const {
  bool isNarrow = fit == Fit::Narrow || fit == Fit::NarrowOpposite;
  bool isOpposite = fit == Fit::NarrowOpposite || fit == Fit::OutermostOpposite;
  bool isLow = (steps.kinds[step] == CopySteps::Kind::Start) == isOpposite;
  for (unsigned piece : steps.touches[step]) {
    auto [memory, bytes] = steps.pieces[piece];
    std::vector<Span> &there = spans[memory];
    if (memory == 0 || bytes == 0 ||
        std::ranges::find(there, piece, &Span::piece) != there.end())
      continue;
    std::optional<uint64_t> offset =
        findOffset(there, bytes, capacities[memory], isNarrow, isLow);
    if (!offset)
      return false;
    Span span{*offset, *offset + bytes, piece};
    there.insert(std::ranges::upper_bound(there, *offset, {}, &Span::begin),
                 span);
  }
  return true;
}

/// Whether the pieces that the step touches fit by the sum of bytes alone.
bool CopyPlaces::haveBytes(const Spans &spans, unsigned step) const {
  std::vector<uint64_t> bytes(spans.size());
  for (size_t memory = 1; memory < spans.size(); ++memory)
    for (const Span &span : spans[memory])
      bytes[memory] += span.end - span.begin;
  for (unsigned piece : steps.touches[step]) {
    auto [memory, more] = steps.pieces[piece];
    if (std::ranges::find(spans[memory], piece, &Span::piece) ==
        spans[memory].end())
      bytes[memory] += more;
  }
  for (size_t memory = 1; memory < spans.size(); ++memory)
    if (bytes[memory] > capacities[memory])
      return false;
  return true;
}

/// Adds the pieces of the copies that the next computing step needs. Returns
/// false if their bytes fit in sum, but no gap is large enough.
bool CopyPlaces::addCopies(Spans &spans, unsigned step, Fit fit) const {
  for (++step; step < steps.size(); ++step) {
    if (steps.kinds[step] == CopySteps::Kind::Other)
      return true;
    if (steps.kinds[step] == CopySteps::Kind::Start && !taken[step] &&
        haveBytes(spans, step) && !add(spans, step, fit))
      return false;
  }
  return true;
}

void CopyPlaces::erase(Spans &spans, unsigned piece) const {
  std::erase_if(spans[steps.pieces[piece].memory],
                [&](const Span &span) { return span.piece == piece; });
}

/// Whether all steps from `to` on find places until the pieces of `step` are
/// freed. Beside a computing step, copies bring the pieces of the next one, and
/// take away the pieces of the one before.
bool CopyPlaces::hasRoomAhead(Spans spans, unsigned to, unsigned step, Fit fit,
                              bool withCopies) const {
  unsigned end = step;
  for (unsigned piece : steps.touches[step])
    if (steps.pieces[piece].memory)
      end = std::max(end, lastTouch[piece]);
  std::vector<unsigned> leaving;
  for (const std::vector<Span> &there : spans)
    for (const Span &span : there)
      if (lastTouch[span.piece] < to)
        leaving.push_back(span.piece);
  auto leave = [&] {
    for (unsigned piece : leaving)
      erase(spans, piece);
    leaving.clear();
  };
  end = std::min(end, to + window);
  for (unsigned next = to; next <= end; ++next) {
    if (!withCopies)
      leave();
    else if (!haveBytes(spans, next))
      return false;
    if (!taken[next] && !add(spans, next, fit))
      return false;
    if (steps.kinds[next] == CopySteps::Kind::Other) {
      if (withCopies && look != Look::Near && !addCopies(spans, next, fit))
        return false;
      leave();
    }
    for (unsigned piece : steps.touches[next]) {
      if (lastTouch[piece] != next)
        continue;
      if (steps.kinds[next] == CopySteps::Kind::Wait || look == Look::Wide)
        leaving.push_back(piece);
      else
        erase(spans, piece);
    }
  }
  return true;
}

bool CopyPlaces::findWith(unsigned to, unsigned step, Ahead ahead) {
  for (Fit fit : {Fit::Narrow, Fit::Outermost, Fit::NarrowOpposite,
                  Fit::OutermostOpposite}) {
    found = inUse;
    if (!add(found, step, fit))
      continue;
    bool withCopies = ahead == Ahead::Copies;
    if (ahead == Ahead::Nothing ||
        hasRoomAhead(found, to, step, Fit::Narrow, withCopies) ||
        hasRoomAhead(found, to, step, Fit::Outermost, withCopies))
      return true;
  }
  return false;
}

bool CopyPlaces::find(unsigned to, unsigned step, Ahead ahead) {
  if (look != Look::Near && findWith(to, step, Ahead::Copies))
    return true;
  return (look == Look::Near || ahead != Ahead::Copies) &&
         findWith(to, step, ahead);
}

void CopyPlaces::take(unsigned step) {
  taken[step] = true;
  for (unsigned piece : steps.touches[step]) {
    unsigned memory = steps.pieces[piece].memory;
    if (auto span = std::ranges::find(found[memory], piece, &Span::piece);
        span != found[memory].end() && !offsets[piece]) {
      offsets[piece] = span->begin;
      inUse[memory].insert(std::ranges::upper_bound(inUse[memory], span->begin,
                                                    {}, &Span::begin),
                           *span);
    }
    if (--left[piece] == 0)
      std::erase_if(inUse[memory],
                    [&](const Span &span) { return span.piece == piece; });
  }
}
