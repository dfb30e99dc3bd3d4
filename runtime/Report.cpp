//===- Report.cpp - what a host has done so far ---------------------------===//

#include "Core.h"
#include "glow/Runtime/Host.h"
#include <algorithm>
#include <bit>
#include <sstream>

using namespace glow;
using namespace glow::runtime;

void TimeHistogram::add(Duration time) {
  const uint64_t ticks = uint64_t(std::max<int64_t>(time.count(), 0));
  ++ranges[std::min<size_t>(size_t(std::bit_width(ticks)), ranges.size() - 1)];
  ++all;
  total += time;
}

Duration TimeHistogram::quantile(double share) const {
  uint64_t seen = 0;
  for (size_t i = 0; i < ranges.size(); ++i)
    if (seen += ranges[i]; seen && double(seen) >= share * double(all))
      return Duration(int64_t(1) << std::min<size_t>(i, 62));
  return Duration(0);
}

static bool isServed(const Model &model) {
  return model.state != Model::Loading;
}

static size_t readyCopies(const Model &model) {
  return size_t(std::ranges::count_if(model.copies, [](const auto &copy) {
    return copy->state == Copy::Ready;
  }));
}

bool Host::isReady() const {
  std::lock_guard lock(core->mutex);
  return std::ranges::all_of(core->ring, [](const auto &model) {
    return !isServed(*model) || readyCopies(*model) > 0;
  });
}

HostReport Host::report() const {
  HostReport report;
  report.isReady = isReady();
  std::lock_guard lock(core->mutex);
  report.waiting = core->scheduler.waiting();
  report.memoryBytes = core->memory->taken;
  for (const std::shared_ptr<Model> &model : core->ring)
    report.models.push_back({model->spec.name, model->spec.version,
                             model->state == Model::Loading   ? "loading"
                             : model->state == Model::Serving ? "serving"
                                                              : "leaving",
                             model->queue.size(), model->copies.size(),
                             readyCopies(*model), model->counters});
  for (const std::unique_ptr<Slot> &slot : core->slots) {
    size_t programs = 0;
    for (const std::shared_ptr<Copy> &copy : slot->copies)
      for (const std::vector<Place> &variant : copy->places)
        for (const Place &place : variant)
          programs += place.slot == slot.get() && place.state == Place::Loaded;
    report.devices.push_back({slot->name, slot->info.backend,
                              std::string(name(slot->state)), slot->why,
                              slot->active.size(), slot->waiting.size(),
                              programs, slot->counters});
  }
  return report;
}

namespace {

/// Writes one JSON object.
class JsonObject {
public:
  explicit JsonObject(std::ostringstream &text) : text(text) { text << '{'; }
  ~JsonObject() { text << '}'; }
  std::ostringstream &key(std::string_view name) {
    text << (isFirst ? "" : ", ") << '"' << name << "\": ";
    isFirst = false;
    return text;
  }
  void add(std::string_view name, uint64_t value) { key(name) << value; }
  void add(std::string_view name, const std::string &value) {
    key(name) << jsonText(value);
  }
  void add(std::string_view name, const TimeHistogram &times) {
    auto micros = [](Duration time) { return double(time.count()) / 1000; };
    key(name);
    JsonObject object(text);
    object.add("count", times.count());
    object.key("sum") << micros(times.sum());
    object.key("p50") << micros(times.quantile(0.5));
    object.key("p90") << micros(times.quantile(0.9));
    object.key("p99") << micros(times.quantile(0.99));
  }

private:
  std::ostringstream &text;
  bool isFirst = true;
};

} // namespace

static void print(std::ostringstream &text, const ModelReport &model) {
  JsonObject object(text);
  object.add("name", model.name);
  object.add("version", model.version);
  object.add("state", model.state);
  object.add("waiting", model.waiting);
  object.add("copies", model.copies);
  object.add("ready_copies", model.readyCopies);
  const ModelCounters &counters = model.counters;
  object.add("admitted", counters.admitted);
  object.add("refused", counters.refused);
  object.add("answered", counters.answered);
  object.add("failed", counters.failed);
  object.add("late", counters.late);
  object.add("cancelled", counters.cancelled);
  object.add("again", counters.again);
  object.add("runs", counters.runs);
  object.add("rows", counters.rows);
  object.add("padding", counters.padding);
  object.add("queue_time", counters.queueTime);
  object.add("run_time", counters.runTime);
}

static void print(std::ostringstream &text, const DeviceReport &device) {
  JsonObject object(text);
  object.add("name", device.name);
  object.add("backend", device.backend);
  object.add("state", device.state);
  object.add("why", device.why);
  object.add("running", device.running);
  object.add("waiting", device.waiting);
  object.add("programs", device.programs);
  object.add("runs", device.counters.runs);
  object.add("faults", device.counters.faults);
  object.add("checks", device.counters.checks);
  object.add("run_time", device.counters.runTime);
}

std::string HostReport::json() const {
  std::ostringstream text;
  auto list = [&](const auto &items) {
    text << '[';
    for (const auto &item : items) {
      text << (&item == items.data() ? "\n" : ",\n");
      print(text, item);
    }
    text << ']';
  };
  {
    JsonObject object(text);
    object.key("is_ready") << (isReady ? "true" : "false");
    object.add("waiting", waiting);
    object.add("memory_bytes", memoryBytes);
    object.key("models");
    list(models);
    object.key("devices");
    list(devices);
  }
  return text.str() + "\n";
}
