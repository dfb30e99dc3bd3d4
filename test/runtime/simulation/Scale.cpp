//===- Scale.cpp - throughput of many devices -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The host of the library with devices that take their time and do nothing
// else. The simulated host takes no time; so its cost is added where requests
// are sent, one after the other.
//
//===----------------------------------------------------------------------===//

#include "Scale.h"
#include "Link.h"
#include "glow/Runtime/Host.h"
#include <deque>

using namespace simulation;
using namespace glow;

static Duration of(double microseconds) {
  return Duration(int64_t(microseconds * 1000));
}

namespace {

/// Sends requests, each when the host is free and few enough are on their way.
class Sender {
public:
  Sender(size_t devices, const Costs &costs)
      : costs(costs), window(3 * devices) {
    host.emplace(optionsOf(clock));
    for (size_t i = 0; i < devices; ++i)
      add(i);
    ModelSpec spec;
    spec.copies = 0;
    spec.programs.push_back(programInParts(0, 1, 1, 1));
    host->add(std::move(spec), [this](Result<ModelId> id) {
      if (id)
        model = *id;
    });
    while (!model && clock->step(TimePoint::max()))
      ;
  }

  /// Delivers the host's last messages: servers wait for them.
  ~Sender() {
    isOver = true;
    host.reset();
    while (clock->step(TimePoint::max()))
      ;
  }

  double run() {
    if (!model)
      return 0;
    send();
    // The first fill the devices.
    until(10 * window);
    const size_t before = answered;
    const TimePoint begin = clock->now();
    until(answered + 40 * window);
    isOver = true;
    const double time =
        std::chrono::duration<double>(clock->now() - begin).count();
    const double rate = double(answered - before) / time;
    until(sent);
    return rate;
  }

private:
  static HostOptions optionsOf(std::shared_ptr<Workers> workers) {
    HostOptions options;
    options.workers = std::move(workers);
    options.queueLimit = SIZE_MAX;
    return options;
  }

  void add(size_t number) {
    plans.push_back({1, false, true, int64_t(costs.run + 0.5),
                     uint64_t(1) << 30, costs.latency > 0});
    auto device = std::make_shared<simulation::Device>(*clock, plans.back(),
                                                       number, seen, wrong);
    if (costs.latency == 0)
      return void(host->addDevice(device));
    ServerOptions server;
    server.workers = clock;
    server.seed = number + 1;
    servers.push_back(deviceServer(device, "simulated", server));
    wires.push_back(std::make_shared<Wire>(*clock, of(costs.latency),
                                           of(costs.latency), number));
    wires.back()->line = line;
    wires.back()->transfer = of(costs.transfer / 2);
    // Pings say nothing that is of interest here.
    const Duration hour = std::chrono::hours(1);
    auto far = remoteDevice(linkOver(wires.back(), servers.back()), clock,
                            {hour, hour, hour, hour, hour});
    if (far)
      (void)host->addDevice(far.take());
  }

  void send() {
    if (isOver || isSending || sent - answered >= window)
      return;
    isSending = true;
    ++sent;
    std::vector<Tensor> inputs;
    inputs.push_back(
        Tensor::zeros({ElementKind::F32, {1, simulation::width}}).take());
    host->submit(*model, std::move(inputs), {},
                 [this](Status, std::vector<Tensor>) {
                   ++answered;
                   send();
                 });
    clock->postAt(clock->now() + of(costs.host), [this] {
      isSending = false;
      send();
    });
  }

  void until(size_t count) {
    while (answered < count && clock->step(TimePoint::max()))
      ;
  }

  const Costs costs;
  const size_t window;
  std::map<int64_t, Seen> seen;
  std::string wrong;
  std::shared_ptr<Clock> clock = std::make_shared<Clock>(1);
  std::shared_ptr<TimePoint> line = std::make_shared<TimePoint>();
  std::deque<DevicePlan> plans;
  std::vector<std::shared_ptr<Wire>> wires;
  std::vector<std::shared_ptr<RemoteService>> servers;
  std::optional<ModelId> model;
  size_t sent = 0, answered = 0;
  bool isSending = false, isOver = false;
  std::optional<Host> host;
};

} // namespace

double simulation::throughputOf(size_t devices, const Costs &costs) {
  return Sender(devices, costs).run();
}
