//===- CopyPlaces.h - places of pieces, step by step ------------*- C++ -*-===//

#ifndef GLOW_LIB_MEMORY_COPYPLACES_H
#define GLOW_LIB_MEMORY_COPYPLACES_H

#include "CopyOrder.h"

#include <optional>

namespace glow {

/// Places in each memory while steps are put into a new order. Free bytes may
/// lie apart, so that a piece may find no place where the sum of bytes has room
/// for it. Pieces of memory 0 get no place.
class CopyPlaces {
public:
  CopyPlaces(const CopySteps &steps, std::vector<uint64_t> capacities,
             Look look);

  size_t memories() const { return capacities.size(); }

  /// The steps that a search looks ahead at: none; the steps that come in their
  /// old order while the pieces are in use; the same with copies beside each.
  enum class Ahead { Nothing, Steps, Copies };

  /// Finds places for the pieces that begin with the step if it runs before the
  /// step `to`, such that the steps ahead find places, too. Prefers places that
  /// leave room for copies beside these steps.
  bool find(unsigned to, unsigned step, Ahead ahead);
  /// Pieces that begin with the step get the places that were found last.
  void take(unsigned step);

  /// Offsets, of each piece that had a place.
  std::vector<std::optional<uint64_t>> offsets;

private:
  struct Span {
    uint64_t begin, end;
    unsigned piece;
  };
  /// The gap that a piece gets. Pieces of copies get its high end and results
  /// its low end, or the opposite, so that like sizes follow each other there.
  enum class Fit { Narrow, Outermost, NarrowOpposite, OutermostOpposite };
  using Spans = std::vector<std::vector<Span>>; ///< of each memory, by begin

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
