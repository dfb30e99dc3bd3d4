//===- Environment.cpp - environments, logs and providers -----------------===//
// SPDX-License-Identifier: MIT

#include "library/Memory.h"
#include "library/Objects.h"
#include "library/Table.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

namespace {
/// A listener of Glow's log. It is never freed: another thread may be logging.
struct Listener {
  OrtLoggingFunction function;
  void *context;
  std::string id;
};
} // namespace

static int levelOf(glow_log_level level) {
  switch (level) {
  case GLOW_LOG_WARNING:
    return ORT_LOGGING_LEVEL_WARNING;
  case GLOW_LOG_INFO:
    return ORT_LOGGING_LEVEL_INFO;
  case GLOW_LOG_DEBUG:
    return ORT_LOGGING_LEVEL_VERBOSE;
  default:
    return ORT_LOGGING_LEVEL_ERROR;
  }
}

static void printMessage(void *, int level, const char *, const char *id,
                         const char *, const char *message) {
  std::fprintf(stderr, "[%c:glow:%s] %s\n", "VIWEF"[level], id, message);
}

/// Errors are in the statuses of functions that fail, and are not logged.
static void receive(void *context, glow_log_level level, const char *text) {
  const auto &listener = *static_cast<Listener *>(context);
  if (level != GLOW_LOG_ERROR)
    listener.function(listener.context, levelOf(level), "glow",
                      listener.id.c_str(), "glow", text);
}

static glow_log_level mostOf(int level) {
  switch (level) {
  case ORT_LOGGING_LEVEL_VERBOSE:
    return GLOW_LOG_DEBUG;
  case ORT_LOGGING_LEVEL_INFO:
    return GLOW_LOG_INFO;
  case ORT_LOGGING_LEVEL_WARNING:
    return GLOW_LOG_WARNING;
  default:
    return GLOW_LOG_ERROR;
  }
}

static void checkLevel(int level) {
  if (level < ORT_LOGGING_LEVEL_VERBOSE || level > ORT_LOGGING_LEVEL_FATAL)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "the level of a log is " + std::to_string(level) +
                      ", it should be a number from 0 to 4");
}

/// The last environment decides. GLOW_LOG has its listener, stderr.
static void listen(OrtLoggingFunction function, void *context, int level,
                   const char *id) {
  checkLevel(level);
  const char *asked = std::getenv("GLOW_LOG");
  if (function == printMessage && asked && *asked)
    return;
  api::check(
      glow_log_to(mostOf(level), receive, new Listener{function, context, id}));
}

//===----------------------------------------------------------------------===//
// Environments
//===----------------------------------------------------------------------===//

void entry::CreateEnv(int level, const char *id, OrtEnv **out) {
  listen(printMessage, nullptr, level, id);
  *out = new OrtEnv();
}

void entry::CreateEnvWithCustomLogger(OrtLoggingFunction function,
                                      void *context, int level, const char *id,
                                      OrtEnv **out) {
  listen(function, context, level, id);
  *out = new OrtEnv();
}

void entry::CreateEnvWithGlobalThreadPools(int level, const char *id,
                                           const OrtThreadingOptions *threads,
                                           OrtEnv **out) {
  listen(printMessage, nullptr, level, id);
  *out = new OrtEnv{threads->threads};
}

void entry::CreateEnvWithCustomLoggerAndGlobalThreadPools(
    OrtLoggingFunction function, void *context, int level, const char *id,
    const OrtThreadingOptions *threads, OrtEnv **out) {
  listen(function, context, level, id);
  *out = new OrtEnv{threads->threads};
}

void entry::UpdateEnvWithCustomLogLevel(OrtEnv *, int level) {
  listen(printMessage, nullptr, level, "Default");
}

void entry::ReleaseEnv(OrtEnv *env) { delete env; }

void entry::CreateThreadingOptions(OrtThreadingOptions **out) {
  *out = new OrtThreadingOptions();
}

void entry::ReleaseThreadingOptions(OrtThreadingOptions *options) {
  delete options;
}

void entry::SetGlobalIntraOpNumThreads(OrtThreadingOptions *options,
                                       int threads) {
  options->threads = threads;
}

//===----------------------------------------------------------------------===//
// Providers
//===----------------------------------------------------------------------===//

/// Glow runs on the processor, and applications look for its provider.
static constexpr const char *providers[] = {"GlowExecutionProvider",
                                            "CPUExecutionProvider"};

void entry::GetAvailableProviders(char ***out, int *count) {
  auto **names = static_cast<char **>(allocate(sizeof providers));
  size_t made = 0;
  for (const char *name : providers)
    names[made++] = copyText(*defaultAllocator(), name);
  *out = names;
  *count = int(made);
}

void entry::ReleaseAvailableProviders(char **names, int count) {
  for (int i = 0; i < count; ++i)
    std::free(names[i]);
  std::free(names);
}

void entry::GetEpDevices(const OrtEnv *, const OrtEpDevice *const **out,
                         size_t *count) {
  static constexpr const OrtEpDevice *none[1] = {};
  *out = none;
  *count = 0;
}

const char *entry::GetBuildInfoString() {
  static const std::string text = std::string("Glow ") + glow_version() +
                                  " in place of ONNX Runtime " ORT_RELEASE;
  return text.c_str();
}
