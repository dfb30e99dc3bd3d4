//===- Quick.cpp - machine code without LLVM's code generator -------------===//
// SPDX-License-Identifier: MIT
//
// Glow emits a few dozen kinds of LLVM instructions, on 64-bit integers and on
// vectors. They need no optimisation: each kind has one machine instruction
// sequence (Select, Scalars, Vectors), and registers are assigned by a linear
// scan over live intervals (Units, Allocate). LLVM's code generator, which
// looks for better code, takes about half of the time to a first result. A
// function with any other instruction, such as a sum over the lanes of a
// vector, is left to LLVM, together with its callers. A test compares random
// tiles of each processor with LLVM's results, bit by bit.
//
//===----------------------------------------------------------------------===//

#include "quick/Quick.h"
#include "Clean.h"
#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

namespace {

class ModuleAssembler {
public:
  ModuleAssembler(Module &module, bool wide)
      : module(module), code(wide), wide(wide) {}

  std::optional<FlatCode> run() {
    bool isWhole = true;
    for (Function &function : module)
      if (!function.isDeclaration())
        isWhole &= make(function);
    if (isWhole)
      return whole();
    if (!places.empty())
      replace();
    return std::nullopt;
  }

private:
  /// Makes the code of a function, after the code of its callees.
  bool make(Function &function) {
    // False until its code is made, so that a recursive function is left to
    // LLVM.
    auto [entry, isNew] = tried.try_emplace(&function, false);
    if (!isNew)
      return entry->second;
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || isa<IntrinsicInst>(call))
        continue;
      Function *callee = call->getCalledFunction();
      // Calls are relative, and so only reach functions in this code.
      if (!callee || callee->isDeclaration() || !make(*callee))
        return false;
    }
    DominatorTree dominators(function);
    clean(function, dominators);
    code.alignFunction();
    size_t place = code.here();
    Assembler::Label label = code.newLabel();
    code.land(label);
    if (!Selector(code, function, dominators, wide, labels).run())
      return code.forget(place), false;
    labels[&function] = label;
    places.push_back({&function, place, code.here()});
    return tried[&function] = true;
  }

  FlatCode whole() {
    FlatCode flat;
    flat.bytes = code.take();
    for (const CodeRange &place : places)
      flat.symbols.push_back({place.function->getName().str(), place.begin});
    return flat;
  }

  /// Replaces functions by their code. The code is the prologue data of one
  /// function, so that it stays in the object file and its listings; the other
  /// functions are aliases into it.
  void replace() {
    LLVMContext &context = module.getContext();
    auto *holder = Function::Create(
        FunctionType::get(llvm::Type::getVoidTy(context), false),
        Function::PrivateLinkage, "assembled", module);
    new UnreachableInst(context, BasicBlock::Create(context, "", holder));
    holder->setPrologueData(
        ConstantDataArray::getString(context, code.take(), /*AddNull=*/false));
    holder->setAlignment(Align(64));
    holder->addFnAttr(Attribute::NoInline);
    holder->addFnAttr(Attribute::OptimizeNone);
    // All bodies are deleted first, as they may be the last users of other
    // functions.
    for (auto [function, place, end] : places)
      function->deleteBody();
    for (auto [function, place, end] : places) {
      if (function->use_empty() && function->hasLocalLinkage()) {
        function->eraseFromParent();
        continue;
      }
      Constant *address = ConstantExpr::getInBoundsGetElementPtr(
          llvm::Type::getInt8Ty(context), holder,
          ConstantInt::get(llvm::Type::getInt64Ty(context), place));
      // The size of the array type is the size of the function.
      auto *bytes = ArrayType::get(llvm::Type::getInt8Ty(context), end - place);
      auto *alias = GlobalAlias::create(bytes, 0, function->getLinkage(), "",
                                        address, &module);
      function->replaceAllUsesWith(alias);
      alias->takeName(function);
      function->eraseFromParent();
    }
  }

  Module &module;
  Assembler code;
  const bool wide;
  Labels labels;
  DenseMap<Function *, bool> tried;
  struct CodeRange {
    Function *function;
    size_t begin, end;
  };
  SmallVector<CodeRange> places;
};

} // namespace

std::optional<FlatCode> quick::assemble(Module &module,
                                        const cpu::Target &target) {
  bool isKnown =
      target.machine->getTargetTriple().getArch() == Triple::x86_64 &&
      target.has("avx2") && target.has("fma");
  if (!isKnown)
    return std::nullopt;
  return ModuleAssembler(module, target.has("avx512f")).run();
}
