//===- CacheCommand.cpp - glow cache: files of earlier runs ---------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Tool.h"
#include "glow/Base/Counted.h"
#include "glow/Base/MemorySize.h"
#include "glow/Cache/Cache.h"
#include "glow/Report/Table.h"
#include <cstdio>
#include <ctime>

using namespace glow;
using namespace glow::tool;

namespace {
struct CacheOptions {
  std::string folder, json;
  bool all = false;
};
} // namespace

/// In the time of this place.
static std::string textOf(int64_t time) {
  std::time_t seconds = time;
  std::tm parts{};
  char text[32];
  if (!::localtime_r(&seconds, &parts) ||
      !std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts))
    return "?";
  return text;
}

static Table tableOf(const std::vector<CompileCache::Kept> &programs) {
  Table table({{"last used", "last_use",
                [](const Json &time) { return textOf(time.get<int64_t>()); }},
               memorySize("size", "bytes"),
               {"backend", "backend"},
               {"model"},
               {"", "model"},
               {"", "file"}});
  for (const CompileCache::Kept &program : programs) {
    const bool isWhole = !program.backend.empty();
    table.add({program.lastUse, program.bytes, program.backend,
               isWhole ? program.model : "(damaged)", program.model,
               program.file});
  }
  return table;
}

static Status list(const CacheOptions &options) {
  CompileCache cache(options.folder);
  Result<std::vector<CompileCache::Kept>> programs = cache.list();
  if (!programs)
    return programs.status();
  const Table table = tableOf(*programs);
  if (Status status =
          writeJson(options.json, {{"folder", options.folder},
                                   {"bytes", cache.bytesOnDisk()},
                                   {"limit_bytes", cache.limitBytes()},
                                   {"programs", table.json()}});
      !status.ok() || options.json == "-")
    return status;
  std::printf("%s: %s, %s of at most %s\n", options.folder.c_str(),
              counted(programs->size(), "program").c_str(),
              sizeText(cache.bytesOnDisk()).c_str(),
              sizeText(cache.limitBytes()).c_str());
  if (!programs->empty())
    std::printf("%s", table.text().c_str());
  return Status();
}

static Status clear(const CacheOptions &options) {
  Result<uint64_t> bytes = CompileCache(options.folder).clear(options.all);
  if (!bytes)
    return bytes.status();
  std::printf("removed %s from %s\n", sizeText(*bytes).c_str(),
              options.folder.c_str());
  return Status();
}

Subcommand tool::addCache(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "cache", "list or remove compiled models that are kept for later runs");
  auto options = std::make_shared<CacheOptions>();
  options->folder = defaultCacheDir();
  app->add_option("--cache-dir", options->folder, "the folder")
      ->type_name("DIR")
      ->capture_default_str();
  app->require_subcommand(1);
  CLI::App *path = app->add_subcommand("path", "print the folder");
  CLI::App *listing =
      app->add_subcommand("list", "print the programs, the last used first");
  addJsonOption(*listing, options->json,
                "the programs, sizes in bytes and times in seconds since 1970");
  CLI::App *clearing = app->add_subcommand("clear", "remove all programs");
  clearing->add_flag("--all", options->all,
                     "what glow calibrate measured, too");
  addExamples(*app, {"glow cache list", "glow cache clear"});
  return {app, [=] {
            Status status;
            if (path->parsed())
              std::printf("%s\n", options->folder.c_str());
            else
              status = listing->parsed() ? list(*options) : clear(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
