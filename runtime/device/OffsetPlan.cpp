//===- OffsetPlan.cpp - offsets in an arena for the sizes of a run --------===//
// SPDX-License-Identifier: MIT

#include "OffsetPlan.h"
#include "LengthTable.h"
#include <algorithm>

using namespace glow;

static constexpr uint64_t alignment = 64;

namespace {

/// Memory of the arena, and the steps that use it.
struct Held {
  uint64_t begin, end;
  uint32_t first, last;
  std::vector<uint32_t> sources;

  bool meets(const Held &other) const {
    return first <= other.last && other.first <= last;
  }
  void add(Held &other) {
    begin = std::min(begin, other.begin), end = std::max(end, other.end);
    first = std::min(first, other.first), last = std::max(last, other.last);
    sources.insert(sources.end(), other.sources.begin(), other.sources.end());
    other.sources.clear();
  }
};

} // namespace

/// The buffers of the arena that steps use, and the pieces of the runner.
static std::vector<Held> heldBy(const StepCode &code,
                                std::span<const ArenaPiece> own) {
  std::vector<bool> isUsed(code.buffers.size());
  for (const Step &step : code.steps)
    for (uint32_t buffer : step.buffers)
      isUsed[buffer] = true;
  std::vector<Held> held;
  const auto end = uint32_t(code.steps.size() - 1);
  auto add = [&](uint64_t offset, uint64_t bytes, uint32_t first, uint32_t last,
                 size_t source) {
    if (bytes)
      held.push_back({offset,
                      offset + bytes,
                      first,
                      std::min(last, end),
                      {uint32_t(source)}});
  };
  for (size_t i = 0; i < code.buffers.size(); ++i)
    if (const BufferPlace &buffer = code.buffers[i];
        isUsed[i] && buffer.where == BufferPlace::Arena)
      add(buffer.offset, buffer.type.bytes(), buffer.first, buffer.last, i);
  for (size_t i = 0; i < own.size(); ++i)
    add(own[i].offset, own[i].bytes, own[i].step, own[i].step,
        code.buffers.size() + i);
  return held;
}

/// Joins pieces that overlap while both are in use, and sorts them by offset.
static void join(std::vector<Held> &held) {
  for (bool isJoined = true; isJoined;) {
    isJoined = false;
    std::ranges::sort(held, {}, &Held::begin);
    for (size_t i = 0; i < held.size(); ++i)
      for (size_t j = i + 1; j < held.size() && held[j].begin < held[i].end;
           ++j)
        if (!held[i].sources.empty() && !held[j].sources.empty() &&
            held[i].meets(held[j])) {
          held[i].add(held[j]);
          isJoined = true;
        }
    std::erase_if(held, [](const Held &one) { return one.sources.empty(); });
  }
}

/// Whether a length is an expression of sizes that inputs give.
static bool isGiven(const std::vector<Length> &lengths, const StepCode &code) {
  bool isGiven = !lengths.empty();
  for (const Length &length : lengths)
    length.visitVariables([&](const SizeVariable &variable) {
      for (const Step &step : code.steps)
        if (step.lengthFrom && step.lengthFrom->length.variable() &&
            step.lengthFrom->length.variable()->name == variable.name)
          isGiven = false;
    });
  return isGiven;
}

OffsetPlan::OffsetPlan(const StepCode &code, std::span<const ArenaPiece> own) {
  for (const ArenaPiece &piece : own)
    ownBytes.push_back(piece.bytes);
  std::vector<Held> held = heldBy(code, own);
  join(held);
  // The highest piece below, by step: pieces further below are below it.
  constexpr uint32_t none = ~0u;
  std::vector<uint32_t> highest(code.steps.size(), none);
  for (uint32_t number = 0; number < held.size(); ++number) {
    const Held &one = held[number];
    Piece piece{0, uint32_t(open.size()), uint32_t(below.size())};
    for (uint32_t source : one.sources) {
      const bool isBuffer = source < code.buffers.size();
      const size_t mine = source - code.buffers.size();
      const uint64_t from =
          (isBuffer ? code.buffers[source].offset : own[mine].offset) -
          one.begin;
      all.push_back({source, number, from});
      if (isBuffer ? isGiven(code.buffers[source].lengths, code)
                   : one.sources.size() == 1)
        open.push_back(all.back());
      else
        piece.fixed = std::max(
            piece.fixed, from + (isBuffer ? code.buffers[source].type.bytes()
                                          : own[mine].bytes));
    }
    for (uint32_t step = one.first; step <= one.last; ++step) {
      const uint32_t under = std::exchange(highest[step], number);
      if (under != none && std::find(below.begin() + piece.firstBelow,
                                     below.end(), under) == below.end())
        below.push_back(under);
    }
    pieces.push_back(piece);
  }
  if (!pieces.empty())
    pieces.push_back({0, uint32_t(open.size()), uint32_t(below.size())});
}

OffsetPlan::Places OffsetPlan::places() const {
  const std::vector<uint64_t> zeros(pieces.size());
  return {zeros, zeros, ownBytes};
}

uint64_t OffsetPlan::place(std::span<const TensorType> types,
                           Places &places) const {
  uint64_t most = 0;
  for (size_t i = 0; i + 1 < pieces.size(); ++i) {
    const Piece &piece = pieces[i], &next = pieces[i + 1];
    uint64_t begin = 0, bytes = piece.fixed;
    for (uint32_t j = piece.firstBelow; j < next.firstBelow; ++j)
      begin = std::max(begin, places.ends[below[j]]);
    for (uint32_t j = piece.firstOpen; j < next.firstOpen; ++j) {
      const uint32_t source = open[j].source;
      bytes = std::max(
          bytes, open[j].from + (source < types.size()
                                     ? types[source].bytes()
                                     : places.ownBytes[source - types.size()]));
    }
    places.begins[i] = begin;
    places.ends[i] = (begin + bytes + alignment - 1) / alignment * alignment;
    most = std::max(most, places.ends[i]);
  }
  return most;
}

bool glow::plansEachRun(const Program &program) {
  const auto *code = dynamic_cast<const StepCode *>(program.code.get());
  if (!code || !isOpen(program, *code))
    return false;
  const OffsetPlan plan(*code, {});
  OffsetPlan::Places places = plan.places();
  std::vector<TensorType> types = LengthTable::types(*code);
  const uint64_t greatest = plan.place(types, places);
  for (size_t i = 0; i < types.size(); ++i)
    for (size_t axis = 0; axis < code->buffers[i].lengths.size(); ++axis)
      types[i].shape[axis] =
          code->buffers[i].lengths[axis].at([](const SizeVariable &size) {
            return (size.low + size.high) / 2 / size.multiple * size.multiple;
          });
  return plan.place(types, places) * 3 < greatest * 2;
}

uint64_t glow::bytesToLoad(const Program &program) {
  return program.constantBytes() +
         (plansEachRun(program) ? 0 : program.arenaBytes);
}
