//===- Programs.cpp - programs of one module ------------------------------===//
// SPDX-License-Identifier: MIT
//
// Programs of a module share its constants and states. Each is compiled alone,
// from the module without the others. Storage that no function uses belongs to
// all of them.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

/// Adds the names of all storage that a function uses.
static void addStorage(FuncOp function, llvm::StringSet<> &names) {
  for (Operation &op : function.block())
    if (FlatSymbolRefAttr name = storageNamed(&op))
      names.insert(name.getValue());
}

SmallVector<FuncOp> glow::programsOf(ModuleOp module) {
  SmallVector<FuncOp> entries = entriesOf(module);
  llvm::StringSet<> used;
  for (FuncOp entry : entries) {
    if (entry->hasAttr(ofDevice) || entry->hasAttr(ofBackend))
      return {};
    addStorage(entry, used);
  }
  for (auto port : module.getOps<PlaceholderOp>())
    if (port.getRole() == PlaceholderRole::Between &&
        used.contains(port.getSymName()))
      return {};
  return entries;
}

/// Erases storage of erased functions that no function uses any more.
static void eraseUnused(ModuleOp module, const llvm::StringSet<> &before) {
  llvm::StringSet<> now, ports;
  for (auto function : module.getOps<FuncOp>())
    addStorage(function, now);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<PlaceholderOp, ConstantOp>(op)) {
      StringRef name = cast<SymbolOpInterface>(op).getName();
      if (before.contains(name) && !now.contains(name))
        op.erase();
    }
  // The next value of a state that another program reads is an output here.
  for (auto port : module.getOps<PlaceholderOp>())
    ports.insert(port.portName());
  for (auto port : module.getOps<PlaceholderOp>())
    for (StringRef mark : {StringRef(nextOf), StringRef(appendsTo)})
      if (auto input = port->getAttrOfType<StringAttr>(mark);
          input && !ports.contains(input.getValue()))
        port->removeAttr(mark);
}

static LogicalResult refuse(ModuleOp module, ArrayRef<FuncOp> programs,
                            StringRef name) {
  std::string names = llvm::join(
      llvm::map_range(programs,
                      [](FuncOp program) {
                        return ("'" + program.getSymName() + "'").str();
                      }),
      ", ");
  auto error = module.emitError();
  if (!name.empty())
    error << "no program is named '" << name << "'; ";
  if (programs.empty())
    return error << "the module is one program without a name";
  error << "the module has the "
        << (programs.size() > 1 ? "programs " : "program ") << names;
  return name.empty() ? error << ": choose one by --function" : error;
}

LogicalResult glow::chooseProgram(ModuleOp module, StringRef name) {
  SmallVector<FuncOp> programs = programsOf(module);
  if (name.empty() && programs.size() < 2)
    return success();
  auto *chosen = llvm::find_if(
      programs, [&](FuncOp program) { return program.getSymName() == name; });
  if (chosen == programs.end())
    return refuse(module, programs, name);
  SymbolTable symbols(module);
  SmallVector<FuncOp> needed = neededBy(*chosen, symbols);
  llvm::StringSet<> before;
  for (auto function : module.getOps<FuncOp>())
    if (function != *chosen && !llvm::is_contained(needed, function))
      addStorage(function, before);
  for (FuncOp program : programs)
    if (program != *chosen)
      symbols.erase(program);
  eraseUncalled(module);
  eraseUnused(module, before);
  return success();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Whether two programs can share a storage.
static bool isSame(Operation *one, Operation *other) {
  if (auto port = dyn_cast<PlaceholderOp>(one)) {
    auto second = dyn_cast_or_null<PlaceholderOp>(other);
    return second && port.getRole() != PlaceholderRole::Between &&
           OperationEquivalence::isEquivalentTo(
               port, second, OperationEquivalence::IgnoreLocations);
  }
  auto constant = dyn_cast<ConstantOp>(one),
       second = dyn_cast_or_null<ConstantOp>(other);
  if (!constant || !second)
    return false;
  ElementsAttr value = constant.getValue(), its = second.getValue();
  return value == its ||
         (value.getType() == its.getType() && isKnown(value) && isKnown(its) &&
          bytesOf(value).bytes == bytesOf(its).bytes);
}

namespace {
/// Moves the operations of one module into another one.
class Joiner {
public:
  Joiner(ModuleOp module, ModuleOp source, FuncOp program, StringRef name)
      : module(module), source(source), program(program), name(name),
        symbols(module), context(module.getContext()) {}

  void run() {
    for (Operation &op : *source.getBody())
      own.insert(nameOf(&op));
    for (Operation &op : *source.getBody())
      if (!isSame(&op, symbols.lookup(nameOf(&op))))
        rename(&op);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](FlatSymbolRefAttr used) {
      auto found = names.find(used.getValue());
      return found == names.end()
                 ? used
                 : FlatSymbolRefAttr::get(context, found->second);
    });
    source.walk([&](Operation *op) { replacer.replaceElementsIn(op); });
    for (Operation &op : llvm::make_early_inc_range(*source.getBody()))
      if (!isSame(&op, symbols.lookup(nameOf(&op))))
        move(&op);
  }

private:
  static StringRef nameOf(Operation *op) {
    return cast<SymbolOpInterface>(op).getName();
  }

  /// Gives an operation a name that is free in both modules.
  void rename(Operation *op) {
    const std::string old = nameOf(op).str();
    auto isTaken = [&](StringRef fresh) {
      return fresh == name || symbols.lookup(fresh) ||
             (fresh != old && own.contains(fresh));
    };
    std::string fresh = op == program ? name.str() : old;
    for (unsigned i = 0; op != program && isTaken(fresh); ++i)
      fresh = old + "_" + std::to_string(i);
    if (fresh == old)
      return;
    if (auto port = dyn_cast<PlaceholderOp>(op); port && !port.getPort())
      port.setPort(old);
    SymbolTable::setSymbolName(op, fresh);
    own.insert(fresh);
    names[old] = fresh;
  }

  /// Functions that no node calls stand before all that are called.
  void move(Operation *op) {
    op->remove();
    auto function = dyn_cast<FuncOp>(op);
    Block *body = module.getBody();
    auto at = body->end();
    if (!function || !function.isCalled())
      at = llvm::find_if(*body, [&](Operation &other) {
        auto second = dyn_cast<FuncOp>(other);
        return second && (!function || second.isCalled());
      });
    symbols.insert(op, at);
  }

  ModuleOp module, source;
  FuncOp program;
  StringRef name;
  SymbolTable symbols;
  MLIRContext *context;
  llvm::StringSet<> own;              ///< all names of `source`
  llvm::StringMap<std::string> names; ///< new names of `source`
};
} // namespace

LogicalResult glow::addProgram(ModuleOp module, ModuleOp source,
                               StringRef name) {
  SmallVector<FuncOp> programs = programsOf(source);
  if (programs.size() != 1)
    return source.emitError() << "should be one program, to become '" << name
                              << "', but has " << programs.size();
  if (SymbolTable(module).lookup(name))
    return module.emitError()
           << "has '" << name << "' already, so that no program can have the "
           << "name";
  Joiner(module, source, programs.front(), name).run();
  return success();
}
