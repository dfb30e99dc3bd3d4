//===- ImportContext.h - import of one node ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// ClassGen generates a function and a table row for each OnnxImport record. A
// plug-in registers its own rows in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_IMPORTCONTEXT_H
#define GLOW_IMPORTER_IMPORTCONTEXT_H

#include "glow/Program/Size.h"
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

/// An input, an attribute, or a word of an attribute, that the operator has
/// only from a later opset on.
struct LaterPart {
  int opset;
  const char *name;
  const char *word; ///< "" for any word
};

/// The import of an operator, from one opset on.
struct ImportEntry {
  const char *domain; ///< "" and "ai.onnx" are the same
  const char *op;
  int since; ///< the first opset of `domain` for which the row applies

  /// Makes nodes and sets every output that `wantsOutput`. Fails after a call
  /// of `ImportContext::fail`, or after an error in the diagnostic engine,
  /// which then becomes the reason.
  mlir::LogicalResult (*run)(ImportContext &);

  /// Names in order: "C?" may be absent, "X..." is the rest.
  std::span<const char *const> inputs;
  std::span<const char *const> attributes;
  unsigned minInputs, maxInputs;           ///< limits for a node
  unsigned outputs;                        ///< outputs that `run` may set
  std::span<const char *const> makes = {}; ///< names of nodes that `run` may
                                           ///< build

  /// Whether `run` only moves elements. A run on the numbers of the elements,
  /// in place of the elements, then shows where each one goes.
  bool movesElements = false;

  /// A bit for each of the first 64 inputs from which `run` reads only the
  /// element kind.
  uint64_t kindsOnly = 0;

  /// The opset from which the inputs may be bf16 in a quantised model; 0: none.
  int64_t bf16From = 0;

  std::span<const LaterPart> later = {};

  /// The element kinds of inputs for which the model declares none; "" for f32.
  std::span<const char *const> kinds = {};

  /// The operator's new name from the first opset of its record on, or "".
  const char *successor = "";

  /// The element kind of the argument `values`, which becomes one tensor of the
  /// shape in the argument `shape`; "" for operators without one.
  const char *valuesAs = "";

  /// Whether each input, or output, of an operator of Caffe2 is three values:
  /// bytes, their scale and their zero point.
  bool takesSteps = false, givesSteps = false;

  /// Whether inputs may be sequences.
  bool takesSequences = false;
};

/// Adds rows. An existing row for the same domain, operator and opset stays, so
/// that a plug-in does not change the meaning of Glow's own rows. The rows and
/// their contents must live as long as the process. Any thread may call this.
void registerImports(std::span<const ImportEntry> entries);

/// All rows, by domain, operator and opset.
std::vector<const ImportEntry *> importEntries();

/// An operator that is not imported, with the reason from its record.
struct ImportRefusal {
  const char *domain, *op;
  int since;          ///< the first opset that has the operator
  const char *reason; ///< a sentence
};

/// Adds reasons, which apply as long as no row imports the operator. They must
/// live as long as the process. Any thread may call this.
void registerRefusals(std::span<const ImportRefusal> refusals);

/// The reasons that apply, by domain and operator.
std::vector<const ImportRefusal *> importRefusals();

/// Adds names of arguments of Caffe2 that choose an implementation. No result
/// depends on such an argument, and no record has it. The names must live as
/// long as the process. Any thread may call this.
void registerHints(std::span<const char *const> names);

/// A domain of operators and its newest known opset.
struct ImportDomain {
  const char *name; ///< "ai.onnx" for the default one
  int64_t newest;   ///< opset
};

/// Adds domains; an existing one stays. They must live as long as the process.
/// Any thread may call this.
void registerDomains(std::span<const ImportDomain> domains);

/// The element type of a number of TensorProto.DataType, as in Cast. Null after
/// `fail` if Glow has no such element type.
mlir::Type onnxElementKind(ImportContext &context, int64_t dataType);

/// One node of a model during its import.
class ImportContext {
public:
  /// The builder, at the end of the function. New nodes should have `location`,
  /// which is the name of the model's node.
  mlir::OpBuilder &builder();
  mlir::Location location();

  /// The opset of the node's domain.
  int64_t opset();

  /// A number of 32 bits, derived from the node's name.
  int64_t nodeNumber();

  /// An input; null if it is absent.
  mlir::Value input(unsigned index);

  /// The inputs from `index` on; null for an absent one.
  llvm::SmallVector<mlir::Value> inputsFrom(unsigned index);

  bool hasAttribute(llvm::StringRef name);

  /// The value of an attribute, or `missing` if the node has none of that name.
  /// An attribute of another type is reported, and the import of the node fails
  /// whatever its function returns.
  int64_t intAttribute(llvm::StringRef name, int64_t missing);
  double realAttribute(llvm::StringRef name, double missing);
  std::string textAttribute(llvm::StringRef name, llvm::StringRef missing);
  /// A list of texts, joined by commas.
  std::string textsAttribute(llvm::StringRef name, llvm::StringRef missing);
  Ints intsAttribute(llvm::StringRef name, Ints missing);
  Reals realsAttribute(llvm::StringRef name, Reals missing);

  /// The values, in the scope of the node, that a text attribute or a list of
  /// texts names. Empty if the attribute is absent.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  valuesNamed(llvm::StringRef attribute);

