//===- Elementwise.cpp - one node on single elements, of any kind ---------===//
//
// What was not fused: integers and bools, and casts. The library has a
// function of 16 elements for each kind of each Pointwise record.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "common/Library.h"
#include "glow/Base/Functions.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// A function of the library.
struct Called {
  std::string function;
  std::vector<ElementKind> operands;
  ElementKind result;
  std::vector<mlir::Attribute> attributes = {};
};

class ElementwiseEmitter {
public:
  ElementwiseEmitter(CodeModule &unit, Called called, int64_t elements,
                     const Twine &name)
      : called(std::move(called)), code(unit, unit.addStep(name)),
        elements(elements) {}

  NativeStep emit() {
    for (ElementKind kind : called.operands)
      places.push_back(code.CreateAlloca(vectorOf(kind)));
    places.push_back(code.CreateAlloca(vectorOf(called.result)));
    constexpr int64_t piece = 1024; // vectors of a chunk
    int64_t whole = elements / lanes;
    int64_t chunks = std::max<int64_t>((whole + piece - 1) / piece, 1);
    Value *first = code.times(code.function->getArg(2), piece);
    Value *end = code.smaller(code.times(code.function->getArg(3), piece),
                              code.integer(whole));
    code.loop(
        first, end, [&](Value *v) { emitVector(v, lanes); },
        /*maybeNone=*/true);
    if (int64_t rest = elements % lanes)
      code.when(
          code.CreateICmpEQ(code.function->getArg(3), code.integer(chunks)),
          [&] { emitVector(code.integer(whole), rest); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, chunks});
    return step;
  }

private:
  FixedVectorType *vectorOf(ElementKind kind) {
    llvm::Type *type = code.getFloatTy();
    if (kind != ElementKind::F32)
      type = code.getIntNTy(unsigned(byteSize(kind)) * 8);
    return FixedVectorType::get(type, lanes);
  }

  Value *address(unsigned buffer, ElementKind kind, Value *vector) {
    return code.CreateGEP(vectorOf(kind), code.buffer(buffer), vector);
  }

  Value *maskOf(int64_t count) {
    SmallVector<llvm::Constant *> mask;
    for (int64_t i = 0; i < lanes; ++i)
      mask.push_back(code.getInt1(i < count));
    return ConstantVector::get(mask);
  }

  /// `count` elements from vector `v` on.
  void emitVector(Value *v, int64_t count) {
    SmallVector<Value *> arguments;
    // Sixteen i64 are two registers of AVX-512: how such a vector is returned
    // or passed depends on the processor, an address does not.
    bool wide = called.result == ElementKind::I64;
    if (wide)
      arguments.push_back(places.back());
    for (auto [i, kind] : enumerate(called.operands)) {
      Value *in = address(unsigned(i) + 1, kind, v);
      Align align(byteSize(kind));
      Value *value =
          code.CreateMaskedLoad(vectorOf(kind), in, align, maskOf(count),
                                ConstantAggregateZero::get(vectorOf(kind)));
      if (kind == ElementKind::I64) { // given by address
        code.CreateStore(value, places[i]);
        value = places[i];
      }
      arguments.push_back(value);
    }
    addAttributes(arguments);
    SmallVector<llvm::Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    auto *result = vectorOf(called.result);
    FunctionCallee callee = code.unit.module->getOrInsertFunction(
        called.function,
        FunctionType::get(wide ? code.getVoidTy() : result, types, false));
    Value *value = code.CreateCall(callee, arguments);
    if (wide)
      value = code.CreateLoad(result, places.back());
    code.CreateMaskedStore(value, address(0, called.result, v),
                           Align(byteSize(called.result)), maskOf(count));
  }

  void addAttributes(SmallVector<Value *> &arguments) {
    for (mlir::Attribute value : called.attributes)
      if (auto real = dyn_cast<mlir::FloatAttr>(value))
        arguments.push_back(
            ConstantFP::get(code.getDoubleTy(), real.getValueAsDouble()));
      else
        arguments.push_back(
            code.integer(cast<mlir::IntegerAttr>(value).getInt()));
  }

  Called called;
  Emitter code;
  int64_t elements;
  SmallVector<Value *> places; // of vectors that are given by address
};

} // namespace

/// The function of a Pointwise node in these kinds; nothing without one.
static std::optional<Called> findCalled(const cpu::Instr &instr) {
  Called called;
  called.result = instr.kind(0);
  for (unsigned i = 1; i < instr.buffers(); ++i)
    called.operands.push_back(instr.kind(i));
  for (const ir::AttributeInfo &info : ir::infoOf(instr.op)->attributes)
    called.attributes.push_back(instr.op->getAttr(info.name));
  for (ElementKind kind : called.operands) {
    const VectorFunction *function =
        findVectorFunction(instr.op->getName().stripDialect().str(), kind);
    if (!function || function->operands != called.operands ||
        function->result != called.result)
      continue;
    called.function = function->name;
    return called;
  }
  return std::nullopt;
}

std::optional<NativeStep>
cpu::emitElementwise(CodeModule &unit, const Instr &instr, const Twine &name) {
  std::optional<Called> called = findCalled(instr);
  if (!called)
    return std::nullopt;
  NativeStep step = ElementwiseEmitter(unit, std::move(*called),
                                       expr::prod(instr.shape(0)), name)
                        .emit();
  step.choice.algorithm = "formula";
  return step;
}

NativeStep cpu::emitCast(CodeModule &unit, const calls::CastCall &call,
                         const Twine &name) {
  ElementKind from = call.in.kind(), to = call.out.kind();
  return ElementwiseEmitter(unit, {castFunction(from, to), {from}, to},
                            expr::prod(call.out.shape()), name)
      .emit();
}
