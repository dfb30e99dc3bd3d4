//===- Importer.h - from an ONNX file to nodes ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORTER_IMPORTER_H
#define GLOW_IMPORTER_IMPORTER_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Program/Size.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace glow {

class ModelFile;

/// An input or an output of a model, as the file declares it.
struct ModelPort {
  std::string name;

  /// The element kind; exporters may omit it for an output.
  std::optional<ElementKind> kind = {};

  /// Whether the file declares a rank. Otherwise `shape` and `dimensions` are
  /// empty.
  bool ranked = true;

  /// Sizes; -1 if the size is not a number in the file.
  Ints shape = {};

  /// The names of symbolic dimensions, one for each size; "" if the size is a
  /// number or has no name.
  std::vector<std::string> dimensions = {};

  /// The type of a port that is no tensor of numbers: "a sequence", "an
  /// optional", "strings"; else "". A port with such a type has no kind. Only
  /// strings have a shape.
  std::string other = {};

  /// Whether nodes read at most its kind, so that a tensor of any shape is
  /// accepted.
  bool anyShape = false;
};

/// Inputs and outputs of a model, in the model's order.
struct ModelInterface {
  std::vector<ModelPort> inputs, outputs;

  /// Initializers that are also inputs, from IR version 4 on: constants that a
  /// run may replace. Older files have none, since they must list all
  /// initializers as inputs.
  std::vector<ModelPort> overridable = {};

  /// The file, and the files of its external weights.
  std::vector<std::string> files;
};

struct ImportOptions {
  /// Shapes by the name of the input. A shape has all dimensions of its input,
  /// and must agree with the sizes in the file. Every use of a dimension's
  /// name, in any input, takes the size that it has here. An overridable
  /// initializer with a shape here becomes an input, after those of the model.
  std::map<std::string, Ints> shapes;

  /// Sizes that a run gives: ranges of the model's dimensions, by their names.
  /// A dimension without a name has the name of its input, a point and its
  /// number: "x.0". A shape of `shapes` must not contradict.
  std::vector<SizeVariable> sizes;

  /// Sizes of inputs that a run gives, by the name of the input, for a model
  /// that is imported by itself: all dimensions, of which open ones may be any
  /// expressions. They are those of a module that the model was written of.
  std::map<std::string, Sizes> lengths;

  /// Not null: nodes may compute sizes, lengths whose variables no input has,
  /// and the number receives how many do. Null: an operator with such a result
  /// is for the host.
  unsigned *computedLengths = nullptr;

  /// Assumed values of inputs, by name. They are used where a node's import
  /// depends on a value that an input determines. The placeholder of the input
  /// then has `assumed`.
  std::vector<Constant> values;

  /// Whether layers that differ in training become nodes of training, which the
  /// pass `training-layers` replaces where they compute as for inference.
  bool isForTraining = false;

  /// Whether the module is for changes of the file: each operation has its
  /// Origin. Nodes of the file that cannot be imported are left out, with those
  /// that depend on them. The values that such a node reads, or a body, are
  /// outputs with an Origin, so that they are not changed.
  bool isForChanges = false;

  /// For changes, types of results of nodes that cannot be imported, by name.
  /// The module has an input for such a result; `values` may have its value.
  std::map<std::string, TensorType> given;

  /// For changes, not null: receives the names of such results that have no
  /// type in `given`, if the operands of their nodes are there.
  std::vector<std::string> *missing = nullptr;

  /// Memory limit for the tensors of the model, in bytes; 0 for
  /// `defaultMemoryLimit`.
  uint64_t memoryLimit = 0;

  /// The greatest number of trips of a `Loop`, whose run fails where another
  /// trip follows; 0 for no limit.
  int64_t maxIterations = 0;
};

/// Imports an ONNX file as a module. Inputs and outputs become
/// `glow.placeholder`, weights `glow.constant`. The nodes that the outputs need
/// form `glow.func @main`, in the file's order if that is topological. All
/// shapes are static. Nodes and storage have the model's names as locations:
/// NameLoc, with the file as its child.
///
/// Weights are not copied: they point into the mapped file. Misaligned weights
/// are read once into memory of their own. The file must not change while the
/// module lives.
///
/// Null after an error that was reported to the diagnostic engine of `context`.
/// A malformed file is reported at its first fault. Nodes that cannot be
/// imported are all reported together.
///
/// A model that must be run in stages (ModelGraph.h) is such an error too. With
/// `inStages`, nothing is reported in that case, and `*inStages` becomes true.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(mlir::MLIRContext &context,
                                             ModelFile &file,
                                             const ImportOptions &options,
                                             bool *inStages = nullptr);

/// Templates of records for the operators of an ONNX file that no record
/// imports: for each, a node without a meaning and its OnnxImport.
/// `glow-classgen` reads the text. Fails with the file's name in the message if
/// the file cannot be read.
Result<std::string> operatorStubs(const std::string &path);

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTER_H