  /// A read of a glow.constant with the value of a tensor attribute. Null if
  /// the attribute is absent, or if the tensor is unsupported, which is
  /// reported as above.
  mlir::Value tensorAttribute(llvm::StringRef name);

  /// A read of a glow.constant with a known tensor. `hint` names the constant.
  mlir::Value constant(mlir::ElementsAttr value, llvm::StringRef hint);

  /// Whether the value depends on no input of the model.
  bool isConstant(mlir::Value value);

  /// Axes that the model lists, counted from 0. Fails unless they are distinct
  /// axes of `rank`.
  mlir::FailureOr<Sizes> axesOf(const Sizes &axes, int64_t rank);

  /// Fails if the value of an attribute is none of its words.
  mlir::LogicalResult checkWord(llvm::StringRef name, llvm::StringRef value,
                                llvm::ArrayRef<llvm::StringRef> words);

  /// The elements, in row-major order, of a value that depends on no input of
  /// the model, or only on inputs with a value in ImportOptions. Nodes in
  /// between are evaluated. Sizes that a run gives are lengths. Integers are
  /// converted for a list of reals. Otherwise calls `fail`, with the input's
  /// name.
  mlir::FailureOr<Sizes> constantSizes(mlir::Value value,
                                       llvm::StringRef inputName);
  mlir::FailureOr<Reals> constantReals(mlir::Value value,
                                       llvm::StringRef inputName);

  /// The tensor that constantSizes and constantReals read, under the same
  /// conditions.
  mlir::FailureOr<mlir::ElementsAttr> constantTensor(mlir::Value value,
                                                     llvm::StringRef inputName);

  /// The number in an i64 tensor of one element as a size: a number if the
  /// tensor is constant, else a new size variable of 0 to `most`, which a node
  /// with `lengthFrom` must bind. Fails if programs are not to compute sizes.
  mlir::FailureOr<Size> computedLength(mlir::Value count, const Size &most);

  /// Whether only a run gives the integers of a tensor, and nodes may compute
  /// sizes from them.
  bool isOfRun(mlir::Value value);

  /// The greatest size in the range that ImportOptions has for an axis of the
  /// first output, or -1.
  int64_t mostOf(int64_t axis);

  /// Number of outputs that the node lists, and whether an output is used.
  unsigned outputs();
  bool wantsOutput(unsigned index);

  void setOutput(unsigned index, mlir::Value value);

  /// Imports the nodes of a graph attribute here, in the scope of this node,
  /// with `arguments` as the graph's inputs. Returns the graph's outputs. Fails
  /// with a reason, or because nodes in the graph failed, each with its own
  /// reason.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  inlineGraph(llvm::StringRef attribute, mlir::ValueRange arguments);

  /// Leaves the node to the host, which is no failure of the model. Without a
  /// reason, that of the host's operator holds.
  mlir::LogicalResult leaveToHost(const llvm::Twine &reason = "");

  /// Whether the module becomes a program of training (ImportOptions).
  bool isForTraining();

  /// Whether the model is imported whole, and not as a stage or for changes:
  /// sequences of known tensors then need no host.
  bool isWholeModel();

  /// Whether branches and loops may become nodes that call functions.
  bool mayCallFunctions();

  /// The greatest number of trips of a loop; 0 for no limit.
  int64_t maxIterations();

  /// Imports a graph attribute as a function that nodes of control flow call,
  /// with `parameters` of these types. `prepare` gives the graph's inputs for
  /// their values. `choose` replaces the graph's outputs by
  /// the results of the function; it may make nodes, and fails after `fail`.
  /// Values around the graph become further parameters, constants are read in
  /// the function. Fails as `inlineGraph` does; then the whole node is left to
  /// the host.
  struct Function {
    mlir::FlatSymbolRefAttr name;
    llvm::SmallVector<mlir::Value> captured; ///< values of further parameters
    llvm::SmallVector<mlir::Type> results;
  };
  using Choose = llvm::function_ref<mlir::LogicalResult(
      llvm::SmallVectorImpl<mlir::Value> &)>;
  using Prepare = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::ValueRange parameters)>;
  mlir::FailureOr<Function> outlineGraph(llvm::StringRef attribute,
                                         mlir::TypeRange parameters,
                                         Prepare prepare, Choose choose);

  /// Reports why the node cannot be imported; the first reason counts. The
  /// words follow the operator's name: "group 2 is not supported".
  mlir::LogicalResult fail(const llvm::Twine &reason);

private:
  friend class GraphImporter;
  ImportContext(GraphImporter &importer, ImportScope &scope,
                const onnx::NodeProto &node, const ImportEntry &entry,
                int64_t opset, mlir::Location location);

  /// The attribute; null if it is absent. Null, and a failure, if it is not of
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
  std::string reason;                     ///< "" as long as nothing has failed
  bool innerFailed = false; ///< whether nodes in a graph attribute failed
  bool needsHost = false;   ///< whether a run gives a size of a result
  std::string whyHost;      ///< the reason for the host; "" for the operator's
  bool readsMore = false; ///< whether graphs or values beside inputs were read
  llvm::SmallVector<mlir::Operation *> made; ///< by `run`, in order
};

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTCONTEXT_H
