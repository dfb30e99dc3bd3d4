//===- NewerOpset.h - operators of a newer opset ----------------*- C++ -*-===//
//
// Import records hold for ranges of opsets. Where the same record holds, so
// does the meaning; else a newer record may have attributes as inputs.
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

/// How a node of an older opset is written in a newer one.
struct NewerForm {
  std::string op; ///< the operator, which may have another name
  /// Attributes that became inputs, and the places of these.
  std::vector<std::pair<std::string, unsigned>> moved;
};

/// The form in opset `to` of an operator of opset `from`, with the same
/// meaning. Nothing if a record says otherwise, or none imports the operator.
/// Any thread may call this.
std::optional<NewerForm> newerForm(std::string_view domain, std::string_view op,
                                   int64_t from, int64_t to);

} // namespace glow

#endif // GLOW_IMPORTER_NEWEROPSET_H
