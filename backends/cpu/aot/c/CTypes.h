//===- CTypes.h - types, names and constants of LLVM IR in C --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_C_CTYPES_H
#define GLOW_BACKENDS_CPU_AOT_C_CTYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <set>
#include <string>

namespace glow::cpu {

/// Spells types, names and constants of LLVM IR in C. Collects the types and
/// values that it cannot spell in `unknown`.
class CNames {
public:
  explicit CNames(const llvm::Module &module);

  /// The C type: unsigned integers, float, double, `char *`, or a struct, which
  /// is defined by `definitions`. An i1 is a byte, 0 or 1.
  std::string type(llvm::Type *type);
  /// The type of a member of a struct or an array. An address takes 8 bytes on
  /// every processor, so that the members after it have the same offset.
  std::string memberType(llvm::Type *type);
  /// The type of elements in memory that may be read as another type later.
  std::string aliased(llvm::Type *type);
  /// The signed type of an integer: int32_t.
  std::string signedType(llvm::Type *type);

  /// Whether the word is reserved in C.
  static bool isWord(llvm::StringRef name);

  /// A name of C for a function or global.
  std::string global(const llvm::GlobalValue *value);

  /// A constant as an expression, or as an initializer.
  std::string constant(const llvm::Constant *value);
  std::string initializer(const llvm::Constant *value);

  /// Lane `index` of an expression that is a vector; else the expression
  /// itself.
  static std::string lane(llvm::Type *type, const std::string &value,
                          const std::string &index);

  /// Declares a function of the C library that is called. `prototype` has no
  /// semicolon.
  void declare(const std::string &prototype) { functions.insert(prototype); }

  std::string definitions;         ///< definitions of the types so far
  std::set<std::string> functions; ///< prototypes of the C library so far
  llvm::StringSet<> unknown;
  const llvm::DataLayout &layout;

private:
  std::string number(const llvm::Constant *value);
  std::string zero(llvm::Type *type);
  std::string aggregate(const llvm::Constant *value);

  llvm::DenseMap<llvm::Type *, std::string> types;
  llvm::DenseMap<const llvm::GlobalValue *, std::string> names;
  llvm::StringSet<> taken;   ///< names of internal functions so far
  llvm::StringSet<> visible; ///< names of all other functions
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_C_CTYPES_H
