//===- EntrySizes.cpp - sizes of a run in an entry point ------------------===//
// SPDX-License-Identifier: MIT

#include "EntrySizes.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Program/SizeValues.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

EntrySizes::EntrySizes(Emitter &code, const BundleEntry &entry, Value *address)
    : code(code), entry(entry), address(address) {
  for (size_t i = 0; i < entry.sizes.size(); ++i)
    values.push_back(code.CreateAlignedLoad(
        code.getInt64Ty(), code.bytesAt(address, int64_t(i * 8)), Align(8)));
}

Value *EntrySizes::placeOf(const SizeVariable &variable) {
  auto found = llvm::find(entry.computed, variable);
  if (found == entry.computed.end())
    return nullptr;
  auto field = int64_t(entry.sizes.size()) + (found - entry.computed.begin());
  return code.bytesAt(address, field * 8);
}

Value *EntrySizes::find(const SizeVariable &variable) {
  if (Value *place = placeOf(variable))
    return code.CreateAlignedLoad(code.getInt64Ty(), place, Align(8));
  auto found = llvm::find(entry.sizes, variable);
  return found == entry.sizes.end()
             ? nullptr
             : values[size_t(found - entry.sizes.begin())];
}

void EntrySizes::set(const SizeVariable &variable, Value *size) {
  code.CreateAlignedStore(size, placeOf(variable), Align(8));
}

bool EntrySizes::isComputed(const Length &length) const {
  bool isComputed = false;
  length.visitVariables([&](const SizeVariable &variable) {
    isComputed |= is_contained(entry.computed, variable);
  });
  return isComputed;
}

Value *EntrySizes::at(const Length &length) {
  auto compute = [&] {
    return valueOf(code, length, [&](const SizeVariable &variable) -> Value * {
      Value *value = find(variable);
      return value ? value : code.integer(variable.high);
    });
  };
  if (isComputed(length))
    return compute();
  Value *&value = known[length.text()];
  if (!value)
    value = compute();
  return value;
}

Function *cpu::addVisible(CodeModule &module, const std::string &name,
                          FunctionType *type) {
  // A layer may have the name already.
  if (Function *layer = module.ir->getFunction(name))
    layer->setName(name + "_");
  auto *function =
      Function::Create(type, Function::ExternalLinkage, name, *module.ir);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  module.setTarget(*function);
  return function;
}

namespace {

/// Writes the functions of an entry point that take sizes alone.
class SizeFunctions {
public:
  SizeFunctions(CodeModule &module, const BundleEntry &entry)
      : module(module), entry(entry) {}

  Function *emit() {
    llvm::Type *pointer = PointerType::get(context(), 0);
    llvm::Type *integer = llvm::Type::getInt32Ty(context());
    auto *type = FunctionType::get(pointer, {pointer, integer}, false);
    mistake = addVisible(module, entry.name + ".mistake", type);
    mistake->setLinkage(Function::InternalLinkage);
    mistake->getArg(0)->setName("sizes");
    mistake->getArg(1)->setName("number");
    emitMistake();
    Function *shown = addVisible(module, entry.name + "_mistake", type);
    Emitter code(module, shown);
    code.CreateRet(
        code.CreateCall(mistake, {shown->getArg(0), shown->getArg(1)}));
    emitMeasure(
        addVisible(module, entry.name + "_measure",
                   FunctionType::get(integer, {pointer, pointer}, false)));
    return mistake;
  }

private:
  LLVMContext &context() { return module.ir->getContext(); }

