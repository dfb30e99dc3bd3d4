//===- Ports.cpp - what a run of a model binds ----------------------------===//

#include "Ports.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace glow;

static std::vector<Binding> bindingsOf(const std::vector<ModelPort> &ports) {
  std::vector<Binding> result;
  for (const ModelPort &port : ports)
    result.push_back({port.name,
                      {port.kind.value_or(ElementKind::F32), port.shape},
                      port.dimensions,
                      port.ranked,
                      port.other,
                      port.anyShape});
  return result;
}

Ports glow::portsOf(const ModelInterface &interface) {
  return {bindingsOf(interface.inputs), bindingsOf(interface.outputs)};
}

/// Whether a function of the module gives the placeholder its value.
static bool isSaved(ModuleOp module, PlaceholderOp placeholder) {
  StringRef name = placeholder.getSymName();
  auto saves = [&](Operation *op) {
    if (auto save = dyn_cast<SaveOp>(op))
      return save.getStorage() == name;
    auto function = dyn_cast<ir::FuncOp>(op);
    return function &&
           llvm::any_of(function.bindings(), [&](BlockArgument binding) {
             return function.kindOf(binding) == ir::BindingKind::Output &&
                    function.storageOf(binding) == name;
           });
  };
  return module
      .walk([&](Operation *op) {
        return saves(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isOutput(ModuleOp module, PlaceholderOp placeholder) {
  // A part of a model is run by itself as well: what lies between two parts is
  // an output of the one that gives it.
  return placeholder.getRole() == PlaceholderRole::Output ||
         (placeholder.getRole() == PlaceholderRole::Between &&
          isSaved(module, placeholder));
}

Ports glow::portsOf(ModuleOp module) {
  Ports ports;
  for (auto placeholder : module.getOps<PlaceholderOp>()) {
    auto type = cast<RankedTensorType>(placeholder.getType());
    Binding binding{placeholder.portName().str(),
                    {*kindOf(type.getElementType()), Ints(type.getShape())},
                    {}};
    (isOutput(module, placeholder) ? ports.outputs : ports.inputs)
        .push_back(std::move(binding));
  }
  return ports;
}
