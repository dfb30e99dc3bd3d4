//===- Compile.cpp - kernels for this processor ---------------------------===//
// SPDX-License-Identifier: MIT
//
// The IR of PTX, with another target: kernels have the calling convention of C,
// the numbers of threads and blocks are calls of the emulator, and a barrier is
// a call that goes on with another thread.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace emulator;

extern "C" {
int emulatedThread();
int emulatedBlock();
void emulatedBarrier();
}

namespace {

using Symbol = std::pair<const char *, void *>;

/// The emulator's function in place of an intrinsic of the GPU.
Symbol hostOf(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return {"emulatedThread", reinterpret_cast<void *>(&emulatedThread)};
  case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return {"emulatedBlock", reinterpret_cast<void *>(&emulatedBlock)};
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return {"emulatedBarrier", reinterpret_cast<void *>(&emulatedBarrier)};
  default:
    return {};
  }
}

class Compiled final : public Kernels {
public:
  Error read(const std::string &ptx, std::string &log) {
    if (Error error = checkText(ptx, log); error != Success)
      return error;
    std::string ir;
    llvm::StringRef rest = ptx;
    while (!rest.empty()) {
      auto [line, others] = rest.split('\n');
      if (line.consume_front("//ir "))
        ir += line.str() + "\n";
      rest = others;
    }
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module =
        llvm::parseIR(llvm::MemoryBufferRef(ir, "ptx"), diagnostic, *context);
    if (!module)
      wrong("the PTX has no LLVM IR that can be read: " +
            diagnostic.getMessage().str());
    for (llvm::Function &function : *module)
      if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
        if (!llvm::StringRef(ptx).contains(".entry " +
                                           function.getName().str() + "("))
          wrong("kernel '" + function.getName().str() +
                "' is in the IR and not in the PTX");
    start(std::move(context), std::move(module));
    return Success;
  }

  const Kernel *find(const std::string &name) override {
    auto found = kernels.find(name);
    return found == kernels.end() ? nullptr : &found->second;
  }

private:
  /// The checks of a driver: versions and the GPU's capability.
  static Error checkText(llvm::StringRef ptx, std::string &log) {
    auto numberAfter = [&](llvm::StringRef word) {
      int number = 0;
      ptx.substr(ptx.find(word) + word.size())
          .take_while([](char c) { return llvm::isDigit(c); })
          .getAsInteger(10, number);
      return number;
    };
    if (!ptx.contains(".version ") || !ptx.contains(".target sm_")) {
      log = "ptxas fatal: no version or target";
      return InvalidPtx;
    }
    // PTX 7 came with CUDA 11, 8 with 12, and 9 with 13.
    if (numberAfter(".version ") + 4 > settings().version / 1000)
      return UnsupportedPtxVersion;
    if (numberAfter(".target sm_") > settings().capability) {
      log = "ptxas fatal: no code for this GPU";
      return InvalidPtx;
    }
    return Success;
  }

  static void check(llvm::Error error) {
    if (error)
      wrong("LLVM: " + llvm::toString(std::move(error)));
  }

  void start(std::unique_ptr<llvm::LLVMContext> context,
             std::unique_ptr<llvm::Module> module) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto made = llvm::orc::LLJITBuilder().create();
    check(made.takeError());
    jit = std::move(*made);
    module->setTargetTriple(jit->getTargetTriple());
    module->setDataLayout(jit->getDataLayout());
    for (llvm::Function &function : *module)
      if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
        kernels[function.getName().str()].name = function.getName().str();
    for (auto &[name, kernel] : kernels)
      retarget(*module->getFunction(name), kernel);
    for (llvm::Function &function : *module)
      plain(function);
    defineHost(*module);
    defineShared(*module);
    check(jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    for (auto &[name, kernel] : kernels) {
      auto address = jit->lookup("call." + name);
      check(address.takeError());
      kernel.call = address->toPtr<void(const uint64_t *)>();
    }
  }