  /// Looks for mistakes in the order in which SizeValues reports them: sizes
  /// outside of their ranges, or else conditions that do not hold. `number` is
  /// that of the wanted one.
  void emitMistake() {
    Emitter code(module, mistake);
    EntrySizes sizes(code, entry, mistake->getArg(0));
    Value *left = mistake->getArg(1);
    auto refuse = [&](Value *isWrong, const std::string &text) {
      auto *yes = BasicBlock::Create(context(), "wrong", mistake);
      auto *no = BasicBlock::Create(context(), "right", mistake);
      Value *isLast = code.CreateICmpEQ(left, code.getInt32(0));
      left = code.CreateSub(left, code.CreateZExt(isWrong, left->getType()));
      code.CreateCondBr(code.CreateAnd(isWrong, isLast), yes, no);
      code.SetInsertPoint(yes);
      code.CreateRet(code.CreateGlobalString(text, mistakeText));
      code.SetInsertPoint(no);
    };
    for (const SizeVariable &variable : entry.sizes) {
      Value *size = sizes.find(variable);
      Value *isOut =
          code.CreateOr(code.CreateICmpSLT(size, code.integer(variable.low)),
                        code.CreateICmpSGT(size, code.integer(variable.high)));
      refuse(isOut, rangeText(variable));
      if (variable.multiple != 1)
        refuse(code.CreateAnd(
                   code.CreateNot(isOut),
                   code.CreateICmpNE(
                       code.CreateSRem(size, code.integer(variable.multiple)),
                       code.integer(0))),
               multipleText(variable));
    }
    if (!entry.native.program.conditions.empty())
      endIf(code, code.CreateICmpNE(left, mistake->getArg(1)));
    for (const SizeCondition &condition : entry.native.program.conditions)
      refuse(code.CreateNot(holds(code, condition.relation,
                                  sizes.at(condition.left),
                                  sizes.at(condition.right))),
             needText(condition));
    code.CreateRet(ConstantPointerNull::get(code.getPtrTy()));
  }

  /// Ends the search where a condition makes no sense for the sizes.
  void endIf(Emitter &code, Value *hasMistakes) {
    auto *yes = BasicBlock::Create(context(), "ranges", mistake);
    auto *no = BasicBlock::Create(context(), "conditions", mistake);
    code.CreateCondBr(hasMistakes, yes, no);
    code.SetInsertPoint(yes);
    code.CreateRet(ConstantPointerNull::get(code.getPtrTy()));
    code.SetInsertPoint(no);
  }

  static Value *holds(Emitter &code, SizeCondition::Relation relation, Value *a,
                      Value *b) {
    using Relation = SizeCondition::Relation;
    switch (relation) {
    case Relation::Equal:
      return code.CreateICmpEQ(a, b);
    case Relation::Differ:
      return code.CreateICmpNE(a, b);
    case Relation::Below:
      return code.CreateICmpSLT(a, b);
    case Relation::AtMost:
      break;
    }
    return code.CreateICmpSLE(a, b);
  }

  /// Writes the elements and the sizes of each input and output.
  void emitMeasure(Function *measure) {
    Emitter code(module, measure);
    EntrySizes sizes(code, entry, measure->getArg(0));
    auto *wrong = BasicBlock::Create(context(), "wrong", measure);
    auto *right = BasicBlock::Create(context(), "right", measure);
    code.CreateCondBr(code.CreateIsNotNull(code.CreateCall(
                          mistake, {measure->getArg(0), code.getInt32(0)})),
                      wrong, right);
    code.SetInsertPoint(wrong);
    code.CreateRet(code.getInt32(WrongSizes));
    code.SetInsertPoint(right);
    int64_t place = 0;
    auto store = [&](const Length &length) {
      code.CreateAlignedStore(
          sizes.at(length),
          code.bytesAt(measure->getArg(1), std::exchange(place, place + 8)),
          Align(8));
    };
    for (const auto *bindings :
         {&entry.native.program.inputs, &entry.native.program.outputs})
      for (const Binding &binding : *bindings) {
        std::vector<Length> lengths = sizesOf(binding.type, binding.lengths);
        Length elements = 1;
        for (const Length &length : lengths)
          elements = elements * length;
        store(elements);
        for (const Length &length : lengths)
          store(length);
      }
    code.CreateRet(code.getInt32(Success));
  }

  CodeModule &module;
  const BundleEntry &entry;
  Function *mistake = nullptr;
};

} // namespace

Function *cpu::emitSizeFunctions(CodeModule &module, const BundleEntry &entry) {
  return SizeFunctions(module, entry).emit();
}
