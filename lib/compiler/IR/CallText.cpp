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

double ir::mostCallsOf(Operation *function) {
  double most = 0;
  const SmallVector<FunctionCall> calls = callsTo(function);
  for (const FunctionCall &call : calls) {
    std::optional<Length> count = countOf(call.caller);
    most += mostCallsOf(call.caller->getParentOp()) *
            (count ? double(count->range().high) : 1);
  }
  return calls.empty() ? 1 : most;
}

SmallVector<FunctionCall> ir::callsTo(Operation *function) {
  SmallVector<FunctionCall> calls;
  StringRef own = SymbolTable::getSymbolName(function).getValue();
  function->getParentOp()->walk([&](Operation *op) {
    const SmallVector<StringRef> names = namesCalled(op);
    const std::string caller = "'" + oneLine(nameIn(op->getLoc())) + "'";
    for (auto [index, name] : llvm::enumerate(names)) {
      if (name != own)
        continue;
      if (names.size() == 1)
        calls.push_back({op, tripsText(op) + " of " + caller});
      else
        calls.push_back({op, "the branch of " + caller +
                                 (index == 0 ? " for true" : " for false")});
    }
  });
  return calls;
}
