//===- Texts.h - a sample of each node, as text -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Examples of operations for the reference manual. Includes no LLVM and no
// MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SAMPLES_TEXTS_H
#define GLOW_SAMPLES_TEXTS_H

#include <string>
#include <vector>

namespace glow {

/// The first sample of a node that is not refused.
struct NodeText {
  std::string node;  ///< "glow.conv"
  std::string label; ///< label of the sample
  std::string text;  ///< the node in a graph: one line
  /// The instructions of the node if it is not lowered; empty for a node that
  /// is always lowered.
  std::vector<std::string> instructions;
};

/// The texts of all registered nodes, in the order of their records.
std::vector<NodeText> nodeTexts();

} // namespace glow

#endif // GLOW_SAMPLES_TEXTS_H
