//===- RunParts.cpp - the phases behind a division by backends ------------===//
// SPDX-License-Identifier: MIT
//
// Each part is a model of its own for later phases and for its backend, with
// inputs and outputs. Only the whole keeps the names of ports, since no two
// storages may have the same.
//
//===----------------------------------------------------------------------===//

#include "RunParts.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Continuity.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/OfDevice.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

/// Moves the device and backend of a module's only function to the module.
static void movePlace(FuncOp function, ModuleOp module) {
  for (StringRef place : {StringRef(ofBackend), StringRef(ofDevice)})
    if (Attribute own = function->removeAttr(place))
      module->setAttr(place, own);
}

namespace {

class PartMaker {
public:
  /// Moves a function into a module of its own, at the same position, with
  /// copies of the functions that it calls.
  void make(FuncOp function) {
    OpBuilder builder(function);
    ModuleOp whole = function->getParentOfType<ModuleOp>();
    SmallVector<FuncOp> all = {function};
    for (FuncOp called : neededBy(function, SymbolTable(whole)))
      all.push_back(called);
    auto part =
        ModuleOp::create(builder, function.getLoc(), function.getSymName());
    movePlace(function, part);
    llvm::StringSet<> used, saved;
    for (FuncOp one : all) {
      one.walk([&](Operation *op) {
        if (FlatSymbolRefAttr storage = storageNamed(op))
          used.insert(storage.getValue());
      });
      addPorts(one, used);
    }
    for (auto save : function.block().getOps<SaveOp>())
      saved.insert(save.getStorage());
    function->moveBefore(part.getBody(), part.getBody()->end());
    for (FuncOp called : ArrayRef(all).drop_front())
      part.getBody()->push_back(called->clone());
    builder.setInsertionPoint(function);
    for (auto constant : whole.getOps<ConstantOp>())
      if (used.contains(constant.getSymName()))
        add(constant, part, builder);
    llvm::StringSet<> ports;
    for (FuncOp called : ArrayRef(all).drop_front())
      addPorts(called, ports);
    for (auto placeholder : whole.getOps<PlaceholderOp>())
      if (ports.contains(placeholder.getSymName()))
        builder.clone(*placeholder);
      else if (used.contains(placeholder.getSymName()))
        add(placeholder, saved.contains(placeholder.getSymName()), builder);
  }

private:
  /// Adds the names of the parameters and results of a called function.
  static void addPorts(FuncOp function, llvm::StringSet<> &names) {
    if (function.isCalled())
      for (ArrayAttr ports : {function.getTakesAttr(), function.getGivesAttr()})
        for (Attribute name : ports)
          names.insert(cast<FlatSymbolRefAttr>(name).getValue());
  }

  static void add(PlaceholderOp placeholder, bool isSaved, OpBuilder &builder) {
    auto own = cast<PlaceholderOp>(builder.clone(*placeholder));
    own.removePortAttr();
    if (own.getRole() == PlaceholderRole::Between)
      own.setRole(isSaved ? PlaceholderRole::Output : PlaceholderRole::Input);
  }

  /// Clones a constant into a part. A constant's memory is released after the
  /// last read in its module, so no two modules share the same bytes.
  void add(ConstantOp constant, ModuleOp part, OpBuilder &builder) {
    auto own = cast<ConstantOp>(builder.clone(*constant));
    auto value = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (!value || owners.try_emplace(value, part).first->second == part ||
        !isKnown(value))
      return;
    TensorBytes bytes = bytesOf(value);
    auto copy = std::make_shared<std::vector<char>>(bytes.bytes.begin(),
                                                    bytes.bytes.end());
    own.setValueAttr(elementsOf(cast<RankedTensorType>(value.getType()),
                                {{copy->data(), copy->size()}, copy},
                                constant.getSymName()));
  }

  llvm::DenseMap<Attribute, ModuleOp> owners;
};

/// Pinned after divide-by-backend. Ends because it compiles each part once.
class RunParts : public PassWrapper<RunParts, OperationPass<ModuleOp>> {
public:
  RunParts(std::vector<std::string> backends, AddPhases addPhases)
      : backends(std::move(backends)), addPhases(std::move(addPhases)) {}
  StringRef getName() const override { return "RunParts"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const std::string &backend : backends)
      for (const BackendInfo *one : withFallbacks(backend))
        phasesOf(one->name).getDependentDialects(registry);
  }

  void runOnOperation() override {
    takeApart();
    auto parts = llvm::to_vector(getOperation().getOps<ModuleOp>());
    if (parts.empty())
      parts = {getOperation()};
    for (ModuleOp part : parts) {
      auto name = part->getAttrOfType<StringAttr>(ofBackend);
      OpPassManager phases =
          phasesOf(name ? name.getValue() : StringRef(backends.front()));
      if (failed(runPipeline(phases, part)))
        signalPassFailure();
    }
  }

private:
  OpPassManager phasesOf(StringRef name) const {
    OpPassManager phases(ModuleOp::getOperationName());
    addPhases(phases, name);
    return phases;
  }

  void takeApart() {
    auto functions = llvm::to_vector(getOperation().getOps<FuncOp>());
    functions.erase(llvm::remove_if(functions,
                                    [](FuncOp function) {
                                      return !function->hasAttr(ofBackend);
                                    }),
                    functions.end());
    if (functions.size() == 1) // it has all of the storage
      movePlace(functions.front(), getOperation());
    if (functions.size() < 2)
      return;
    markSteps(functions);
    PartMaker parts;
    for (FuncOp function : functions)
      parts.make(function);
    eraseUncalled(getOperation());
    for (auto constant :
         llvm::make_early_inc_range(getOperation().getOps<ConstantOp>()))
      constant.erase();
  }

  /// Marks storage between parts that a step reads: a part does not see the
  /// nodes of another part.
  void markSteps(ArrayRef<FuncOp> functions) {
    for (FuncOp function : functions)
      for (auto read : function.block().getOps<ReadOp>()) {
        auto storage = llvm::dyn_cast_or_null<PlaceholderOp>(
            getOperation().lookupSymbol(read.getStorage()));
        if (storage && storage.getRole() == PlaceholderRole::Between &&
            mayMeetStep(read.getOut()))
          storage->setAttr(GlowDialect::exact, UnitAttr::get(&getContext()));
      }
  }

  std::vector<std::string> backends;
  AddPhases addPhases;
};

} // namespace

std::unique_ptr<Pass> glow::createLeadParts(std::vector<std::string> backends,
                                            AddPhases addPhases) {
  return std::make_unique<RunParts>(std::move(backends), std::move(addPhases));
}
