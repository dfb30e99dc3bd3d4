//===- Code.cpp - program code for CPU devices ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Code.h"

using namespace glow;
using namespace glow::cpu;

static Status missing(const std::string &symbol) {
  return failure(Code::InvalidArgument, "there is no function '", symbol, "'");
}

GLOW_CALLS_MADE_CODE
void cpu::callMeasure(StepMeasure measure, const StepInfo *info,
                      StepWork &work) {
  measure(info, &work);
}

Status cpu::measureSteps(const StepCode &code,
                         std::vector<StepSymbols> &symbols,
                         const SymbolFinder &find) {
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i].measure.empty())
      continue;
    auto measure = reinterpret_cast<StepMeasure>(find(symbols[i].measure));
    if (!measure)
      return missing(symbols[i].measure);
    // The defaults of a measure: one chunk, no scratch.
    StepWork work{1, 0};
    callMeasure(measure, OwnedStepInfo(code.steps[i], code.buffers).get(),
                work);
    symbols[i].phases[0].chunks = work.chunks;
    symbols[i].scratchBytes = work.scratchBytes;
  }
  return Status();
}

Status cpu::findSymbols(CpuCode &code, const SymbolFinder &find) {
  code.natives.clear();
  for (size_t i = 0; i < code.symbols.size(); ++i) {
    CpuCode::Native native;
    for (const StepSymbols::Phase &phase : code.symbols[i].phases) {
      native.phases.push_back(
          reinterpret_cast<StepKernel>(find(phase.function)));
      if (!native.phases.back())
        return missing(phase.function);
      native.measures.push_back(
          phase.measure.empty()
              ? nullptr
              : reinterpret_cast<StepMeasure>(find(phase.measure)));
      if (!phase.measure.empty() && !native.measures.back())
        return missing(phase.measure);
    }
    if (const std::string &measure = code.symbols[i].measure;
        !measure.empty()) {
      native.info =
          std::make_unique<OwnedStepInfo>(code.steps[i], code.buffers);
      // A stored program was measured, and has no such function.
      native.measure = reinterpret_cast<StepMeasure>(find(measure));
    }
    code.natives.push_back(std::move(native));
  }
  return Status();
}
