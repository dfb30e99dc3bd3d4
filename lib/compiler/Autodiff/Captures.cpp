//===- Captures.cpp - storage as values that calls capture ----------------===//
// SPDX-License-Identifier: MIT

#include "Captures.h"
#include "glow/Graph/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

/// Gives a value to the parameter that was added behind the others.
static void capture(Operation *call, FlatSymbolRefAttr function, Value value) {
  if (auto loop = dyn_cast<LoopOp>(call)) {
    loop.getCapturedMutable().append(value);
    return;
  }
  auto branch = cast<IfOp>(call);
  if (branch.getThenAttr() == function)
    branch.getCapturedMutable().append(value);
  if (branch.getOtherwiseAttr() == function)
    branch.getOthersMutable().append(value);
}

/// Makes a parameter of the storage that a called function reads. Its callers
/// read the storage then. Returns whether the function reads it.
static bool takeFromCallers(FuncOp function, ConstantOp constant,
                            SymbolTable &symbols) {
  SmallVector<ReadOp> reads;
  for (auto read : function.block().getOps<ReadOp>())
    if (read.getStorage() == constant.getSymName())
      reads.push_back(read);
  if (reads.empty())
    return false;
  const Type type = constant.getValue().getType();
  CalledBody body(function, symbols);
  Value parameter = body.addParameter(constant.getSymName(), type);
  for (ReadOp read : reads) {
    read.replaceAllUsesWith(parameter);
    read.erase();
  }
  const auto name = FlatSymbolRefAttr::get(function.getSymNameAttr());
  SmallVector<Operation *> calls;
  function->getParentOfType<ModuleOp>().walk([&](Operation *op) {
    if (llvm::is_contained(namesCalledBy(op), name))
      calls.push_back(op);
  });
  for (Operation *call : calls) {
    auto builder = OpBuilder::atBlockBegin(call->getBlock());
    capture(call, name,
            ReadOp::create(builder, constant.getLoc(), type,
                           FlatSymbolRefAttr::get(constant.getSymNameAttr())));
  }
  return true;
}

void glow::captureStorage(ModuleOp module, ArrayRef<ConstantOp> constants) {
  SymbolTable symbols(module);
  for (ConstantOp constant : constants)
    // A caller may be called itself. The loop ends, since no function calls
    // itself.
    for (bool isNew = true; isNew;) {
      isNew = false;
      for (FuncOp function : module.getOps<FuncOp>())
        if (function.isCalled())
          isNew |= takeFromCallers(function, constant, symbols);
    }
}
