//===- ShowValues.cpp - values of a model as outputs ----------------------===//
// SPDX-License-Identifier: MIT

#include "KnownValues.h"
#include "ValueNames.h"
#include "glow/Quantization/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_SHOWVALUES
#include "glow/Quantization/Passes.h.inc"

namespace {

/// Saves each value of f32 that depends on an input, for a profile.
///
/// Pinned after the import, where values have the names of a profile. Ends
/// because it saves each value once.
struct ShowValues : impl::ShowValuesBase<ShowValues> {
  using ShowValuesBase::ShowValuesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const ValueNames names(module);
    const KnownValues known(module);
    for (FuncOp function : module.getOps<FuncOp>()) {
      std::vector<Value> shown;
      function.walk([&](Operation *op) {
        for (Value result : op->getResults())
          if (!isa<ReadOp>(op) && !names.of(result).empty() &&
              known.varies(result) && isFloats(result))
            shown.push_back(result);
      });
      for (Value value : shown)
        show(function, value, names.of(value));
    }
  }

private:
  static bool isFloats(Value value) {
    return cast<RankedTensorType>(value.getType()).getElementType().isF32();
  }

  void show(FuncOp function, Value value, StringRef name) {
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
};

} // namespace
} // namespace glow
