//===- ImportContext.h - what the import of one node may ask ----*- C++ -*-===//
//
// ClassGen makes a function and a table row of every OnnxImport record. A
// plug-in registers rows of its own in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_IMPORTCONTEXT_H
#define GLOW_IMPORTER_IMPORTCONTEXT_H

#include "glow/Base/Ints.h"
#include "glow/Importer/QuantizedForm.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace onnx {
class AttributeProto;
class NodeProto;
class TensorProto;
} // namespace onnx

namespace glow {

class GraphImporter;
class ImportContext;
struct ImportScope;

/// An input or an attribute, or a word of one, that the operator has only from
/// a later opset on.
struct LaterPart {
  int opset;
  const char *name;
  const char *word; ///< "" for any
};

/// How the nodes of one operator are imported, from one opset on.
struct ImportEntry {
  const char *domain; ///< "" and "ai.onnx" are the same
  const char *op;
  int since; ///< the first opset of `domain` for which this row holds

  /// Makes nodes and sets every output that `wantsOutput`. Fails after a call
  /// of `ImportContext::fail`, or after an error told to the diagnostic engine,
  /// which then becomes the reason.
  mlir::LogicalResult (*run)(ImportContext &);

  /// Names in order: "C?" may be absent, "X..." is the rest.
  std::span<const char *const> inputs;
  std::span<const char *const> attributes;
  unsigned minInputs, maxInputs;           ///< how many a node may list
  unsigned outputs;                        ///< how many `run` may set
  std::span<const char *const> makes = {}; ///< names of nodes `run` may build

  /// Whether a run with the numbers of elements in their place tells where each
  /// element goes.
  bool movesElements = false;

  /// A bit for each of the first 64 inputs of which `run` reads the element
  /// kind alone.
  uint64_t kindsOnly = 0;

  QuantizedForm quantized = {};

  std::span<const LaterPart> later = {};

  /// The operator that this one is called from the first opset of its record
  /// on, or "".
  const char *successor = "";
};

/// Adds rows. A row that is there already, for the same domain, operator and
/// opset, stays: a plug-in does not change what ours mean. The rows and what
/// they point at must live as long as the process. Any thread may call this.
void registerImports(std::span<const ImportEntry> entries);

/// All rows, by domain, operator and opset.
std::vector<const ImportEntry *> importEntries();

/// An operator of which a record says why it is not imported.
struct ImportRefusal {
  const char *domain, *op;
  int since;          ///< the first opset that has the operator
  const char *reason; ///< a sentence
};

/// Adds reasons, which hold as long as no row imports the operator. They must
/// live as long as the process. Any thread may call this.
void registerRefusals(std::span<const ImportRefusal> refusals);

/// Those that hold, by domain and operator.
std::vector<const ImportRefusal *> importRefusals();

/// A domain whose opsets are known.
struct ImportDomain {
  const char *name; ///< "ai.onnx" for the default one
  int64_t newest;   ///< opset
};

/// Adds domains. One that is there already stays. They must live as long as the
/// process. Any thread may call this.
void registerDomains(std::span<const ImportDomain> domains);

/// The element type of a number of TensorProto.DataType, as Cast has it. Null
/// after `fail` when we have no such elements.
mlir::Type onnxElementKind(ImportContext &context, int64_t dataType);

/// One node of a model, being imported.
class ImportContext {
public:
  /// Inserts at the end of the function. Nodes it makes should be at `location`
  /// which is the name of the model's node.
  mlir::OpBuilder &builder();
  mlir::Location location();

  /// The opset of the node's domain.
  int64_t opset();

  /// A number of 32 bits made of the node's name.
  int64_t nodeNumber();

  /// An input, null when it is absent.
  mlir::Value input(unsigned index);

  /// The inputs from `index` on, null where one is absent.
  llvm::SmallVector<mlir::Value> inputsFrom(unsigned index);

