//===- Top.cpp - glow top: live report of a host --------------------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Numbers.h"
#include "glow/Base/Counted.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/OneLine.h"
#include "glow/Runtime/ReportSocket.h"
#include "model/Outputs.h"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <thread>

using namespace glow;
using namespace glow::tool;

namespace {

struct TopOptions {
  std::string socket;
  double every = 1;   ///< seconds
  unsigned count = 0; ///< reports; 0: until the host ends
  std::string json;   ///< where reports go as they are; "": nowhere
};

/// A report, and when it came.
struct Reading {
  Json report;
  std::chrono::steady_clock::time_point time;
};

} // namespace

/// A count of a report. Throws where there is something else.
static uint64_t countIn(const Json &of, const char *key) {
  const Json &count = of.at(key);
  return count.get_ref<const Json::number_unsigned_t &>();
}

static const Json::array_t &listIn(const Json &of, const char *key) {
  return of.at(key).get_ref<const Json::array_t &>();
}

/// "12.5 per second" as a cell: of a counter since the reading before.
static std::string rate(const Json &now, const Json *before, const char *key,
                        double seconds) {
  const double count = double(countIn(now, key));
  const double earlier = before ? double(countIn(*before, key)) : 0;
  if (seconds <= 0)
    return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", (count - earlier) / seconds);
  return text;
}

static std::string number(const Json &of, const char *key) {
  return std::to_string(countIn(of, key));
}

static std::string text(const Json &of, const char *key) {
  return oneLine(of.at(key).get_ref<const std::string &>());
}

static std::string quantile(const Json &times, const char *which) {
  return timeText(times.at(which).get<double>() / 1000);
}

/// The entry of the same name and version in an earlier report, or null.
static const Json *earlier(const Json &now, const Json::array_t *list) {
  if (!list)
    return nullptr;
  for (const Json &other : *list)
    if (other.at("name") == now.at("name") &&
        other.value("version", 0) == now.value("version", 0))
      return &other;
  return nullptr;
}

/// Columns of text. All but the first two have numbers.
static Table tableOf(std::initializer_list<const char *> headings) {
  std::vector<TableColumn> columns;
  for (const char *heading : headings)
    columns.push_back({heading, "", {}, columns.size() >= 2});
  return Table(std::move(columns));
}

static void print(const Reading &now, const Reading *before) {
  const Json &all = now.report;
  const double seconds =
      before ? std::chrono::duration<double>(now.time - before->time).count()
             : 0;
  const auto waiting = countIn(all, "waiting");
  std::printf("%s, %s %s, %s of tensors\n",
              all.at("is_ready").get<bool>() ? "ready" : "not ready",
              counted(waiting, "request").c_str(),
              wordFor(waiting, "waits", "wait"),
              counted(countIn(all, "memory_bytes"), "byte").c_str());
  auto list = [&](const char *key) {
    return before ? &listIn(before->report, key) : nullptr;
  };
  Table models = tableOf({"model", "state", "version", "ready", "waiting",
                          "answered/s", "refused/s", "late/s", "failed/s",
                          "queue p50", "p99", "run p50", "p99"});
  for (const Json &model : listIn(all, "models")) {
    const Json *old = earlier(model, list("models"));
    models.add(
        {text(model, "name"), text(model, "state"), number(model, "version"),
         number(model, "ready_copies") + "/" + number(model, "copies"),
         number(model, "waiting"), rate(model, old, "answered", seconds),
         rate(model, old, "refused", seconds),
         rate(model, old, "late", seconds), rate(model, old, "failed", seconds),
         quantile(model.at("queue_time"), "p50"),
         quantile(model.at("queue_time"), "p99"),
         quantile(model.at("run_time"), "p50"),
         quantile(model.at("run_time"), "p99")});
  }
  Table devices =
      tableOf({"device", "state", "backend", "programs", "running", "waiting",
               "runs/s", "faults", "run p50", "p99", "why"});
  for (const Json &device : listIn(all, "devices"))
    devices.add(
        {text(device, "name"), text(device, "state"), text(device, "backend"),
         number(device, "programs"), number(device, "running"),
         number(device, "waiting"),
         rate(device, earlier(device, list("devices")), "runs", seconds),
         number(device, "faults"), quantile(device.at("run_time"), "p50"),
         quantile(device.at("run_time"), "p99"), text(device, "why")});
  std::fputs((models.text() + devices.text()).c_str(), stdout);
  std::fflush(stdout);
}

static Status show(const TopOptions &options) {
  const bool isText = options.json != "-";
  if (Status status = checkOutputs({options.json}, {}); !status.ok())
    return status;
  std::ofstream file;
  if (isText && !options.json.empty()) {
    file.open(options.json);
    if (!file)
      return cannotWrite(options.json, errno);
  }
  std::optional<Reading> before;
  for (unsigned i = 0; options.count == 0 || i < options.count; ++i) {
    if (before)
      std::this_thread::sleep_for(std::chrono::duration<double>(options.every));
    Result<std::string> text = readReport(options.socket);
    if (!text)
      // A host that was there has ended.
      return before && !options.count ? Status() : text.status();
    (isText ? static_cast<std::ostream &>(file) : std::cout)
        << *text << std::flush;
    if (isText && !options.json.empty() && !file)
      return cannotWrite(options.json, errno);
    Reading now{Json::parse(*text, nullptr, false),
                std::chrono::steady_clock::now()};
    try {
      if (isText)
        print(now, before ? &*before : nullptr);
    } catch (const Json::exception &) {
      return failure(Code::InvalidArgument, "the program at '", options.socket,
                     "' is no host of Glow");
    }
    before = std::move(now);
  }
  return Status();
}

Subcommand tool::addTop(CLI::App &glow, SessionFactory &) {
  CLI::App *app =
      glow.add_subcommand("top", "show what a host does, while it runs");
  addExamples(*app, {"glow top /tmp/glow.socket",
                     "glow top /tmp/glow.socket --count=1 --json"});
  auto options = std::make_shared<TopOptions>();
  app->add_option("socket", options->socket,
                  "where it tells, as --report of glow bench or "
                  "glow_host_listen said")
      ->required()
      ->type_name("SOCKET");
  addNumber(*app, "--every", options->every, 0.01, 86400.,
            "seconds between two reports")
      ->type_name("S");
  addNumber(*app, "--count", options->count, 0u, 1000000000u,
            "reports to show; 0: until the host ends")
      ->type_name("N");
  addJsonOption(*app, options->json, "each report as it comes");
  return {app, [options] {
            Status status = show(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
