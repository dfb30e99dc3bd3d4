//===- OneLane.cpp - stores of one element --------------------------------===//
// SPDX-License-Identifier: MIT

#include "OneLane.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// The only lane that a constant mask sets; nothing for other masks.
static std::optional<uint64_t> onlyLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  std::optional<uint64_t> only;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto *lane =
        dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(i));
    if (!lane || (lane->isOne() && only))
      return std::nullopt;
    if (lane->isOne())
      only = i;
  }
  return only;
}

static void storeLane(IntrinsicInst &store, uint64_t lane) {
  IRBuilder<> builder(&store);
  Value *vector = store.getArgOperand(0), *to = store.getArgOperand(1);
  Type *element = vector->getType()->getScalarType();
  uint64_t bytes = element->getScalarSizeInBits() / 8;
  builder.CreateAlignedStore(
      builder.CreateExtractElement(vector, lane),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), to, lane * bytes),
      commonAlignment(store.getParamAlign(1).valueOrOne(), lane * bytes));
  store.eraseFromParent();
}

void glow::cpu::storeSingleLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::masked_store)
        if (auto lane = onlyLane(call->getArgOperand(call->arg_size() - 1)))
          storeLane(*call, *lane);
}
