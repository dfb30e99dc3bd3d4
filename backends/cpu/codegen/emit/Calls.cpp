//===- Calls.cpp - buffers and arguments of an instruction ----------------===//
// SPDX-License-Identifier: MIT

#include "Calls.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <numeric>

using namespace glow;
using namespace glow::cpu;
using namespace glow::cpu::calls;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static RankedTensorType tensorOf(mlir::Operation *op, unsigned buffer) {
  return cast<ir::BufferType>(op->getOperand(buffer).getType()).getTensor();
}

Ints Instr::shape(unsigned buffer) const {
  return Ints(tensorOf(op, buffer).getShape());
}
Sizes Instr::sizes(unsigned buffer) const {
  return sizesOf(tensorOf(op, buffer));
}
Sizes Instr::list(llvm::StringRef attribute) const {
  return sizesOf(op->getAttr(attribute));
}
bool Instr::isOpen() const {
  return llvm::any_of(op->getOperandTypes(), [](mlir::Type type) {
    return bool(cast<ir::BufferType>(type).getTensor().getEncoding());
  });
}
int64_t Instr::bytes(unsigned buffer) const {
  auto type = cast<ir::BufferType>(op->getOperand(buffer).getType());
  return int64_t(type.bytes());
}
ElementKind Instr::kind(unsigned buffer) const {
  return *kindOf(tensorOf(op, buffer).getElementType());
}
int64_t Instr::elementBytes(unsigned buffer) const {
  return int64_t(ir::elementBytes(tensorOf(op, buffer).getElementType()));
}
bool Instr::known(unsigned buffer) const {
  return isConstant(op->getOperand(buffer));
}
unsigned Instr::buffers() const { return op->getNumOperands(); }

unsigned CallView::first(const Instr &instr, unsigned operand) {
  auto segments = ir::segmentsOf(instr.op);
  return unsigned(
      std::accumulate(segments.begin(), segments.begin() + operand, 0));
}
CallView::MaybeBuffer CallView::maybe(const Instr &instr, unsigned operand,
                                      unsigned first) {
  if (ir::segmentsOf(instr.op)[operand] == 0)
    return std::nullopt;
  return Operand{&instr, first};
}
Operands CallView::many(const Instr &instr, unsigned operand, unsigned first) {
  return {&instr, first, unsigned(ir::segmentsOf(instr.op)[operand])};
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename T> static T valueOf(const Instr &instr, unsigned place) {
  return instr.op->getAttrOfType<T>(
      ir::infoOf(instr.op)->attributes[place].name);
}

int64_t CallView::number(const Instr &instr, unsigned place) {
  const ir::AttributeInfo &info = ir::infoOf(instr.op)->attributes[place];
  auto value = valueOf<Attribute>(instr, place);
  if (auto word = dyn_cast<StringAttr>(value))
    return info.numberOf(word.getValue());
  if (auto type = dyn_cast<TypeAttr>(value))
    return int64_t(*kindOf(type.getValue()));
  if (auto flag = dyn_cast<BoolAttr>(value))
    return flag.getValue();
  return cast<IntegerAttr>(value).getInt();
}

template <> double CallView::attribute(const Instr &instr, unsigned place) {
  return valueOf<FloatAttr>(instr, place).getValueAsDouble();
}
template <> Ints CallView::attribute(const Instr &instr, unsigned place) {
  return sizesOf(valueOf<Attribute>(instr, place)).extents();
}
template <> Reals CallView::attribute(const Instr &instr, unsigned place) {
  return Reals(valueOf<DenseF64ArrayAttr>(instr, place).asArrayRef());
}
template <>
std::string CallView::attribute(const Instr &instr, unsigned place) {
  return valueOf<StringAttr>(instr, place).str();
}
template <>
const Formula &CallView::attribute(const Instr &instr, unsigned place) {
  return valueOf<FormulaAttr>(instr, place).value();
}
