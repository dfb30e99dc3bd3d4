//===- State.h - what a host knows ------------------------------*- C++ -*-===//
//
// Plain data, all of it guarded by the one lock of a host (Core.h), but for
// what says that it belongs to a task.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_STATE_H
#define GLOW_RUNTIME_HOST_STATE_H

#include "Waiter.h"
#include "glow/Program/Parts.h"
#include "glow/Runtime/Compare.h"
#include "glow/Runtime/Counters.h"
#include "glow/Runtime/Model.h"
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace glow::runtime {

class Core;
struct Copy;
struct Model;
struct Run;
struct Slot;
struct Task;

/// Bytes of tensors in memory of the host that requests hold.
struct HostMemory {
  std::atomic<uint64_t> taken{0};
};

/// What a caller asked for. Lives until no device can touch its tensors.
struct Request {
  ~Request() {
    if (memory)
      memory->taken -= bytes;
  }

  uint64_t id = 0;
  std::shared_ptr<Model> model;
  RequestOptions options;
  int64_t rows = 1;
  TimePoint admitted, started;

  std::vector<Tensor> inputs; ///< empty if the caller keeps them
  std::vector<TensorView> inputViews;
  std::vector<TensorView> outputViews; ///< of the caller; empty: made here
  bool isBorrowed = false;             ///< answered when no device touches it

  std::function<void(Status, std::vector<Tensor>)> done;
  std::shared_ptr<Waiter>
      waiter; ///< the thread that waits, if it may run devices

  enum { Waiting, Running, Answered } state = Waiting;
  unsigned kills = 0;   ///< devices that were lost while they ran it
  bool isAlone = false; ///< not put together with others any more
  bool isCancelled = false;
  std::weak_ptr<Run> run; ///< the last one
  TimerId timer = TimerId::None;

  uint64_t bytes = 0;
  std::shared_ptr<HostMemory> memory;
};

/// A part of a program: what it reads and writes, and what it waits for.
struct Part {
  const Program *program;
  std::vector<uint32_t> inputs, outputs; ///< values
  std::vector<uint32_t> next;            ///< parts that come after
};

/// A program of a model, for one batch size.
struct Variant {
  Program program;
  int64_t batch = 1;
  std::vector<Part> parts;
  std::vector<TensorType> between;
  std::vector<const TensorType *> types; ///< of all values, in their order
  uint64_t bytesOfRun = 0;               ///< of all values

  /// Values of a run that was right; empty: none yet. `noCanary`: there will be
  /// none, as the program does not take such inputs.
  std::vector<Tensor> canary;
  bool noCanary = false;
};

/// Highest priority first, in each the first that came.
using QueuePlace = std::pair<int64_t, uint64_t>;

struct Model {
  ModelId id;
  ModelSpec spec;                                 ///< without its programs
  std::vector<std::unique_ptr<Variant>> variants; ///< by batch size
  bool isBatched = false;
  enum { Loading, Serving, Leaving, Gone } state = Loading;
  std::map<QueuePlace, std::shared_ptr<Request>> queue;
  std::vector<std::shared_ptr<Copy>> copies;
  Duration deficit{0}; ///< of its share of devices
  TimerId collecting = TimerId::None;
  TimePoint collectsUntil, lastUse;
  bool isChecking = false; ///< a copy of it is
  std::function<void(Result<ModelId>)> whenLoaded;
  uint64_t evictedFor = 0; ///< tries to make room for it
  ModelCounters counters;

  const std::vector<Binding> &inputs() const {
    return variants.front()->program.inputs;
  }
  const std::vector<Binding> &outputs() const {
    return variants.front()->program.outputs;
  }
};

/// A part of one variant on a device.
struct Place {
  Slot *slot = nullptr;
  ProgramId program{};
  enum { Absent, Loading, Loaded } state = Absent;
  Duration time{0}; ///< of a run, measured; 0: not known
};

/// Memory for the values of a run that are not a request's own.
struct Buffers {
  std::vector<Tensor> values; ///< by value; empty where there is none
  std::vector<std::unique_ptr<DeviceBuffer>> onDevice; ///< the same
};

struct Copy {
  std::shared_ptr<Model> model;           ///< until it is gone
  std::vector<std::vector<Place>> places; ///< by variant, by part
  enum { Loading, Checking, Ready, Waiting, Leaving, Gone } state = Loading;
  bool isChecked = false;
  size_t nextCheck = 0; ///< the variant
  unsigned loadsLeft = 0;
  Status failed;
  unsigned running = 0;
  std::vector<std::vector<std::unique_ptr<Buffers>>> spare; ///< by variant

  /// The devices of its parts, each once; the first is where runs begin.
  std::vector<Slot *> slots;

  Duration timeOf(size_t variant) const {
    Duration sum{0};
    for (const Place &place : places[variant])
      sum += place.time;
    return sum;
  }

  /// As many runs as keep all of its devices busy.
  size_t depth() const;
};

/// A run of a variant on a copy, for requests or as a check.
struct Run {
  enum Kind { Serve, Check } kind = Serve;
  std::shared_ptr<Copy> copy;
  size_t variant = 0;
  std::vector<std::shared_ptr<Request>> requests; ///< kept to its end
  uint64_t span = 0;

  // Of the task that prepares it, then read by all.
  std::mutex preparing;
  bool isPrepared = false;
  Status preparation;
  std::unique_ptr<Buffers> buffers;
  std::vector<Tensor> outputs; ///< for the one request that it is for
  std::vector<TensorView> values;
  std::vector<DeviceBuffer *> deviceValues;

  std::vector<uint32_t> waitsFor; ///< by part
  unsigned partsLeft = 0;
  unsigned tasksOut = 0; ///< that a device has
  bool isOver = false;   ///< its requests are no longer its
  Status status;
  std::vector<std::weak_ptr<Task>> tasks;
  std::vector<std::shared_ptr<Request>> held; ///< borrowed: to go on at the end
  Slot *checked = nullptr; ///< the device that alone is checked
  uint64_t epoch = 0;      ///< of the devices that a check is about, in all
  TimePoint begin;

  /// Whether a part is run: of a check of one device those that are on it.
  bool has(uint32_t part) const {
    return !checked || copy->places[variant][part].slot == checked;
  }
};

/// A part of a run, on its way to and on a device.
struct Task {
  std::weak_ptr<Core> core;
  std::shared_ptr<Run> run;
  Slot *slot = nullptr;
  std::weak_ptr<Device> device; ///< weak: a device may own the last task
  uint32_t part = 0;
  ProgramId program{};
  uint64_t epoch = 0;
  uint64_t span = 0;
  TimePoint begin, limit;
  Duration allowance{0}; ///< for the task alone; 0: without a limit
  bool hasEnded = false;
  std::atomic<bool> cancelled{false};
  std::atomic<bool> isHanded{false}; ///< its device was asked to run it
  Tensors tensors; ///< of the thread that hands it over, then the device's
};

/// A device and what the host thinks of it.
struct Slot {
  std::shared_ptr<Device> device;
  DeviceInfo info;
  std::string name;
  size_t index = 0;
  DeviceState state = DeviceState::Good;
  uint64_t epoch = 1; ///< counts losses: what began before is not believed
  std::string why;    ///< it is not good
  std::vector<std::shared_ptr<Task>> active;
  std::deque<std::shared_ptr<Task>> waiting;
  std::set<std::shared_ptr<Task>> lost; ///< not ended when the device was lost
  std::vector<std::shared_ptr<Copy>> copies;
  std::vector<ProgramId> stale; ///< loaded before it was lost
  bool isRecovering = false, isDirty = false;
  bool waitsForRuns = false; ///< to end, before it can be loaded again
  unsigned stuckLoads = 0;   ///< given up, but its calls have not come back
  unsigned failures = 0;     ///< in a row
  unsigned checksLeft = 0;
  TimerId retry = TimerId::None;
  size_t turn = 0; ///< of models, the one that is served
  DeviceCounters counters;

  size_t room() const {
    return std::max(1u, info.programsAtOnce) + info.programsAhead;
  }
};

inline size_t Copy::depth() const {
  size_t sum = 0;
  for (const Slot *slot : slots)
    sum += slot->room();
  // One more waits at the door of each device but the first.
  return sum + slots.size() - 1;
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_STATE_H
