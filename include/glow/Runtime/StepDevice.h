//===- StepDevice.h - step-by-step devices ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_STEPDEVICE_H
#define GLOW_RUNTIME_STEPDEVICE_H

#include "glow/Program/Steps.h"
#include "glow/Runtime/DirectDevice.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace glow {

class SizeValues;

/// The sizes of a run, of a program whose sizes differ between runs. A device
/// gives its runner the same objects again, with other numbers in their places:
/// the addresses of shapes and lists stay.
struct RunSizes {
  const SizeValues &values;
  std::span<const TensorType> types; ///< of each buffer
  /// The attributes of each step that has lists of lengths; empty for others.
  std::span<const std::vector<AttributeValue>> lists;
};

/// Memory in the arena, or behind it, that one step uses beside its buffers.
struct ArenaPiece {
  uint64_t offset, bytes; ///< for the greatest sizes
  uint32_t step;
};

/// Executes the steps of one program.
class StepRunner {
public:
  virtual ~StepRunner() = default;

  /// Called once, before the first step, with the arena of the buffers.
  virtual Status setArena(std::span<char> arena) { return Status(); }

  /// Called once in place of `setArena`, if each run plans its offsets: the
  /// memory of steps beside their buffers, where an arena of so many bytes has
  /// the buffers of the greatest sizes.
  virtual std::vector<ArenaPiece> ownMemory(uint64_t arenaBytes) { return {}; }
  /// Gives the bytes of these pieces for the sizes of `setSizes`, in order.
  virtual void measureOwn(std::span<uint64_t> bytes) {}
  /// Gives the addresses of these pieces for the runs that follow.
  virtual void placeOwn(std::span<char *const> addresses) {}

  /// Gives the sizes of the runs that follow. Fails with Code::Unsupported if
  /// the runner cannot run the program with these sizes.
  virtual Status setSizes(const RunSizes &sizes) {
    return Status(Code::Unsupported,
                  "the device runs programs of fixed sizes only");
  }

  /// Executes step `index` of the program; `buffers` are the step's, in order.
  virtual Status run(size_t index, std::span<const TensorView> buffers) = 0;

  /// Callback with the begin and the end of the work of a thread on a step,
  /// called on that thread. Steps from now on call it, until it is set to null;
  /// a single-threaded runner may ignore it.
  using Worked = std::function<void(std::chrono::steady_clock::time_point begin,
                                    std::chrono::steady_clock::time_point end)>;
  virtual void reportWork(const Worked *observer) {}
};

/// Calls a kernel for each step's instruction.
class KernelRunner final : public StepRunner {
public:
  /// Looks up kernels: the backend's own before the interpreter's. `code` must
  /// outlive the runner. Fails with Code::NotFound, naming the node, if a
  /// needed step has no kernel. Steps for which `needed` is true are needed;
  /// without it, all are.
  static Result<std::unique_ptr<KernelRunner>>
  create(const StepCode &code, const std::string &backend,
         std::function<bool(size_t)> needed = nullptr);

  Status setSizes(const RunSizes &sizes) override;
  Status run(size_t index, std::span<const TensorView> buffers) override;

private:
  explicit KernelRunner(const StepCode &code) : code(code) {}
  const StepCode &code;
  std::span<const std::vector<AttributeValue>> attributes; // of open sizes
  std::vector<Kernel> kernels; // by step; null for steps not needed
};

/// Runs programs of StepCode on the calling thread, one step at a time. `run`
/// returns after `done` was called.
///
/// A loaded program keeps an arena, aligned to 64 bytes, from `load` to
/// `unload`. It keeps an additional arena for each concurrent run, as far as
/// memory is free; otherwise a run waits. Constants are used in place if they
/// have an owner and are aligned for their element kind; otherwise they are
/// copied.
///
/// A program that plans each run (plansEachRun) takes memory for its sizes when
/// they come, keeps it for other runs, and gives it back to runs that lack it.
class StepDevice : public Device, public DirectDevice {
public:
  /// `backend` is the name of the programs that it accepts.
  explicit StepDevice(std::string backend, const DeviceOptions &options = {});
  ~StepDevice() override;

  DeviceInfo info() const override;
  uint64_t freeBytes() const override;
  Result<ProgramId> load(const Program &program) override;
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override;
  Status runHere(ProgramId program, const Tensors &tensors) override;
  void unload(ProgramId program) override;

  /// Takes memory of `freeBytes()` as well.
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) override;
  void observe(std::shared_ptr<StepObserver> observer) override;

protected:
  const std::string &backendName() const { return backend; }

  /// Calls `what` while no program runs, and blocks programs meanwhile.
  Result<DeviceRates> alone(const std::function<Result<DeviceRates>()> &what);

  /// Makes a runner of a checked program, for one run at a time. Each
  /// concurrent run gets its own runner. `code` is the program's StepCode. Any
  /// thread.
  virtual Result<std::unique_ptr<StepRunner>> prepare(const StepCode &code) = 0;

private:
  struct Loaded;
  struct Space;
  struct Entered;
  class Buffer;

  Result<std::unique_ptr<Space>> prepareSpace(const Loaded &loaded);
  static void planRuns(const Program &program, Loaded &loaded, Space &space);
  Result<std::unique_ptr<Space>> makeSpace(const Loaded &loaded);
  std::unique_ptr<Space> takeSpace(Loaded &loaded,
                                   std::unique_lock<std::mutex> &lock);
  Status enter(ProgramId program, Entered &run);
  Status takeSizes(Entered &run, SizeValues sizes);
  Status placeBuffers(Entered &run);
  Status takeArena(Entered &run, uint64_t bytes, bool waits);
  Status growArena(Entered &run, uint64_t bytes);
  void dropArena(Entered &run);
  void returnArena(Loaded &loaded, Space &space);
  uint64_t unused() const;
  uint64_t spareBytes() const;
  bool makeRoom(uint64_t bytes);
  void freeSpareArenas();
  static Status setSizes(const Loaded &loaded, const SizeValues &sizes,
                         Space &space);
  static Status setComputed(const Loaded &loaded, const Step &step,
                            Space &space);
  static Status runSteps(Entered &run, const Tensors &tensors);
  Status runEntered(Entered &run, const Tensors &tensors);
  static void bindTensors(const std::vector<BufferPlace> &buffers,
                          const Tensors &tensors,
                          std::vector<TensorView> &views);

  const std::string backend;
  const uint64_t capacity; // limit in bytes for programs
  const unsigned runsAtOnce;

  mutable std::mutex mutex; // guards all below; never held during a run
  std::map<ProgramId, std::shared_ptr<Loaded>> programs;
  std::shared_ptr<StepObserver> observer;
  uint64_t taken = 0; // bytes of programs
  uint64_t lastId = 0;
  unsigned runs = 0;             // over all programs
  unsigned holders = 0;          // runs with an arena that they planned
  unsigned starved = 0;          // runs that wait for memory of such an arena
  std::condition_variable ended; // a run has ended
  const std::shared_ptr<std::atomic<uint64_t>> inBuffers =
      std::make_shared<std::atomic<uint64_t>>(0);
};

/// Whether each run of the program plans its offsets: the greatest sizes need
/// an arena of more than 1.5 times that of sizes in the middle of the ranges.
bool plansEachRun(const Program &program);

/// The bytes that a device takes when it loads a program. An arena that each
/// run plans is taken by runs.
uint64_t bytesToLoad(const Program &program);

} // namespace glow

#endif // GLOW_RUNTIME_STEPDEVICE_H
