//===- StepMemory.cpp - memory that steps take beside their buffers -------===//
//
// The plan was made before it was known by which code a step runs, and on how
// many threads. What a step needs beside its buffers goes where the plan has
// nothing while it runs; there is much of that, since an arena is as large as
// its largest moment.
//
//===----------------------------------------------------------------------===//

#include "StepMemory.h"
#include <algorithm>

using namespace glow;
using namespace glow::cpu;

static constexpr uint64_t alignment = 64;

static uint64_t roundUp(uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

uint64_t StepMemory::behind(uint64_t arenaBytes) { return roundUp(arenaBytes); }

namespace {

struct Piece {
  uint64_t begin, end;
};

/// The memory that is taken while one step runs.
class Taken {
public:
  Taken(const StepCode &code, size_t step, uint64_t arenaBytes)
      : arenaBytes(arenaBytes) {
    for (const BufferPlace &buffer : code.buffers)
      if (buffer.where == BufferPlace::Arena && buffer.first <= step &&
          step <= buffer.last && buffer.type.bytes())
        pieces.push_back({buffer.offset, buffer.offset + buffer.type.bytes()});
  }

  /// The first place that is free, within the arena if there is one.
  uint64_t take(uint64_t bytes) {
    if (!bytes)
      return 0;
    std::sort(pieces.begin(), pieces.end(),
              [](Piece a, Piece b) { return a.begin < b.begin; });
    uint64_t place = 0;
    for (const Piece &piece : pieces) {
      if (piece.begin >= place && piece.begin - place >= bytes)
        break;
      place = std::max(place, roundUp(piece.end));
    }
    if (place >= arenaBytes || arenaBytes - place < bytes)
      place = std::max(place, StepMemory::behind(arenaBytes));
    pieces.push_back({place, place + bytes});
    return place;
  }

private:
  const uint64_t arenaBytes;
  std::vector<Piece> pieces;
};

} // namespace

StepMemory cpu::placeStepMemory(const StepCode &code,
                                const std::vector<StepSymbols> &symbols,
                                uint64_t arenaBytes, unsigned threads) {
  StepMemory memory;
  memory.arenaBytes = arenaBytes;
  for (size_t i = 0; i < symbols.size(); ++i) {
    StepMemory::Place &place = memory.places.emplace_back();
    place.scratchOfThread = roundUp(uint64_t(symbols[i].scratchBytes));
    uint64_t shared = uint64_t(symbols[i].sharedBytes),
             scratch = place.scratchOfThread * threads;
    if (!shared && !scratch)
      continue;
    Taken taken(code, i, arenaBytes);
    place.shared = taken.take(shared);
    place.scratch = taken.take(scratch);
    memory.arenaBytes = std::max(
        {memory.arenaBytes, place.shared + shared, place.scratch + scratch});
  }
  return memory;
}
