//===- InstrInfo.h - what the records say of instructions -------*- C++ -*-===//
//
// The tables that ClassGen writes, one entry an instruction. The parser, the
// printer and every pass on buffers go by them.
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

/// How an instruction touches an operand.
enum class Qualifier : uint8_t {
  In,     ///< reads it
  Out,    ///< writes the whole of it
  InOut,  ///< reads it and writes any part of it
  Scratch ///< has nothing in it before or after
};

struct OperandInfo {
  const char *name;
  Qualifier qualifier;
  Count count;
  const char *memory = ""; ///< of a backend; "" for the arena, or bindings
};

struct AttributeInfo {
  const char *name;
  AttributeForm form;
  std::span<const char *const> words; ///< of a choice, in the record's order

  /// The number of a word of a choice; -1 if it is none.
  int64_t numberOf(llvm::StringRef word) const {
    auto found = std::ranges::find(words, word);
    return found == words.end() ? -1 : found - words.begin();
  }
};

/// Checks the buffers and the attributes of an instruction by its signature.
/// Tells the one message of what does not fit, and fails then.
using VerifyInstr = llvm::LogicalResult (*)(mlir::Operation *instr,
                                            glow::Report report);

/// Adds the tensors that the scratch buffers of an instruction must hold, which
/// follow from its other buffers. Tells what is wrong with these, and fails
/// then.
using ScratchTypes =
    llvm::LogicalResult (*)(mlir::Operation *instr, glow::Report report,
                            llvm::SmallVectorImpl<mlir::Type> &types);

/// How many cycles an instruction takes that its verifier has let pass; 0 or
/// more.
using CostOfInstr = int64_t (*)(mlir::Operation *instr);

/// An operand of whose buffer an instruction touches a part alone: from the
/// element that one attribute says, as many as attribute `sizes` says, each
/// with one number a dimension.
struct BoxInfo {
  const char *operand, *starts;
};

/// One instruction. Operands and attributes are in the order of the record.
struct InstrInfo {
  const char *mnemonic; ///< without the dialect: "conv2d"
  std::span<const OperandInfo> operands;
  std::span<const AttributeInfo> attributes;
  bool asynchronous; ///< runs on after its end, until its `token` is read
  std::span<const char *const> inPlace; ///< operands that may share with @out
  const char *joins; ///< operands that @out has one after the other, or null
  VerifyInstr verify;
  ScratchTypes scratch = nullptr; ///< null for one without scratch
  const char *engine = "";        ///< the DMA engine that carries it out, or ""
  std::span<const BoxInfo> boxes = {}; ///< of the parts that it touches
  CostOfInstr cost = nullptr; ///< null for a copy, and where it is estimated
};

/// Makes instructions known, for every context. The table, and the texts in it,
/// must live as long as the process. A mnemonic that is known already gets the
/// new entry. Any thread may call.
void registerInstrs(std::span<const InstrInfo> table);

/// The entry of an instruction, or null if there is none. Any thread may call.
const InstrInfo *findInstr(llvm::StringRef mnemonic);

/// The mnemonics of all known instructions, sorted.
std::vector<llvm::StringRef> knownInstrs();

/// The text of a qualifier: "in", "out", "inout", "scratch".
llvm::StringRef textOf(Qualifier qualifier);

} // namespace glow::ir

#endif // GLOW_IR_INSTRINFO_H
