//===- Ptx.cpp - from LLVM IR to PTX --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "KernelModule.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace glow;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static Result<std::unique_ptr<llvm::TargetMachine>> makeMachine() {
  [[maybe_unused]] static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return failure(Code::Unsupported, "LLVM has no code for GPUs: ", error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "sm_80", "+ptx70", {}, std::nullopt));
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

/// Appends lines as comments, which the emulated driver of the tests reads.
static void addComments(std::string &text, llvm::StringRef lines) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    text += "//ir " + line.str() + "\n";
    lines = rest;
  }
}

Result<std::string> cuda::printPtx(llvm::Module &module) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = makeMachine();
  if (!machine)
    return machine.status();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  std::string wrong;
  llvm::raw_string_ostream errors(wrong);
  if (llvm::verifyModule(module, &errors))
    return failure(Code::Internal, "wrong LLVM IR of kernels: ", wrong);
  optimize(module, **machine);
  std::string ir;
  llvm::raw_string_ostream lines(ir);
  module.print(lines, nullptr);
  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream stream(ptx);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return failure(Code::Unsupported, "LLVM prints no PTX");
  passes.run(module);
  std::string text = ptx.str().str();
  addComments(text, ir);
  return text;
}
