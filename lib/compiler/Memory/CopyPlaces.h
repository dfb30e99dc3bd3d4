//===- CopyPlaces.h - offsets of pieces, step by step -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_COPYPLACES_H
#define GLOW_LIB_MEMORY_COPYPLACES_H

#include "CopyOrder.h"

#include <optional>

namespace glow {

/// Assigns places in each memory while steps are put into a new order. Free
/// bytes may be fragmented, so a piece may find no place although the sum of
/// free bytes is large enough. Pieces of memory 0 get no place.
class CopyPlaces {
public:
  CopyPlaces(const CopySteps &steps, std::vector<uint64_t> capacities,
             Look look);

  size_t memories() const { return capacities.size(); }

  /// The lookahead of a search: none; the steps in their old order while the
  /// pieces are in use; the same steps with copies beside each.
  enum class Ahead { Nothing, Steps, Copies };

  /// Finds places for the pieces that begin with the step, if it runs before
  /// the step `to`. The steps ahead must find places, too. Prefers places that
  /// allow copies beside these steps.
  bool find(unsigned to, unsigned step, Ahead ahead);
  /// Assigns the places that were found last to the pieces that begin with the
  /// step.
  void take(unsigned step);

  /// By piece, the offset of its place, if it got one.
  std::vector<std::optional<uint64_t>> offsets;

private:
  struct Span {
    uint64_t begin, end;
    unsigned piece;
  };
  /// The gap that a piece gets. Pieces of copies take its high end and results
  /// its low end, or the opposite, so that pieces of like sizes are adjacent.
  enum class Fit { Narrow, Outermost, NarrowOpposite, OutermostOpposite };
  using Spans = std::vector<std::vector<Span>>; ///< by memory, ordered by begin

  const CopySteps &steps;
  Look look;
  std::vector<uint64_t> capacities;
  std::vector<unsigned> left, lastTouch; ///< of each piece
  std::vector<bool> taken;               ///< of each step
  Spans inUse, found;

  std::optional<uint64_t> findOffset(const std::vector<Span> &spans,
                                     uint64_t bytes, uint64_t capacity,
                                     bool isNarrow, bool isLow) const;
  bool add(Spans &spans, unsigned step, Fit fit) const;
  bool haveBytes(const Spans &spans, unsigned step) const;
  bool addCopies(Spans &spans, unsigned step, Fit fit) const;
  void erase(Spans &spans, unsigned piece) const;
  bool hasRoomAhead(Spans spans, unsigned to, unsigned step, Fit fit,
                    bool withCopies) const;
  bool findWith(unsigned to, unsigned step, Ahead ahead);
};

} // namespace glow

#endif // GLOW_LIB_MEMORY_COPYPLACES_H
