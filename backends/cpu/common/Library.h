//===- Library.h - the library of kernels, as bitcode ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The functions of backends/cpu/library, compiled to LLVM bitcode that is part
// of the program. They are optimised already, and for no specific processor.
// The linking code sets the module's triple and data layout (of any
// little-endian processor with 64-bit addresses), and replaces the function
// attributes "target-cpu" and "target-features". Functions have C linkage.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_COMMON_LIBRARY_H
#define GLOW_BACKENDS_CPU_COMMON_LIBRARY_H

#include "glow/Base/ElementKind.h"
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow::cpu {

/// A module of LLVM bitcode; lives as long as the program.
std::span<const char> libraryBitcode();

/// The part of the library that has functions of elements, and no kernel.
std::span<const char> functionBitcode();

/// The same functions for vectors of one lane, which travel as integers. Code
/// calls them by their names and `oneLane`.
std::span<const char> oneLaneBitcode();
constexpr std::string_view oneLane = ".1";

/// The function of a ScalarFunction record for sixteen elements, of f32 by
/// value, of other kinds by address, the result's first:
///   <16 x float> name(<16 x float> operand...)
std::string scalarFunction(std::string_view function, ElementKind kind);
/// The functions that the library has, each with its element kind.
std::span<const std::pair<std::string_view, ElementKind>> scalarFunctions();
bool hasScalarFunction(std::string_view function, ElementKind kind);

/// A Kernel record: the StepKernel `function` and the
/// StepMeasure `function`_work, for the instruction of a node.
struct LibraryKernel {
  std::string_view mnemonic;
  ElementKind kind; ///< element kind of the first operand
  bool ofResult;    ///< `kind` is that of the first result instead
  std::string_view function;
  std::string_view failure; ///< the error that values can cause; or ""
};
const std::vector<LibraryKernel> &libraryKernels();

/// The kernel for the kinds of the first operand and result; null when the
/// library has none.
const LibraryKernel *findLibraryKernel(std::string_view mnemonic,
                                       ElementKind operand, ElementKind result);

/// The function that converts 16 elements, where the library has one.
std::string castFunction(ElementKind from, ElementKind to);
bool hasCastFunction(ElementKind from, ElementKind to);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_LIBRARY_H
