//===- State.h - state of a host --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plain data. The one lock of a host (Core::mutex) guards every member, except
// where a comment names another lock or the task that owns the member.
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

/// A caller's request. It lives until no device can touch its tensors.
///
/// States: Waiting in the queue of its model, Running as part of a run,
/// Answered. Answered is final. A failed run may put a request back to Waiting.
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

  std::vector<Tensor> inputs; ///< empty if the caller owns the inputs
  std::vector<TensorView> inputViews;
  std::vector<TensorView> outputViews; ///< the caller's; empty: host allocates
  bool isBorrowed = false; ///< answered only when no device touches its memory

  std::function<void(Status, std::vector<Tensor>)> done;
  std::shared_ptr<Waiter>
      waiter; ///< the caller's thread, if it waits and may run devices

  enum { Waiting, Running, Answered } state = Waiting;
  unsigned kills = 0;   ///< devices that were lost during its runs
  bool isAlone = false; ///< never put into a batch with other requests again
  bool isCancelled = false;
  std::weak_ptr<Run> run; ///< the latest run
  TimerId timer = TimerId::None;

  uint64_t bytes = 0;
  std::shared_ptr<HostMemory> memory;
};

/// A part of a program, with the values that it reads and writes.
struct Part {
  const Program *program;
  std::vector<uint32_t> inputs, outputs; ///< values
  std::vector<uint32_t> next;            ///< parts that wait for this one
};

/// A program of a model, for one batch size. Only `canary` and `noCanary`
/// change after the model was made.
struct Variant {
  Program program;
  int64_t batch = 1;
  std::vector<Part> parts;
  std::vector<TensorType> between;
  std::vector<const TensorType *> types; ///< one type a value, in value order
  uint64_t bytesOfRun = 0;               ///< bytes of all values together

  /// Values of a correct run, by which later checks are judged. The inputs
  /// alone: no check has run yet. `noCanary`: the program accepts no such
  /// inputs, so that there is no check.
  std::vector<Tensor> canary;
  bool noCanary = false;
};

/// Sort key of a queue: the negated priority, then the order of admission.
using QueuePlace = std::pair<int64_t, uint64_t>;

/// A version of a model that a host serves.
///
/// States: Loading, Serving, Leaving (unloaded, evicted, replaced, or failed to
/// load), Gone. A model in Leaving answers its requests and is then removed.
struct Model {
  ModelId id;
  ModelSpec spec; ///< `programs` is empty: `variants` has them
  std::vector<std::unique_ptr<Variant>> variants; ///< in order of batch size
  bool isBatched = false;
  enum { Loading, Serving, Leaving, Gone } state = Loading;
  std::map<QueuePlace, std::shared_ptr<Request>> queue;
  std::vector<std::shared_ptr<Copy>> copies;
  Duration deficit{0}; ///< device time that the model may still use
  TimerId collecting = TimerId::None;
  TimePoint collectsUntil, lastUse;
  bool isChecking = false; ///< a check of one of its copies runs
  std::function<void(Result<ModelId>)> whenLoaded;
  uint64_t evictedFor = 0; ///< the id of the model that took its memory
  ModelCounters counters;

  const std::vector<Binding> &inputs() const {
    return variants.front()->program.inputs;
  }
  const std::vector<Binding> &outputs() const {
    return variants.front()->program.outputs;
  }
};

/// A part of one variant on a device. Loading marks a call of Device::load that
/// runs without the lock; `program` is valid in state Loaded.
struct Place {
  Slot *slot = nullptr;
  ProgramId program{};
  enum { Absent, Loading, Loaded } state = Absent;
  Duration time{0}; ///< mean time of a run, measured; 0: unknown
};

/// Memory for the values of a run that no request owns.
struct Buffers {
  std::vector<Tensor> values; ///< by value; empty without host memory
  std::vector<std::unique_ptr<DeviceBuffer>> onDevice; ///< by value; null: none
};

/// A copy of a model, loaded on one or more devices.
///
/// States: Loading, Checking (its canary runs, or waits for another check of
/// the model), Ready (serves), Waiting (for a device that is not good), Leaving
/// (runs end, none starts), Gone. Provisioner::advance moves it to Ready.
struct Copy {
  std::shared_ptr<Model> model;
  std::vector<std::vector<Place>> places; ///< by variant, by part
  enum { Loading, Checking, Ready, Waiting, Leaving, Gone } state = Loading;
  bool isChecked = false;
  size_t nextCheck = 0; ///< the variant that is checked next
  unsigned loadsLeft = 0;
  Status failed;
  unsigned running = 0;
  std::vector<std::vector<std::unique_ptr<Buffers>>> spare; ///< by variant

