//===- BackendRecord.cpp - what a tool knows of backends ------------------===//

#include "glow/Program/BackendRecord.h"
#include <algorithm>
#include <string_view>
#include <vector>

using namespace glow;

static std::vector<BackendRecord> &records() {
  static std::vector<BackendRecord> instance;
  return instance;
}

void glow::registerBackendRecords(std::span<const BackendRecord> table) {
  std::vector<BackendRecord> &all = records();
  all.insert(all.end(), table.begin(), table.end());
  std::ranges::sort(all, {}, [](const BackendRecord &record) {
    return std::string_view(record.name);
  });
}

std::string glow::preferredBackend() {
  auto found =
      std::ranges::max_element(records(), {}, &BackendRecord::preference);
  return found == records().end() ? "" : found->name;
}

std::string glow::referenceBackend() {
  auto found = std::ranges::find_if(records(), &BackendRecord::isReference);
  return found == records().end() ? "" : found->name;
}
