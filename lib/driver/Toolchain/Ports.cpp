//===- Ports.cpp - ports of a model ---------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Ports.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Program/SizeValues.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

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
  return {bindingsOf(interface.inputs), bindingsOf(interface.outputs),
          bindingsOf(interface.overridable)};
}

namespace {
/// The uses of a placeholder in the functions of a module.
struct Use {
  bool isRead = false, isSaved = false;
};
} // namespace

static Use useOf(ModuleOp module, PlaceholderOp placeholder) {
  StringRef name = placeholder.getSymName();
  Use use;
  module.walk([&](Operation *op) {
    if (auto save = dyn_cast<SaveOp>(op))
      use.isSaved |= save.getStorage() == name;
    if (auto read = dyn_cast<ReadOp>(op))
      use.isRead |= read.getStorage() == name;
    if (auto function = dyn_cast<ir::FuncOp>(op))
      for (BlockArgument binding : function.bindings())
        if (function.storageOf(binding) == name)
          (function.kindOf(binding) == ir::BindingKind::Output ? use.isSaved
                                                               : use.isRead) =
              true;
  });
  return use;
}

/// The parameters and results of called functions, which calls bind.
static llvm::StringSet<> portsOfCalled(ModuleOp module) {
  llvm::StringSet<> names;
  auto add = [&](std::optional<ArrayAttr> list) {
    for (Attribute name : list ? list->getValue() : ArrayRef<Attribute>())
      names.insert(cast<FlatSymbolRefAttr>(name).getValue());
  };
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<FuncOp>(op))
      add(function.getTakes()), add(function.getGives());
    if (auto function = dyn_cast<ir::FuncOp>(op))
      add(function.getTakes()), add(function.getGives());
  });
  return names;
}

/// Names each dimension whose size is a variable of another name than its
/// place has.
static void nameSizes(Binding &binding) {
  if (binding.lengths.empty()) // a model names open sizes alone
    return binding.dimensions.clear();
  for (auto [d, length] : llvm::enumerate(binding.lengths)) {
    const SizeVariable *variable = length.variable();
    if (!variable || sizeName(binding, d) == variable->name)
      continue;
    binding.dimensions.resize(binding.lengths.size());
    binding.dimensions[d] = variable->name;
  }
}

Ports glow::portsOf(ModuleOp module) {
  Ports ports;
  const llvm::StringSet<> called = portsOfCalled(module);
  for (auto placeholder : module.getOps<PlaceholderOp>()) {
    if (called.contains(placeholder.getSymName()))
      continue;
    bool isOutput = placeholder.getRole() == PlaceholderRole::Output;
    if (placeholder.getRole() == PlaceholderRole::Between) {
      // A part of a model can be run by itself as well: a value for another
      // part is an output of the part that computes it.
      Use use = useOf(module, placeholder);
      if (use.isRead && use.isSaved)
        continue;
      isOutput = use.isSaved;
    }
    Binding binding = bindingOf(placeholder);
    nameSizes(binding);
    (isOutput ? ports.outputs : ports.inputs).push_back(std::move(binding));
  }
  return ports;
}
