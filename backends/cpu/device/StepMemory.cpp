//===- StepMemory.cpp - memory that steps take beside their buffers -------===//
// SPDX-License-Identifier: MIT
//
// The arena was planned before the code of each step and the number of threads
// were known. Memory that a step needs beside its buffers goes into parts of
// the arena that are free while the step runs. There is much free memory: an
// arena is as large as its peak use.
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
uint64_t StepMemory::ofThread(uint64_t bytes) { return roundUp(bytes); }

LiveBuffers::LiveBuffers(const StepCode &code) {
  for (const BufferPlace &buffer : code.buffers)
    if (buffer.where == BufferPlace::Arena && buffer.type.bytes())
      byFirst.push_back(&buffer);
  std::ranges::stable_sort(byFirst, {}, &BufferPlace::first);
}

const std::vector<const BufferPlace *> &LiveBuffers::at(size_t step) {
  if (step < reached) {
    live.clear();
    next = 0;
  }
  reached = step;
  for (; next < byFirst.size() && byFirst[next]->first <= step; ++next)
    live.push_back(byFirst[next]);
  std::erase_if(live,
                [&](const BufferPlace *buffer) { return buffer->last < step; });
  return live;
}

namespace {

struct ByteRange {
  uint64_t begin, end;
};

/// The memory that is taken while one step runs.
class Taken {
public:
  explicit Taken(const std::vector<const BufferPlace *> &buffers) {
    for (const BufferPlace *buffer : buffers)
      pieces.push_back(
          {buffer->offset, buffer->offset + uint64_t(buffer->type.bytes())});
  }

  /// The first free range, which may cross the end of an arena.
  uint64_t take(uint64_t bytes) {
    return bytes ? add(firstFree(bytes), bytes) : 0;
  }
  /// The first free range within an arena, or else behind it.
  uint64_t take(uint64_t bytes, uint64_t arenaBytes) {
    if (!bytes)
      return 0;
    uint64_t place = firstFree(bytes);
    if (place >= arenaBytes || arenaBytes - place < bytes)
      place = std::max(place, StepMemory::behind(arenaBytes));
    return add(place, bytes);
  }

private:
  uint64_t firstFree(uint64_t bytes) {
    std::sort(pieces.begin(), pieces.end(),
              [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
    uint64_t place = 0;
    for (const ByteRange &piece : pieces) {
      if (piece.begin >= place && piece.begin - place >= bytes)
        break;
      place = std::max(place, roundUp(piece.end));
    }
    return place;
  }
  uint64_t add(uint64_t place, uint64_t bytes) {
    pieces.push_back({place, place + bytes});
    return place;
  }

  std::vector<ByteRange> pieces;
};

} // namespace

uint64_t cpu::arenaWithStep(LiveBuffers &buffers, size_t step,
                            uint64_t arenaBytes, uint64_t sharedBytes,
                            uint64_t scratchBytes) {
  if (!sharedBytes && !scratchBytes)
    return arenaBytes;
  scratchBytes = roundUp(scratchBytes);
  Taken taken(buffers.at(step));
  uint64_t shared = taken.take(sharedBytes), scratch = taken.take(scratchBytes);
  return std::max({arenaBytes, shared + sharedBytes, scratch + scratchBytes});
}

uint64_t cpu::arenaWithSteps(const StepCode &code,
                             const std::vector<StepSymbols> &symbols,
                             uint64_t arenaBytes) {
  LiveBuffers buffers(code);
  uint64_t most = arenaBytes;
  for (size_t i = 0; i < symbols.size(); ++i)
    most = std::max(most, arenaWithStep(buffers, i, arenaBytes,
                                        uint64_t(symbols[i].sharedBytes),
                                        uint64_t(symbols[i].scratchBytes)));
  return most;
}

StepMemory cpu::placeStepMemory(const StepCode &code,
                                const std::vector<StepSymbols> &symbols,
                                uint64_t arenaBytes, unsigned threads) {
  LiveBuffers buffers(code);
  StepMemory memory;
  memory.arenaBytes = arenaBytes;
  for (size_t i = 0; i < symbols.size(); ++i) {
    StepMemory::Place &place = memory.places.emplace_back();
    place.scratchOfThread =
        StepMemory::ofThread(uint64_t(symbols[i].scratchBytes));
    uint64_t shared = uint64_t(symbols[i].sharedBytes),
             scratch = place.scratchOfThread * threads;
    if (!shared && !scratch)
      continue;
    Taken taken(buffers.at(i));
    place.shared = taken.take(shared, arenaBytes);
    place.scratch = taken.take(scratch, arenaBytes);
    memory.arenaBytes = std::max(
        {memory.arenaBytes, place.shared + shared, place.scratch + scratch});
  }
  return memory;
}
