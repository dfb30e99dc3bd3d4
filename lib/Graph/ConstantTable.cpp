//===- ConstantTable.cpp - the constant behind a value --------------------===//

#include "glow/Graph/ConstantTable.h"

using namespace mlir;
using namespace glow;

static thread_local ConstantTable *current = nullptr;

ConstantTable::ConstantTable(ModuleOp module)
    : module(module), before(current) {
  for (auto constant : module.getOps<ConstantOp>())
    constants[constant.getSymNameAttr()] = constant;
  current = this;
}

ConstantTable::~ConstantTable() { current = before; }

ConstantOp glow::constantOf(Value tensor) {
  auto read = tensor.getDefiningOp<ReadOp>();
  auto module = read ? read->getParentOfType<ModuleOp>() : ModuleOp();
  if (!module)
    return ConstantOp();
  StringAttr name = read.getStorageAttr().getAttr();
  if (current && current->module == module)
    if (ConstantOp constant = current->constants.lookup(name))
      return constant;
  return module.lookupSymbol<ConstantOp>(name);
}
