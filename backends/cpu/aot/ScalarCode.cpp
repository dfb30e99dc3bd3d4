//===- ScalarCode.cpp - code of processors without vectors ----------------===//
// SPDX-License-Identifier: MIT

#include "ScalarCode.h"
#include "NarrowIndices.h"
#include "ShareCode.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/DeadArgumentElimination.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/IPO/SCCP.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// The analyses that passes ask for, of the target.
class Passes {
public:
  explicit Passes(CodeModule &module)
      : ir(*module.ir), builder(module.target.machine.get(), tuning()) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
  }
  void run(ModulePassManager passes) { passes.run(ir, modules); }

  Module &ir;
  PassBuilder builder;

private:
  /// Disables vectorisation and unrolling: a processor without vectors gains
  /// nothing, and copies of a loop enlarge the code.
  static PipelineTuningOptions tuning() {
    PipelineTuningOptions options;
    options.LoopVectorization = options.SLPVectorization = false;
    options.LoopUnrolling = options.LoopInterleaving = false;
    return options;
  }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
};

} // namespace

static FunctionPassManager cleaning() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

void cpu::simplifyScalars(CodeModule &module, bool shares) {
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  FunctionPassManager lanes;
  lanes.addPass(SROAPass(SROAOptions::PreserveCFG));
  ScalarizerPassOptions all;
  all.ScalarizeLoadStore = true;
  lanes.addPass(ScalarizerPass(all));
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(lanes)));
  passes.addPass(MergeFunctionsPass());
  // Before a loop of one turn is none any more.
  if (shares)
    passes.addPass(ShareCodePass());
  passes.addPass(IPSCCPPass(IPSCCPOptions(/*AllowFuncSpec=*/!shares)));
  passes.addPass(DeadArgumentEliminationPass());
  passes.addPass(createModuleToFunctionPassAdaptor(cleaning()));
  passes.addPass(GlobalDCEPass());
  Passes(module).run(std::move(passes));
}

/// The passes after which indices have 32 bits if these suffice.
static FunctionPassManager narrowing() {
  FunctionPassManager passes;
  passes.addPass(NarrowIndicesPass());
  passes.addPass(InstCombinePass());
  passes.addPass(ADCEPass());
  return passes;
}

/// A window of two or three rows and columns is shorter without its loops.
static LoopUnrollPass unrolling() {
  return LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2)
                            .setPartial(false)
                            .setRuntime(false)
                            .setPeeling(false)
                            .setUpperBound(false)
                            .setFullUnrollMaxCount(4));
}

void cpu::shapeLoops(CodeModule &module) {
  FunctionPassManager shapes;
  shapes.addPass(LoopSimplifyPass());
  shapes.addPass(LCSSAPass());
  shapes.addPass(unrolling());
  shapes.addPass(narrowing());
  shapes.addPass(SimplifyCFGPass());
  shapes.addPass(LoopSimplifyPass());
  shapes.addPass(LCSSAPass());
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(shapes)));
  Passes(module).run(std::move(passes));
}

/// Tests for NaN by the bits of a number, on processors where a comparison of
/// floats is a call. Runs after all passes, which would turn it into a
/// comparison.
static void findNanInBits(CodeModule &module) {
  for (Function &function : *module.ir) {
    if (function.isDeclaration() ||
        module.target.machine->getSubtargetImpl(function)
            ->getTargetLowering()
            ->isTypeLegal(MVT::f32))
      continue;
    for (Instruction &i : make_early_inc_range(instructions(function))) {
      auto *test = dyn_cast<FCmpInst>(&i);
      if (!test || test->getPredicate() != CmpInst::FCMP_UNO ||
          !test->getOperand(0)->getType()->isFloatTy() ||
          !(test->getOperand(0) == test->getOperand(1) ||
            isa<llvm::Constant>(test->getOperand(1))))
        continue;
      IRBuilder<> code(test);
      Value *bits = code.CreateBitCast(test->getOperand(0), code.getInt32Ty());
      bits = code.CreateAnd(bits, code.getInt32(0x7fffffff));
      test->replaceAllUsesWith(
          code.CreateICmpUGT(bits, code.getInt32(0x7f800000)));
      test->eraseFromParent();
    }
  }
}

/// Rounds by a sum where no instruction rounds: from 2^23 on, floats are
/// integers. Behind all passes, as these know that the number is added and
/// subtracted again.
static void roundBySums(CodeModule &module) {
  if (module.target.nearest == cpu::Target::Nearest::Rounding)
    return;
  for (Function &function : *module.ir)
    for (Instruction &i : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&i);
      if (!call || call->getIntrinsicID() != Intrinsic::roundeven ||
          !call->getType()->isFloatTy())
        continue;
      IRBuilder<> code(call);
      Value *x = call->getArgOperand(0);
      Value *limit = ConstantFP::get(x->getType(), 0x1p23);
      Value *size = code.CreateUnaryIntrinsic(Intrinsic::fabs, x);
      Value *whole = code.CreateFSub(code.CreateFAdd(size, limit), limit);
      whole = code.CreateBinaryIntrinsic(Intrinsic::copysign, whole, x);
      call->replaceAllUsesWith(
          code.CreateSelect(code.CreateFCmpOLT(size, limit), whole, x));
      call->eraseFromParent();
    }
}

void cpu::optimiseScalars(CodeModule &module, bool forSize) {
  if (forSize)
    for (Function &function : *module.ir)
      if (!function.isDeclaration())
        function.addFnAttr(llvm::Attribute::OptimizeForSize);
  Passes passes(module);
  ModulePassManager first;
  FunctionPassManager indices = cleaning();
  LoopPassManager counters;
  counters.addPass(IndVarSimplifyPass());
  indices.addPass(createFunctionToLoopPassAdaptor(std::move(counters)));
  indices.addPass(narrowing());
  if (!forSize)
    indices.addPass(unrolling());
  first.addPass(createModuleToFunctionPassAdaptor(std::move(indices)));
  passes.run(std::move(first));
  passes.run(passes.builder.buildPerModuleDefaultPipeline(
      forSize ? OptimizationLevel::Os : OptimizationLevel::O2));
  ModulePassManager last;
  last.addPass(createModuleToFunctionPassAdaptor(
      createFunctionToLoopPassAdaptor(LoopStrengthReducePass())));
  passes.run(std::move(last));
  roundBySums(module);
  findNanInBits(module);
}
