//===- NarrowAddresses.cpp - code for addresses of 32 bits ----------------===//
// SPDX-License-Identifier: MIT
//
// The library of kernels is compiled once, and its code contains offsets that
// assume 64-bit addresses. So these offsets stay: each becomes a constant by
// the old layout, before the module gets the new one.
//
//===----------------------------------------------------------------------===//

#include "NarrowAddresses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

class Narrower {
public:
  Narrower(Module &module, const DataLayout &layout)
      : module(module), old(module.getDataLayout()), layout(layout),
        context(module.getContext()), word(llvm::Type::getInt64Ty(context)) {}

  Status run() {
    for (GlobalVariable &variable : make_early_inc_range(module.globals()))
      narrowGlobal(variable);
    for (Function &function : module)
      for (Instruction &instruction :
           make_early_inc_range(instructions(function)))
        narrow(instruction);
    module.setDataLayout(layout);
    for (Function &function : make_early_inc_range(module))
      dropCopies(function);
    return status;
  }

private:
  void fail(const char *what) {
    status = Status(Code::Unsupported,
                    std::string("code for addresses of 32 bits with ") + what);
  }

  //===--- Data -----------------------------------------------------------===//

  static bool hasAddresses(llvm::Type *type) {
    return type->isPointerTy() || any_of(type->subtypes(), hasAddresses);
  }

  void narrowGlobal(GlobalVariable &variable) {
    if (!hasAddresses(variable.getValueType()))
      return;
    if (!variable.hasInitializer())
      return fail("tables from elsewhere");
    llvm::Constant *value = inMemory(variable.getInitializer());
    auto *made =
        new GlobalVariable(module, value->getType(), variable.isConstant(),
                           variable.getLinkage(), value, "", &variable);
    made->takeName(&variable);
    made->setAlignment(std::max(old.getPreferredAlign(&variable), Align(8)));
    made->setUnnamedAddr(variable.getUnnamedAddr());
    variable.replaceAllUsesWith(made);
    variable.eraseFromParent();
  }

  /// A constant with the memory layout of the old data layout, without padding
  /// that the new one might add.
  llvm::Constant *inMemory(llvm::Constant *value) {
    llvm::Type *type = value->getType();
    if (type->isPointerTy())
      return ConstantStruct::getAnon(
          {byOffset(value),
           ConstantInt::get(llvm::Type::getInt32Ty(context), 0)},
          /*Packed=*/true);
    if (!hasAddresses(type))
      return value;
    if (isa<FixedVectorType>(type))
      fail("lanes of addresses");
    SmallVector<llvm::Constant *> members;
    uint64_t end = 0;
    auto padTo = [&](uint64_t place) {
      if (place > end)
        members.push_back(ConstantAggregateZero::get(
            ArrayType::get(llvm::Type::getInt8Ty(context), place - end)));
      end = place;
    };
    auto *structure = dyn_cast<StructType>(type);
    unsigned count = structure ? structure->getNumElements()
                               : unsigned(type->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i) {
      llvm::Constant *member = value->getAggregateElement(i);
      if (structure)
        padTo(old.getStructLayout(structure)->getElementOffset(i));
      members.push_back(inMemory(member));
      end += old.getTypeAllocSize(member->getType());
    }
    padTo(old.getTypeAllocSize(type));
    return ConstantStruct::getAnon(context, members, /*Packed=*/true);
  }