  /// The devices of its parts, each once. Requests are taken for the first.
  std::vector<Slot *> slots;

  Duration timeOf(size_t variant) const {
    Duration sum{0};
    for (const Place &place : places[variant])
      sum += place.time;
    return sum;
  }

  /// The number of concurrent runs that keeps all of its devices busy.
  size_t depth() const;
};

/// A run of a variant on a copy, for requests or as a check.
struct Run {
  enum Kind { Serve, Check } kind = Serve;
  std::shared_ptr<Copy> copy;
  size_t variant = 0;
  std::vector<std::shared_ptr<Request>> requests; ///< kept until the run ends
  uint64_t span = 0;

  // The first task that is handed over fills these members without the lock of
  // the host; `preparing` makes the other tasks wait for it. Read-only after.
  std::mutex preparing;
  bool isPrepared = false;
  Status preparation;
  std::unique_ptr<Buffers> buffers;
  std::vector<Tensor> outputs; ///< host-allocated outputs of a single request
  std::vector<TensorView> values;
  std::vector<DeviceBuffer *> deviceValues;

  std::vector<uint32_t> waitsFor; ///< by part: predecessors that have not ended
  unsigned partsLeft = 0;
  unsigned tasksOut = 0; ///< launched tasks whose devices may touch tensors
  bool isOver = false;   ///< its requests are answered or queued again
  Status status;
  std::vector<std::weak_ptr<Task>> tasks;
  /// Borrowed requests of a failed run; decided when `tasksOut` becomes 0.
  std::vector<std::shared_ptr<Request>> held;
  Slot *checked = nullptr; ///< the only device that a check is about, or null
  uint64_t epoch = 0;      ///< sum of the epochs of the checked devices
  TimePoint begin;

  /// Whether a part is run. A check of one device runs only the parts on it.
  bool has(uint32_t part) const {
    return !checked || copy->places[variant][part].slot == checked;
  }
};

/// The execution of one part of a run on a device. The queue Slot::waiting has
/// it first, then Slot::active; a task of a lost device moves to Slot::lost.
struct Task {
  std::weak_ptr<Core> core;
  std::shared_ptr<Run> run;
  Slot *slot = nullptr;
  std::weak_ptr<Device> device; ///< weak: a device may own the last task
  uint32_t part = 0;
  ProgramId program{};
  uint64_t epoch = 0; ///< the epoch of the slot when the task was made
  uint64_t span = 0;
  TimePoint begin, limit;
  Duration allowance{0}; ///< time limit of the task alone; 0: no limit
  bool hasEnded = false;
  std::atomic<bool> cancelled{false}; ///< set under the lock; devices read it
  std::atomic<bool> isHanded{false};  ///< Device::run was called
  Tensors tensors; ///< written by the thread that hands over, then the device's
};

/// A device, with the state that the host keeps about it.
///
/// `state` goes from Good to Lost (Executor::fault), to Suspect when its
/// programs are loaded again (Provisioner::recover), and to Good when all
/// checks have passed (Provisioner::becomeGood).
struct Slot {
  std::shared_ptr<Device> device;
  DeviceInfo info;
  std::string name;
  size_t index = 0;
  DeviceState state = DeviceState::Good;
  uint64_t epoch = 1; ///< incremented by each loss: older results are ignored
  std::string why;    ///< the reason why its state is not Good
  std::vector<std::shared_ptr<Task>> active; ///< launched, not ended
  std::deque<std::shared_ptr<Task>> waiting; ///< not launched
  std::set<std::shared_ptr<Task>> lost; ///< active when the device was lost
  std::vector<std::shared_ptr<Copy>> copies;
  std::vector<ProgramId> stale; ///< programs loaded before the loss
  bool isRecovering = false, isDirty = false; ///< recover() runs; in `dirty`
  bool waitsForRuns = false; ///< is loaded again when `lost` is empty
  unsigned stuckLoads = 0;   ///< load calls that were given up and still run
  unsigned failures = 0;     ///< consecutive losses and failed recoveries
  unsigned checksLeft = 0;
  TimerId retry = TimerId::None;
  size_t turn = 0; ///< index in Core::ring of the model that is served
  DeviceCounters counters;

  /// The number of tasks that the device takes at a time.
  size_t room() const {
    return std::max(1u, info.programsAtOnce) + info.programsAhead;
  }
};

inline size_t Copy::depth() const {
  size_t sum = 0;
  for (const Slot *slot : slots)
    sum += slot->room();
  // One more run can wait for each device except the first.
  return sum + slots.size() - 1;
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_STATE_H
