//===- LoopSteps.cpp - the plan and the code of a program -----------------===//
// SPDX-License-Identifier: MIT

#include "LoopSteps.h"
#include "LoopFactors.h"
#include "glow/Base/Functions.h"
#include "glow/IR/Loops.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::ReductionKind;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Whether the scheme supports the statement.
static bool hasPlan(const LoopPlan &plan) {
  // A mean and an index of the best element need a second value, for which
  // there is no memory.
  return plan.placesAreApart ||
         (plan.statement.combine != ReductionKind::Mean &&
          !givesIndex(plan.statement.combine));
}

/// Plans one statement, or the statements of a scan; false if the scheme does
/// not support them.
static bool addPlans(const CodeModule &module, loops::Program &program,
                     ArrayRef<loops::Statement> group, ProgramPlan &whole) {
  if (group.front().scan) {
    whole.scans.emplace_back(program, group, module.target);
    whole.phases.push_back(&whole.scans.back());
    return all_of(whole.scans.back().plans, hasPlan);
  }
  auto add = [&](LoopPlan plan, bool isFill = false) {
    whole.statements.push_back(std::move(plan));
    whole.statements.back().isFill = isFill;
    whole.phases.push_back(&whole.statements.back());
  };
  LoopPlan plan(program, group.front(), module.target);
  // Bounds are checked for an empty result, too.
  bool isEmpty = is_contained(program.tensors[group.front().tensor].shape, 0);
  if (plan.sums() && !plan.covers && !group.front().accumulates && !isEmpty)
    add({program, program.fillOf(group.front()), module.target},
        /*isFill=*/true);
  add(std::move(plan));
  return hasPlan(whole.statements.back());
}

/// The end of a tensor in the step's shared memory, at a line of the cache.
static int64_t endOf(const loops::Tensor &tensor) {
  int64_t bytes = int64_t(byteSize(tensor.kind));
  for (int64_t extent : tensor.shape)
    bytes = expr::multiply(bytes, extent);
  return expr::add(expr::add(*tensor.place, bytes), 63) / 64 * 64;
}

std::optional<ProgramPlan> cpu::planProgram(const CodeModule &module,
                                            loops::Program &program) {
  // A given plan may belong to a program that is narrow already.
  bool wasNarrow = program.computes == ElementKind::I32;
  if (wasNarrow)
    program.computes = ElementKind::I64;
  if (!hasLoopCode(program))
    return std::nullopt;
  if (wasNarrow || isNarrow(program))
    program.computes = ElementKind::I32;
  ProgramPlan whole;
  for (const loops::Tensor &tensor : program.tensors)
    if (tensor.place) // a factor of a given plan
      whole.sharedBytes = std::max(whole.sharedBytes, endOf(tensor));
  std::vector<loops::Statement> statements;
  for (const loops::Statement &statement : program.statements) {
    if (writesNothing(program, statement))
      continue;
    if (onlyFails(program, statement)) {
      whole.onlyFails = true;
      return whole;
    }
    whole.mayFail |= canFail(program, statement);
    append_range(statements,
                 withFactors(module, program, statement, whole.sharedBytes));
  }
  // Blocks of 16 channels have tiles that finish their sums.
  if (module.target.lanes == 1)
    finishSums(program, statements);
  for (size_t i = 0, end; i < statements.size(); i = end) {
    end = i + 1;
    while (statements[i].scan && end < statements.size() &&
           statements[end].scan == statements[i].scan)
      ++end;
    if (!addPlans(module, program, ArrayRef(statements).slice(i, end - i),
                  whole))
      return std::nullopt;
  }
  return program.complete() ? std::optional(std::move(whole)) : std::nullopt;
}

std::string ProgramPlan::wrong() const {
  for (const LoopPlan &plan : statements)
    if (!plan.wrong.empty())
      return plan.wrong;
  for (const ScanPlan &scan : scans) {
    if (!scan.wrong.empty())
      return scan.wrong;
    for (const LoopPlan &plan : scan.plans)
      if (!plan.wrong.empty())
        return plan.wrong;
  }
  return "";
}

