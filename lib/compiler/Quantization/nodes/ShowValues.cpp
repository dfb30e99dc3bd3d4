//===- ShowValues.cpp - values of a model as outputs ----------------------===//
// SPDX-License-Identifier: MIT

#include "ShowValues.h"
#include "NodeLayers.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Quantization/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

void glow::showValue(Value value, StringRef name) {
  auto function = value.getDefiningOp()->getParentOfType<FuncOp>();
  SymbolTable symbols(function->getParentOp());
  OpBuilder builder(function);
  auto port = PlaceholderOp::create(builder, value.getLoc(),
                                    builder.getStringAttr(name),
                                    value.getType(), PlaceholderRole::Output);
  port->remove();
  if (symbols.insert(port, Block::iterator(function)) != name)
    port.setPort(name);
  builder.setInsertionPointToEnd(&function.block());
  SaveOp::create(builder, value.getLoc(), value,
                 FlatSymbolRefAttr::get(port.getSymNameAttr()));
}

bool glow::isInput(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  if (!read)
    return false;
  auto port = SymbolTable::lookupNearestSymbolFrom<PlaceholderOp>(
      read, read.getStorageAttr());
  return !port || !originOf(port);
}

void glow::showAll(ModuleOp module, const ValueNames &names,
                   const KnownValues &known) {
  std::vector<Value> shown;
  module.walk([&](Operation *op) {
    // Only an entry has outputs.
    if (auto function = op->getParentOfType<FuncOp>();
        function && function.isCalled())
      return;
    for (OpResult result : op->getResults())
      if (!isInput(result) && !names.of(result).empty() &&
          !names.isOutput(names.of(result)) && known.varies(result) &&
          isFloats(result) && (!originOf(op) || outputOfFile(result) >= 0))
        shown.push_back(result);
  });
  for (Value value : shown)
    showValue(value, names.of(value));
}

namespace glow {

#define GEN_PASS_DEF_SHOWVALUES
#include "glow/Quantization/Passes.h.inc"

namespace {

/// Pinned after the import, where values have the names of a profile. Ends
/// because it saves each value once.
struct ShowValues : impl::ShowValuesBase<ShowValues> {
  using ShowValuesBase::ShowValuesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    showAll(module, ValueNames(module), KnownValues(module));
  }
};

} // namespace
} // namespace glow
