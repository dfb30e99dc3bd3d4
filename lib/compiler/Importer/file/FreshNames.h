//===- FreshNames.h - names that no value of a model has --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_FILE_FRESHNAMES_H
#define GLOW_LIB_IMPORTER_FILE_FRESHNAMES_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace glow {

/// The names of the values of a graph and of all graphs inside it.
class FreshNames {
public:
  explicit FreshNames(const onnx::GraphProto &graph) { take(graph); }

  /// `name`, or with a number appended; reserves the result.
  std::string fresh(const std::string &name);

private:
  void take(const onnx::GraphProto &graph);

  llvm::StringMap<unsigned> taken; ///< and how often
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_FRESHNAMES_H
