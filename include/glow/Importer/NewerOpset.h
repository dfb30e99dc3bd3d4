//===- NewerOpset.h - operators of a newer opset ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Import records apply to ranges of opsets. An operator keeps its meaning where
// the same record applies; a newer record may turn attributes into inputs.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_NEWEROPSET_H
#define GLOW_IMPORTER_NEWEROPSET_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glow {

/// The form of a node of an older opset in a newer opset.
struct NewerForm {
  std::string op; ///< the operator, possibly under a new name
  /// Attributes that became inputs, and their input numbers.
  std::vector<std::pair<std::string, unsigned>> moved;
};

/// The form in opset `to` of an operator of opset `from`, with the same
/// meaning. Nothing if a record contradicts it, or if no record imports the
/// operator. Any thread may call this.
std::optional<NewerForm> newerForm(std::string_view domain, std::string_view op,
                                   int64_t from, int64_t to);

/// The opset from which an operator of `opset` takes bf16 in a quantised model,
/// which may be newer than `opset`; 0 if it stays in floats, or if no record
/// imports it. Any thread may call this.
int64_t bf16OpsetOf(std::string_view domain, std::string_view op,
                    int64_t opset);

} // namespace glow

#endif // GLOW_IMPORTER_NEWEROPSET_H
