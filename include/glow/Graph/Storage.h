//===- Storage.h - element kinds and bytes of tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_STORAGE_H
#define GLOW_GRAPH_STORAGE_H

#include "glow/Base/ElementKind.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include <memory>
#include <optional>

namespace glow {

/// The run-time kind of an element type; a quantised type gives the kind of its
/// storage. Nothing for types that cannot be stored.
std::optional<ElementKind> kindOf(mlir::Type element);
mlir::Type typeOf(mlir::MLIRContext *context, ElementKind kind);

/// The elements of a tensor in row-major order; a bool takes one byte.
struct TensorBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<const void> owner; ///< keeps `bytes` alive
};

/// The bytes of a constant, aligned to its elements. An aligned dense_resource
/// is not copied. Empty if the data of a resource is absent.
TensorBytes bytesOf(mlir::ElementsAttr value);

/// Whether all data of a constant is present, as its type requires. A file may
/// have less, and the text form omits large data.
bool isKnown(mlir::ElementsAttr value);

/// Makes a constant of these bytes, without a copy: a dense_resource whose key
/// begins with `name`. The number of bytes must match the type, and they must
/// be aligned.
mlir::ElementsAttr elementsOf(mlir::RankedTensorType type, TensorBytes bytes,
                              llvm::StringRef name);

/// Frees the memory of such a constant before the context ends. Its elements
/// may not be read afterwards.
void releaseBytes(mlir::ElementsAttr value);

/// The storage that a read, a save, or a node with a predicate names; null for
/// other operations. No other operation in a function of nodes names storage.
mlir::FlatSymbolRefAttr storageNamed(mlir::Operation *op);

/// Checks that a read or a save names storage of its type. Checks that a
/// predicate names storage with a bool for each index of dimension 0. `symbols`
/// belongs to the enclosing module.
mlir::LogicalResult verifyStorageUse(mlir::Operation *op,
                                     const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_GRAPH_STORAGE_H
