//===- Problem.cpp - cost of an assignment --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Partition/Problem.h"
#include <algorithm>
#include <numeric>

using namespace glow::partition;

double Loads::total() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double Loads::largest() const {
  return seconds.empty() ? 0 : *std::ranges::max_element(seconds);
}

Loads glow::partition::loadsOf(const Problem &problem,
                               const Assignment &assignment) {
  const size_t count = problem.devices.size();
  Loads loads{std::vector<double>(count), std::vector<double>(count),
              std::vector<uint64_t>(count)};
  std::vector<uint64_t> live(count);
  std::vector<std::vector<bool>> has(
      count, std::vector<bool>(problem.constants.size()));
  for (size_t i = 0; i < assignment.size(); ++i) {
    const Item &item = problem.items[i];
    const uint32_t device = assignment[i];
    loads.seconds[device] += item.seconds[device];
    live[device] = std::max(live[device], item.liveBytes);
    for (uint32_t constant : item.constants)
      if (!has[device][constant]) {
        has[device][constant] = true;
        loads.bytes[device] += problem.constants[constant];
      }
  }
  std::vector<bool> reads(count);
  for (const Value &value : problem.values) {
    reads.assign(count, false);
    for (uint32_t user : value.users)
      reads[assignment[user]] = true;
    bool leaves = value.isOutput;
    for (uint32_t device = 0; device < count; ++device) {
      if (!reads[device] ||
          (value.producer && assignment[*value.producer] == device))
        continue;
      leaves = true;
      loads.transfers[device] += problem.devices[device].transfer(value.bytes);
    }
    if (value.producer && leaves) {
      const uint32_t device = assignment[*value.producer];
      loads.transfers[device] += problem.devices[device].transfer(value.bytes);
    }
  }
  for (size_t device = 0; device < count; ++device) {
    loads.seconds[device] += loads.transfers[device];
    loads.bytes[device] =
        problem.devices[device].bytes(loads.bytes[device], live[device]);
  }
  return loads;
}

bool glow::partition::fits(const Problem &problem, const Loads &loads) {
  for (size_t i = 0; i < problem.devices.size(); ++i)
    if (const uint64_t memory = problem.devices[i].memoryBytes;
        memory && loads.bytes[i] > memory)
      return false;
  return loads.total() < never;
}
