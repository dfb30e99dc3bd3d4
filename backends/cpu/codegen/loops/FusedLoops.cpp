//===- FusedLoops.cpp - fused nodes of index notation in one loop ---------===//
// SPDX-License-Identifier: MIT

#include "LoopFactors.h"
#include "LoopSteps.h"
#include "glow/Base/Functions.h"
#include "glow/IR/FormulaLoops.h"
#include "glow/IR/Structure.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::unique_ptr<loops::Program> cpu::loopsOfFused(mlir::Operation *op) {
  Instr instr(op, [](mlir::Value) { return false; });
  if (!instr.is<calls::CpuFusedLoopsCall>())
    return nullptr;
  SmallVector<mlir::RankedTensorType> types;
  for (mlir::Type type : ir::tensorsOf(op->getOperands()))
    types.push_back(cast<mlir::RankedTensorType>(type));
  return ir::loopsOf(calls::CpuFusedLoopsCall::of(instr).formula, types[0],
                     ArrayRef(types).drop_front());
}

std::optional<NativeStep>
cpu::emitFusedLoops(CodeModule &module, const calls::CpuFusedLoopsCall &call,
                    const Twine &name) {
  const Instr &instr = *call.out.instr;
  std::unique_ptr<loops::Program> program = loopsOfFused(instr.op);
  if (!program)
    return std::nullopt;
  std::optional<NativeStep> step = emitProgram(module, *program, name, instr);
  if (step) {
    step->choice.algorithm.clear(); // the record names it
    step->work = Work();
    double vectors = double(expr::prod(program->tensors[0].shape)) / lanes;
    // In addition a vector is stored.
    step->work->operations =
        vectors * (1 + operationsIn(program->statements.front().value));
  }
  return step;
}
