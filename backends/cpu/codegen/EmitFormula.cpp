//===- EmitFormula.cpp - formulas on vectors ------------------------------===//

#include "Emit.h"
#include "common/Library.h"
#include <cmath>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

static std::optional<ElementKind> kindOf(llvm::Type *type) {
  llvm::Type *element = type->getScalarType();
  if (element->isFloatTy())
    return ElementKind::F32;
  if (element->isIntegerTy(8))
    return ElementKind::Bool;
  return std::nullopt;
}

static llvm::Type *vectorOf(Emitter &code, ElementKind kind) {
  return kind == ElementKind::Bool
             ? FixedVectorType::get(code.getInt8Ty(), lanes)
             : code.vector;
}

namespace {

/// Emits one call of a formula.
class CallEmitter {
public:
  CallEmitter(Emitter &code, ArrayRef<Value *> inputs,
              ArrayRef<Value *> results)
      : code(code), inputs(inputs), results(results) {}

  Value *emit(const Formula::Call &given) {
    Formula::Call call = given;
    if (code.unit.target.math != Math::Strict)
      multiplyByReciprocal(call);
    const VectorFunction *function = find(call);
    if (!function)
      return nullptr;
    SmallVector<Value *> arguments;
    for (auto [i, argument] : enumerate(call.arguments)) {
      Value *value = valueOf(argument);
      auto *number = std::get_if<double>(&argument);
      if (!value && number)
        value = i < function->operands.size()
                    ? constant(function->operands[i], *number)
                    : ConstantFP::get(code.getDoubleTy(), *number);
      if (!value)
        return nullptr;
      arguments.push_back(value);
    }
    SmallVector<llvm::Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    FunctionCallee callee = code.unit.module->getOrInsertFunction(
        StringRef(function->name),
        FunctionType::get(vectorOf(code, function->result), types, false));
    return code.CreateCall(callee, arguments);
  }

private:
  /// A division by a constant takes four times as long; the product is off by
  /// one rounding.
  static void multiplyByReciprocal(Formula::Call &call) {
    if (call.mnemonic != "div")
      return;
    auto *divisor = std::get_if<double>(&call.arguments[1]);
    // A reciprocal that is 0, infinite or subnormal would lose more than a
    // rounding.
    if (!divisor || !std::isnormal(float(1 / *divisor)))
      return;
    call.mnemonic = "mul";
    *divisor = 1 / *divisor;
  }

  Value *valueOf(const Formula::Argument &argument) const {
    if (auto *input = std::get_if<Formula::Input>(&argument))
      return inputs[input->index];
    if (auto *value = std::get_if<Formula::Value>(&argument))
      return results[value->index];
    return nullptr;
  }

  Value *constant(ElementKind kind, double number) {
    if (kind == ElementKind::Bool)
      return code.CreateVectorSplat(lanes, code.getInt8(number != 0));
    return code.splat(ConstantFP::get(code.getFloatTy(), number));
  }

  /// The function whose operands are of the kinds that are given; constants are
  /// of any kind, and numbers where nothing else says so.
  const VectorFunction *find(const Formula::Call &call) const {
    for (ElementKind kind : {ElementKind::F32, ElementKind::Bool})
      if (const VectorFunction *function =
              findVectorFunction(call.mnemonic, kind))
        if (takes(*function, call))
          return function;
    return nullptr;
  }

  bool takes(const VectorFunction &function, const Formula::Call &call) const {
    if (call.arguments.size() < function.operands.size())
      return false;
    for (auto [kind, argument] : zip(function.operands, call.arguments))
      if (Value *value = valueOf(argument))
        if (kindOf(value->getType()) != kind)
          return false;
    return true;
  }

  Emitter &code;
  ArrayRef<Value *> inputs, results;
};

} // namespace

Value *glow::cpu::emitFormula(Emitter &code, const Formula &formula,
                              ArrayRef<Value *> inputs) {
  SmallVector<Value *> results;
  for (const Formula::Call &call : formula.calls) {
    Value *result = CallEmitter(code, inputs, results).emit(call);
    if (!result) {
      // The module is given up when all of it is emitted, with the name that
      // was missing; until then any value will do.
      code.unit.unknown = call.mnemonic;
      return inputs[0];
    }
    results.push_back(result);
  }
  return results.empty() ? inputs[0] : results.back();
}

unsigned glow::cpu::operationsOf(const Formula &formula) {
  unsigned sum = 0;
  for (const Formula::Call &call : formula.calls)
    for (ElementKind kind : {ElementKind::F32, ElementKind::Bool})
      if (auto *function = findVectorFunction(call.mnemonic, kind)) {
        sum += function->operations;
        break;
      }
  return sum;
}

Value *glow::cpu::emitLargest(Emitter &code, ArrayRef<Value *> x) {
  Formula larger{{{"max", {Formula::Input{0}, Formula::Input{1}}}}};
  Value *result = x[0];
  for (Value *next : x.drop_front())
    result = emitFormula(code, larger, {result, next});
  return result;
}
