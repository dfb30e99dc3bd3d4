//===- Link.cpp - a way to a server that loses and delays -----------------===//
// SPDX-License-Identifier: MIT

#include "Link.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include <cstring>

using namespace simulation;
using namespace glow;

static TimePoint after(TimePoint time, int64_t microseconds) {
  return time + std::chrono::microseconds(microseconds);
}

void Wire::carry(std::function<void()> arrives, std::function<void()> lost,
                 bool hasTensors) {
  Duration time(chance.between(least.count(), most.count()));
  if (clock.now() < slowUntil)
    time *= chance.between(5, 50);
  TimePoint sent = clock.now();
  if (hasTensors && line)
    sent = *line = std::max(*line, sent) + transfer;
  clock.postAt(sent + time,
               [this, arrives = std::move(arrives), lost = std::move(lost)] {
                 if (clock.now() >= cutUntil)
                   arrives();
                 else
                   clock.postAt(cutUntil, lost);
               });
}

void Wire::fault(const FaultPlan &fault) {
  const TimePoint until = after(clock.now(), fault.length);
  if (fault.kind == FaultPlan::Delays)
    slowUntil = until;
  if (fault.kind == FaultPlan::Cut || fault.kind == FaultPlan::Breaks)
    cutUntil = until;
  if (fault.kind == FaultPlan::Breaks && breaks)
    breaks();
}

namespace {

class WireLink final : public Link {
public:
  WireLink(std::shared_ptr<Wire> given, std::shared_ptr<RemoteService> service)
      : wire(std::move(given)), service(std::move(service)) {
    wire->breaks = [this] { drop(); };
  }
  ~WireLink() override {
    wire->breaks = nullptr;
    drop();
  }

  void open(SessionId previous, Duration limit,
            Done<RemoteSession> done) override {
    auto answer = begin(limit, std::move(done));
    send(answer, [previous, to = service, back = over(answer)] {
      to->open(previous, back);
    });
  }
  void ping(SessionId session, uint64_t, Duration limit,
            Done<uint64_t> done) override {
    auto answer = begin(limit, std::move(done));
    send(answer, [session, to = service, back = over(answer)] {
      back(to->ping(session));
    });
  }
  void measure(SessionId session, Done<DeviceRates> done) override {
    auto answer = begin(Duration::zero(), std::move(done));
    send(answer, [session, to = service, back = over(answer)] {
      to->measure(session, back);
    });
  }
  void load(SessionId session, const Program &, const std::string &description,
            Done<RemoteProgram> done) override {
    auto answer = begin(Duration::zero(), std::move(done));
    send(answer, [session, description, to = service, back = over(answer)] {
      auto incoming = to->receive(session, description.size(), 0);
      if (!incoming)
        return back(incoming.status());
      HashOfParts hash;
      hash.add(description);
      hash.add("");
      const Hash sum = hash.finish();
      (*incoming)->hash[0] = sum.high;
      (*incoming)->hash[1] = sum.low;
      (void)to->append(**incoming, description);
      to->load(incoming.take(), back);
    });
  }
  std::function<void()>
  run(SessionId session, ProgramId program, const Ints &sizes,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) override;
  void unload(SessionId session, ProgramId program,
              Done<uint64_t> done) override {
    auto answer = begin(Duration::zero(), std::move(done));
    send(answer, [session, program, to = service, back = over(answer)] {
      to->unload(session, program, back);
    });
  }
  void close(SessionId session) override {
    wire->carry([to = service, session] { to->close(session); }, [] {});
  }
  void drop() override {
    for (auto &[number, fail] : std::exchange(calls, {}))
      fail(broken());
  }

private:
  template <typename T> using Answer = std::function<void(Result<T>)>;

  /// Remembers a call; the returned function ends the call, at most once.
  template <typename T> Answer<T> begin(Duration limit, Done<T> done) {
    const uint64_t number = ++last;
    auto told = std::make_shared<Done<T>>(std::move(done));
    calls[number] = [told](const Status &status) { (*told)(status); };
    auto end = [this, number, told](Result<T> result) {
      if (calls.erase(number))
        (*told)(std::move(result));
    };
    if (limit > Duration::zero())
      wire->clock.postAt(wire->clock.now() + limit,
                         [end, weak = std::weak_ptr(alive)] {
                           if (weak.lock())
                             end(Status(Code::DeviceLost, "no answer in time"));
                         });
    return end;
  }

  static Status broken() { return Status(Code::DeviceLost, "the link broke"); }

  /// A call on its way, which arrives though the host may have ended; `end`
  /// ends it if it is lost.
  template <typename T>
  void send(Answer<T> end, std::function<void()> arrives,
            bool hasTensors = false) {
    wire->carry(
        std::move(arrives),
        [weak = std::weak_ptr(alive), end] {
          if (weak.lock())
            end(broken());
        },
        hasTensors);
  }

  /// An answer on its way back.
  template <typename T> Answer<T> over(Answer<T> end, bool hasTensors = false) {
    return [wire = wire, weak = std::weak_ptr(alive), end,
            hasTensors](Result<T> result) {
      auto sent = std::make_shared<Result<T>>(std::move(result));
      wire->carry(
          [weak, end, sent] {
            if (weak.lock())
              end(std::move(*sent));
          },
          [weak, end] {
            if (weak.lock())
              end(broken());
          },
          hasTensors);
    };
  }

  const std::shared_ptr<Wire> wire;
  const std::shared_ptr<RemoteService> service;
  std::map<uint64_t, std::function<void(Status)>> calls; // not answered
  uint64_t last = 0;
  std::shared_ptr<int> alive = std::make_shared<int>();
};

} // namespace

std::function<void()>
WireLink::run(SessionId session, ProgramId program, const Ints &sizes,
              const std::vector<TensorView> &inputs,
              std::function<void(Status, const Outputs &)> done) {
  std::vector<std::vector<char>> sent;
  for (const TensorView &input : inputs) {
    auto *data = static_cast<const char *>(input.data);
    sent.emplace_back(data, data + input.type->bytes());
  }
  using Run = std::shared_ptr<ServedRun>;
  auto end = begin<Run>(Duration::zero(), [done](Result<Run> run) {
    done(run.status(), [&](const std::vector<TensorView> &into) {
      for (size_t i = 0; i < into.size(); ++i)
        std::memcpy(into[i].data, (*run)->outputs[i].data(),
                    into[i].type->bytes());
      return Status();
    });
  });
  auto here = std::make_shared<Run>(); // once it is there
  send(
      end,
      [=, to = service, back = over(end), filled = over(end, true)] {
        Result<Run> run = to->prepare(session, program, sizes);
        if (!run)
          return back(run.status());
        *here = *run;
        for (size_t i = 0; i < sent.size(); ++i)
          std::memcpy((*run)->inputs[i].data(), sent[i].data(), sent[i].size());
        to->start(session, program, *run, [=, run = *run](Status status) {
          if (!status.ok())
            return back(status);
          // The server copies its outputs before another run has the memory.
          auto answer = std::make_shared<ServedRun>();
          for (const Tensor &output : run->outputs)
            answer->outputs.push_back(Tensor::copyOf(output.view()).take());
          filled(answer);
        });
      },
      true);
  return [wire = wire, here] {
    wire->carry(
        [here] {
          if (*here)
            (*here)->cancelled = true;
        },
        [] {});
  };
}

std::unique_ptr<Link> simulation::linkOver(std::shared_ptr<Wire> wire,
                                           std::shared_ptr<RemoteService> to) {
  return std::make_unique<WireLink>(std::move(wire), std::move(to));
}
