//===- Reads.h - elements that an expression reads --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_NODE_READS_H
#define GLOW_GEN_MODEL_NODE_READS_H

#include "Model/node/Node.h"

namespace glow::gen {

/// Elements of tensors in an expression, each replaced by a name of its own, so
/// that a derivative can be taken with respect to the name.
class Reads {
public:
  explicit Reads(const NodeModel &node) : node(node) {}

  ExprPtr replace(const ExprPtr &expr);
  ExprPtr restore(ExprPtr expr) const;
  /// The name of a read, by its number.
  static std::string nameOf(size_t number) {
    return "$" + std::to_string(number);
  }

  std::vector<ExprPtr> all;

private:
  const NodeModel &node;
};

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_READS_H
