//===- Origin.cpp - nodes of the model's file that made a node ------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/File/Origin.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace glow;
using namespace mlir;

static constexpr StringLiteral attributeName = "origin";

std::optional<Origin> glow::originOf(Operation *op) {
  auto parts = op->getAttrOfType<ArrayAttr>(attributeName);
  if (!parts)
    return std::nullopt;
  return Origin{cast<StringAttr>(parts[0]).getValue(),
                cast<StringAttr>(parts[1]).getValue(),
                cast<DenseI64ArrayAttr>(parts[2]).asArrayRef(),
                cast<DenseI64ArrayAttr>(parts[3]).asArrayRef()};
}

void glow::setOrigin(Operation *op, const Origin &origin) {
  Builder builder(op->getContext());
  op->setAttr(
      attributeName,
      builder.getArrayAttr({builder.getStringAttr(origin.output),
                            builder.getStringAttr(origin.op),
                            builder.getDenseI64ArrayAttr(origin.inputs),
                            builder.getDenseI64ArrayAttr(origin.outputs)}));
}

void glow::dropOrigin(Operation *op) { op->removeAttr(attributeName); }

int64_t glow::outputOfFile(OpResult value) {
  const std::optional<Origin> origin = originOf(value.getOwner());
  const unsigned number = value.getResultNumber();
  return origin && number < origin->outputs.size() ? origin->outputs[number]
                                                   : -1;
}

bool glow::areOfOneOperator(Operation *one, Operation *other) {
  if (!one || !other)
    return false;
  const std::optional<Origin> first = originOf(one), second = originOf(other);
  return first && second && !first->output.empty() &&
         first->output == second->output;
}

bool glow::isInner(Operation *op) {
  const std::optional<Origin> origin = originOf(op);
  return origin && origin->output.empty();
}
