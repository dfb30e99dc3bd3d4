//===- ValueNames.cpp - names of values in a profile ----------------------===//
// SPDX-License-Identifier: MIT

#include "ValueNames.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/TextName.h"

using namespace glow;
using namespace mlir;

/// The name of a result, which other results may have, too.
static std::string wantedName(OpResult result) {
  Operation *op = result.getOwner();
  if (StringRef own = valueNameOf(result); !own.empty())
    return own.str();
  StringRef name = nameIn(op->getLoc());
  std::string wanted =
      (name.empty() ? op->getName().stripDialect() : name).str();
  if (const unsigned number = result.getResultNumber())
    wanted += "[" + std::to_string(number) + "]";
  return wanted;
}

void ValueNames::add(Value value, std::string name) {
  values[name] = value;
  names[value] = std::move(name);
}

ValueNames::ValueNames(ModuleOp module) {
  llvm::StringMap<unsigned> taken;
  // An output with an origin only keeps a value: the file has none.
  module.walk([&](PlaceholderOp port) {
    if (port.getRole() != PlaceholderRole::Output || !originOf(port))
      taken[port.portName()] = 1;
  });
  // A value that an output has may have its name.
  module.walk([&](SaveOp save) {
    auto port = SymbolTable::lookupNearestSymbolFrom<PlaceholderOp>(
        save, save.getStorageAttr());
    auto result = dyn_cast<OpResult>(save.getIn());
    if (port && result && !isa<ReadOp>(result.getOwner()) &&
        wantedName(result) == port.portName() && !originOf(port) &&
        outputs.insert(port.portName()).second)
      add(result, port.portName().str());
  });
  module.walk([&](Operation *op) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      if (auto port = SymbolTable::lookupNearestSymbolFrom<PlaceholderOp>(
              op, read.getStorageAttr()))
        add(read.getOut(), port.portName().str());
      return;
    }
    if (!findNode(op->getName().getStringRef()))
      return;
    for (OpResult result : op->getResults()) {
      if (names.contains(result))
        continue;
      const std::string wanted = wantedName(result);
      std::string name = wanted;
      while (taken.contains(name))
        name = wanted + "#" + std::to_string(++taken[wanted]);
      taken[name] = std::max(1u, taken[name]);
      add(result, std::move(name));
    }
  });
}

StringRef ValueNames::of(Value value) const {
  auto found = names.find(value);
  return found == names.end() ? StringRef() : StringRef(found->second);
}

Value ValueNames::find(StringRef name) const { return values.lookup(name); }

void ValueNames::replace(Value old, Value made) {
  std::string name = names.lookup(old);
  if (name.empty())
    return;
  names.erase(old);
  add(made, std::move(name));
}
