//===- Options.cpp - options of sessions and of runs ----------------------===//
// SPDX-License-Identifier: MIT

#include "library/Objects.h"
#include "library/Table.h"
#include <algorithm>
#include <chrono>
#include <cstring>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Options of sessions
//===----------------------------------------------------------------------===//

void entry::CreateSessionOptions(OrtSessionOptions **out) {
  *out = new OrtSessionOptions();
}

void entry::CloneSessionOptions(const OrtSessionOptions *options,
                                OrtSessionOptions **out) {
  *out = new OrtSessionOptions(*options);
}

void entry::ReleaseSessionOptions(OrtSessionOptions *options) {
  delete options;
}

void entry::SetSessionExecutionMode(OrtSessionOptions *options, int mode) {
  options->mode = mode;
}

void entry::GetSessionExecutionMode(const OrtSessionOptions *options,
                                    int *out) {
  *out = options->mode;
}

void entry::EnableMemPattern(OrtSessionOptions *options) {
  options->memoryPattern = 1;
}

void entry::DisableMemPattern(OrtSessionOptions *options) {
  options->memoryPattern = 0;
}

void entry::GetMemPatternEnabled(const OrtSessionOptions *options, int *out) {
  *out = options->memoryPattern;
}

void entry::SetIntraOpNumThreads(OrtSessionOptions *options, int threads) {
  options->threads = threads;
}

void entry::DisablePerSessionThreads(OrtSessionOptions *options) {
  options->sharesThreads = true;
}

void entry::AddFreeDimensionOverrideByName(OrtSessionOptions *options,
                                           const char *name, int64_t size) {
  if (size < 0)
    throw Failure(ORT_INVALID_ARGUMENT, std::string("dimension '") + name +
                                            "' is " + std::to_string(size) +
                                            ", it should be at least 0");
  options->sizes[name] = size;
}

/// Glow's options among the entries of a configuration begin so.
static constexpr std::string_view prefix = "glow.";

/// Throws Failure for an option that Glow does not have.
static void addSetting(OrtSessionOptions &options, const std::string &name,
                       const std::string &value) {
  Settings one = {{name, value}};
  try {
    optionsOf(one);
    rangesOf(one);
  } catch (const std::exception &error) {
    throw Failure(ORT_INVALID_ARGUMENT, error.what());
  }
  options.settings.push_back(std::move(one.front()));
}

void entry::AddSessionConfigEntry(OrtSessionOptions *options, const char *key,
                                  const char *value) {
  if (std::string_view(key).starts_with(prefix))
    addSetting(*options, key + prefix.size(), value);
  options->entries[key] = value;
}

void entry::HasSessionConfigEntry(const OrtSessionOptions *options,
                                  const char *key, int *out) {
  *out = options->entries.contains(key);
}

void entry::GetSessionConfigEntry(const OrtSessionOptions *options,
                                  const char *key, char *out, size_t *bytes) {
  auto found = options->entries.find(key);
  if (found == options->entries.end())
    throw Failure(ORT_FAIL, std::string("there is no entry '") + key + "'");
  const size_t needed = found->second.size() + 1, room = *bytes;
  *bytes = needed;
  if (!out)
    return;
  if (room < needed)
    throw Failure(ORT_INVALID_ARGUMENT, std::string("entry '") + key +
                                            "' has " + std::to_string(needed) +
                                            " bytes, and there is room for " +
                                            std::to_string(room));
  std::memcpy(out, found->second.c_str(), needed);
}

void entry::GetSessionOptionsConfigEntries(const OrtSessionOptions *options,
                                           OrtKeyValuePairs **out) {
  auto pairs = std::make_unique<OrtKeyValuePairs>();
  for (const auto &[key, value] : options->entries)
    pairs->set(key, value);
  *out = pairs.release();
}

static bool isOneOf(std::string name, std::initializer_list<const char *> all) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return std::toupper(c); });
  return std::ranges::find(all, name) != all.end();
}

void entry::SessionOptionsAppendExecutionProvider(OrtSessionOptions *options,
                                                  const char *name,
                                                  const char *const *keys,
                                                  const char *const *values,
                                                  size_t count) {
  if (isOneOf(name, {"CPU", "CPUEXECUTIONPROVIDER"}))
    return;
  if (!isOneOf(name, {"GLOW", "GLOWEXECUTIONPROVIDER"}))
    throw Failure(ORT_NOT_IMPLEMENTED,
                  std::string("the execution provider '") + name +
                      "' is not in Glow's library, which has "
                      "GlowExecutionProvider and CPUExecutionProvider");
  for (size_t i = 0; i < count; ++i) {
    if (!keys || !values || !keys[i] || !values[i])
      throw Failure(ORT_INVALID_ARGUMENT,
                    "option " + std::to_string(i) + " of the provider is null");
    addSetting(*options, keys[i], values[i]);
  }
}

//===----------------------------------------------------------------------===//
// Options of runs
//===----------------------------------------------------------------------===//

void OrtRunOptions::checkGoesOn() const {
  if (ended)
    throw Failure(ORT_FAIL, "the run was ended by RunOptionsSetTerminate");
}

void OrtRunOptions::begin(glow_call &call) const {
  std::lock_guard lock(mutex);
  checkGoesOn();
  running.push_back(&call);
}

void OrtRunOptions::end(glow_call &call) const {
  std::lock_guard lock(mutex);
  std::erase(running, &call);
  over.notify_all();
}

/// A call that has not begun its run yet is not cancelled, so it is tried
/// again.
void OrtRunOptions::terminate() {
  std::unique_lock lock(mutex);
  ended = true;
  while (!running.empty()) {
    for (glow_call *call : running)
      glow_call_cancel(call);
    over.wait_for(lock, std::chrono::milliseconds(1));
  }
}

void entry::CreateRunOptions(OrtRunOptions **out) {
  *out = new OrtRunOptions();
}

void entry::ReleaseRunOptions(OrtRunOptions *options) { delete options; }

void entry::RunOptionsSetRunLogVerbosityLevel(OrtRunOptions *options,
                                              int level) {
  options->verbosity = level;
}

void entry::RunOptionsSetRunLogSeverityLevel(OrtRunOptions *options,
                                             int level) {
  options->severity = level;
}

void entry::RunOptionsSetRunTag(OrtRunOptions *options, const char *tag) {
  options->tag = tag;
}

void entry::RunOptionsGetRunLogVerbosityLevel(const OrtRunOptions *options,
                                              int *out) {
  *out = options->verbosity;
}

void entry::RunOptionsGetRunLogSeverityLevel(const OrtRunOptions *options,
                                             int *out) {
  *out = options->severity;
}

void entry::RunOptionsGetRunTag(const OrtRunOptions *options,
                                const char **out) {
  *out = options->tag.c_str();
}

void entry::RunOptionsSetTerminate(OrtRunOptions *options) {
  options->terminate();
}

void entry::RunOptionsUnsetTerminate(OrtRunOptions *options) {
  options->ended = false;
}

void entry::AddRunConfigEntry(OrtRunOptions *options, const char *key,
                              const char *value) {
  options->entries[key] = value;
}

const char *entry::GetRunConfigEntry(const OrtRunOptions *options,
                                     const char *key) {
  if (!options || !key)
    return nullptr;
  auto found = options->entries.find(key);
  return found == options->entries.end() ? nullptr : found->second.c_str();
}
