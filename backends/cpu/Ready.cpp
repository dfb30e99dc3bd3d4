//===- Ready.cpp - which kernels need not be compiled ---------------------===//

#include "Ready.h"
#include "ReadyKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace glow;
using namespace glow::cpu;
using llvm::StringRef;

namespace {
struct Level {
  StringRef prefix; // no name in C has a colon
  std::vector<StringRef> features;
  const ReadyKernel *table;
};
} // namespace

/// The best one first.
static const std::vector<Level> &levels() {
#ifdef GLOW_READY_KERNELS
  static const std::vector<Level> all = {
      {"v4:",
       {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2",
        "bmi", "bmi2", "fma", "lzcnt", "movbe", "f16c"},
       glow_ready_v4},
      {"v3:",
       {"avx2", "bmi", "bmi2", "fma", "lzcnt", "movbe", "f16c"},
       glow_ready_v3}};
#else
  static const std::vector<Level> all;
#endif
  return all;
}

std::string cpu::readySymbol(const Target &target, StringRef kernel) {
  for (const Level &level : levels())
    if (llvm::all_of(level.features,
                     [&](StringRef name) { return target.has(name); }))
      if (std::string symbol = (level.prefix + kernel).str(); findReady(symbol))
        return symbol;
  return "";
}

static llvm::StringMap<void *> allSymbols() {
  llvm::StringMap<void *> symbols;
  for (const Level &level : levels())
    for (const ReadyKernel *kernel = level.table; kernel->name; ++kernel) {
      std::string symbol = (level.prefix + kernel->name).str();
      symbols[symbol] = reinterpret_cast<void *>(kernel->run);
      symbols[symbol + "_work"] = reinterpret_cast<void *>(kernel->measure);
    }
  return symbols;
}

void *cpu::findReady(StringRef symbol) {
  static const llvm::StringMap<void *> symbols = allSymbols();
  return symbols.lookup(symbol);
}
