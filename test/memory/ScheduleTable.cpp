//===- ScheduleTable.cpp - arenas of several orders of steps --------------===//
// SPDX-License-Identifier: MIT
//
// Prints the table of docs/Scheduling.md.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include <cstdio>
#include <numeric>

using namespace glow;

static unsigned kilobytes(uint64_t bytes) { return (bytes + 1023) / 1024; }

int main() {
  std::puts("| graph | steps | as written | children by memory | scheduled | "
            "least peak |\n|---|---|---|---|---|---|");
  for (const auto &[name, steps] : namedGraphs()) {
    std::vector<unsigned> written(steps.size());
    std::iota(written.begin(), written.end(), 0);
    std::string least =
        steps.size() > 20 ? "" : std::to_string(kilobytes(leastPeak(steps)));
    std::printf("| %s | %u | %u | %u | %u | %s |\n", name.c_str(), steps.size(),
                kilobytes(arenaOf(steps, written)),
                kilobytes(arenaOf(steps, childrenByMemory(steps))),
                kilobytes(arenaOf(steps, schedule(steps))), least.c_str());
  }
  return 0;
}
