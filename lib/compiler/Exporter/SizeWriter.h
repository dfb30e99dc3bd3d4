//===- SizeWriter.h - sizes of a run as nodes of ONNX -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_EXPORTER_SIZEWRITER_H
#define GLOW_LIB_EXPORTER_SIZEWRITER_H

#include "glow/Program/Size.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <functional>

namespace glow {

/// Writes sizes as nodes that compute them from the shapes of inputs. Equal
/// sizes are computed once.
class SizeWriter {
public:
  /// Nodes are appended to `graph`. `unique` gives a name that no value has,
  /// similar to the wanted one.
  SizeWriter(onnx::GraphProto &graph,
             std::function<std::string(llvm::StringRef wanted)> unique)
      : graph(graph), unique(std::move(unique)) {}

  /// Reports an input of the graph. A dimension that is a size variable by
  /// itself gives its value.
  void addInput(const std::string &name, mlir::RankedTensorType type);

  /// The name of a tensor of this type whose elements are sizes. "" if no input
  /// gives the variable of a size, or if a divisor may be 0.
  std::string tensor(const Sizes &sizes, mlir::RankedTensorType type);

  /// The same for a list of 64-bit integers.
  std::string list(const Sizes &sizes);

private:
  std::string one(const Length &length);
  std::string variable(const SizeVariable &variable);
  std::string numbers(const Ints &numbers);
  std::string binary(llvm::StringRef op, const std::string &left,
                     const std::string &right);
  onnx::NodeProto &add(llvm::StringRef op,
                       const std::vector<std::string> &inputs);

  onnx::GraphProto &graph;
  std::function<std::string(llvm::StringRef)> unique;
  /// An input and its dimension, by the variable's name.
  llvm::StringMap<std::pair<std::string, int64_t>> sources;
  llvm::StringMap<std::string> known; ///< names of values, by their text
};

/// Whether a node is a list of sizes that a run gives. It is written as the
/// nodes that compute the sizes.
bool isListOfSizes(mlir::Operation *op);

} // namespace glow

#endif // GLOW_LIB_EXPORTER_SIZEWRITER_H