std::vector<loops::Statement> ProgramPlan::planned() const {
  std::vector<loops::Statement> all;
  for (auto phase : phases) {
    auto *plan = dyn_cast<const LoopPlan *>(phase);
    if (!plan)
      append_range(all, cast<const ScanPlan *>(phase)->planned());
    else if (!plan->isFill)
      all.push_back(plan->planned());
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// The work of statements that differ from those of the record.
static Work workOf(const std::deque<LoopPlan> &plans) {
  Work work;
  for (const LoopPlan &plan : plans) {
    double turns = 1;
    for (unsigned index : plan.statement.indices)
      turns *= double(plan.turnsOf(index));
    work.operations +=
        turns / lanes * (1 + plan.sums() + operationsIn(plan.statement.value));
  }
  return work;
}

/// Emits the phases of a plan. A step without phases has a function that is not
/// called.
static void emitPhases(CodeModule &module, const ProgramPlan &plan,
                       const Twine &name, unsigned buffers, NativeStep &step) {
  auto function = [&] {
    size_t number = step.phases.size();
    return module.addStep(number ? name + "." + Twine(number) : name);
  };
  if (plan.onlyFails) {
    Emitter code(module, function());
    code.CreateStore(code.integer(1), code.buffer(buffers));
    code.CreateRetVoid();
    step.phases.push_back({code.function, 1});
    return;
  }
  for (auto phase : plan.phases) {
    Emitter code(module, function(), module.target.lanes);
    auto *scan = dyn_cast<const ScanPlan *>(phase);
    step.phases.push_back(
        scan ? emitScan(code, *scan, buffers)
             : LoopEmitter(code, *cast<const LoopPlan *>(phase), buffers)
                   .emit());
  }
  if (plan.phases.empty()) {
    Emitter code(module, function());
    code.CreateRetVoid();
    step.phases.push_back({code.function, 0});
  }
}

std::optional<ProgramPlan> cpu::planLayer(const CodeModule &module,
                                          loops::Program &program,
                                          StringRef layer) {
  std::optional<ProgramPlan> own = planProgram(module, program);
  if (!own || !module.plans || !module.plans->give(layer, program, *own))
    return own;
  std::optional<ProgramPlan> given = planProgram(module, program);
  if (given)
    module.plans->refuse(layer, given->wrong());
  return given;
}

std::optional<NativeStep> cpu::emitProgram(CodeModule &module,
                                           loops::Program &program,
                                           const Twine &name,
                                           const Instr &instr) {
  return emitProgram(module, program, name, ir::nameOf(instr.op),
                     instr.buffers());
}

std::optional<NativeStep> cpu::emitProgram(CodeModule &module,
                                           loops::Program &program,
                                           const Twine &name, StringRef layer,
                                           unsigned buffers) {
  std::optional<ProgramPlan> plan = planLayer(module, program, layer);
  if (!plan)
    return std::nullopt;
  NativeStep step;
  emitPhases(module, *plan, name, buffers, step);
  if (plan->onlyFails || plan->mayFail)
    step.failure = "an index is out of range";
  if (plan->onlyFails || plan->mayFail ||
      plan->sharedBytes > NativeStep::flagBytes)
    step.sharedBytes = plan->sharedBytes;
  if (plan->sharedBytes > NativeStep::flagBytes)
    step.work = workOf(plan->statements);
  step.choice.algorithm = "loops";
  return step;
}

std::optional<NativeStep> cpu::emitLoops(CodeModule &module, const Instr &instr,
                                         const Twine &name) {
  std::unique_ptr<loops::Program> program = ir::loopsOf(instr.op);
  return program ? emitProgram(module, *program, name, instr) : std::nullopt;
}
