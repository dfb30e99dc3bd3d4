//===- Emit.cpp - the code of steps, as LLVM IR ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit.h"
#include "common/Library.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow::cpu;
using namespace llvm;

CodeModule::CodeModule(LLVMContext &context, const glow::cpu::Target &target)
    : target(target), math(target.math),
      ir(std::make_unique<Module>("program", context)) {
  ir->setTargetTriple(target.machine->getTargetTriple());
  // The library has 64-bit addresses; aot/NarrowAddresses.h converts them.
  DataLayout layout = target.machine->createDataLayout();
  ir->setDataLayout(
      layout.getPointerSize() == 8
          ? layout
          : DataLayout(layout.getStringRepresentation() + "-p:64:64"));
}

Function *CodeModule::addFunction(const Twine &name,
                                  ArrayRef<llvm::Type *> parameters,
                                  bool internal) {
  LLVMContext &context = ir->getContext();
  auto *function = Function::Create(
      FunctionType::get(llvm::Type::getVoidTy(context), parameters, false),
      internal ? Function::InternalLinkage : Function::ExternalLinkage, name,
      *ir);
  function->addFnAttr(Attribute::NoUnwind);
  setTarget(*function);
  return function;
}

void CodeModule::useLibrary(StringRef name) {
  // The type does not matter, because the linker uses the name.
  ir->getOrInsertFunction(
      name, FunctionType::get(llvm::Type::getVoidTy(ir->getContext()), false));
  used.insert(name);
}

