//===- GenerateInstrs.cpp - from nodes to instructions --------------------===//
// SPDX-License-Identifier: MIT

#include "Scan.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Bindings.h"
#include "glow/IRGen/IRGen.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_GENERATEINSTRS
#include "glow/IRGen/Passes.h.inc"

namespace {

/// One function of nodes on its way to one of instructions.
class FunctionGenerator {
public:
  FunctionGenerator(FuncOp source, SymbolTable &symbols)
      : source(source), symbols(symbols), builder(source),
        target(
            ir::FuncOp::create(builder, source.getLoc(), source.getSymName())),
        instr(builder) {
    if (Attribute device = source->getAttr(ofDevice))
      target->setAttr(ofDevice, device);
    if (source.isCalled()) {
      target.setTakesAttr(source.getTakesAttr());
      target.setGivesAttr(source.getGivesAttr());
    }
    builder.setInsertionPointToEnd(&target.block());
    for (auto save : source.block().getOps<SaveOp>())
      saved.insert(save.getStorage());
  }

  LogicalResult run() {
    declareBindings();
    SmallVector<SaveOp> saves;
    for (Operation &op : source.block()) {
      if (auto read = dyn_cast<ReadOp>(op)) {
        instr.setBuffer(read.getOut(), bindings.lookup(read.getStorage()));
        continue;
      }
      if (auto save = dyn_cast<SaveOp>(op)) {
        saves.push_back(save);
        continue;
      }
      if (auto scan = dyn_cast<ScanOp>(op)) {
        if (failed(generateScan(scan, instr)))
          return failure();
        continue;
      }
      if (failed(isControlFlow(&op) ? generateCall(&op, instr)
                                    : generateInstr(&op, instr)))
        return failure();
    }
    // Saves come last, since a node after a save may still read the storage's
    // old value.
    for (SaveOp save : saves) {
      Value destination = bindings.lookup(save.getStorage());
      OperationState state(save.getLoc(), "glowir.copy",
                           {destination, instr.buffer(save.getIn())}, {}, {});
      builder.create(state);
    }
    for (Operation &op : llvm::make_early_inc_range(target.block()))
      if (auto alloc = dyn_cast<ir::AllocOp>(op))
        ir::DeallocOp::create(builder, alloc.getLoc(), alloc.getBuffer());
    return success();
  }

private:
  /// Whether the storage has no value when the function begins.
  bool isResult(PlaceholderOp placeholder) const {
    return placeholder.getRole() == PlaceholderRole::Output ||
           (placeholder.getRole() == PlaceholderRole::Between &&
            saved.contains(placeholder.getSymName()));
  }

  void declareBindings() {
    for (Operation &op : source.block()) {
      if (auto read = dyn_cast<ReadOp>(op))
        declareBinding(read.getStorage());
      // A backend that uses a predicate finds it among the bindings.
      if (auto name =
              op.getAttrOfType<FlatSymbolRefAttr>(GlowDialect::predicate))
        declareBinding(name.getValue());
    }
    for (auto save : source.block().getOps<SaveOp>())
      declareBinding(save.getStorage());
    addBindings(target, declared);
    for (auto [binding, value] : llvm::zip_equal(declared, target.bindings()))
      bindings[binding.storage] = value;
  }

  void declareBinding(StringRef storage) {
    if (!bindings.try_emplace(storage).second)
      return;
    Operation *symbol = symbols.lookup(storage);
    RankedTensorType type;
    ir::BindingKind kind = ir::BindingKind::Constant;
    if (auto placeholder = dyn_cast<PlaceholderOp>(symbol)) {
      type = cast<RankedTensorType>(placeholder.getType());
      kind = isResult(placeholder) ? ir::BindingKind::Output
                                   : ir::BindingKind::Mutable;
    } else {
      type =
          cast<RankedTensorType>(cast<ConstantOp>(symbol).getValue().getType());
    }
    auto name = StringAttr::get(source.getContext(), storage);
    declared.push_back(
        {NameLoc::get(name), ir::BufferType::get(type), kind, name.strref()});
  }

  FuncOp source;
  SymbolTable &symbols;
  OpBuilder builder;
  ir::FuncOp target;
  InstrBuilder instr;
  SmallVector<ir::BindingDeclaration> declared;
  llvm::StringMap<Value> bindings;
  llvm::StringSet<> saved;
};

/// Lowers each node to an instruction. Each value becomes a buffer of its own
/// that lives to the end. A storage that a function reads or saves becomes a
/// binding.
///
/// Pinned after lowering, which leaves only nodes with an instruction, and
/// before the passes on buffers, which shorten lives and share memory. Ends
/// because it visits each node once.
struct GenerateInstrs : impl::GenerateInstrsBase<GenerateInstrs> {
  using GenerateInstrsBase::GenerateInstrsBase;
  void runOnOperation() override {
    eraseUncalled(getOperation());
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<FuncOp>());
    for (FuncOp function : functions) {
      // Where this pass runs alone, no earlier pass may have checked the
      // storage.
      WalkResult checked = function.walk([&](Operation *op) {
        return WalkResult(verifyStorageUse(op, symbols));
      });
      if (checked.wasInterrupted() ||
          failed(FunctionGenerator(function, symbols).run()))
        return signalPassFailure();
    }
    // A node looks up the functions that it calls.
    for (FuncOp function : functions)
      function.erase();
  }
};

} // namespace
} // namespace glow
