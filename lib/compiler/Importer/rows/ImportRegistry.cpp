//===- ImportRegistry.cpp - the rows of all import records ----------------===//
// SPDX-License-Identifier: MIT

#include "ImportRegistry.h"
#include "file/Model.h"
#include "llvm/ADT/StringRef.h"

using namespace glow;
using llvm::StringRef;

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

void ImportRegistry::refuse(std::span<const ImportRefusal> more) {
  std::lock_guard lock(mutex);
  for (const ImportRefusal &refusal : more)
    refusals.try_emplace(Key(domainName(refusal.domain), refusal.op), &refusal);
}

void ImportRegistry::add(std::span<const ImportDomain> more) {
  std::lock_guard lock(mutex);
  for (const ImportDomain &domain : more)
    domains.try_emplace(domain.name, domain.newest);
}

std::optional<int64_t> ImportRegistry::newest(std::string_view domain) const {
  std::lock_guard lock(mutex);
  auto found = domains.find(domain);
  if (found == domains.end())
    return std::nullopt;
  return found->second;
}

/// The edit distance up to which a name is suggested.
static unsigned slips(StringRef name) { return unsigned(name.size()) / 4; }

std::string ImportRegistry::whyUnknown(const Key &key) const {
  if (auto refusal = refusals.find(key); refusal != refusals.end())
    return refusal->second->reason;
  StringRef name = key.second;
  unsigned best = slips(name) + 1;
  const Key *nearest = nullptr;
  for (auto &[other, versions] : rows) {
    bool elsewhere = other.first != key.first;
    unsigned distance =
        StringRef(other.second).edit_distance_insensitive(name, true, best);
    if (distance < best && (distance == 0 || !elsewhere)) {
      best = distance;
      nearest = &other;
    }
  }
  std::string reason = "no record imports this operator";
  if (nearest)
    reason +=
        ", but there is '" + nearest->second + "' of '" + nearest->first + "'";
  return reason;
}

const ImportEntry *ImportRegistry::find(std::string_view domain,
                                        std::string_view op, int64_t opset,
                                        std::string &reason) const {
  std::lock_guard lock(mutex);
  auto found = rows.find(Key(domainName(domain), op));
  // Exporters wrote operators of Caffe2 without its domain.
  if (found == rows.end() && domainName(domain) == domainName(""))
    found = rows.find(Key(caffe2Domain, op));
  if (found == rows.end()) {
    reason = whyUnknown(Key(domainName(domain), op));
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

std::vector<const ImportRefusal *> ImportRegistry::refused() const {
  std::lock_guard lock(mutex);
  std::vector<const ImportRefusal *> result;
  for (auto &[key, refusal] : refusals)
    if (!rows.contains(key))
      result.push_back(refusal);
  return result;
}

void ImportRegistry::addHints(std::span<const char *const> names) {
  std::lock_guard lock(mutex);
  hints.insert(names.begin(), names.end());
}

bool ImportRegistry::isHint(std::string_view domain,
                            std::string_view attribute) const {
  std::lock_guard lock(mutex);
  return domain == caffe2Domain && hints.contains(attribute);
}

void glow::registerHints(std::span<const char *const> names) {
  ImportRegistry::instance().addHints(names);
}

void glow::registerRefusals(std::span<const ImportRefusal> refusals) {
  ImportRegistry::instance().refuse(refusals);
}

void glow::registerDomains(std::span<const ImportDomain> domains) {
  ImportRegistry::instance().add(domains);
}

std::vector<const ImportRefusal *> glow::importRefusals() {
  return ImportRegistry::instance().refused();
}

void glow::registerImports(std::span<const ImportEntry> entries) {
  ImportRegistry::instance().add(entries);
}

std::vector<const ImportEntry *> glow::importEntries() {
  return ImportRegistry::instance().all();
}
