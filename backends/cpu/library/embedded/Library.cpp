//===- Library.cpp - the library of kernels, as bitcode -------------------===//
// SPDX-License-Identifier: MIT

#include "common/Library.h"
#include <algorithm>

using namespace glow;
using namespace glow::cpu;

// These name files of bitcode, which the build makes.
alignas(16) static constexpr char bitcode[] = {
#embed GLOW_CPU_LIBRARY_BITCODE
};
alignas(16) static constexpr char functions[] = {
#embed GLOW_CPU_FUNCTION_BITCODE
};
alignas(16) static constexpr char lanes[] = {
#embed GLOW_CPU_ONE_LANE_BITCODE
};

std::span<const char> cpu::libraryBitcode() { return bitcode; }
std::span<const char> cpu::functionBitcode() { return functions; }
std::span<const char> cpu::oneLaneBitcode() { return lanes; }

/// The first row that fits.
template <typename Row, typename Fits>
static const Row *find(const std::vector<Row> &table, Fits fits) {
  auto found = std::find_if(table.begin(), table.end(), fits);
  return found == table.end() ? nullptr : &*found;
}

std::string cpu::scalarFunction(std::string_view function, ElementKind kind) {
  return "glow_function_" + std::string(function) + "_" +
         std::string(name(kind));
}

std::span<const std::pair<std::string_view, ElementKind>>
cpu::scalarFunctions() {
  static constexpr std::pair<std::string_view, ElementKind> table[] = {
#include "glow/Generated/GlowScalarTable.cpp.inc"
  };
  return table;
}

bool cpu::hasScalarFunction(std::string_view function, ElementKind kind) {
  return std::ranges::find(scalarFunctions(), std::pair(function, kind)) !=
         scalarFunctions().end();
}

const std::vector<LibraryKernel> &cpu::libraryKernels() {
#define GLOW_LIBRARY_KERNEL(mnemonic, kind, ofResult, function, failure)       \
  {mnemonic, ElementKind::kind, ofResult, #function, failure},
  static const std::vector<LibraryKernel> table = {
#include "glow/Generated/CpuLibraryKernels.cpp.inc"
  };
  return table;
}

const LibraryKernel *cpu::findLibraryKernel(std::string_view mnemonic,
                                            ElementKind operand,
                                            ElementKind result) {
  return find(libraryKernels(), [&](const LibraryKernel &row) {
    return row.mnemonic == mnemonic &&
           row.kind == (row.ofResult ? result : operand);
  });
}

std::string cpu::castFunction(ElementKind from, ElementKind to) {
  return "glow_cast_" + std::string(name(from)) + "_" + std::string(name(to));
}

bool cpu::hasCastFunction(ElementKind from, ElementKind to) {
  using enum ElementKind;
  static constexpr ElementKind kinds[] = {F32, I32, I64, Bool, I8, U8};
  auto isOne = [](ElementKind kind) {
    return std::ranges::find(kinds, kind) != std::end(kinds);
  };
  return from != to && isOne(from) && isOne(to);
}
