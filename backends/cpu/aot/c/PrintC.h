//===- PrintC.h - LLVM IR as portable C -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
#define GLOW_BACKENDS_CPU_AOT_C_PRINTC_H

#include "glow/Base/Status.h"
#include "llvm/IR/Module.h"
#include <map>
#include <string>
#include <vector>

namespace glow::cpu {

/// The attribute of a parameter that is a size of the run, which C has as a
/// signed integer.
constexpr llvm::StringLiteral sizeAttribute = "glow-size";
/// The name of a global that C has as text.
constexpr llvm::StringLiteral mistakeText = "mistake";

/// How C declares a function: types, each with a space where a name follows.
struct CSignature {
  std::string result;
  struct Parameter {
    std::string type, name;
  };
  std::vector<Parameter> parameters;
};
using CSignatures = std::map<std::string, CSignature>;

/// A string literal. Octal escapes have three digits, so that a following digit
/// is no part of them. Question marks are escaped, as they may begin a
/// trigraph.
std::string literal(llvm::StringRef text);

/// Prints the functions and data of a module as C99. Vectors become structs of
/// arrays, and intrinsics become libm functions. The module has 64-bit
/// addresses; the C code is for little-endian processors with 64-bit or 32-bit
/// addresses. It needs the freestanding headers of C, and `header`, which
/// declares the bundle's functions as `visible` has them. Removes unused values
/// from the module. Supports the LLVM IR that Glow's emitters and library use;
/// fails with Code::Unsupported, naming all unknown instructions.
Result<std::string> printC(llvm::Module &module, const std::string &header,
                           const CSignatures &visible);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_PRINTC_H
