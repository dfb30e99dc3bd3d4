//===- DirectSteps.cpp - steps that are given their buffers ---------------===//
// SPDX-License-Identifier: MIT

#include "DirectSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace glow::cpu;
using namespace llvm;

/// The arguments of a step's function (CodeModule::stepType).
enum StepArgument : unsigned { Info, Buffers, First, End, Scratch };

using LoadsOfBuffer = SmallVector<LoadInst *, 4>;

/// Collects the loads of each buffer; false if the list has other uses.
static bool collect(Argument &list, std::map<unsigned, LoadsOfBuffer> &loads) {
  const DataLayout &layout = list.getParent()->getDataLayout();
  const unsigned size = layout.getPointerSize();
  auto add = [&](User *user, uint64_t offset) {
    auto *load = dyn_cast<LoadInst>(user);
    if (!load || !load->getType()->isPointerTy() || offset % size)
      return false;
    loads[unsigned(offset / size)].push_back(load);
    return true;
  };
  for (User *user : list.users()) {
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

static DirectStep makeDirect(Function &step,
                             const std::map<unsigned, LoadsOfBuffer> &loads) {
  DirectStep direct;
  SmallVector<Type *> types(loads.size(),
                            PointerType::get(step.getContext(), 0));
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
  for (auto &[buffer, reads] : loads) {
    Argument *given = direct.function->getArg(unsigned(direct.buffers.size()));
    direct.buffers.push_back(buffer);
    for (LoadInst *load : reads) {
      load->replaceAllUsesWith(given);
      load->eraseFromParent();
    }
  }
  auto next = unsigned(direct.buffers.size());
  for (unsigned argument : {First, End, Scratch})
    step.getArg(argument)->replaceAllUsesWith(direct.function->getArg(next++));
  return direct;
}

const DirectStep *DirectSteps::find(StringRef name) {
  if (auto found = known.find(name); found != known.end())
    return found->second.function ? &found->second : nullptr;
  DirectStep &direct = known[name];
  Function *step = module.getFunction(name);
  std::map<unsigned, LoadsOfBuffer> loads;
  if (!step || step->isDeclaration() || !step->getArg(Info)->use_empty() ||
      !collect(*step->getArg(Buffers), loads))
    return nullptr;
  direct = makeDirect(*step, loads);
  for (User *slot : make_early_inc_range(step->getArg(Buffers)->users()))
    cast<Instruction>(slot)->eraseFromParent();
  step->eraseFromParent();
  return &direct;
}
