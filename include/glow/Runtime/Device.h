//===- Device.h - a device that runs programs -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_H
#define GLOW_RUNTIME_DEVICE_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Program/Tensor.h"
#include "glow/Runtime/DeviceInfo.h"
#include "glow/Runtime/Trace.h"
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace glow {

class SizeValues;

/// A program on a device, from `load` to `unload`.
enum class ProgramId : uint64_t {};

/// Memory of a device, for a value that stays between two programs. No other
/// device accepts the buffer; it may outlive its device.
class DeviceBuffer {
public:
  virtual ~DeviceBuffer() = default;
  virtual uint64_t bytes() const = 0;
};

/// The tensors of one run, in the order of Program::inputs and
/// Program::outputs. Outputs overlap nothing.
struct Tensors {
  std::vector<TensorView> inputs, outputs;

  /// Tensors in memory of the device. Empty, or one pointer for each input or
  /// output, null for a tensor in memory of the host. The view of such a tensor
  /// has a type and no data.
  std::vector<DeviceBuffer *> inputBuffers = {}, outputBuffers = {};

  /// Becomes true when the results of the run are no longer needed. A device
  /// that checks this may end the run with Code::Cancelled. Null: never
  /// cancelled.
  const std::atomic<bool> *cancelled = nullptr;

  /// Receives the shapes of the outputs at the end of a run, where a program
  /// computes sizes: the view of an output has its greatest size, and the
  /// elements of the run are dense at its beginning. Null: not wanted.
  std::vector<Ints> *outputShapes = nullptr;

  /// Called with the number of an output once no later step of the run reads or
  /// writes its memory, on the thread of the run and before `done`: the caller
  /// may use the memory meanwhile. A device may leave out any output, and calls
  /// again in a run that is repeated. Null: not wanted.
  const std::function<void(size_t)> *outputDone = nullptr;

  uint64_t span = 0; ///< span of the run, for StepEvent::parent
};

/// Options for the creation of a device.
struct DeviceOptions {
  unsigned threads = 0;       ///< of the host; 0: as many as processors
  uint64_t memoryBytes = 0;   ///< limit for programs; 0: all available memory
  unsigned runsAtOnce = 1;    ///< concurrent runs, each on its caller's thread
  Processors processors = {}; ///< allowed processors; empty: any

  static constexpr unsigned mostThreads = 1024; ///< limit for a user's request
};

/// Trust in a device.
enum class DeviceState {
  Good,
  Suspect, ///< back, or doubtful: only checks run on it
  Lost,    ///< all loaded programs are gone
};

/// "good", "suspect", "lost".
std::string_view name(DeviceState state);

/// A device that runs programs: the host's processor, a GPU, or a card.
///
/// A device owns its memory. It runs as many programs at a time as its info
/// permits, in the order of the calls of `run`. Every method may be called from
/// any thread, also from within `done`.
class Device {
public:
  virtual ~Device() = default;

  /// Constant properties. The default is a device that runs one program at a
  /// time.
  virtual DeviceInfo info() const { return {}; }

  /// Measures the speed of the device, which takes some 50 ms and all of the
  /// device. Returns the rates of `info` if nothing can be measured. Fails with
  /// Code::DeviceLost if the device is out of reach.
  virtual Result<DeviceRates> measure() { return info().rates; }

  /// The state as known to the device itself. A device whose driver or link is
  /// gone for good is Lost, and is not loaded again before it reports another
  /// state.
  virtual DeviceState state() const { return DeviceState::Good; }

  /// Calls `changed`, on any thread and without a lock, after `state()` has
  /// changed; null ends the calls. A device whose state does not change by
  /// itself may ignore this.
  virtual void watch(std::function<void()> changed) {}

  /// Memory that no loaded program has taken, in bytes.
  virtual uint64_t freeBytes() const = 0;

  /// Loads a program and its constants onto the device.
  ///
  /// Takes at most `program.constantBytes() + program.arenaBytes` bytes of
  /// `freeBytes()` until `unload`, and later the bytes of an arena for each
  /// concurrent run. `program` may be destroyed afterwards. A device may keep
  /// its code and the owners of its constants instead of copying them.
  ///
  /// Fails, leaving the device unchanged, with
  ///   Code::WrongTarget      if the program was compiled for another backend;
  ///   Code::NotFound         if a kernel it needs is missing;
  ///   Code::InvalidArgument  if it is inconsistent;
  ///   Code::OutOfMemory      if that many bytes are not free.
  virtual Result<ProgramId> load(const Program &program) = 0;

  /// Runs a loaded program; may return before the run ends.
  ///
  /// `tensors` has one entry for every input and output of the program, of
  /// exactly its shape and element kind. The caller keeps them alive, and does
  /// not touch them, until `done` is called. `done` is called once, on a thread
  /// of the device or on this one before `run` returns, with
  ///   Code::Ok             and the outputs written;
  ///   Code::NotFound       if `program` is not loaded, nothing written;
  ///   Code::ShapeMismatch  and nothing written;
  ///   Code::DeviceLost     and the outputs undefined. Load again to go on;
  ///   Code::Cancelled      if `tensors.cancelled` became true, the outputs
  ///                        undefined;
  ///   any other            the message of the step that failed, and the
  ///                        outputs undefined. The program can run again.
  virtual void run(ProgramId program, Tensors &tensors,
                   std::function<void(Status)> done) = 0;

  /// Frees the memory of a program after all earlier runs are done.
  virtual void unload(ProgramId program) = 0;

  /// Abandons all runs and all loaded programs. After a success, memory of
  /// earlier runs is not accessed any more, whether or not their `done` was or
  /// will be called, and all memory is free. Fails, changing nothing, with
  ///   Code::Unsupported  if the device cannot do that while something runs;
  ///   Code::DeviceLost   if it is still out of reach.
  virtual Status reset() {
    return Status(Code::Unsupported, "the device cannot give up a run");
  }

  /// Allocates memory on the device for a value between two of its programs, if
  /// DeviceInfo::hasBuffers is true. Fails with Code::OutOfMemory or
  /// Code::Unsupported.
  virtual Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) {
    return Status(Code::Unsupported, "the device has no memory of its own");
  }

  /// Reports every step of later runs to `observer`; null stops it. A device
  /// whose programs have no steps may ignore this.
  virtual void observe(std::shared_ptr<StepObserver> observer) {}
};

/// Checks `tensors` against the bindings of a program, for devices. Fails with
/// Code::ShapeMismatch, naming the input or output. `sizes`, if not null, is
/// set to the sizes of the run; conditions of the program are not checked.
Status checkTensors(const std::vector<Binding> &inputs,
                    const std::vector<Binding> &outputs, const Tensors &tensors,
                    SizeValues *sizes = nullptr);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_H
