//===- Failures.cpp - import failures of a model --------------------------===//
// SPDX-License-Identifier: MIT

#include "Failures.h"
#include "glow/Base/Counted.h"
#include "glow/Base/OneLine.h"
#include "mlir/IR/Diagnostics.h"

using namespace glow;
using llvm::StringRef;

void Failures::add(StringRef domain, StringRef op, int64_t opset,
                   StringRef reason, StringRef node, bool inStages) {
  Key key(domain, op, reason);
  auto [place, isNew] = places.try_emplace(key, groups.size());
  if (isNew)
    groups.emplace_back(key, Group{opset, inStages, {}});
  groups[place->second].second.nodes.push_back(node.str());
}

bool Failures::allInStages() const {
  return llvm::all_of(groups,
                      [](auto &entry) { return entry.second.inStages; });
}

/// "node 'a'", "2 nodes 'a', 'b'", "9 nodes 'a', 'b', 'c', 'd' and others".
static std::string listed(const std::vector<std::string> &nodes) {
  constexpr size_t shown = 4;
  std::string text = nodes.size() == 1
                         ? std::string("node")
                         : std::to_string(nodes.size()) + " nodes";
  for (size_t i = 0; i < nodes.size() && i < shown; ++i)
    text += (i ? ", " : " ") + nodes[i];
  return nodes.size() > shown ? text + " and others" : text;
}

std::string Failures::line(const Key &key, const Group &group) {
  auto &[domain, op, reason] = key;
  std::string opset =
      group.opset ? ", opset " + std::to_string(group.opset) : "";
  return "'" + op + "' of '" + domain + "'" + opset + ": " + reason + ": " +
         listed(group.nodes);
}

void Failures::report(mlir::Location location, bool all) const {
  all |= allInStages();
  size_t count = 0;
  for (auto &[key, group] : groups)
    if (all || !group.inStages)
      count += group.nodes.size();
  mlir::InFlightDiagnostic error = mlir::emitError(location);
  if (allInStages())
    error << "the model runs in stages, and is no single program: "
          << counted(count, "node") << wordFor(count, " needs", " need")
          << " the host or a value that only a run knows";
  else
    error << counted(count, "node") << " cannot be imported";
  for (auto &[key, group] : groups)
    if (all || !group.inStages)
      error.attachNote(location) << line(key, group);
}

std::string Failures::refusals() const {
  size_t count = 0;
  std::string text;
  for (auto &[key, group] : groups) {
    if (group.inStages)
      continue;
    count += group.nodes.size();
    text += noteMark + oneLine(line(key, group));
  }
  return count ? counted(count, "node") + " cannot be imported" + text : "";
}

void Failures::report(mlir::Location location, const Status &status) {
  auto [head, rest] = StringRef(status.message()).split(noteMark);
  mlir::InFlightDiagnostic error = mlir::emitError(location) << head;
  while (!rest.empty()) {
    std::tie(head, rest) = rest.split(noteMark);
    error.attachNote(location) << head;
  }
}
