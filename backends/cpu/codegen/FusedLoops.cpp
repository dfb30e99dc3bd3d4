//===- FusedLoops.cpp - fused nodes of index notation in one loop ---------===//

#include "LoopEmitter.h"
#include "LoopFactors.h"
#include "glow/Base/Functions.h"
#include "glow/IR/FormulaLoops.h"
#include "glow/IR/Structure.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::optional<NativeStep>
cpu::emitFusedLoops(CodeModule &unit, const calls::CpuFusedLoopsCall &call,
                    const Twine &name) {
  SmallVector<mlir::RankedTensorType> types;
  for (mlir::Type type : ir::tensorsOf(call.out.instr->op->getOperands()))
    types.push_back(cast<mlir::RankedTensorType>(type));
  std::unique_ptr<loops::Program> program =
      ir::loopsOf(call.formula, types[0], ArrayRef(types).drop_front());
  if (!program)
    return std::nullopt;
  std::optional<NativeStep> step =
      emitProgram(unit, *program, name, unsigned(types.size()));
  if (step) {
    step->choice.algorithm.clear(); // the record names it
    step->work = Work();
    double vectors = double(expr::prod(program->tensors[0].shape)) / lanes;
    // A vector is stored besides.
    step->work->operations =
        vectors * (1 + operationsIn(program->statements.front().value));
  }
  return step;
}
