//===- Select.cpp - selection of an instruction's code --------------------===//
// SPDX-License-Identifier: MIT
//
// ClassGen makes the table of the CodeFor records in Cpu.td, in their order.
// The first record that holds and does not decline emits an instruction.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "glow/Generated/CpuInstrs.h"
#include "glow/Generated/CpuNodes.h"
#include "glow/Generated/GlowInstrs.h"

using namespace glow;
using namespace glow::cpu;

namespace glow::cpu {
namespace {

bool isKnown(const Operand &operand) { return operand.known(); }
bool isKnown(const std::optional<Operand> &operand) {
  return !operand || operand->known();
}

#define GLOW_CODE_RECORDS
#include "glow/Generated/CpuStepEmitters.h.inc"

bool isOf(const CodeRecord &code, const Instr &instr) {
  return instr.op->getName().stripDialect() == code.mnemonic;
}

} // namespace
} // namespace glow::cpu

/// Whether the processor has the registers that the code needs, and the code
/// takes the instruction's lengths.
static bool suits(const CodeRecord &code, const cpu::Target &target,
                  const Instr &instr) {
  return (!code.vectors || target.lanes > 1) &&
         (code.takesLengths || !instr.isOpen());
}

const CodeRecord *cpu::codeFor(const CodeModule &module, const Instr &instr) {
  auto found = llvm::find_if(codeRecords, [&](const CodeRecord &code) {
    return isOf(code, instr) && suits(code, module.target, instr) &&
           code.holds(instr);
  });
  return found == std::end(codeRecords) ? nullptr : found;
}

bool cpu::makesFewerOperations(llvm::StringRef mnemonic,
                               llvm::StringRef algorithm) {
  // A choice may have a suffix: "winograd F(4x4)".
  return llvm::any_of(codeRecords, [&](const CodeRecord &code) {
    return code.fewerOperations && mnemonic == code.mnemonic &&
           algorithm.starts_with(code.algorithm);
  });
}

bool cpu::hasCode(llvm::StringRef mnemonic) {
  return llvm::any_of(codeRecords, [&](const CodeRecord &code) {
    return mnemonic == code.mnemonic;
  });
}

std::optional<NativeStep> cpu::emitCode(CodeModule &module, const Instr &instr,
                                        const llvm::Twine &name) {
  for (const CodeRecord &code : codeRecords) {
    if (!isOf(code, instr) || !suits(code, module.target, instr) ||
        !code.holds(instr))
      continue;
    std::optional<NativeStep> step = code.emit(module, instr, name);
    if (!step)
      continue;
    std::string &algorithm = step->choice.algorithm;
    algorithm =
        algorithm.empty() ? code.algorithm : code.algorithm + (" " + algorithm);
    return step;
  }
  return std::nullopt;
}
