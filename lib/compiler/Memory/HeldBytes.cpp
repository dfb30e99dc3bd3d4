//===- HeldBytes.cpp - the bytes that memories hold -----------------------===//
// SPDX-License-Identifier: MIT

#include "HeldBytes.h"

#include <algorithm>

using namespace glow;

HeldBytes::HeldBytes(const CopySteps &steps, const CopyRoom &room)
    : steps(steps), room(room), memories(room.empty() ? 0 : room[0].size()),
      firstTouch(steps.pieces.size(), ~0u), left(steps.pieces.size()),
      late(steps.pieces.size()), lingers(steps.pieces.size()),
      isLate(steps.size()), lingering(memories) {
  std::vector<unsigned> lastTouch(steps.pieces.size());
  for (unsigned step = 0; step < steps.size(); ++step)
    for (unsigned piece : steps.touches[step]) {
      firstTouch[piece] = std::min(firstTouch[piece], step);
      lastTouch[piece] = step;
      ++left[piece];
    }
  std::vector<uint64_t> now(memories);
  for (unsigned step = 0; step < steps.size(); ++step) {
    for (unsigned piece : steps.touches[step])
      if (firstTouch[piece] == step)
        now[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
    held.push_back(now);
    for (unsigned piece : steps.touches[step])
      if (lastTouch[piece] == step)
        now[steps.pieces[piece].memory] -= steps.pieces[piece].bytes;
  }
  expect(lastTouch);
}

/// Estimates the bytes that linger. A piece whose last touch is a wait lingers
/// while its copy runs beside computation. The pieces of a single wait are
/// enough, because a copy that is only queued hides no latency.
void HeldBytes::expect(const std::vector<unsigned> &lastTouch) {
  std::vector<uint64_t> pieces(memories);
  uint64_t left = 0; // cycles of the copy
  for (unsigned step = 0; step < steps.size(); ++step) {
    expected.push_back(left ? pieces : std::vector<uint64_t>(memories));
    if (steps.kinds[step] == CopySteps::Kind::Other)
      left -= std::min(left, steps.cycles[step]);
    if (steps.kinds[step] != CopySteps::Kind::Wait)
      continue;
    std::vector<uint64_t> bytes(memories);
    for (unsigned piece : steps.touches[step])
      if (lastTouch[piece] == step && steps.pieces[piece].memory)
        bytes[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
    if (bytes == std::vector<uint64_t>(memories))
      continue;
    pieces = bytes, left = 0;
    for (unsigned start : steps.after[step])
      if (steps.kinds[start] == CopySteps::Kind::Start)
        left = std::max(left, steps.cycles[start]);
  }
}

bool HeldBytes::fits(unsigned step) const {
  for (size_t memory = 0; memory < memories; ++memory)
    if (lingering[memory] &&
        held[step][memory] + lingering[memory] > room[step][memory])
      return false;
  return true;
}

std::vector<uint64_t> HeldBytes::added(unsigned to, unsigned start) const {
  std::vector<uint64_t> bytes(memories);
  for (unsigned piece : steps.touches[start])
    if (firstTouch[piece] > to)
      bytes[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
  return bytes;
}

bool HeldBytes::fitsEarlier(unsigned to, unsigned start,
                            const std::vector<uint64_t> &bytes,
                            bool isUrgent) const {
  for (size_t memory = 0; memory < memories; ++memory) {
    uint64_t more = lingering[memory];
    for (unsigned step = to; bytes[memory] && step < start; ++step) {
      if (held[step][memory] + more + bytes[memory] > room[step][memory])
        return false;
      more = isUrgent ? 0 : expected[step + 1][memory];
    }
  }
  return true;
}

void HeldBytes::moveUp(unsigned to, unsigned start) {
  for (unsigned piece : steps.touches[start]) {
    auto [memory, bytes] = steps.pieces[piece];
    for (unsigned step = to; step < firstTouch[piece]; ++step)
      held[step][memory] += bytes;
    firstTouch[piece] = std::min(firstTouch[piece], to);
  }
}

/// Counts a piece as lingering as soon as only late waits touch it.
void HeldBytes::settle(unsigned piece) {
  if (left[piece] == 0 || late[piece] != left[piece] || lingers[piece])
    return;
  lingers[piece] = true;
  lingering[steps.pieces[piece].memory] += steps.pieces[piece].bytes;
}

void HeldBytes::delay(unsigned wait) {
  isLate[wait] = true;
  for (unsigned piece : steps.touches[wait]) {
    ++late[piece];
    settle(piece);
  }
}

void HeldBytes::take(unsigned step) {
  for (unsigned piece : steps.touches[step]) {
    --left[piece];
    if (isLate[step])
      --late[piece];
    if (left[piece] == 0 && lingers[piece]) {
      lingers[piece] = false;
      lingering[steps.pieces[piece].memory] -= steps.pieces[piece].bytes;
    }
    settle(piece);
  }
}

bool HeldBytes::releases(unsigned wait) const {
  return std::ranges::any_of(steps.touches[wait], [&](unsigned piece) {
    return lingers[piece] && steps.pieces[piece].memory;
  });
}

bool HeldBytes::hasLingering() const {
  for (size_t memory = 1; memory < memories; ++memory)
    if (lingering[memory])
      return true;
  return false;
}
