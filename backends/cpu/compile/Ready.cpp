//===- Ready.cpp - which kernels need not be compiled ---------------------===//

#include "Ready.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;

std::string cpu::readySymbol(const Target &target, llvm::StringRef kernel) {
  for (const ReadyLevel &level : readyLevels())
    if (llvm::all_of(level.features,
                     [&](const char *name) { return target.has(name); }))
      if (std::string symbol = std::string(level.prefix) + kernel.str();
          findReady(symbol))
        return symbol;
  return "";
}
