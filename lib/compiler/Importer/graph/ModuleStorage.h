//===- ModuleStorage.h - the module that import fills -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_GRAPH_MODULESTORAGE_H
#define GLOW_LIB_IMPORTER_GRAPH_MODULESTORAGE_H

#include "glow/Base/Status.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/Importer.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace glow {

/// A module with placeholders, constants and one function, and the memory that
/// its tensors take. Messages do not name the file.
class ModuleStorage {
public:
  /// `path` is the model's file. The names of `interface` are reserved for its
  /// ports. `limit` is in bytes, 0 for the default.
  ModuleStorage(mlir::MLIRContext &context, llvm::StringRef path,
                const ModelInterface &interface, uint64_t limit);

  /// The end of the function.
  mlir::OpBuilder &builder();

  /// The location of the file, and of a name in it.
  mlir::Location file() const { return fileLocation; }
  mlir::Location named(llvm::StringRef name) const;

  /// Sets values that inputs added from now on may be assumed to have. Fails
  /// when the elements of one do not have the form of a module's constants.
  Status setValues(const std::vector<Constant> &values);
  Status setValue(llvm::StringRef input, const Constant &value);

  /// Adds an input with a name of its own and reads it.
  Result<mlir::Value> addStageInput(llvm::StringRef name,
                                    const TensorType &type);

  /// Adds an input and reads it.
  Result<mlir::Value> addInput(const ModelPort &port, const Sizes &shape);

  /// Adds an output, which comes after the inputs, and saves to it. Nodes of
  /// other modules may read it, and may include a step (Graph/Continuity.h).
  Status addOutput(const ModelPort &port, mlir::Value value,
                   bool isReadElsewhere = false);

  PlaceholderOp newestPort() const { return lastPort; }

  /// Whether a constant of this type keeps the module's constants below the
  /// limit. Called before its bytes are read.
  Status admit(llvm::StringRef name, ElementKind kind, const Ints &shape);

  /// Adds a constant and reads it. A number may be appended to its name.
  mlir::Value addConstant(llvm::StringRef name, mlir::ElementsAttr value);

  /// Adds a function that nodes of control flow call, with an empty body,
  /// before the functions that it may call.
  FuncOp addFunction(llvm::StringRef wanted, mlir::Location location);

  /// Adds a parameter or result of such a function; returns its name.
  mlir::StringAttr addPort(llvm::StringRef wanted, mlir::Type type);

  /// Whether the result of a node stays below the limit.
  Status admitResult(mlir::Value value) const;

  /// The value of the constant that an operation reads; null when the operation
  /// reads no constant.
  mlir::ElementsAttr constantRead(mlir::Operation *op) const;

  /// The given value of the input that an operation reads; null when the
  /// operation reads no input with a given value.
  mlir::ElementsAttr givenRead(mlir::Operation *op) const;

  /// Whether nodes may treat the input that `op` reads as its given value: a
  /// few integers. A program specialised on more elements would hardly run
  /// twice.
  bool looksThrough(mlir::Operation *op) const;
  void setLookThrough(bool on) { lookThrough = on; }

  /// Marks the input that an operation reads as assumed to have its given
  /// value.
  void assume(mlir::Operation *read);

  /// The module without unused nodes and constants.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  /// The same without unread inputs.
  mlir::OwningOpRef<mlir::ModuleOp> finishStage();

  /// Whether the value of an input was assumed.
  bool isAssumed(llvm::StringRef input) const;

private:
  mlir::StringAttr uniqueName(llvm::StringRef wanted);
  mlir::ArrayAttr dimensionNames(const ModelPort &port, size_t rank);
  mlir::Value read(mlir::Location location, mlir::StringAttr storage,
                   mlir::Type type);
  /// As `admit`, for an input or output, of which the least sizes count.
  Status admitPort(llvm::StringRef name, mlir::RankedTensorType type);
  Ints leastShape(mlir::RankedTensorType type) const;
  Status grow(llvm::StringRef name, ElementKind kind, const Ints &shape,
              uint64_t bytes);

  mlir::OpBuilder storageBuilder, bodyBuilder;
  mlir::Location fileLocation;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  FuncOp function;
  PlaceholderOp lastPort; ///< the placeholder that came last
  llvm::StringSet<> names;
  llvm::StringMap<unsigned> counts;     ///< of names that were wanted again
  llvm::StringMap<PlaceholderOp> ports; ///< by symbol
  llvm::StringMap<mlir::ElementsAttr> constants;
  llvm::StringMap<mlir::ElementsAttr> givens; ///< by input
  llvm::StringSet<> givenSizes;               ///< variables of inputs
  uint64_t limit, taken = 0;                  ///< in bytes
  bool lookThrough = true;
};

/// Elements as an attribute. A few elements are in the text of the module; more
/// refer to the existing bytes.
mlir::ElementsAttr elementsNamed(llvm::StringRef name,
                                 mlir::RankedTensorType type,
                                 TensorBytes bytes);

/// The text of a tensor type in messages: "f32[2,3]".
std::string typeText(mlir::Type type);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPH_MODULESTORAGE_H
