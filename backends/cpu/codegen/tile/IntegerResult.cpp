//===- IntegerResult.cpp - requantization of integer sums -----------------===//
// SPDX-License-Identifier: MIT

#include "IntegerResult.h"
#include "codegen/emit/ElementMemory.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::string IntegerResult::key() const {
  std::string text;
  raw_string_ostream os(text);
  os << bias << "." << int(kind);
  for (const Extra &extra : extras)
    os << "," << int(extra.broadcast) << ":" << int(extra.kind);
  os << "," << formula.text();
  return text;
}

IntegerExtras::IntegerExtras(const calls::CpuConvIntegerCall &call) {
  result.bias = call.bias.has_value();
  result.kind = call.out.kind();
  result.formula = call.epilogue;
  Ints shape = call.out.shape();
  for (const Operands *operands : {&call.extras, &call.bytes})
    for (size_t i = 0; i < operands->size(); ++i) {
      Operand extra = (*operands)[i];
      result.extras.push_back(
          {*broadcastKindOf(extra.shape(), shape, shape.size() - 1,
                            /*blocked=*/false),
           extra.kind()});
      buffers.push_back(extra);
    }
}

Value *cpu::elementAt(Emitter &code, Value *pointer, Value *elements,
                      ElementKind kind) {
  return code.CreateGEP(memoryType(code, kind), pointer, elements);
}

SmallVector<Value *> IntegerExtras::at(Emitter &code, Value *out,
                                       Value *channel) const {
  SmallVector<Value *> places;
  for (auto [extra, buffer] : zip(result.extras, buffers)) {
    Value *from = code.buffer(buffer);
    if (extra.broadcast != BroadcastKind::Scalar)
      from = elementAt(code, from,
                       extra.broadcast == BroadcastKind::Elementwise ? out
                                                                     : channel,
                       extra.kind);
    places.push_back(from);
  }
  return places;
}

void cpu::moveExtras(Emitter &code, const IntegerResult &result,
                     MutableArrayRef<Value *> extras, Value *elements) {
  for (auto [place, extra] : zip(extras, result.extras))
    if (extra.broadcast == BroadcastKind::Elementwise)
      place = elementAt(code, place, elements, extra.kind);
}

void cpu::emitIntegerResult(Emitter &code, const IntegerResult &result,
                            Value *sums, Value *out, Value *place,
                            Value *channel, int64_t count,
                            ArrayRef<Value *> extras) {
  if (result.kind == ElementKind::I32)
    return storeElements(code, sums, out, place, count);
  SmallVector<Value *> x = {code.CreateSIToFP(sums, code.vector)};
  for (auto [from, extra] : zip(extras, result.extras))
    x.push_back(extra.broadcast == BroadcastKind::Scalar
                    ? loadReal(code, from, extra.kind)
                    : loadReals(code, from,
                                extra.broadcast == BroadcastKind::Elementwise
                                    ? place
                                    : channel,
                                extra.kind, count));
  Value *value = emitFormula(code, result.formula, x, Rounding::Exact);
  storeElements(
      code,
      toMemory(code, value, result.kind, /*isUnsigned=*/false, Beyond::Nearest),
      out, place, count);
}
