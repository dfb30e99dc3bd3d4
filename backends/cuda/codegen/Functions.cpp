//===- Functions.cpp - the library of scalar functions --------------------===//
// SPDX-License-Identifier: MIT
//
// The functions of the records for one element, which the build compiles from
// the CPU's library to bitcode for GPUs. Functions of C's library are not
// there, so that those of doubles which call it are left out.
//
//===----------------------------------------------------------------------===//

#include "KernelModule.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace glow;

// This names a file of bitcode, which the build makes.
alignas(16) static constexpr char bitcode[] = {
#embed GLOW_CUDA_FUNCTION_BITCODE
};

static llvm::Expected<std::unique_ptr<llvm::Module>>
libraryIn(llvm::LLVMContext &context) {
  return llvm::parseBitcodeFile(
      llvm::MemoryBufferRef({bitcode, sizeof bitcode}, "functions"), context);
}

/// Whether a function, or one that it calls, is of no library of GPUs.
static bool needsHost(const llvm::Function &function,
                      std::set<const llvm::Function *> &seen) {
  if (function.isDeclaration())
    return !function.isIntrinsic();
  if (!seen.insert(&function).second)
    return false;
  for (const llvm::Instruction &one : llvm::instructions(function))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&one))
      if (const llvm::Function *callee = call->getCalledFunction();
          !callee || needsHost(*callee, seen))
        return true;
  return false;
}

/// The names of all functions that a GPU has.
static const llvm::StringSet<> &allFunctions() {
  static const llvm::StringSet<> all = [] {
    llvm::StringSet<> names;
    llvm::LLVMContext context;
    auto library = libraryIn(context);
    if (!library) {
      llvm::consumeError(library.takeError());
      return names;
    }
    for (const llvm::Function &function : **library) {
      std::set<const llvm::Function *> seen;
      if (!function.isDeclaration() && !needsHost(function, seen))
        names.insert(function.getName());
    }
    return names;
  }();
  return all;
}

bool cuda::hasFunction(llvm::StringRef function, ElementKind computes) {
  return allFunctions().contains("glow_function_" + function.str() + "_" +
                                 std::string(glow::name(computes)));
}

Status cuda::linkFunctions(llvm::Module &module) {
  auto library = libraryIn(module.getContext());
  if (!library)
    return failure(Code::Internal, llvm::toString(library.takeError()));
  module.setTargetTriple((*library)->getTargetTriple());
  module.setDataLayout((*library)->getDataLayout());
  std::set<std::string> own;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration())
      own.insert(function.getName().str());
  if (llvm::Linker::linkModules(module, std::move(*library),
                                llvm::Linker::LinkOnlyNeeded))
    return failure(Code::Internal, "the library of functions cannot be linked");
  // Functions that are inlined everywhere can be removed, and tables of the
  // library are no one else's.
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !own.contains(function.getName().str())) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  for (llvm::GlobalVariable &variable : module.globals()) {
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    variable.setComdat(nullptr);
  }
  return Status();
}
