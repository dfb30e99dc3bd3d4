//===- ImportRegistry.h - the rows of all import records --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_ROWS_IMPORTREGISTRY_H
#define GLOW_LIB_IMPORTER_ROWS_IMPORTREGISTRY_H

#include "glow/Importer/ImportContext.h"
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace glow {

/// Rows that are written by hand, since they import nodes inside a node.
std::span<const ImportEntry> controlFlowImports();

/// Rows of operators on sequences whose tensors are known.
std::span<const ImportEntry> sequenceImports();

/// The row of RecurrentNetwork, which imports a net once for each step.
std::span<const ImportEntry> recurrentImports();

/// The row of Gradient, which names the values of other nodes.
std::span<const ImportEntry> gradientImports();

/// All rows, by domain, operator and opset. Any thread may call.
class ImportRegistry {
public:
  static ImportRegistry &instance();

  void add(std::span<const ImportEntry> entries);

  /// The row with the greatest `since` up to `opset`. If there is none, null;
  /// then `reason` is a sentence, with the operator of the nearest name.
  const ImportEntry *find(std::string_view domain, std::string_view op,
                          int64_t opset, std::string &reason) const;

  std::vector<const ImportEntry *> all() const;

  void refuse(std::span<const ImportRefusal> refusals);
  std::vector<const ImportRefusal *> refused() const;

  void addHints(std::span<const char *const> names);
  /// Whether an attribute of an operator of the domain is a hint.
  bool isHint(std::string_view domain, std::string_view attribute) const;

  void add(std::span<const ImportDomain> domains);
  /// The newest opset of a domain, if it is known.
  std::optional<int64_t> newest(std::string_view domain) const;

private:
  ImportRegistry() {
    add(controlFlowImports());
    add(gradientImports());
    add(recurrentImports());
    add(sequenceImports());
  }

  using Key = std::pair<std::string, std::string>;
  mutable std::mutex mutex;
  std::map<Key, std::map<int64_t, const ImportEntry *>> rows;
  std::map<Key, const ImportRefusal *> refusals;
  std::map<std::string, int64_t, std::less<>> domains;
  std::set<std::string, std::less<>> hints;

  std::string whyUnknown(const Key &key) const;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_ROWS_IMPORTREGISTRY_H
