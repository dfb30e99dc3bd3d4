//===- InstrCall.h - the instructions that a node's record lists ----------===//
//
//   half = buffer("T[n,m]");   a buffer between instructions
//   out = in;                  a copy
//   Add(out, half, in);        an instruction: buffers in the order of its
//                              record, then attributes, any by name
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_INSTRCALL_H
#define GLOW_GEN_MODEL_INSTRCALL_H

#include "Model/Node.h"
#include <optional>

namespace glow::gen {

/// A buffer that an instruction is given: scratch is none.
struct BufferOperand {
  std::string name;
  llvm::StringRef qualifier; // "in", "out" or "inout"
  llvm::StringRef count;     // "", "?" or "..."
};

/// What a call names: an Instr record, or a node, of which one is derived.
struct InstrSignature {
  std::string mnemonic;
  std::vector<BufferOperand> buffers;
  std::vector<Attribute> attributes;
  bool hasKernel; // of the reference
};
/// The instruction of this name: of the record, without `Instr` at its end.
std::optional<InstrSignature> instrNamed(const Model &model,
                                         llvm::StringRef name);

/// Which expression a call gives each buffer and each attribute; null where it
/// leaves out what may be. Anything else is refused with a caret.
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

/// Whether the reference has a kernel for the node, or for all instructions
/// that it becomes.
bool hasReference(const Model &model, const NodeModel &node);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_INSTRCALL_H
