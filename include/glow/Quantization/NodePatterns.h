//===- NodePatterns.h - nodes by regular expressions ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_NODEPATTERNS_H
#define GLOW_QUANTIZATION_NODEPATTERNS_H

#include "glow/Base/Status.h"
#include "glow/Quantization/Options.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace re2 {
class RE2;
}

namespace glow {

/// Matches nodes by a list of regular expressions, and keeps the expressions
/// without a match.
class NodePatterns {
public:
  /// `flag` is the flag of the list, for messages.
  NodePatterns(const char *flag, const std::vector<std::string> &texts);
  ~NodePatterns();

  /// Whether an expression matches the whole name or the whole operator.
  bool match(const std::string &name, const std::string &op);
  bool empty() const { return all.empty(); }
  /// Fails if a text is not a regular expression.
  Status check() const;
  /// Fails if an expression has matched no node.
  Status checkUsed() const;

private:
  const char *flag;
  std::vector<std::pair<std::unique_ptr<re2::RE2>, bool>> all;
};

/// The nodes that may be integers, and the nodes that stay in floats.
struct NodeChoice {
  NodePatterns only, skipped; ///< without any of `only`: all nodes may

  Wish wishFor(const std::string &name, const std::string &op);
  Status check() const;
  Status checkUsed() const;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_NODEPATTERNS_H