  /// Makes a kernel a function of C, and a function that calls it with
  /// arguments from memory.
  void retarget(llvm::Function &function, Kernel &kernel) {
    function.setCallingConv(llvm::CallingConv::C);
    function.getFnAttribute("nvvm.maxntid")
        .getValueAsString()
        .getAsInteger(10, kernel.mostThreads);
    llvm::Module &module = *function.getParent();
    llvm::IRBuilder<> builder(module.getContext());
    auto *caller = llvm::Function::Create(
        llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                                false),
        llvm::Function::ExternalLinkage, "call." + function.getName(), module);
    builder.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "", caller));
    std::vector<llvm::Value *> arguments;
    for (llvm::Argument &argument : function.args()) {
      kernel.pointers.push_back(argument.getType()->isPointerTy());
      llvm::Value *from = builder.CreateConstGEP1_64(
          builder.getInt64Ty(), caller->getArg(0), argument.getArgNo());
      arguments.push_back(builder.CreateLoad(argument.getType(), from));
    }
    builder.CreateCall(&function, arguments);
    builder.CreateRetVoid();
    if (!settings().keepsBounds)
      removeBounds(function);
    for (llvm::Instruction &one : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&one))
        kernel.waits |= call->getIntrinsicID() ==
                        llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  }

  /// Has threads without an item compute one.
  static void removeBounds(llvm::Function &function) {
    for (llvm::BasicBlock &block : function)
      if (auto *branch =
              llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
          branch && branch->isConditional())
        for (unsigned i : {0u, 1u})
          if (branch->getSuccessor(i)->getName().starts_with("item"))
            branch->setCondition(
                llvm::ConstantInt::getBool(function.getContext(), i == 0));
  }

  /// Takes the attributes of a GPU away.
  static void plain(llvm::Function &function) {
    for (const char *name : {"target-cpu", "target-features", "nvvm.maxntid"})
      function.removeFnAttr(name);
    function.setComdat(nullptr);
  }

  /// Calls the emulator in place of the GPU's intrinsics.
  void defineHost(llvm::Module &module) {
    llvm::orc::SymbolMap symbols;
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
      if (!function.getName().starts_with("llvm.nvvm."))
        continue;
      auto [name, address] = hostOf(function.getIntrinsicID());
      if (!name)
        wrong("no code of this processor for '" + function.getName().str() +
              "'");
      const bool isBarrier = llvm::StringRef(name) == "emulatedBarrier";
      llvm::FunctionCallee host =
          module.getOrInsertFunction(name, function.getReturnType());
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        if (!isBarrier || settings().keepsBarriers)
          call->replaceAllUsesWith(
              llvm::CallInst::Create(host, "", call->getIterator()));
        call->eraseFromParent();
      }
      function.eraseFromParent();
      symbols[jit->mangleAndIntern(name)] = {
          llvm::orc::ExecutorAddr::fromPtr(address),
          llvm::JITSymbolFlags::Exported};
    }
    check(jit->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(symbols))));
    auto process =
        llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
            jit->getDataLayout().getGlobalPrefix());
    check(process.takeError()); // fmaf and the like
    jit->getMainJITDylib().addGenerator(std::move(*process));
  }

  /// Puts memory that threads share between pages that no one may touch.
  void defineShared(llvm::Module &module) {
    llvm::orc::SymbolMap symbols;
    for (llvm::GlobalVariable &variable : module.globals()) {
      if (variable.getAddressSpace() != 3)
        continue;
      auto memory = std::make_shared<Allocation>(
          module.getDataLayout().getTypeAllocSize(variable.getValueType()));
      for (auto &[name, kernel] : kernels)
        if (kernel.waits)
          kernel.shared.push_back(memory);
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setDSOLocal(false);
      symbols[jit->mangleAndIntern(variable.getName())] = {
          llvm::orc::ExecutorAddr::fromPtr(memory->data()),
          llvm::JITSymbolFlags::Exported};
    }
    check(jit->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(symbols))));
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::map<std::string, Kernel> kernels;
};

} // namespace

Error emulator::compile(const std::string &ptx,
                        std::unique_ptr<Kernels> &kernels, std::string &log) {
  auto made = std::make_unique<Compiled>();
  if (Error error = made->read(ptx, log); error != Success)
    return error;
  kernels = std::move(made);
  return Success;
}
