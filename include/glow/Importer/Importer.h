//===- Importer.h - from an ONNX file to nodes ------------------*- C++ -*-===//

#ifndef GLOW_IMPORTER_IMPORTER_H
#define GLOW_IMPORTER_IMPORTER_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
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

  /// Exporters may leave it out of an output.
  std::optional<ElementKind> kind = {};

  /// Whether the file says how many dimensions there are. Otherwise `shape`
  /// and `dimensions` are empty.
  bool ranked = true;

  /// -1 where the size is not a number in the file.
  Ints shape = {};

  /// As many as `shape` has: the name of a symbolic dimension, "" where the
  /// size is a number or the file has no name for it.
  std::vector<std::string> dimensions = {};

  /// "a sequence", "an optional", "strings": what it is when it is no tensor
  /// of numbers, and then has no kind; else "". Only strings have a shape.
  std::string other = {};

  /// Whether nodes read at most its kind, so that a tensor of any shape does.
  bool anyShape = false;
};

/// Inputs and outputs of a model, in the model's order.
struct ModelInterface {
  std::vector<ModelPort> inputs, outputs;

  /// Initializers that are listed as inputs too, from IR version 4 on: constants
  /// that a run may replace. No older file has any, since its initializers must
  /// all be listed.
  std::vector<ModelPort> overridable = {};

  /// The file, and others that it says weights are in.
  std::vector<std::string> files;
};

struct ImportOptions {
  /// Shapes by the name of the input. All dimensions of an input are given, and
  /// must agree with those that are numbers in the file. Every use of a
  /// dimension's name, in any input, takes the value that it has here. An
  /// overridable initializer that has a shape here becomes an input, behind
  /// those of the model.
  std::map<std::string, Ints> shapes;

  /// Values of inputs, by name. Where a node cannot be imported unless a value
  /// is known, and an input decides it, the one given here is taken, and the
  /// placeholder says that it is `assumed`.
  std::vector<Constant> values;

  /// The bytes that the tensors of the model may take; 0 for
  /// `defaultMemoryLimit`.
  uint64_t memoryLimit = 0;
};

/// Imports an ONNX file: a module with the model's inputs and outputs as
/// `glow.placeholder`, its weights as `glow.constant`, and the nodes that the
/// outputs need as `glow.func @main`, in the file's order where that is an
/// order. All shapes are static. Nodes and storage have the model's names as
/// locations: NameLoc, with the file as its child.
///
/// Weights are not copied: they are the mapped file, or were read once into
/// memory of their own where the file has them at an odd address. The file must
/// not change while the module lives.
///
/// Null after an error, which was told to the diagnostic engine of `context`.
/// What the file gets wrong is told at its first fault; nodes that cannot be
/// imported are all told together.
///
/// A model that must be run in stages (ModelGraph.h) is such an error, unless
/// there is `inStages`: then nothing is told, and it becomes true.
mlir::OwningOpRef<mlir::ModuleOp> importOnnx(mlir::MLIRContext &context,
                                             ModelFile &file,
                                             const ImportOptions &options,
                                             bool *inStages = nullptr);

/// Records for the operators of an ONNX file that none imports, to be filled
/// in: of each a node without a meaning and its OnnxImport, in one text that
/// `glow-classgen` reads. Fails with the file's name in the message when it
/// cannot be read.
Result<std::string> operatorStubs(const std::string &path);

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTER_H
