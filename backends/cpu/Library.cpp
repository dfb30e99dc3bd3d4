//===- Library.cpp - the library of kernels, as bitcode -------------------===//

#include "Library.h"
#include <algorithm>

using namespace glow;
using namespace glow::cpu;

// Names the file of bitcode, which the build makes.
alignas(16) static constexpr char bitcode[] = {
#embed GLOW_CPU_LIBRARY_BITCODE
};

std::span<const char> cpu::libraryBitcode() { return bitcode; }

const std::vector<VectorFunction> &cpu::vectorFunctions() {
  static const std::vector<VectorFunction> table = {
#include "glow/Generated/GlowVectorTable.cpp.inc"
  };
  return table;
}

/// The row for a mnemonic and a kind.
template <typename Row>
static const Row *find(const std::vector<Row> &table, std::string_view mnemonic,
                       ElementKind kind) {
  auto found = std::find_if(table.begin(), table.end(), [&](const Row &row) {
    return row.mnemonic == mnemonic && row.kind == kind;
  });
  return found == table.end() ? nullptr : &*found;
}

const VectorFunction *cpu::findVectorFunction(std::string_view mnemonic,
                                              ElementKind kind) {
  return find(vectorFunctions(), mnemonic, kind);
}

const std::vector<LibraryKernel> &cpu::libraryKernels() {
#define GLOW_LIBRARY_KERNEL(mnemonic, kind, function)                          \
  {mnemonic, ElementKind::kind, #function},
  static const std::vector<LibraryKernel> table = {
#include "glow/Generated/GlowLibraryKernels.cpp.inc"
  };
  return table;
}

const LibraryKernel *cpu::findLibraryKernel(std::string_view mnemonic,
                                            ElementKind kind) {
  return find(libraryKernels(), mnemonic, kind);
}

bool cpu::isInLibrary(std::string_view mnemonic) {
  auto isOfIt = [&](const auto &row) { return row.mnemonic == mnemonic; };
  return std::ranges::any_of(vectorFunctions(), isOfIt) ||
         std::ranges::any_of(libraryKernels(), isOfIt);
}

std::string cpu::castFunction(ElementKind from, ElementKind to) {
  auto known = [](ElementKind kind) {
    return kind == ElementKind::F32 || kind == ElementKind::I32 ||
           kind == ElementKind::I64 || kind == ElementKind::Bool ||
           kind == ElementKind::I8 || kind == ElementKind::U8;
  };
  if (from == to || !known(from) || !known(to))
    return "";
  return "glow_cast_" + std::string(name(from)) + "_" + std::string(name(to));
}
