//===- ImportRegistry.cpp - the rows of all import records ----------------===//

#include "ImportRegistry.h"
#include "Model.h"
#include "glow/HostOperators/HostCall.h"
#include <set>

using namespace glow;

ImportRegistry &ImportRegistry::instance() {
  static ImportRegistry registry;
  return registry;
}

void ImportRegistry::add(std::span<const ImportEntry> entries) {
  std::lock_guard lock(mutex);
  for (const ImportEntry &entry : entries)
    rows[Key(domainName(entry.domain), entry.op)].try_emplace(entry.since,
                                                              &entry);
}

const ImportEntry *ImportRegistry::find(std::string_view domain,
                                        std::string_view op, int64_t opset,
                                        std::string &reason) const {
  std::lock_guard lock(mutex);
  auto found = rows.find(Key(domainName(domain), op));
  if (found == rows.end()) {
    reason = "no record imports this operator";
    return nullptr;
  }
  auto next = found->second.upper_bound(opset);
  if (next == found->second.begin()) {
    reason = "the oldest opset whose record imports it is " +
             std::to_string(next->first);
    return nullptr;
  }
  return std::prev(next)->second;
}

std::vector<const ImportEntry *> ImportRegistry::all() const {
  std::lock_guard lock(mutex);
  std::vector<const ImportEntry *> result;
  for (auto &[key, versions] : rows)
    for (auto &[since, entry] : versions)
      result.push_back(entry);
  return result;
}

void glow::registerImports(std::span<const ImportEntry> entries) {
  ImportRegistry::instance().add(entries);
}

std::vector<const ImportEntry *> glow::importEntries() {
  return ImportRegistry::instance().all();
}