  bool hasAttribute(llvm::StringRef name);

  /// The value of an attribute, `missing` when the node has none of that name.
  /// An attribute of another type is reported, and the import of the node
  /// fails whatever its function returns.
  int64_t intAttribute(llvm::StringRef name, int64_t missing);
  double realAttribute(llvm::StringRef name, double missing);
  std::string textAttribute(llvm::StringRef name, llvm::StringRef missing);
  /// A list of texts as one, with commas between.
  std::string textsAttribute(llvm::StringRef name, llvm::StringRef missing);
  Ints intsAttribute(llvm::StringRef name, Ints missing);
  Reals realsAttribute(llvm::StringRef name, Reals missing);

  /// The values around the node that a text, or a list of them, names; none
  /// when the attribute is absent.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  valuesNamed(llvm::StringRef attribute);

  /// A tensor attribute as a glow.constant, read; null when it is absent, or
  /// when it is not a tensor one can have, which is reported as above.
  mlir::Value tensorAttribute(llvm::StringRef name);

  /// A tensor known now, as a glow.constant, read. `hint` names the constant.
  mlir::Value constant(mlir::ElementsAttr value, llvm::StringRef hint);

  /// Whether the value depends on no input of the model.
  bool isConstant(mlir::Value value);

  /// Axes that the model lists, counted from 0. Fails unless they are different
  /// ones of `rank`.
  mlir::FailureOr<Ints> axesOf(const Ints &axes, int64_t rank);

  /// Fails when the value of an attribute is none of its words.
  mlir::LogicalResult checkWord(llvm::StringRef name, llvm::StringRef value,
                                llvm::ArrayRef<llvm::StringRef> words);

  /// The elements of a value that depends on no input of the model, or only on
  /// those with a value in ImportOptions, in row-major order; nodes between are
  /// evaluated. Integers for a list of reals are converted. Otherwise calls
  /// `fail`, with the input's name.
  mlir::FailureOr<Ints> constantInts(mlir::Value value,
                                     llvm::StringRef inputName);
  mlir::FailureOr<Reals> constantReals(mlir::Value value,
                                       llvm::StringRef inputName);

  /// The tensor behind the two above, under the same conditions.
  mlir::FailureOr<mlir::ElementsAttr> constantTensor(mlir::Value value,
                                                     llvm::StringRef inputName);

  /// How many outputs the node lists, and whether something needs one.
  unsigned outputs();
  bool wantsOutput(unsigned index);

  void setOutput(unsigned index, mlir::Value value);

  /// Imports the nodes of a graph attribute here, in the scope of this node,
  /// with `arguments` as the graph's inputs. Returns the graph's outputs. Fails
  /// with a reason, or because nodes in the graph failed, each with its own.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  inlineGraph(llvm::StringRef attribute, mlir::ValueRange arguments);

  /// Says why the node cannot be imported; the first reason counts. The words
  /// follow the operator's name: "group 2 is not supported".
  mlir::LogicalResult fail(const llvm::Twine &reason);

private:
  friend class GraphImporter;
  ImportContext(GraphImporter &importer, ImportScope &scope,
                const onnx::NodeProto &node, const ImportEntry &entry,
                int64_t opset, mlir::Location location);

  /// The attribute, null when absent; null and a failure when it has not
  /// `type`, an AttributeProto::AttributeType.
  const onnx::AttributeProto *attribute(llvm::StringRef name, int type);

  GraphImporter &importer;
  ImportScope &scope;
  const onnx::NodeProto &node;
  const ImportEntry &entry;
  int64_t theOpset;
  mlir::Location theLocation;
  llvm::SmallVector<mlir::Value> inputs;  ///< null: absent
  llvm::SmallVector<mlir::Value> results; ///< null: not set
  std::string reason;                     ///< "" as long as nothing failed
  bool innerFailed = false;               ///< nodes in a graph attribute did
};

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTCONTEXT_H
