//===- Ports.cpp - storage that the passes of training add ----------------===//
// SPDX-License-Identifier: MIT

#include "Ports.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

bool glow::isTrainableType(Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  return element.isF32() || element.isF64();
}

std::string glow::listOf(ArrayRef<const char *> words) {
  std::string list;
  for (const char *word : words)
    list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

/// Adds a placeholder before the functions. Null after an error.
static PlaceholderOp addPort(FuncOp function, StringRef name, Type type,
                             PlaceholderRole role) {
  auto module = function->getParentOfType<ModuleOp>();
  if (SymbolTable::lookupSymbolIn(module, name)) {
    module.emitError() << "there is storage '" << name
                       << "' already, which training needs";
    return nullptr;
  }
  OpBuilder builder(function);
  auto text = builder.getStringAttr(name);
  Location location = NameLoc::get(text, module.getLoc());
  return PlaceholderOp::create(builder, location, text, type, role);
}

Value glow::addInput(OpBuilder &builder, FuncOp function, StringRef name,
                     Type type) {
  PlaceholderOp port = addPort(function, name, type, PlaceholderRole::Input);
  if (!port)
    return nullptr;
  return ReadOp::create(builder, port.getLoc(), type,
                        FlatSymbolRefAttr::get(port.getSymNameAttr()));
}

PlaceholderOp glow::addOutput(FuncOp function, StringRef name, Value value) {
  PlaceholderOp port =
      addPort(function, name, value.getType(), PlaceholderRole::Output);
  if (!port)
    return nullptr;
  auto builder = OpBuilder::atBlockEnd(&function.block());
  SaveOp::create(builder, port.getLoc(), value,
                 FlatSymbolRefAttr::get(port.getSymNameAttr()));
  return port;
}

PlaceholderOp glow::findOutput(ModuleOp module, StringRef name) {
  for (auto port : module.getOps<PlaceholderOp>())
    if (port.getRole() == PlaceholderRole::Output && port.portName() == name)
      return port;
  return nullptr;
}

SaveOp glow::saveOf(PlaceholderOp output) {
  SaveOp found;
  for (FuncOp function : output->getParentOfType<ModuleOp>().getOps<FuncOp>())
    for (auto save : function.block().getOps<SaveOp>()) {
      if (save.getStorage() != output.getSymName())
        continue;
      if (found) {
        output.emitError() << "output '" << output.portName()
                           << "' is saved twice, and should be once";
        return nullptr;
      }
      found = save;
    }
  if (!found)
    output.emitError() << "no function saves output '" << output.portName()
                       << "'";
  return found;
}

void glow::eraseOutput(PlaceholderOp output) {
  for (FuncOp function : output->getParentOfType<ModuleOp>().getOps<FuncOp>())
    for (auto save :
         llvm::make_early_inc_range(function.block().getOps<SaveOp>()))
      if (save.getStorage() == output.getSymName())
        save.erase();
  output.erase();
}

void glow::eraseUnused(Block &block) {
  // Users come after their operands, so one sweep from the end is enough.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isPure(&op))
      op.erase();
}
