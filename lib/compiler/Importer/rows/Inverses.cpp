//===- Inverses.cpp - export through import records -----------------------===//
// SPDX-License-Identifier: MIT

#include "ImportRegistry.h"
#include "file/Model.h"
#include "glow/Importer/ImportInverse.h"
#include <limits>
#include <set>

using namespace glow;

namespace {

struct InverseTable {
  std::mutex mutex;
  std::multimap<std::string, const ImportInverse *, std::less<>> rows;

  static InverseTable &instance() {
    static InverseTable table;
    return table;
  }
};

} // namespace

static bool isDefault(const ImportInverse &row) {
  return domainName(row.domain) == domainName("");
}

void glow::registerInverses(std::span<const ImportInverse> rows) {
  InverseTable &table = InverseTable::instance();
  std::lock_guard lock(table.mutex);
  for (const ImportInverse &row : rows)
    table.rows.emplace(row.node, &row);
}

std::vector<const ImportInverse *> glow::inversesOf(const char *node,
                                                    int64_t opset) {
  InverseTable &table = InverseTable::instance();
  std::lock_guard lock(table.mutex);
  auto [first, last] = table.rows.equal_range(node);
  std::vector<const ImportInverse *> rows, others;
  for (auto place = first; place != last; ++place) {
    const ImportInverse &row = *place->second;
    std::string reason;
    const ImportEntry *entry = ImportRegistry::instance().find(
        row.domain, row.op,
        isDefault(row) ? opset : std::numeric_limits<int64_t>::max(), reason);
    if (entry && entry->since == row.since)
      (isDefault(row) ? rows : others).push_back(&row);
  }
  rows.insert(rows.end(), others.begin(), others.end());
  return rows;
}

std::vector<int64_t> glow::opsetsFrom(int64_t first) {
  std::set<int64_t> opsets = {first};
  auto add = [&](int64_t opset) {
    if (opset > first)
      opsets.insert(opset);
  };
  for (const ImportEntry *entry : ImportRegistry::instance().all()) {
    if (domainName(entry->domain) != domainName(""))
      continue;
    add(entry->since);
    for (const LaterPart &part : entry->later)
      add(part.opset);
  }
  return {opsets.begin(), opsets.end()};
}
