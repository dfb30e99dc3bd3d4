//===- ValueName.cpp - names that a model gives to values -----------------===//
// SPDX-License-Identifier: MIT
//
// The location of a node is its name, of a location with the names of its
// results as metadata.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/TextName.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace glow;
using namespace mlir;

/// The names of the results in the location of a node; null without names.
static ArrayAttr namesIn(Location location) {
  auto node = dyn_cast<NameLoc>(location);
  auto named = node ? dyn_cast<FusedLoc>(node.getChildLoc()) : FusedLoc();
  return named ? dyn_cast_or_null<ArrayAttr>(named.getMetadata()) : ArrayAttr();
}

StringRef glow::valueNameOf(OpResult result) {
  ArrayAttr names = namesIn(result.getOwner()->getLoc());
  const unsigned number = result.getResultNumber();
  if (!names || number >= names.size())
    return {};
  auto name = dyn_cast<StringAttr>(names[number]);
  return name ? name.getValue() : StringRef();
}

void glow::setValueName(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  auto node = dyn_cast<NameLoc>(op->getLoc());
  if (!node)
    return;
  MLIRContext *context = op->getContext();
  SmallVector<Attribute> names;
  Location place = node.getChildLoc();
  if (ArrayAttr known = namesIn(node)) {
    llvm::append_range(names, known);
    place = cast<FusedLoc>(place).getLocations().front();
  }
  names.resize(op->getNumResults(), StringAttr::get(context, ""));
  names[result.getResultNumber()] = StringAttr::get(context, name);
  op->setLoc(NameLoc::get(
      node.getName(),
      FusedLoc::get({place}, ArrayAttr::get(context, names), context)));
}
