//===- BufferNames.cpp - names of a step's buffers ------------------------===//
// SPDX-License-Identifier: MIT

#include "Native.h"
#include "glow/IR/InstrInfo.h"

using namespace glow;

std::vector<std::string> cpu::namesOfBuffers(const Step &step) {
  const ir::InstrInfo *info = ir::findInstr(step.instruction);
  std::vector<std::string> names;
  for (size_t i = 0; info && i < step.segments.size(); ++i)
    for (int32_t j = 0; j < step.segments[i]; ++j)
      names.push_back(info->operands[i].name +
                      (step.segments[i] > 1 ? std::to_string(j) : ""));
  return names;
}
