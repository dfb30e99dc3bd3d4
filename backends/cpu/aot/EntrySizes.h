//===- EntrySizes.h - sizes of a run in an entry point ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An entry point of open sizes takes the address of a struct with the value of
// each size variable, an integer of 64 bits. Two functions beside it take the
// same struct; the header of the bundle (BundleHeader.cpp) describes them:
//
//   const char *name_mistake(const struct name_sizes *, int number)
//   int name_measure(const struct name_sizes *, struct name_tensors *)
//
// Sizes that steps compute are the last fields of the struct, which the entry
// point writes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_AOT_ENTRYSIZES_H
#define GLOW_BACKENDS_CPU_AOT_ENTRYSIZES_H

#include "Bundle.h"
#include "InfoConstants.h"
#include "codegen/emit/Emit.h"
#include <map>

namespace glow::cpu {

/// The values of lengths in a function that takes the struct.
class EntrySizes {
public:
  /// Reads the struct at the insertion point of `code`.
  EntrySizes(Emitter &code, const BundleEntry &entry, llvm::Value *address);

  /// The value of a length. It is computed at the insertion point, or was
  /// before, in a block that dominates all that follow. A length of computed
  /// sizes is read each time: a trip of a loop may change it.
  llvm::Value *at(const Length &length);
  /// The value of a variable; null if it is no variable of the entry point.
  llvm::Value *find(const SizeVariable &variable);
  /// Whether steps compute sizes that the length has.
  bool isComputed(const Length &length) const;
  /// Writes a size that a step computes.
  void set(const SizeVariable &variable, llvm::Value *size);

private:
  /// The address of a computed size; null for any other.
  llvm::Value *placeOf(const SizeVariable &variable);

  Emitter &code;
  const BundleEntry &entry;
  llvm::Value *address;                    ///< of the struct
  llvm::SmallVector<llvm::Value *> values; ///< of `entry.sizes`
  std::map<std::string, llvm::Value *> known;
};

/// Adds a function of an entry point, which has this very name in the object.
llvm::Function *addVisible(CodeModule &module, const std::string &name,
                           llvm::FunctionType *type);

/// Adds the functions of an entry point that take sizes alone. Returns the
/// internal function by which all of them find mistakes:
///   char *(const int64_t *sizes, int32_t number)
llvm::Function *emitSizeFunctions(CodeModule &module, const BundleEntry &entry);

/// Makes the StepInfo of open steps, in memory of the entry point's call.
class OpenSteps {
public:
  /// Reserves memory at the insertion point, in the first block.
  OpenSteps(Emitter &code, const BundleEntry &entry, EntrySizes &sizes);

  /// Stores a size that a step computes, for this step and those that follow.
  void set(const SizeVariable &variable, llvm::Value *size);
  /// The StepInfo of a step. Code without a measure reads only its sizes.
  llvm::Value *infoOf(const Step &step, const StepSymbols &symbols);
  /// The StepWork that a measure finds.
  struct Work {
    llvm::Value *chunks, *scratchBytes;
  };
  Work measure(llvm::StringRef function, llvm::Value *info);

private:
  /// Memory for the StepInfo of a library kernel, in words of 8 bytes.
  size_t wordsOf(const Step &step) const;
  llvm::Value *place(size_t word);
  void store(llvm::Value *value, size_t word);
  /// Stores sizes from a word on; returns their address.
  llvm::Value *storeSizes(llvm::ArrayRef<Length> sizes, size_t &word);
  llvm::Value *shapesOf(const Step &step, size_t &word);
  llvm::Value *attributesOf(const Step &step, const StepInfo &info,
                            size_t &word);

  Emitter &code;
  const BundleEntry &entry;
  EntrySizes &sizes;
  InfoConstants constants;
  llvm::Value *values; ///< StepInfo::sizes of all steps
  llvm::Value *simple; ///< a StepInfo with these alone
  llvm::Value *frame;  ///< the StepInfo of one library kernel at a time
  llvm::Value *work;   ///< a StepWork
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_ENTRYSIZES_H
