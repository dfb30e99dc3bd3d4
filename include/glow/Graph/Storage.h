//===- Storage.h - element kinds and bytes of tensors ---------*- C++ -*-===//

#ifndef GLOW_GRAPH_STORAGE_H
#define GLOW_GRAPH_STORAGE_H

#include "glow/Base/ElementKind.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include <memory>
#include <optional>

namespace glow {

/// The run-time kind of an element type; of a quantised one, its storage's.
/// None when tensors of it cannot be stored.
std::optional<ElementKind> kindOf(mlir::Type element);
mlir::Type typeOf(mlir::MLIRContext *context, ElementKind kind);

/// The elements of a tensor in row-major order, bool as a byte each.
struct TensorBytes {
  llvm::ArrayRef<char> bytes;
  std::shared_ptr<const void> owner; ///< keeps `bytes` alive
};

/// The bytes of a constant, aligned to its elements, without a copy where it is
/// a dense_resource that is; empty when a resource's data is absent.
TensorBytes bytesOf(mlir::ElementsAttr value);

/// Whether the data of a constant is there, as much as its type says: a file
/// may have less, and text leaves out what is large.
bool isKnown(mlir::ElementsAttr value);

/// A constant of these bytes, without a copy: a dense_resource whose key begins
/// with `name`. `bytes` must be as many as the type says, and aligned.
mlir::ElementsAttr elementsOf(mlir::RankedTensorType type, TensorBytes bytes,
                              llvm::StringRef name);

/// Gives the memory of such a constant back before the context ends. Its
/// elements may not be looked at any more.
void releaseBytes(mlir::ElementsAttr value);

/// What a read, a save, or a node with a predicate names; null for others.
/// Nothing else in a function of nodes names storage.
mlir::FlatSymbolRefAttr storageNamed(mlir::Operation *op);

/// Checks that a read or a save names storage of its type, and a predicate
/// storage that has a bool for each index of dimension 0. `symbols` are those
/// of the module around it.
mlir::LogicalResult verifyStorageUse(mlir::Operation *op,
                                     const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_GRAPH_STORAGE_H
