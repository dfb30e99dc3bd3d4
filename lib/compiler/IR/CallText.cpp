//===- CallText.cpp - how a function is called, for people ----------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/CallText.h"
#include "glow/Base/OneLine.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/Shape.h"
#include "glow/IR/ControlFlow.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

/// The names of the functions that a node or an instruction calls.
static SmallVector<StringRef> namesCalled(Operation *op) {
  SmallVector<StringRef> names = ir::calledBy(op);
  for (FlatSymbolRefAttr name : namesCalledBy(op))
    names.push_back(name.getValue());
  return names;
}

/// The count of a loop, which may be a length; nothing if it has none.
static std::optional<Length> countOf(Operation *loop) {
  Attribute count = loop->getAttr("count");
  const Sizes sizes = count ? sizesOf(count) : Sizes();
  return sizes.empty() ? std::nullopt : std::optional(sizes[0].length());
}

/// "each of at most 9 trips", or "each trip" of a loop without a count.
static std::string tripsText(Operation *loop) {
  std::optional<Length> count = countOf(loop);
  return count ? "each of at most " + count->text() + " trips" : "each trip";
}

ir::CallCounts::CallCounts(ModuleOp module) {
  module->walk([&](Operation *op) {
    for (StringRef name : namesCalled(op))
      callers[{op->getParentOp()->getParentOp(), name}].push_back(op);
  });
}

double ir::CallCounts::mostOf(Operation *function) {
  auto calls = callers.find({function->getParentOp(),
                             SymbolTable::getSymbolName(function).getValue()});
  if (calls == callers.end())
    return 1;
  if (auto found = known.find(function); found != known.end())
    return found->second;
  double most = 0;
  for (Operation *caller : calls->second) {
    std::optional<Length> count = countOf(caller);
    most += mostOf(caller->getParentOp()) *
            (count ? double(count->range().high) : 1);
  }
  return known[function] = most;
}

SmallVector<FunctionCall> ir::callsTo(Operation *function) {
  SmallVector<FunctionCall> calls;
  StringRef own = SymbolTable::getSymbolName(function).getValue();
  function->getParentOp()->walk([&](Operation *op) {
    const SmallVector<StringRef> names = namesCalled(op);
    for (auto [index, name] : llvm::enumerate(names)) {
      if (name != own)
        continue;
      const std::string caller = "'" + oneLine(nameIn(op->getLoc())) + "'";
      if (names.size() == 1)
        calls.push_back({op, tripsText(op) + " of " + caller});
      else
        calls.push_back({op, "the branch of " + caller +
                                 (index == 0 ? " for true" : " for false")});
    }
  });
  return calls;
}
