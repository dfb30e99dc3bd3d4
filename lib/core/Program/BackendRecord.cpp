//===- BackendRecord.cpp - backend records for tools ----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/BackendRecord.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/Plugin.h"
#include <algorithm>
#include <charconv>
#include <string_view>

using namespace glow;

static std::vector<BackendRecord> &records() {
  static std::vector<BackendRecord> instance;
  return instance;
}

void glow::registerBackendRecords(std::span<const BackendRecord> table) {
  std::vector<BackendRecord> &all = records();
  for (const BackendRecord &record : table)
    if (std::ranges::any_of(all, [&](const BackendRecord &other) {
          return std::string_view(record.name) == other.name;
        }))
      noteTakenName("backend '" + std::string(record.name) + "'");
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

const std::vector<BackendRecord> &glow::backendRecords() { return records(); }

std::string glow::referenceBackend() {
  auto found = std::ranges::find_if(records(), &BackendRecord::isReference);
  return found == records().end() ? "" : found->name;
}

static const BackendOption *findOption(const std::string &backend,
                                       const std::string &option) {
  for (const BackendRecord &record : records())
    if (backend == record.name)
      for (const BackendOption &own : record.options)
        if (option == own.name)
          return &own;
  return nullptr;
}

static std::string optionsOf(const std::string &backend) {
  std::string names;
  for (const BackendRecord &record : records())
    if (backend == record.name)
      for (const BackendOption &option : record.options)
        names += (names.empty() ? "" : ", ") + std::string(option.name);
  return names;
}

static bool isOfType(std::string_view value, std::string_view type) {
  if (type == "bool")
    return value == "true" || value == "false";
  if (type == "size")
    return value.empty() || parseSize(value);
  if (type != "int")
    return true;
  int64_t number;
  auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size();
}

/// The values of a type, for messages.
static const char *valuesOf(std::string_view type) {
  return type == "bool"   ? "true or false"
         : type == "size" ? "a number of bytes, as 1048576 or 512M, or empty"
                          : "an integer";
}

Status glow::checkSettings(const std::string &backend,
                           const Settings &settings) {
  for (const auto &[name, value] : settings) {
    const BackendOption *option = findOption(backend, name);
    std::string known = optionsOf(backend);
    if (!option)
      return failure(Code::InvalidArgument, "backend '", backend,
                     "' has no option '", name, "'; it has ",
                     known.empty() ? "none" : known);
    if (!isOfType(value, option->type))
      return failure(Code::InvalidArgument, "option '", name, "' of backend '",
                     backend, "' is '", value, "', it should be ",
                     valuesOf(option->type));
  }
  return Status();
}

Settings glow::settingsFor(const std::string &backend,
                           const Settings &settings) {
  Settings own;
  for (const auto &[name, value] : settings)
    if (findOption(backend, name))
      own[name] = value;
  return own;
}

std::string glow::settingOf(const std::string &backend,
                            const Settings &settings,
                            const std::string &option) {
  auto given = settings.find(option);
  if (given != settings.end())
    return given->second;
  const BackendOption *own = findOption(backend, option);
  return own ? own->initially : "";
}
