//===- Run.h - programs on devices, and their runs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plain data of the executor. The lock of the host guards every member, except
// where a comment names another lock or the task that owns the member.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_EXECUTOR_RUN_H
#define GLOW_RUNTIME_HOST_EXECUTOR_RUN_H

#include "Waiter.h"
#include "glow/Program/Parts.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Counters.h"
#include "glow/Runtime/DirectDevice.h"
#include "glow/Runtime/SessionStates.h"
#include "host/monitor/Monitor.h"
#include "host/monitor/States.h"
#include <algorithm>
#include <deque>
#include <set>

namespace glow::runtime {

class Executor;
struct Run;
struct DeviceSlot;
struct Task;

/// A part of a program, with the values that it reads and writes.
struct ProgramPart {
  const Program *program;
  std::vector<uint32_t> inputs, outputs; ///< values
  std::vector<uint32_t> next;            ///< parts that wait for the part
};

/// A program of a model, for one batch size. Only `canary` and `noCanary`
/// change after the model was made.
struct Variant {
  Program program;
  int64_t batch = 1;
  std::vector<ProgramPart> parts;
  std::vector<TensorType> between;
  std::vector<const TensorType *> types; ///< one type a value, in value order
  uint64_t bytesOfRun = 0;               ///< bytes of all values together

  /// The lengths of each value; empty if all runs have the sizes of `types`,
  /// which are the greatest. `batch` is then the most rows of a run.
  std::vector<const std::vector<Length> *> lengths;
  bool isOpen() const { return !lengths.empty(); }
  /// The type of each value in a run of an open program.
  std::vector<TensorType> typesIn(const SizeValues &sizes) const;

  /// Values of a correct run, by which later checks are judged. The inputs
  /// alone: no check has run yet. `noCanary`: the program accepts no such
  /// inputs, so that there is no check.
  std::vector<Tensor> canary;
  SizeValues canarySizes;
  bool noCanary = false;
};

/// The time of a run as a line over the bytes of its values, through the latest
/// runs: those of an open program differ in their sizes.
class TimeLine {
public:
  bool isEmpty() const { return meanTime == 0; }

  /// Adds a run, which weighs an eighth; the first one is the mean.
  void add(double bytes, double time) {
    const double weight = isEmpty() ? 1 : 0.125;
    const double fromBytes = bytes - meanBytes, fromTime = time - meanTime;
    meanBytes += weight * fromBytes;
    meanTime += weight * fromTime;
    squares = (1 - weight) * (squares + weight * fromBytes * fromBytes);
    products = (1 - weight) * (products + weight * fromBytes * fromTime);
  }

  double at(double bytes) const {
    const double slope = squares > 0 ? std::max(0., products / squares) : 0;
    return std::max(0., meanTime + slope * (bytes - meanBytes));
  }

  /// Reduces all times by an eighth.
  void discount() { meanTime *= 0.875, products *= 0.875; }

private:
  double meanBytes = 0, meanTime = 0;
  double squares = 0;  ///< mean square of the deviations of bytes
  double products = 0; ///< mean product of the deviations of bytes and time
};

/// A part of one variant on a device; `id` is valid in state Loaded.
struct DeviceProgram {
  DeviceSlot *slot = nullptr;
  ProgramId id{};
  State<ProgramState> state = ProgramState::Absent;
  Duration time{0};    ///< mean time of a run, measured; 0: unknown
  TimeLine line;       ///< in place of `time` once an open program has run
  Duration longest{0}; ///< maximum over all runs and checks

  /// Adds a run to the mean time, in which it weighs an eighth.
  void add(Duration run) { time = time.count() ? (time * 7 + run) / 8 : run; }

  /// The predicted time of a run with so many bytes of values; 0: unknown.
  Duration timeOf(uint64_t bytes) const {
    return line.isEmpty() ? time : Duration(int64_t(line.at(double(bytes))));
  }
};

/// Memory for the values of a run that no request owns.
struct Buffers {
  std::vector<Tensor> values; ///< by value; empty without host memory
  std::vector<std::unique_ptr<DeviceBuffer>> onDevice; ///< by value; null: none
};

/// The programs of a model on one or more devices. The executor runs them; the
/// provisioner loads them.
struct Instance {
  std::vector<std::vector<DeviceProgram>> programs; ///< by variant, by part

  /// The devices of its parts, each once. Requests are taken for the first.
  std::vector<DeviceSlot *> slots;

  unsigned running = 0; ///< runs that are not over
  std::vector<std::vector<std::unique_ptr<Buffers>>> spare; ///< by variant

  Duration timeOf(size_t variant, uint64_t bytes) const {
    Duration sum{0};
    for (const DeviceProgram &program : programs[variant])
      sum += program.timeOf(bytes);
    return sum;
  }

  /// The number of concurrent runs that keeps all of its devices busy.
  size_t depth() const;
};

/// The tensors of a request, as a run reads and writes them.
struct Operands {
  int64_t rows = 1;
  uint64_t runBytes = 0; ///< bytes of its values in a run of an open program
  SizeValues sizes;      ///< empty unless the program is open
  std::vector<TensorView> inputViews;
  std::vector<TensorView> outputViews; ///< the caller's; empty: host allocates
  SessionStates *states = nullptr;     ///< null without a session
  size_t stateProgram = 0;             ///< the run's number in `states`
  std::vector<Ints> *outputShapes = nullptr; ///< the caller's; see Tensors
  /// The same.
  const std::function<void(size_t)> *outputDone = nullptr;
  std::shared_ptr<Waiter>
      waiter; ///< the caller's thread, if it waits and may run devices
};

/// A run of a variant on an instance. The layer that starts it derives a class:
/// Batch is a run for requests, and Check one that compares values.
struct Run {
  Run(const std::string &name, Instance &instance, const Variant &code,
      size_t variant, DeviceSlot *checked, bool isCheck)
      : name(name), instance(instance), code(code), variant(variant),
        checked(checked), isCheck(isCheck) {}
  virtual ~Run() = default;

