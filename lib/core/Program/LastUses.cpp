//===- LastUses.cpp - the steps behind which outputs are complete ---------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/LastUses.h"
#include <algorithm>
#include <map>

using namespace glow;

std::vector<LastUse> glow::lastUses(const StepCode &code) {
  // A step of a called function counts as the step of the entry that calls.
  std::vector<size_t> caller(code.steps.size());
  std::map<uint32_t, size_t> last; // by output
  const size_t entry = code.entrySteps();
  for (size_t i = 0; i < code.steps.size(); ++i) {
    if (i < entry)
      caller[i] = i;
    for (const StepCall &call : code.steps[i].calls)
      std::fill_n(caller.begin() + call.first, call.count, caller[i]);
    for (uint32_t index : code.steps[i].buffers)
      if (const BufferPlace &buffer = code.buffers[index];
          buffer.where == BufferPlace::Output) {
        size_t &step = last[buffer.index];
        step = std::max(step, caller[i]);
      }
  }
  std::vector<LastUse> uses;
  for (auto [output, step] : last)
    uses.push_back({step, output});
  std::ranges::sort(uses);
  return uses;
}
