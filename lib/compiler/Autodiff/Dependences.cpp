//===- Dependences.cpp - floats that lead through calls -------------------===//
// SPDX-License-Identifier: MIT

#include "Dependences.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Gradients.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;

bool glow::isReal(Value value) { return expr::isFloat(kindOfElements(value)); }

bool glow::passesGradients(Operation *node) {
  const GradientInfo *info = findGradient(node->getName().getStringRef());
  return !info || info->build || *info->reason;
}

bool Origins::join(const Origins &other) {
  const size_t before = storage.size();
  storage.insert_range(other.storage);
  // BitVector::test(other) is true if this has a bit that the other lacks.
  const bool isNew = other.places.test(places);
  places |= other.places;
  return isNew || storage.size() != before;
}

ArrayRef<Origins> Dependences::ofFunction(FuncOp function) {
  if (auto found = functions.find(function); found != functions.end())
    return *found->second;
  // The computation visits other functions, so that the map may grow.
  auto made = std::make_unique<std::vector<Origins>>(computed(function));
  return *(functions[function] = std::move(made));
}

std::vector<Origins> Dependences::computed(FuncOp function) {
  ArrayAttr takes = function.getTakesAttr(), gives = function.getGivesAttr();
  std::vector<Origins> results(gives.size());
  DenseMap<Value, Origins> origins;
  auto visitRead = [&](ReadOp read) {
    Origins &own = origins[read.getOut()];
    const auto *place = llvm::find(takes, read.getStorageAttr());
    if (place == takes.end()) {
      own.storage.insert(read.getStorageAttr());
      return;
    }
    own.places.resize(unsigned(takes.size()));
    own.places.set(unsigned(place - takes.begin()));
  };
  auto visitCall = [&](Operation *call) {
    for (auto [result, from] :
         llvm::zip_equal(call->getResults(), ofCall(call))) {
      Origins own;
      own.storage = from.storage;
      for (unsigned operand : from.places.set_bits())
        own.join(origins.lookup(call->getOperand(operand)));
      origins[result] = std::move(own);
    }
  };
  auto visitNode = [&](Operation *node) {
    Origins own;
    for (Value operand : node->getOperands())
      own.join(origins.lookup(operand));
    for (Value result : node->getResults())
      if (isReal(result))
        origins[result] = own;
  };
  for (Operation &op : function.block())
    if (auto read = dyn_cast<ReadOp>(op)) {
      if (isReal(read))
        visitRead(read);
    } else if (auto save = dyn_cast<SaveOp>(op)) {
      const auto *place = llvm::find(gives, save.getStorageAttr());
      if (place != gives.end())
        results[size_t(place - gives.begin())] = origins.lookup(save.getIn());
    } else if (isControlFlow(&op)) {
      visitCall(&op);
    } else if (passesGradients(&op)) {
      visitNode(&op);
    }
  return results;
}

SmallVector<Origins> Dependences::ofCall(Operation *call) {
  if (auto branch = dyn_cast<IfOp>(call))
    return ofIf(branch);
  return ofLoop(cast<LoopOp>(call));
}

SmallVector<Origins> Dependences::ofIf(IfOp branch) {
  SmallVector<Origins> results(branch.getNumResults());
  auto add = [&](StringRef name, unsigned first) {
    for (auto [result, from] :
         llvm::zip_equal(results, ofFunction(symbols.lookup<FuncOp>(name)))) {
      result.storage.insert_range(from.storage);
      result.places.resize(branch->getNumOperands());
      for (unsigned parameter : from.places.set_bits())
        result.places.set(first + parameter);
    }
  };
  add(branch.getThen(), 1);
  add(branch.getOtherwise(), unsigned(1 + branch.getCaptured().size()));
  return results;
}

/// A carried value depends on all that its result depends on after any number
/// of trips, so that the origins are joined until none is new.
SmallVector<Origins> Dependences::ofLoop(LoopOp loop) {
  auto function = symbols.lookup<FuncOp>(loop.getBody());
  ArrayRef<Origins> body =
      ofFunction(function).drop_front(loop.givesGoing(function));
  const auto carried = unsigned(loop.carriedCount());
  // The first parameter is the number of the trip, which is no operand.
  const unsigned first = loop.firstCarried();
  SmallVector<Origins> results(loop.getNumResults());
  for (auto [index, result] : llvm::enumerate(results)) {
    result.places.resize(loop->getNumOperands());
    if (index < carried && isReal(loop.getInitial()[index]))
      result.places.set(first + unsigned(index));
  }
  auto joinAll = [&](Origins &result, const Origins &from) {
    Origins added;
    added.storage = from.storage;
    added.places.resize(loop->getNumOperands());
    for (unsigned parameter : from.places.set_bits())
      if (parameter > carried)
        added.places.set(first + parameter - 1);
      else
        added.join(results[parameter - 1]);
    return result.join(added);
  };
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [result, from] :
         llvm::zip_equal(MutableArrayRef(results).drop_back(), body))
      isNew |= joinAll(result, from);
  }
  return results;
}
