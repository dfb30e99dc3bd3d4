//===- Report.cpp - choices and predicted cycles of steps -----------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "codegen/step/Step.h"
#include "device/Code.h"
#include "glow/IR/Loops.h"
#include "glow/Program/StepCalls.h"

using namespace glow;
using namespace glow::cpu;

std::vector<StepReport> CpuBackend::report(const Program &program) const {
  std::vector<StepReport> rows;
  auto *code = dynamic_cast<const CpuCode *>(program.code.get());
  if (!code)
    return rows;
  const std::vector<std::optional<uint64_t>> runs = mostRunsOf(*code);
  for (size_t i = 0; i < code->steps.size(); ++i) {
    const StepSymbols &symbols = code->symbols[i];
    StepChoice choice = symbols.choice;
    if (symbols.phases.empty())
      choice.algorithm = "reference";
    const std::string &instruction = code->steps[i].instruction;
    const ir::LoopsInfo *loops = ir::findLoops(instruction);
    rows.push_back({code->steps[i].node, instruction, choice.algorithm,
                    choice.tile, choice.layout, symbols.predictedCycles,
                    makesFewerOperations(instruction, choice.algorithm),
                    loops && loops->moves, runs[i]});
  }
  return rows;
}
