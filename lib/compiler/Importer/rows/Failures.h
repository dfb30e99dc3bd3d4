//===- Failures.h - import failures of a model ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_ROWS_FAILURES_H
#define GLOW_LIB_IMPORTER_ROWS_FAILURES_H

#include "glow/Base/Status.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace glow {

/// Nodes that cannot be imported, gathered so that a user sees all of them at
/// once.
class Failures {
public:
  /// `reason` is a sentence without the node's name, and `node` is a
  /// ParsedModel::label. `opset` is 0 when the model imports none of the
  /// domain. With `inStages`, the node can run if the model runs in stages.
  void add(llvm::StringRef domain, llvm::StringRef op, int64_t opset,
           llvm::StringRef reason, llvm::StringRef node, bool inStages);

  bool empty() const { return groups.empty(); }

  /// Whether all of them can run if the model runs in stages.
  bool allInStages() const;

  /// Reports one error with the number of nodes. A note for each operator and
  /// reason names the first nodes. Without `all`, nodes that can run in stages
  /// are left out if there are other failures.
  void report(mlir::Location location, bool all) const;

  /// The failures that no stage repairs, as lines of text, each a note but the
  /// first; "" when there are none.
  std::string refusals() const;

  /// Reports one error, with notes for the further lines of a message.
  static void report(mlir::Location location, const Status &status);

private:
  using Key = std::tuple<std::string, std::string, std::string>;
  struct Group {
    int64_t opset = 0;
    bool inStages = false;
    std::vector<std::string> nodes;
  };
  static std::string line(const Key &key, const Group &group);

  std::map<Key, size_t> places;
  std::vector<std::pair<Key, Group>> groups; ///< in the order of discovery
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_ROWS_FAILURES_H
