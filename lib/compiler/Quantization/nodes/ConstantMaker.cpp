//===- ConstantMaker.cpp - constants that nodes read ----------------------===//
// SPDX-License-Identifier: MIT

#include "ConstantMaker.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Storage.h"
#include "glow/Graph/TextName.h"

using namespace glow;
using namespace mlir;

InsertionPlace::InsertionPlace(Operation *node, Value value)
    : builder(node), location(node->getLoc()) {
  if (auto result = dyn_cast<OpResult>(value))
    name = valueNameOf(result).str();
  if (name.empty())
    name = nameIn(value.getLoc()).str();
  if (auto read = value.getDefiningOp<ReadOp>())
    name = read.getStorage().str();
  if (name.empty())
    name = "value";
}

Location InsertionPlace::named(StringRef suffix) {
  return NameLoc::get(builder.getStringAttr(name + suffix.str()), location);
}

Value ConstantMaker::make(InsertionPlace &place, StringRef suffix,
                          ElementKind kind, ArrayRef<int64_t> shape,
                          std::string bytes) {
  auto type =
      RankedTensorType::get(shape, typeOf(place.builder.getContext(), kind));
  const std::string name = place.name + suffix.str();
  constexpr size_t few = 256;
  ElementsAttr elements;
  if (bytes.size() <= few) {
    elements = DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(bytes.data(), bytes.size()));
  } else {
    auto owner = std::make_shared<std::string>(std::move(bytes));
    elements = glow::elementsOf(
        type, {ArrayRef(owner->data(), owner->size()), owner}, name);
  }
  Operation *function = place.builder.getBlock()->getParentOp();
  while (!isa<FuncOp>(function))
    function = function->getParentOp();
  SymbolTable &table = symbols.getSymbolTable(
      SymbolTable::getNearestSymbolTable(function->getParentOp()));
  OpBuilder storage(function);
  const Location location = place.named(suffix);
  auto made = ConstantOp::create(storage, location, storage.getStringAttr(name),
                                 elements);
  made->remove();
  table.insert(made, Block::iterator(function));
  return ReadOp::create(place.builder, location, type,
                        FlatSymbolRefAttr::get(made.getSymNameAttr()));
}

Value ConstantMaker::floats(InsertionPlace &place, StringRef suffix,
                            ArrayRef<int64_t> shape,
                            std::span<const float> values) {
  return make(place, suffix, ElementKind::F32, shape,
              std::string(reinterpret_cast<const char *>(values.data()),
                          values.size_bytes()));
}

ElementsAttr ConstantMaker::elementsOf(Value constant) {
  auto read = constant.getDefiningOp<ReadOp>();
  return SymbolTable::lookupNearestSymbolFrom<ConstantOp>(read,
                                                          read.getStorageAttr())
      .getValue();
}