  /// A constant address, as an offset in bytes from a global.
  llvm::Constant *byOffset(llvm::Constant *value) {
    auto *gep = dyn_cast<GEPOperator>(value);
    if (!gep)
      return value;
    APInt offset(64, 0);
    if (!gep->accumulateConstantOffset(old, offset))
      fail("a constant address of unknown place");
    return ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(context),
        byOffset(cast<llvm::Constant>(gep->getPointerOperand())),
        ConstantInt::get(llvm::Type::getInt32Ty(context),
                         offset.getZExtValue() & UINT32_MAX));
  }

  //===--- Code -----------------------------------------------------------===//

  void narrow(Instruction &instruction) {
    for (Use &operand : instruction.operands())
      if (isa<ConstantExpr>(operand) && operand->getType()->isPointerTy())
        operand.set(byOffset(cast<llvm::Constant>(operand)));
    if (instruction.isAtomic())
      return dropAtomic(instruction);
    IRBuilder<> code(&instruction);
    llvm::Value *made = nullptr;
    if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
      made = narrowPlace(code, *gep);
    else if (auto *load = dyn_cast<LoadInst>(&instruction))
      made = narrowLoad(code, *load);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      narrowStore(code, *store);
    else if (auto *place = dyn_cast<AllocaInst>(&instruction))
      made = narrowAlloca(code, *place);
    else if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
      narrowCopy(code, *copy);
    if (!made)
      return;
    made->takeName(&instruction);
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }

  /// Drops atomicity: a bundle has no threads, and small processors have no
  /// atomic instructions.
  void dropAtomic(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      load->setOrdering(AtomicOrdering::NotAtomic);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      store->setOrdering(AtomicOrdering::NotAtomic);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      lowerAtomicCmpXchgInst(exchange);
    else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      lowerAtomicRMWInst(update);
    else
      fail("a fence");
  }

  llvm::Value *narrowPlace(IRBuilder<> &code, GetElementPtrInst &gep) {
    SmallMapVector<llvm::Value *, APInt, 4> scales;
    APInt constant(64, 0);
    if (gep.getSourceElementType()->isIntegerTy(8))
      return nullptr;
    auto *lanes = dyn_cast<FixedVectorType>(gep.getType());
    if (lanes) {
      // One index, of all lanes or of each.
      if (gep.getNumIndices() != 1) {
        fail("lanes of places with several indices");
        return nullptr;
      }
      scales[gep.getOperand(1)] =
          APInt(64, old.getTypeAllocSize(gep.getSourceElementType()));
    } else if (!gep.collectOffset(old, 64, scales, constant)) {
      fail("a place of unknown size");
      return nullptr;
    }
    llvm::Value *place = gep.getPointerOperand();
    for (auto &[index, scale] : scales) {
      llvm::Type *type = index->getType()->getWithNewBitWidth(64);
      llvm::Value *offset = code.CreateMul(code.CreateSExtOrTrunc(index, type),
                                           ConstantInt::get(type, scale));
      place = code.CreateGEP(code.getInt8Ty(), place, offset);
    }
    if (!constant.isZero())
      place = code.CreateConstGEP1_64(code.getInt8Ty(), place,
                                      constant.getZExtValue());
    return place;
  }

  llvm::Value *narrowLoad(IRBuilder<> &code, LoadInst &load) {
    if (!hasAddresses(load.getType()))
      return nullptr;
    if (!load.getType()->isPointerTy()) {
      fail("a load of several addresses");
      return nullptr;
    }
    return code.CreateIntToPtr(
        code.CreateAlignedLoad(word, load.getPointerOperand(), load.getAlign()),
        load.getType());
  }

  void narrowStore(IRBuilder<> &code, StoreInst &store) {
    llvm::Value *value = store.getValueOperand();
    if (!hasAddresses(value->getType()))
      return;
    if (!value->getType()->isPointerTy())
      return fail("a store of several addresses");
    code.CreateAlignedStore(code.CreatePtrToInt(value, word),
                            store.getPointerOperand(), store.getAlign());
    store.eraseFromParent();
  }

  llvm::Value *narrowAlloca(IRBuilder<> &code, AllocaInst &place) {
    std::optional<TypeSize> bytes = place.getAllocationSize(old);
    if (!bytes) {
      fail("memory on the stack of unknown size");
      return nullptr;
    }
    auto *made = code.CreateAlloca(ArrayType::get(code.getInt8Ty(), *bytes));
    made->setAlignment(place.getAlign());
    return made;
  }

  /// The sizes of intrinsics have as many bits as addresses.
  void narrowCopy(IRBuilder<> &code, MemIntrinsic &copy) {
    llvm::Value *bytes = code.CreateTrunc(copy.getLength(), code.getInt32Ty());
    if (auto *fill = dyn_cast<MemSetInst>(&copy)) {
      code.CreateMemSet(fill->getDest(), fill->getValue(), bytes,
                        fill->getDestAlign(), fill->isVolatile());
    } else {
      auto &transfer = cast<MemTransferInst>(copy);
      if (isa<MemMoveInst>(transfer))
        code.CreateMemMove(transfer.getDest(), transfer.getDestAlign(),
                           transfer.getSource(), transfer.getSourceAlign(),
                           bytes, transfer.isVolatile());
      else
        code.CreateMemCpy(transfer.getDest(), transfer.getDestAlign(),
                          transfer.getSource(), transfer.getSourceAlign(),
                          bytes, transfer.isVolatile());
    }
    copy.eraseFromParent();
  }

  /// Replaces calls of memcpy and the like in the library by intrinsics, which
  /// LLVM lowers with the types of the target.
  void dropCopies(Function &function) {
    StringRef name = function.getName();
    if (!function.isDeclaration() ||
        !is_contained({"memcpy", "memmove", "memset"}, name))
      return;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> code(call);
      llvm::Value *to = call->getArgOperand(0), *from = call->getArgOperand(1);
      llvm::Value *bytes =
          code.CreateTrunc(call->getArgOperand(2), code.getInt32Ty());
      if (name == "memset")
        code.CreateMemSet(to, code.CreateTrunc(from, code.getInt8Ty()), bytes,
                          Align(1));
      else if (name == "memmove")
        code.CreateMemMove(to, Align(1), from, Align(1), bytes);
      else
        code.CreateMemCpy(to, Align(1), from, Align(1), bytes);
      call->replaceAllUsesWith(to);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }

  Module &module;
  DataLayout old;
  const DataLayout &layout;
  LLVMContext &context;
  llvm::Type *word;
  Status status;
};

} // namespace

Status cpu::narrowAddresses(Module &module, const DataLayout &layout) {
  return Narrower(module, layout).run();
}
