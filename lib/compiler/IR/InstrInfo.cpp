//===- InstrInfo.cpp - records of instructions, as data -------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/InstrInfo.h"
#include "InfoTable.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace glow::ir;

void glow::ir::registerInstrs(std::span<const InstrInfo> table) {
  InfoTable<InstrInfo>::get().add(table);
}

const InstrInfo *glow::ir::findInstr(llvm::StringRef mnemonic) {
  return InfoTable<InstrInfo>::get().find(mnemonic);
}

std::vector<llvm::StringRef> glow::ir::knownInstrs() {
  std::vector<llvm::StringRef> names = InfoTable<InstrInfo>::get().mnemonics();
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
  case Qualifier::Scratch:
    return "scratch";
  }
  llvm_unreachable("a qualifier has a text");
}
