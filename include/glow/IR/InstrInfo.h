//===- InstrInfo.h - records of instructions, as data -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Tables from ClassGen, with an entry for each instruction. The parser, the
// printer and every pass on buffers use them.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IR_INSTRINFO_H
#define GLOW_IR_INSTRINFO_H

#include "glow/Graph/AttributeForm.h"
#include "glow/Graph/Shape.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace glow::ir {

/// The access of an instruction to an operand.
enum class Qualifier : uint8_t {
  In,     ///< reads it
  Out,    ///< overwrites all of it
  InOut,  ///< reads it and writes any part of it
  Scratch ///< temporary memory without contents before or after
};

struct OperandInfo {
  const char *name;
  Qualifier qualifier;
  Count count;
  const char *memory = ""; ///< memory of a backend; "" for the arena, or
                           ///< bindings
};

struct AttributeInfo {
  const char *name;
  AttributeForm form;
  std::span<const char *const> words; ///< words of a choice, in the record's
                                      ///< order

  /// The number of a word of a choice; -1 for any other word.
  int64_t numberOf(llvm::StringRef word) const {
    auto found = std::ranges::find(words, word);
    return found == words.end() ? -1 : found - words.begin();
  }
};

/// Verifies the buffers and attributes of an instruction against its signature.
/// Fails after one report.
using VerifyInstr = llvm::LogicalResult (*)(mlir::Operation *instr,
                                            glow::Report report);

/// Appends the tensor types of an instruction's scratch buffers, which follow
/// from its other buffers. Fails after a report if those are wrong.
using ScratchTypes =
    llvm::LogicalResult (*)(mlir::Operation *instr, glow::Report report,
                            llvm::SmallVectorImpl<mlir::Type> &types);

/// The cycles of a verified instruction; 0 or more.
using CostOfInstr = int64_t (*)(mlir::Operation *instr);

/// An operand whose buffer an instruction accesses only in part. The box begins
/// at the element of attribute `starts` and has the extents of attribute
/// `sizes`, each with one number for each dimension.
struct BoxInfo {
  const char *operand, *starts;
};

/// The record of an instruction. Operands and attributes are in its order.
struct InstrInfo {
  const char *mnemonic; ///< without the dialect: "conv2d"
  std::span<const OperandInfo> operands;
  std::span<const AttributeInfo> attributes;
  bool asynchronous; ///< continues after its end, until its `token` is read
  std::span<const char *const> inPlace; ///< operands that may share with @out
  const char *joins; ///< operands that @out joins in order, or null
  VerifyInstr verify;
  ScratchTypes scratch = nullptr; ///< null without scratch buffers
  const char *engine = "";        ///< the DMA engine that executes it, or ""
  std::span<const BoxInfo> boxes = {}; ///< operands with partial access
  CostOfInstr cost = nullptr; ///< null for a copy, or if it is estimated
  /// The operand whose number, in a run, is the size in attribute `length`, so
  /// that later instructions may depend on it without reading a buffer of it;
  /// "" without one.
  const char *lengthFrom = "";

  bool givesLength() const { return *lengthFrom; }
};

/// Registers instructions for every context. The table, and the texts in it,
/// must live as long as the process. A new entry replaces an old one of the
/// same mnemonic. Any thread may call.
void registerInstrs(std::span<const InstrInfo> table);

/// The entry of an instruction, or null. Any thread may call.
const InstrInfo *findInstr(llvm::StringRef mnemonic);

/// The mnemonics of all registered instructions, sorted.
std::vector<llvm::StringRef> knownInstrs();

/// The text of a qualifier: "in", "out", "inout", "scratch".
llvm::StringRef textOf(Qualifier qualifier);

} // namespace glow::ir

#endif // GLOW_IR_INSTRINFO_H
