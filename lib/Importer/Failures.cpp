//===- Failures.cpp - what of a model cannot be imported ------------------===//

#include "Failures.h"
#include "mlir/IR/Diagnostics.h"

using namespace glow;
using llvm::StringRef;

void Failures::add(StringRef domain, StringRef op, int64_t opset,
                   StringRef reason, StringRef node) {
  Key key(domain, op, reason);
  auto [place, isNew] = places.try_emplace(key, groups.size());
  if (isNew)
    groups.emplace_back(key, Group{opset, {}});
  groups[place->second].second.nodes.push_back(node.str());
}

/// "node 'a'", "2 nodes 'a', 'b'", "9 nodes 'a', 'b', 'c', 'd' and others".
static std::string listed(const std::vector<std::string> &nodes) {
  constexpr size_t shown = 4;
  std::string text = nodes.size() == 1
                         ? std::string("node")
                         : std::to_string(nodes.size()) + " nodes";
  for (size_t i = 0; i < nodes.size() && i < shown; ++i)
    text += (i ? ", '" : " '") + nodes[i] + "'";
  return nodes.size() > shown ? text + " and others" : text;
}

void Failures::report(mlir::Location location) const {
  size_t count = 0;
  for (auto &[key, group] : groups)
    count += group.nodes.size();
  mlir::InFlightDiagnostic error = mlir::emitError(location);
  error << count << (count == 1 ? " node" : " nodes") << " cannot be imported";
  for (auto &[key, group] : groups) {
    auto &[domain, op, reason] = key;
    mlir::Diagnostic &note = error.attachNote(location);
    note << "'" << op << "' of '" << domain << "'";
    if (group.opset)
      note << ", opset " << group.opset;
    note << ": " << reason << ": " << listed(group.nodes);
  }
}
