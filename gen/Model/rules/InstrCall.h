//===- InstrCall.h - the instructions that a node's record lists ----------===//
// SPDX-License-Identifier: MIT
//
//   half = buffer("T[n,m]");   a buffer between instructions
//   out = in;                  a copy
//   Add(out, half, in);        an instruction: buffers in the order of its
//                              record, then attributes, any by name
//   rest = n % 16;             a value
//   for i in list { ... }      the same for each
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_RULES_INSTRCALL_H
#define GLOW_GEN_MODEL_RULES_INSTRCALL_H

#include "Model/node/Node.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace glow::gen {

/// A buffer that an instruction is given: scratch is none.
struct BufferOperand {
  std::string name;
  llvm::StringRef qualifier; // "in", "out" or "inout"
  llvm::StringRef count;     // "", "?" or "..."
  llvm::StringRef memory;    // of a backend, or ""
};

/// The signature of a called instruction: of an Instr record, or of the
/// instruction that is derived from a node.
struct InstrSignature {
  std::string mnemonic;
  std::vector<BufferOperand> buffers;
  std::vector<Attribute> attributes;
  bool hasKernel;                        // of the reference
  std::vector<llvm::StringRef> memories; // those of its buffers and scratch
  bool asynchronous = false;             // it begins what its token ends
};
/// The instruction of this name: of the record, without `Instr` at its end.
std::optional<InstrSignature> instrNamed(const Model &model,
                                         llvm::StringRef name);

/// The argument of a call for each buffer and each attribute; null for an
/// optional one that the call leaves out. Any other call is refused with a
/// caret.
struct InstrArguments {
  std::vector<ExprPtr> buffers, attributes;
};
InstrArguments argumentsOf(const InstrSignature &instr, const ExprPtr &call,
                           const llvm::Record &record);

/// The names of buffers in what an operand is given: one, or those of a list.
std::vector<ExprPtr> bufferNames(const ExprPtr &given);

/// A buffer between instructions, from its statement; nothing for others.
std::optional<TensorSignature> bufferOf(const Statement &statement,
                                        const llvm::Record &record);

/// The statements that a node's record lists, in order, those of loops in their
/// place, once.
std::vector<Statement> irgenOf(const NodeModel &node);

/// The memory of each buffer that the instructions of a node use, by the
/// buffer's name. The first instruction that takes a buffer decides; "" stands
/// for operands, results and copied buffers.
llvm::StringMap<llvm::StringRef> memoriesOf(const Model &model,
                                            const NodeModel &node);

/// Whether the node, or each instruction that it becomes, has a kernel that all
/// stepwise backends may call which have these memories.
bool hasKernels(const Model &model, const NodeModel &node,
                llvm::ArrayRef<llvm::StringRef> memories);

/// The same of the reference, which has no memory beside the arena.
bool hasReference(const Model &model, const NodeModel &node);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_INSTRCALL_H
