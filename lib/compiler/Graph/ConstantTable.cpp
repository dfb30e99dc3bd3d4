//===- ConstantTable.cpp - the constant behind a value --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"

using namespace mlir;
using namespace glow;

static thread_local ConstantTable *current = nullptr;

ConstantTable::ConstantTable(ModuleOp module)
    : module(module), before(current) {
  for (auto constant : module.getOps<ConstantOp>())
    constants[constant.getSymNameAttr()] = constant;
  // Placeholders are never constants.
  for (auto placeholder : module.getOps<PlaceholderOp>())
    constants[placeholder.getSymNameAttr()] = ConstantOp();
  current = this;
}

ConstantTable::~ConstantTable() { current = before; }

ConstantOp glow::constantOf(Value tensor) {
  auto read = tensor.getDefiningOp<ReadOp>();
  auto module = read ? read->getParentOfType<ModuleOp>() : ModuleOp();
  if (!module)
    return ConstantOp();
  StringAttr name = read.getStorageAttr().getAttr();
  ConstantOp constant;
  bool isTable = current && current->module == module;
  if (isTable && current->constants.contains(name))
    constant = current->constants.lookup(name);
  else if (constant = module.lookupSymbol<ConstantOp>(name); isTable)
    current->constants[name] = constant;
  return constant && isKnown(constant.getValue()) ? constant : ConstantOp();
}
