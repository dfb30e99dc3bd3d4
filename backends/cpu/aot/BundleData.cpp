//===- BundleData.cpp - tables and constants of a bundle, as C ------------===//
// SPDX-License-Identifier: MIT
//
// Objects that a header declares are written in the types of the header, so
// that the text is the same for addresses of 32 and of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace glow::cpu;

static void writeTable(llvm::raw_ostream &os, const BundleEntry &entry,
                       const Bundle &bundle) {
  std::vector<BundleSymbol> symbols = symbolsOf(entry);
  os << "\nstatic const struct SymbolTableEntry " << entry.name
     << "_symbols[] = {\n";
  for (const BundleSymbol &symbol : symbols) {
    os << "  {" << literal(symbol.name) << ", " << symbol.offset << ", "
       << symbol.elements << ", " << !symbol.isConstant << "},\n";
  }
  os << "};\nconst struct BundleConfig " << entry.name << "_config = {"
     << bundle.constants.size() << ", " << entry.mutableBytes << ", "
     << entry.activationBytes << ", " << bundle.alignment << ", "
     << symbols.size() << ", " << entry.name << "_symbols};\n";
}

static void writeSizes(llvm::raw_ostream &os, const BundleEntry &entry) {
  os << "\nstatic const struct BundleSize " << entry.name
     << "_variables[] = {\n";
  auto write = [&](const SizeVariable &size, int64_t multiple) {
    os << "  {" << literal(size.name) << ", " << size.low << ", " << size.high
       << ", " << multiple << "},\n";
  };
  for (const SizeVariable &size : entry.sizes)
    write(size, size.multiple);
  for (const SizeVariable &size : entry.computed)
    write(size, 0);
  os << "};\nstatic const size_t " << entry.name << "_ranks[] = {";
  llvm::interleaveComma(ranksOf(entry), os);
  os << "};\nconst struct BundleSizes " << entry.name << "_sizes = {"
     << entry.sizes.size() + entry.computed.size() << ", " << entry.name
     << "_variables, " << entry.name << "_ranks};\n";
}

static void writeConstants(llvm::raw_ostream &os, const Bundle &bundle) {
  os << "\nGLOW_MEM_ALIGN(" << bundle.alignment << ")\nconst uint8_t "
     << bundle.name << "_weights[" << bundle.constants.size() << "] = {";
  for (auto [i, byte] : llvm::enumerate(bundle.constants))
    os << (i % 32 ? "," : i ? ",\n" : "\n") << unsigned(uint8_t(byte));
  os << "};\n";
}

std::string cpu::bundleData(const Bundle &bundle, const EmitRequest &request) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (request.dynamicApi)
    for (const BundleEntry &entry : bundle.entries) {
      writeTable(os, entry, bundle);
      if (entry.isOpen())
        writeSizes(os, entry);
    }
  if (request.embedWeights)
    writeConstants(os, bundle);
  return text;
}
