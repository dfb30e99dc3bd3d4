//===- Report.cpp - counters and states of a host, as a report ------------===//
// SPDX-License-Identifier: MIT

#include "Core.h"
#include "glow/Runtime/Host.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace glow;
using namespace glow::runtime;
using Json = nlohmann::ordered_json;

void TimeHistogram::add(Duration time) {
  const uint64_t ticks = uint64_t(std::max<int64_t>(time.count(), 0));
  // Small times have a range each.
  const int shift = std::max(0, int(std::bit_width(ticks)) - bits - 1);
  ++ranges[(size_t(shift) << bits) + size_t(ticks >> shift)];
  ++all;
  total += time;
}

Duration TimeHistogram::quantile(double share) const {
  uint64_t seen = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    seen += ranges[i];
    if (!seen || double(seen) < share * double(all))
      continue;
    const size_t shift = i >> bits ? (i >> bits) - 1 : 0;
    const double first = std::ldexp(double(i - (shift << bits)), int(shift));
    // Times are assumed to be evenly distributed in a range.
    const double part =
        1 - (double(seen) - share * double(all)) / double(ranges[i]);
    return Duration(int64_t(first + std::ldexp(part, int(shift))));
  }
  return Duration(0);
}

static bool isServed(const ServedModel &model) {
  return model.state != ModelState::Loading;
}

static size_t readyCopies(const ServedModel &model) {
  return size_t(std::ranges::count_if(model.copies, &ModelCopy::isReady));
}

/// Any thread may call this, and report(): both only read, under the lock.
bool Host::isReady() const {
  std::lock_guard lock(core->mutex);
  return std::ranges::all_of(core->provisioner.all(), [](const auto &model) {
    return !isServed(*model) || readyCopies(*model) > 0;
  });
}

HostReport Host::report() const {
  HostReport report;
  report.isReady = isReady(); // takes the lock itself
  std::lock_guard lock(core->mutex);
  report.waiting = core->scheduler.waiting();
  report.memoryBytes = core->scheduler.memoryTaken();
  for (const std::shared_ptr<ServedModel> &model : core->provisioner.all())
    report.models.push_back({model->spec.name, model->spec.version,
                             model->state == ModelState::Loading   ? "loading"
                             : model->state == ModelState::Serving ? "serving"
                                                                   : "leaving",
                             model->waiting, model->copies.size(),
                             readyCopies(*model), model->queue->counters});
  for (const std::unique_ptr<DeviceSlot> &slot : core->executor.devices()) {
    report.devices.push_back(
        {slot->name, slot->info.backend, std::string(name(slot->state)),
         slot->why, slot->busy(), slot->waiting.size(),
         core->provisioner.programsOn(*slot), slot->counters,
         slot->info.threads, textOf(slot->info.processors),
         slot->info.memoryBytes});
  }
  return report;
}

static Json jsonOf(const TimeHistogram &times) {
  auto micros = [](Duration time) { return double(time.count()) / 1000; };
  return {{"count", times.count()},
          {"sum", micros(times.sum())},
          {"p50", micros(times.quantile(0.5))},
          {"p90", micros(times.quantile(0.9))},
          {"p99", micros(times.quantile(0.99))}};
}

static Json jsonOf(const ModelReport &model) {
  const ModelCounters &counters = model.counters;
  return {{"name", model.name},
          {"version", model.version},
          {"state", model.state},
          {"waiting", model.waiting},
          {"copies", model.copies},
          {"ready_copies", model.readyCopies},
          {"admitted", counters.admitted},
          {"refused", counters.refused},
          {"answered", counters.answered},
          {"failed", counters.failed},
          {"late", counters.late},
          {"cancelled", counters.cancelled},
          {"again", counters.again},
          {"runs", counters.runs},
          {"rows", counters.rows},
          {"padding", counters.padding},
          {"queue_time", jsonOf(counters.queueTime)},
          {"run_time", jsonOf(counters.runTime)}};
}

static Json jsonOf(const DeviceReport &device) {
  return {{"name", device.name},
          {"backend", device.backend},
          {"state", device.state},
          {"why", device.why},
          {"threads", device.threads},
          {"processors", device.processors},
          {"memory_bytes", device.memoryBytes},
          {"running", device.running},
          {"waiting", device.waiting},
          {"programs", device.programs},
          {"runs", device.counters.runs},
          {"faults", device.counters.faults},
          {"checks", device.counters.checks},
          {"run_time", jsonOf(device.counters.runTime)}};
}

std::string HostReport::json() const {
  auto list = [](const auto &items) {
    Json all = Json::array();
    for (const auto &item : items)
      all.push_back(jsonOf(item));
    return all;
  };
  Json all = {{"is_ready", isReady},
              {"waiting", waiting},
              {"memory_bytes", memoryBytes},
              {"models", list(models)},
              {"devices", list(devices)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
