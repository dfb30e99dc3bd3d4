//===- DirectSteps.cpp - steps that are given their buffers ---------------===//
// SPDX-License-Identifier: MIT

#include "DirectSteps.h"
#include "aot/c/PrintC.h"
#include "device/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace glow::cpu;
using namespace llvm;

/// The arguments of a step's function (CodeModule::stepType).
enum StepArgument : unsigned { Info, Buffers, First, End, Scratch };

/// The loads of the elements of a list, by their numbers.
using Loads = std::map<unsigned, SmallVector<LoadInst *, 4>>;

/// Calls `add` with each user of an address and the user's offset from it;
/// false if it refuses one, or if an offset is not constant.
static bool visit(Value &address, function_ref<bool(User *, uint64_t)> add) {
  const DataLayout &layout =
      isa<Argument>(address)
          ? cast<Argument>(address).getParent()->getDataLayout()
          : cast<Instruction>(address).getDataLayout();
  for (User *user : address.users()) {
    auto *slot = dyn_cast<GetElementPtrInst>(user);
    APInt offset(64, 0);
    if (!slot ? !add(user, 0)
              : !slot->accumulateConstantOffset(layout, offset) ||
                    !all_of(slot->users(), [&](User *load) {
                      return add(load, offset.getZExtValue());
                    }))
      return false;
  }
  return true;
}

/// Collects the loads of each element; false if the list has other uses.
static bool collect(Value &list, bool isOfAddresses, Loads &loads) {
  return visit(list, [&](User *user, uint64_t offset) {
    auto *load = dyn_cast<LoadInst>(user);
    if (!load || load->getType()->isPointerTy() != isOfAddresses ||
        offset % sizeof(int64_t))
      return false;
    loads[unsigned(offset / sizeof(int64_t))].push_back(load);
    return true;
  });
}

/// Collects the loads of each size; false if the StepInfo has other uses.
static bool collectSizes(Argument &info, Loads &loads) {
  return visit(info, [&](User *user, uint64_t offset) {
    auto *list = dyn_cast<LoadInst>(user);
    return list && list->getType()->isPointerTy() &&
           offset == offsetof(StepInfo, sizes) &&
           collect(*list, /*isOfAddresses=*/false, loads);
  });
}

/// The type of the parameter for a size: 32 bits if its range fits.
static Type *typeOfSize(const LoadInst &size) {
  MDNode *range = size.getMetadata(LLVMContext::MD_range);
  bool isSmall =
      range &&
      getConstantRangeFromMetadata(*range).getSignedMax().isSignedIntN(32);
  return IntegerType::get(size.getContext(), isSmall ? 32 : 64);
}

/// Replaces the loads of elements by the parameters from `first` on; adds the
/// elements' numbers.
static void useParameters(Function &function, unsigned first,
                          const Loads &loads, SmallVector<unsigned> &numbers) {
  for (auto &[number, reads] : loads) {
    Argument *given = function.getArg(first + unsigned(numbers.size()));
    numbers.push_back(number);
    Value *value = given;
    if (MDNode *range = reads.front()->getMetadata(LLVMContext::MD_range)) {
      given->getParent()->addParamAttr(
          given->getArgNo(),
          llvm::Attribute::get(function.getContext(), sizeAttribute));
      unsigned bits = given->getType()->getIntegerBitWidth();
      given->addAttr(llvm::Attribute::get(
          function.getContext(), llvm::Attribute::Range,
          getConstantRangeFromMetadata(*range).truncate(bits)));
      BasicBlock &entry = function.getEntryBlock();
      value = IRBuilder<>(&entry, entry.getFirstInsertionPt())
                  .CreateSExt(given, reads.front()->getType());
    }
    for (LoadInst *load : reads) {
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    }
  }
}

static DirectStep makeDirect(Function &step, const Loads &buffers,
                             const Loads &sizes) {
  DirectStep direct;
  SmallVector<Type *> types(buffers.size(),
                            PointerType::get(step.getContext(), 0));
  for (auto &[number, reads] : sizes)
    types.push_back(typeOfSize(*reads.front()));
  for (unsigned argument : {First, End, Scratch})
    types.push_back(step.getArg(argument)->getType());
  direct.function =
      Function::Create(FunctionType::get(step.getReturnType(), types, false),
                       step.getLinkage(), "", *step.getParent());
  direct.function->copyAttributesFrom(&step);
  direct.function->setAttributes(AttributeList().addFnAttributes(
      step.getContext(),
      AttrBuilder(step.getContext(), step.getAttributes().getFnAttrs())));
  direct.function->takeName(&step);
  direct.function->splice(direct.function->begin(), &step);
  useParameters(*direct.function, 0, buffers, direct.buffers);
  useParameters(*direct.function, unsigned(buffers.size()), sizes,
                direct.sizes);
  auto next = unsigned(buffers.size() + sizes.size());
  for (unsigned argument : {First, End, Scratch})
    step.getArg(argument)->replaceAllUsesWith(direct.function->getArg(next++));
  return direct;
}

/// Erases the instructions that compute addresses in a list.
static void erase(Value &list) {
  for (User *user : make_early_inc_range(list.users())) {
    erase(*user);
    cast<Instruction>(user)->eraseFromParent();
  }
}

const DirectStep *DirectSteps::find(StringRef name) {
  if (auto found = known.find(name); found != known.end())
    return found->second.function ? &found->second : nullptr;
  DirectStep &direct = known[name];
  Function *step = module.getFunction(name);
  Loads buffers, sizes;
  if (!step || step->isDeclaration() ||
      !collectSizes(*step->getArg(Info), sizes) ||
      !collect(*step->getArg(Buffers), /*isOfAddresses=*/true, buffers))
    return nullptr;
  direct = makeDirect(*step, buffers, sizes);
  for (StepArgument list : {Info, Buffers})
    erase(*step->getArg(list));
  step->eraseFromParent();
  return &direct;
}
