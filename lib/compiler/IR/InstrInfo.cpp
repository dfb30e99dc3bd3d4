//===- InstrInfo.cpp - what the records say of instructions ---------------===//

#include "glow/IR/InstrInfo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

using namespace glow::ir;

namespace {
/// Contexts are made, and plug-ins loaded, on any thread.
struct Registry {
  std::shared_mutex mutex;
  llvm::StringMap<const InstrInfo *> entries;

  static Registry &get() {
    static Registry registry;
    return registry;
  }
};
} // namespace

void glow::ir::registerInstrs(std::span<const InstrInfo> table) {
  Registry &registry = Registry::get();
  std::unique_lock lock(registry.mutex);
  for (const InstrInfo &info : table)
    registry.entries[info.mnemonic] = &info;
}

const InstrInfo *glow::ir::findInstr(llvm::StringRef mnemonic) {
  Registry &registry = Registry::get();
  std::shared_lock lock(registry.mutex);
  return registry.entries.lookup(mnemonic);
}

std::vector<llvm::StringRef> glow::ir::knownInstrs() {
  Registry &registry = Registry::get();
  std::shared_lock lock(registry.mutex);
  std::vector<llvm::StringRef> names;
  for (const auto &entry : registry.entries)
    names.push_back(entry.second->mnemonic);
  std::ranges::sort(names);
  return names;
}

llvm::StringRef glow::ir::textOf(Qualifier qualifier) {
  switch (qualifier) {
  case Qualifier::In:
    return "in";
  case Qualifier::Out:
    return "out";
  case Qualifier::InOut:
    return "inout";
  }
  llvm_unreachable("a qualifier has a text");
}
