//===- Timing.cpp - the cycles of the chip --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Timing.h"
#include <algorithm>

using namespace npu;

static constexpr uint64_t latency = 40, burstBytes = 64, hostBytes = 16;
static constexpr uint64_t pageBytes = 1024, pageCycles = 6;
static constexpr uint64_t bankWidth = 16, banks = 16;

void Counts::add(const Counts &before, const Counts &after) {
  for (auto count :
       {&Counts::cycles, &Counts::computing, &Counts::waiting, &Counts::copying,
        &Counts::macs, &Counts::bytesIn, &Counts::bytesOut, &Counts::conflicts,
        &Counts::pageMisses})
    this->*count += after.*count - before.*count;
}

unsigned Timing::start(const Transfer &transfer) {
  unsigned number = unsigned(transfers.size());
  transfers.push_back(transfer);
  begun.push_back(now);
  ended.push_back(unknown);
  queue.push_back(number);
  (transfer.goesOut ? counted.bytesOut : counted.bytesIn) +=
      transfer.rows * transfer.rowBytes;
  return number;
}

bool Timing::isIdle() const {
  return std::ranges::all_of(
      channels, [](const Channel &channel) { return channel.copy == none; });
}

/// Gives the channel that is free first the next copy, if that is before the
/// limit.
bool Timing::assign(uint64_t limit) {
  Channel *first = nullptr;
  for (Channel &channel : channels)
    if (channel.copy == none && (!first || channel.time < first->time))
      first = &channel;
  if (!first || queue.empty())
    return false;
  unsigned number = queue.front();
  uint64_t time = std::max(first->time, begun[number]);
  if (time >= limit)
    return false;
  queue.pop_front();
  if (isIdle())
    copiesFrom = time;
  *first = {time + latency, number, 0, 0};
  return true;
}

void Timing::burst(Channel &channel) {
  const Transfer &copy = transfers[channel.copy];
  uint64_t address =
      copy.hostAddress + channel.row * copy.rowStep + channel.done;
  // A burst ends where an aligned one does, and where the row does.
  uint64_t bytes =
      std::min(copy.rowBytes - channel.done, burstBytes - address % burstBytes);
  uint64_t time = std::max(channel.time, hostFree);
  uint64_t page = address / pageBytes, &open = openPages[page % 8];
  if (open != page + 1) {
    open = page + 1;
    time += pageCycles;
    ++counted.pageMisses;
  }
  hostFree = channel.time = time + (bytes + hostBytes - 1) / hostBytes;
  uint64_t chip = copy.chipAddress + channel.row * copy.rowBytes + channel.done;
  if (copy.isOfPad && channel.time <= busyUntil &&
      chip / bankWidth % banks == channel.time % banks) {
    ++counted.conflicts;
    ++busyUntil;
  }
  channel.done += bytes;
  if (channel.done == copy.rowBytes)
    ++channel.row, channel.done = 0;
  if (channel.row == copy.rows) {
    ended[channel.copy] = channel.time;
    channel.copy = none;
    if (isIdle())
      counted.copying += channel.time - copiesFrom;
  }
}

/// The next thing that happens before the limit; false if nothing does.
bool Timing::step(uint64_t limit) {
  if (assign(limit))
    return true;
  Channel *next = nullptr;
  for (Channel &channel : channels)
    if (channel.copy != none && (!next || channel.time < next->time))
      next = &channel;
  if (!next || std::max(next->time, hostFree) >= limit)
    return false;
  burst(*next);
  return true;
}

void Timing::compute(uint64_t cycles, uint64_t macs) {
  // Conflicts make it longer while it goes on.
  busyUntil = now + cycles;
  while (step(busyUntil))
    ;
  counted.computing += busyUntil - now;
  counted.macs += macs;
  now = busyUntil;
}

void Timing::wait(unsigned number) {
  while (ended[number] == unknown && step(unknown))
    ;
  if (ended[number] > now) {
    counted.waiting += ended[number] - now;
    now = ended[number];
  }
}

Counts Timing::counts() const {
  Counts result = counted;
  result.cycles = now;
  if (!isIdle() && now > copiesFrom)
    result.copying += now - copiesFrom;
  return result;
}
