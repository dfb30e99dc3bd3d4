//===- Loops.cpp - the loops of steps, and their plans --------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "codegen/loops/LoopSteps.h"

using namespace glow;
using namespace glow::cpu;

std::unique_ptr<loops::Program>
CpuBackend::loopsOf(mlir::Operation *instr) const {
  std::unique_ptr<loops::Program> fused = loopsOfFused(instr);
  return fused ? std::move(fused) : Backend::loopsOf(instr);
}

Status CpuBackend::planLoops(loops::Program &program, llvm::StringRef layer,
                             const CodeOptions &options) const {
  Result<Target> target = Target::create(options);
  if (!target)
    return target.status();
  Result<std::unique_ptr<GivenPlans>> plans = GivenPlans::read(options.plans);
  if (!plans)
    return plans.status();
  llvm::LLVMContext context;
  CodeModule module(context, *target);
  module.plans = plans->get();
  std::optional<ProgramPlan> plan = planLayer(module, program, layer);
  if (!plan)
    return failure(Code::Unsupported,
                   "backend 'cpu' has no code for a function of the loops, or "
                   "for a mean or a place of elements that meet one another");
  if (std::string wrong = plan->wrong(); !wrong.empty())
    return failure(Code::InvalidArgument, wrong);
  if (!plan->onlyFails)
    program.statements = plan->planned();
  return Status();
}