  /// The requests whose rows make up the batch. A check has no request.
  virtual size_t requestCount() const { return 0; }
  virtual Operands *request(size_t index) const { return nullptr; }

  const std::string &name; ///< the name of the model, for traces
  Instance &instance;      ///< kept alive by the derived class, with `code`
  const Variant &code;
  const size_t variant;
  DeviceSlot *const checked; ///< the only device that a check is about, or null
  const bool isCheck;
  uint64_t bytes = 0;        ///< the sum of the runBytes of its requests
  int64_t rows = code.batch; ///< of its inputs and outputs, with padding
  SizeValues sizes;          ///< empty unless the program is open
  uint64_t span = 0;

  // The first task that is dispatched fills these members without the lock of
  // the host; `preparing` makes the other tasks wait for it. Read-only after.
  std::mutex preparing;
  bool isPrepared = false;
  Status preparation;
  std::unique_ptr<Buffers> buffers;
  std::vector<Tensor> outputs; ///< host-allocated outputs of a single request
  std::vector<size_t> outputNumbers; ///< of `outputs`, in the program
  std::vector<Ints> outputShapes;    ///< from the device, if there is one part
  std::vector<TensorType> types;     ///< by value, of an open program
  std::vector<TensorView> values;
  std::vector<DeviceBuffer *> deviceValues;

  State<RunState> state = RunState::Running;
  std::vector<uint32_t> waitsFor; ///< by part: predecessors that have not ended
  unsigned partsLeft = 0;
  unsigned tasksOut = 0; ///< launched tasks whose devices may touch tensors
  Status status;
  std::vector<std::weak_ptr<Task>> tasks;
  TimePoint begin;

  const TensorType &typeOf(size_t value) const {
    return code.isOpen() ? types[value] : *code.types[value];
  }
  /// Whether one request fills the whole batch.
  bool isSolo() const {
    return requestCount() == 1 && request(0)->rows == rows;
  }

  /// Whether a part is run. A check of one device runs only the parts on it.
  bool has(uint32_t part) const {
    return !checked || instance.programs[variant][part].slot == checked;
  }
};

/// The execution of one part of a run on a device. The queue
/// DeviceSlot::waiting has it first, then DeviceSlot::active; a task of a lost
/// device moves to DeviceSlot::lost.
struct Task {
  std::weak_ptr<Monitor> monitor; ///< keeps `executor`
  Executor *executor = nullptr;
  std::shared_ptr<Run> run;
  DeviceSlot *slot = nullptr;
  std::weak_ptr<Device> device; ///< weak: a device may own the last task
  uint32_t part = 0;
  ProgramId program{};
  uint64_t epoch = 0; ///< the epoch of the slot when the task was made
  uint64_t span = 0;
  TimePoint begin, limit;
  Duration allowance{0}; ///< time limit of the task alone; 0: no limit
  size_t overtaken = 0;  ///< later tasks that the device may have run before
  bool hasEnded = false;
  std::atomic<bool> cancelled{false}; ///< set under the lock; devices read it
  std::atomic<bool> isDispatched{false}; ///< Device::run was called
  Tensors tensors; ///< written by the thread that dispatches, then the device's
};

/// A run of a program of one part on the thread of its caller, which has no
/// task. It lies in the memory of that thread; DeviceSlot::direct has it
/// meanwhile. Executor::enter sets the members.
struct DirectRun {
  Instance *instance = nullptr; ///< kept alive by the layer that starts the run
  bool isOpen = false; ///< whether sizes of the program differ between runs
  DirectDevice *device = nullptr;
  ProgramId program{};
  uint64_t epoch = 0; ///< the epoch of the slot at the begin
  TimePoint begin;
  std::string fault; ///< the reason why its device is lost, or ""

  DeviceProgram &loaded() const { return instance->programs[0][0]; }
};

/// A device, with the state that the executor keeps about it.
struct DeviceSlot {
  std::shared_ptr<Device> device;
  DirectDevice *onCaller =
      nullptr; ///< `device`, if it runs on callers' threads
  DeviceInfo info;
  std::string name;
  size_t index = 0;
  State<DeviceState> state = DeviceState::Good;
  uint64_t epoch = 1; ///< incremented by each loss: older results are ignored
  std::string why;    ///< the reason why its state is not Good
  std::vector<std::shared_ptr<Task>> active; ///< launched, not ended
  std::vector<DirectRun *> direct;           ///< runs that have no task
  std::deque<std::shared_ptr<Task>> waiting; ///< not launched
  std::set<std::shared_ptr<Task>> lost; ///< active when the device was lost
  bool isDirty = false;                 ///< in Executor::dirty
  DeviceCounters counters;

  /// The number of tasks and runs that are on the device.
  size_t busy() const { return active.size() + direct.size(); }

  /// The number of tasks that the device takes at a time.
  size_t capacity() const {
    return std::max(1u, info.programsAtOnce) + info.programsAhead;
  }
};

inline size_t Instance::depth() const {
  size_t sum = 0;
  for (const DeviceSlot *slot : slots)
    sum += slot->capacity();
  // One more run can wait for each device except the first.
  return sum + slots.size() - 1;
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_EXECUTOR_RUN_H
