//===- Node.h - typed views of Node and Instr records ---------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_NODE_NODE_H
#define GLOW_GEN_MODEL_NODE_NODE_H

#include "Expr/Type.h"
#include "Model/node/Signature.h"

namespace llvm {
class DagInit;
} // namespace llvm

namespace glow::gen {

/// An attribute of a node or an instruction.
struct Attribute {
  std::string name;
  Type type;
  std::string initially; // an expression; empty when it must be given
  std::string parameter; // the C++ type a builder takes
  const llvm::Record *kind;
};

/// The attributes of a Node or an Instr.
std::vector<Attribute> attributesOf(const llvm::Record &record);

/// `Floats:$T`.
struct KindBinding {
  llvm::StringRef variable;
  std::vector<llvm::StringRef> kinds;
  const char *at; // null when the text is not found
};

/// The entries of a dag of kinds, a field of `record`.
std::vector<KindBinding> kindBindings(const llvm::Record &record,
                                      const llvm::DagInit *dag);

/// A Require record.
struct Requirement {
  std::string label, message;
  ExprPtr condition;
  const llvm::Record *record;
};

/// A Sample record.
struct SampleModel {
  std::string label, refuses, attributes;
  std::vector<std::string> operands; // one text an operand, as written
  const llvm::Record *record;
  bool asWritten = false; // in no other element kinds
};

/// The base of nodes and instructions with a signature: operands and results,
/// attributes, and the requirements between them.
class SignedModel {
public:
  const llvm::Record &record;
  std::string className;
  std::vector<TensorSignature> inputs, outputs;
  std::vector<Attribute> attributes;
  std::vector<Requirement> requirements;
  std::map<std::string, std::vector<std::string>> kinds; // of each variable

  const Attribute *findAttribute(llvm::StringRef name) const;
  const TensorSignature *findInput(llvm::StringRef name) const;
  const TensorSignature *findOutput(llvm::StringRef name) const;
  /// The variables that stand for the element kinds of operands.
  std::vector<std::string> kindVariables() const;
  /// The element kinds that `kind` of a signature may be.
  std::vector<std::string> kindsOf(const TensorSignature &tensor) const;

  /// The names of attributes and dimensions, spelled `prefix` and the name.
  Scope scope(llvm::StringRef prefix) const;
  /// The names that the signature binds, in order: an int each, or ints.
  const std::vector<std::pair<std::string, Type>> &dimensionNames() const {
    return dimensions;
  }

protected:
  SignedModel(const llvm::Record &record, std::vector<TensorSignature> inputs,
              std::vector<TensorSignature> outputs);

private:
  void readKinds();
  void bindDimensions();
  std::vector<std::pair<std::string, Type>> dimensions;
};

/// A Node record, read once.
class NodeModel : public SignedModel {
public:
  NodeModel(const llvm::Record &record, const Functions &functions);

  std::string mnemonic, family;
  std::vector<SampleModel> samples;
  std::string formula, compute, hand, irgen, lowering, gradient;
  std::vector<std::pair<std::string, std::string>> tolerances; // kind, number
  int tier;
  const llvm::Record *forward;          // of which this is a gradient; or null
  std::vector<TensorSignature> scratch; // what statements write beside results

  /// The operand that the first result updates; null when there is none. An
  /// instruction has one buffer for both, which it reads and writes.
  const TensorSignature *inoutOperand() const;
  /// Whether an instruction has a buffer for the tensor.
  bool hasBuffer(const TensorSignature &tensor) const {
    return &tensor != inoutOperand();
  }
  /// The tensors for which its instruction has buffers, in order: results,
  /// operands, scratch.
  std::vector<const TensorSignature *> buffers() const;
  /// The access of its instruction to such a buffer: "out", "in", "inout",
  /// "scratch".
  llvm::StringRef qualifierOf(const TensorSignature &buffer) const;
  const TensorSignature *findScratch(llvm::StringRef name) const;
  /// The result, or the scratch, that statements write.
  const TensorSignature *findWritten(llvm::StringRef name) const;
  /// The name of the buffer of a tensor.
  const std::string &bufferOf(const TensorSignature &tensor) const {
    return hasBuffer(tensor) ? tensor.name : outputs.front().name;
  }

  /// The syntax trees, with Let functions inlined. Statements assign to
  /// elements, and no names of their own are left.
  ExprPtr formulaTree() const;
  std::vector<Statement> computeTree() const;
  /// The same statements; calls about steps of scans, as `previous(t)`, stay.
  std::vector<Statement> statements() const;

  bool isPointwise() const { return !formula.empty(); }
  bool hasKernel() const {
    return !formula.empty() || !compute.empty() || !hand.empty();
  }

private:
  void readTolerances();
  const Functions &functions;
};

/// An Instr record that no node stands behind: its buffers are operands, of the
/// shapes that it gives itself.
class InstrModel : public SignedModel {
public:
  explicit InstrModel(const llvm::Record &record);
};

/// The buffers of an Instr record that are memory of its kernel alone, as
/// results of its signature.
std::vector<TensorSignature> scratchOf(const llvm::Record &instr);

/// The name of the memory in which an instruction has this buffer; "" for the
/// arena, or where the caller has it.
llvm::StringRef memoryOf(const llvm::Record &instr, llvm::StringRef buffer);

/// Whether the buffers of an Instr record are the tensors of a node.
bool hasNode(const llvm::Record &instr);

/// Whether the records of the run are those of a plug-in.
bool isOfPlugin();
/// Whether the library has the name of a plug-in's record, or its mnemonic:
/// then the plug-in's begin with its own name in C++ and in the graph.
bool isScoped(const llvm::Record &record);
/// The C++ name of the class that is generated from a record.
std::string cxxName(const llvm::Record &record);
/// The mnemonic of a Node record.
std::string mnemonicOf(const llvm::Record &record);

/// Whether the record is of an installed Glow, for which nothing is emitted.
bool isOfLibrary(const llvm::Record &record);

/// `nodes/Convolution.td:31`, for what is generated: the folder, the file and
/// the line of a record, or of the one that it was derived from.
std::string placeOf(const llvm::Record &record);

/// The same without the line, for comments of headers and classes: sources that
/// include them stay as they are when a record only moves.
std::string sourceOf(const llvm::Record &record);
/// The family: the name of the file that holds the record.
std::string familyOf(const llvm::Record &record);

/// Everything that the records of one run declare.
class Model {
public:
  explicit Model(const llvm::RecordKeeper &records);

  const llvm::RecordKeeper &records;
  Functions functions;
  std::vector<std::unique_ptr<NodeModel>> nodes; // in the order of the files

  /// The node whose record has this name, as texts use it.
  const NodeModel *findNode(llvm::StringRef name) const;
  const NodeModel *nodeOfClass(llvm::StringRef className) const;
  const NodeModel *nodeFor(llvm::StringRef infix) const;
  /// Whether an element kind has that name, as `f32`.
  bool isKind(llvm::StringRef name) const;
  /// Whether the run emits for `record`: not so for what a plug-in includes.
  bool isOwn(const llvm::Record &record) const;
  std::vector<const NodeModel *> ownNodes() const;
  std::vector<const llvm::Record *> own(llvm::StringRef className) const;

private:
  llvm::StringMap<const NodeModel *> byName, byClass, byInfix;
};

/// The node whose tensors the buffers of an Instr record are; null when there
/// is none.
const NodeModel *nodeOf(const Model &model, const llvm::Record &instr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_NODE_H