void CodeModule::setTarget(Function &function) const {
  function.addFnAttr("target-cpu", target.cpu);
  function.addFnAttr("target-features", target.features);
  // A vector uses one register if the processor has registers of that size.
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

Function *CodeModule::sharedFunction(const std::string &key,
                                     ArrayRef<llvm::Type *> parameters,
                                     function_ref<void(Function *)> make) {
  // Code of formulas depends on the math mode.
  Function *&function = tiles[math == target.math ? key : key + ",exact"];
  if (!function) {
    function = addFunction(math == target.math ? key : key + ",exact",
                           parameters, /*internal=*/true);
    function->addFnAttr(Attribute::NoInline);
    make(function);
  }
  return function;
}

FunctionType *CodeModule::stepType() const {
  LLVMContext &context = ir->getContext();
  llvm::Type *pointer = PointerType::get(context, 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(context);
  return FunctionType::get(llvm::Type::getVoidTy(context),
                           {pointer, pointer, integer, integer, pointer},
                           /*isVarArg=*/false);
}

unsigned CodeModule::numberOf(const SizeVariable &variable) {
  auto found = llvm::find(sizes, variable);
  if (found == sizes.end())
    found = sizes.insert(found, variable);
  return unsigned(found - sizes.begin());
}

Function *CodeModule::addStep(const Twine &name) {
  return addFunction(name, stepType()->params(), /*internal=*/false);
}

Emitter::Emitter(CodeModule &module, Function *function, int64_t lanes)
    : IRBuilder<>(module.ir->getContext()), module(module), function(function),
      lanes(lanes),
      vector(FixedVectorType::get(getFloatTy(), unsigned(lanes))) {
  SetInsertPoint(BasicBlock::Create(getContext(), "entry", function));
}

Value *Emitter::times(Value *a, int64_t b) {
  return b == 1 ? a : CreateNSWMul(a, getInt64(b));
}
Value *Emitter::smaller(Value *a, Value *b) {
  return CreateBinaryIntrinsic(Intrinsic::smin, a, b);
}
Value *Emitter::larger(Value *a, Value *b) {
  return CreateBinaryIntrinsic(Intrinsic::smax, a, b);
}

Value *Emitter::at(Value *pointer, int64_t offset) {
  return offset ? CreateConstGEP1_64(getFloatTy(), pointer, offset) : pointer;
}
Value *Emitter::at(Value *pointer, Value *offset) {
  return CreateGEP(getFloatTy(), pointer, offset);
}

Value *Emitter::splat(Value *element) {
  return CreateVectorSplat(unsigned(lanes), element);
}
Value *Emitter::loadElement(Value *pointer) {
  return CreateAlignedLoad(getFloatTy(), pointer, Align(4));
}

static Value *maskOfFirst(Emitter &code, int64_t count) {
  SmallVector<Constant *> mask;
  for (int64_t i = 0; i < code.lanes; ++i)
    mask.push_back(code.getInt1(i < count));
  return ConstantVector::get(mask);
}

Value *Emitter::loadVector(Value *pointer, int64_t count) {
  if (count == lanes)
    return CreateAlignedLoad(vector, pointer, Align(4));
  return CreateMaskedLoad(vector, pointer, Align(4), maskOfFirst(*this, count),
                          ConstantAggregateZero::get(vector));
}
void Emitter::storeVector(Value *value, Value *pointer, int64_t count) {
  if (count == lanes)
    CreateAlignedStore(value, pointer, Align(4));
  else
    CreateMaskedStore(value, pointer, Align(4), maskOfFirst(*this, count));
}
void Emitter::fetch(Value *pointer, unsigned level) {
  CreateIntrinsic(Intrinsic::prefetch, {getPtrTy()},
                  {pointer, /*write=*/getInt32(0),
                   // LLVM's locality counts the other way: 3 is the first-level
                   // cache.
                   /*locality=*/getInt32(4 - level), /*data=*/getInt32(1)});
}
Value *Emitter::multiplyAdd(Value *a, Value *b, Value *sum) {
  // Processors without the fused instruction must not call a function for it.
  return CreateIntrinsic(Intrinsic::fmuladd, {a->getType()}, {a, b, sum});
}
Value *Emitter::callLibrary(StringRef name, llvm::Type *result,
                            ArrayRef<Value *> arguments) {
  // A vector of one lane is passed as an integer of the same size.
  auto travelling = [&](llvm::Type *type) -> llvm::Type * {
    return lanes == 1 && type->isVectorTy()
               ? getIntNTy(unsigned(type->getPrimitiveSizeInBits()))
               : type;
  };
  SmallVector<Value *> given;
  SmallVector<llvm::Type *> types;
  for (Value *argument : arguments) {
    types.push_back(travelling(argument->getType()));
    given.push_back(types.back() == argument->getType()
                        ? argument
                        : CreateBitCast(argument, types.back()));
  }
  std::string symbol = name.str() + std::string(lanes == 1 ? oneLane : "");
  Value *made = CreateCall(
      module.ir->getOrInsertFunction(
          symbol, FunctionType::get(travelling(result), types, false)),
      given);
  return made->getType() == result ? made : CreateBitCast(made, result);
}
Value *Emitter::multiplyPairs(Value *a, Value *b, Value *sum) {
  auto *pairs = FixedVectorType::get(getBFloatTy(), 2 * lanes);
  return CreateIntrinsic(
      Intrinsic::x86_avx512bf16_dpbf16ps_512, {},
      {sum, CreateBitCast(a, pairs), CreateBitCast(b, pairs)});
}

Emitter::Values Emitter::loop(Value *from, Value *to, Values carried,
                              function_ref<Values(Value *, Values)> body,
                              bool maybeNone) {
  BasicBlock *before = GetInsertBlock();
  // The condition is tested at the end of an iteration: a loop has one branch
  // an iteration, and one before it if the trip count may be 0.
  auto *turn = BasicBlock::Create(getContext(), "loop", function);
  auto *after = BasicBlock::Create(getContext(), "after", function);
  if (maybeNone)
    CreateCondBr(CreateICmpSLT(from, to), turn, after);
  else
    CreateBr(turn);
  SetInsertPoint(turn);
  PHINode *index = CreatePHI(getInt64Ty(), 2);
  index->addIncoming(from, before);
  SmallVector<PHINode *> phis;
  Values current;
  for (Value *value : carried) {
    PHINode *phi = CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    phis.push_back(phi);
    current.push_back(phi);
  }
  current = body(index, current);
  BasicBlock *last = GetInsertBlock();
  // Indices do not wrap, which simplifies addresses for LLVM.
  Value *next = CreateAdd(index, getInt64(1), "", true, true);
  index->addIncoming(next, last);
  for (auto [phi, value] : zip(phis, current))
    phi->addIncoming(value, last);
  CreateCondBr(CreateICmpSLT(next, to), turn, after);
  SetInsertPoint(after);
  if (!maybeNone)
    return current;
  Values results;
  for (auto [value, initial] : zip(current, carried)) {
    PHINode *phi = CreatePHI(value->getType(), 2);
    phi->addIncoming(value, last);
    phi->addIncoming(initial, before);
    results.push_back(phi);
  }
  return results;
}

void Emitter::loop(Value *from, Value *to, function_ref<void(Value *)> body,
                   bool maybeNone) {
  loop(
      from, to, {},
      [&](Value *index, Values) {
        body(index);
        return Values();
      },
      maybeNone);
}

void Emitter::when(Value *condition, function_ref<void()> body) {
  auto *then = BasicBlock::Create(getContext(), "then", function);
  auto *after = BasicBlock::Create(getContext(), "after", function);
  CreateCondBr(condition, then, after);
  SetInsertPoint(then);
  body();
  CreateBr(after);
  SetInsertPoint(after);
}

Value *Emitter::buffer(unsigned index) {
  Value *slot = CreateConstGEP1_64(getPtrTy(), function->getArg(1), index);
  return CreateAlignedLoad(getPtrTy(), slot, Align(8));
}
