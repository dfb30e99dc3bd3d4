//===- Texts.h - a sample of each node, as text -----------------*- C++ -*-===//
//
// What the reference shows of an operation. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SAMPLES_TEXTS_H
#define GLOW_SAMPLES_TEXTS_H

#include <string>
#include <vector>

namespace glow {

/// The first sample of a node that it does not refuse.
struct NodeText {
  std::string node;  ///< "glow.conv"
  std::string label; ///< of the sample
  std::string text;  ///< the node in a graph: one line
  /// The instructions that it becomes where it is not lowered; empty for one
  /// that is always.
  std::vector<std::string> instructions;
};

/// Those of all nodes that are registered, in the order of their records.
std::vector<NodeText> nodeTexts();

} // namespace glow

#endif // GLOW_SAMPLES_TEXTS_H
