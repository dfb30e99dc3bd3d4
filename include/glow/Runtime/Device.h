//===- Device.h - one place where programs run ------------------*- C++ -*-===//

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

/// A program on a device, from `load` to `unload`.
enum class ProgramId : uint64_t {};

/// Memory of a device, in which a value may stay between two programs. Its own
/// device alone takes it; it may outlive that.
class DeviceBuffer {
public:
  virtual ~DeviceBuffer() = default;
  virtual uint64_t bytes() const = 0;
};

/// What one run reads and writes, in the order of Program::inputs and
/// Program::outputs. Outputs overlap nothing.
struct Tensors {
  std::vector<TensorView> inputs, outputs;

  /// Where one of them lies in memory of the device: empty, or one an input or
  /// output, null for those in memory of the host. The view then has a type and
  /// no data.
  std::vector<DeviceBuffer *> inputBuffers = {}, outputBuffers = {};

  /// A run whose results are not wanted any more: a device that looks at this
  /// may end it with Code::Cancelled. Null: it is always wanted.
  const std::atomic<bool> *cancelled = nullptr;

  uint64_t span = 0; ///< of the run, for StepEvent::parent
};

/// What a device is told when it is made.
struct DeviceOptions {
  unsigned threads = 0;     ///< of the host; 0 for as many as processors
  uint64_t memoryBytes = 0; ///< that programs may take; 0: what there is
  unsigned runsAtOnce = 1;  ///< side by side, each on a thread of its caller's
  Processors processors = {}; ///< on which it stays; empty: any

  static constexpr unsigned mostThreads = 1024; ///< that a user may ask for
};

/// Whether a device can be believed.
enum class DeviceState {
  Good,
  Suspect, ///< came back, or gave a reason for doubt: only checks run on it
  Lost,    ///< whatever was loaded on it is gone
};

/// "good", "suspect", "lost".
std::string_view name(DeviceState state);

/// One place where programs run: the host's processor, a GPU, a card.
///
/// A device owns its memory and runs as many programs at a time as its info
/// says, in the order in which `run` was called. Every method may be called
/// from any thread, also from within `done`.
class Device {
public:
  virtual ~Device() = default;

  /// Does not change. A device that says nothing runs one program at a time.
  virtual DeviceInfo info() const { return {}; }

  /// How fast it is, as measured now, which takes some 50 ms and all of the
  /// device; as `info` says, where nothing can be measured. Fails with
  /// Code::DeviceLost if it is out of reach.
  virtual Result<DeviceRates> measure() { return info().rates; }

  /// What the device knows of itself. One whose driver or link is gone for good
  /// is Lost, and is not loaded again before it says otherwise.
  virtual DeviceState state() const { return DeviceState::Good; }

  /// Calls `changed`, on any thread and without a lock, after `state()` has
  /// changed; null: no more. A device whose state does not change by itself may
  /// ignore this.
  virtual void watch(std::function<void()> changed) {}

  /// Memory not yet taken by a loaded program, in bytes.
  virtual uint64_t freeBytes() const = 0;

  /// Brings a program and its constants onto the device.
  ///
  /// Takes at most `program.constantBytes() + program.arenaBytes` bytes of
  /// `freeBytes()` until `unload`, and later the bytes of an arena for each run
  /// beside another one. `program` may be destroyed afterwards; a
  /// device may keep its code and the owners of its constants instead of
  /// copying them.
  ///
  /// Fails, leaving the device as it was, with
  ///   Code::WrongTarget      if the program was compiled for another backend;
  ///   Code::NotFound         if a kernel it needs is missing;
  ///   Code::InvalidArgument  if it contradicts itself;
  ///   Code::OutOfMemory      if that many bytes are not free.
  virtual Result<ProgramId> load(const Program &program) = 0;

  /// Runs a loaded program; may return without waiting for it.
  ///
  /// `tensors` has one entry for every input and output the program names, of
  /// exactly the shape and element kind it names; the caller keeps them alive,
  /// and does not touch them, until `done` is called. `done` is called once,
  /// on a thread of the device or on this one before `run` returns, with
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

  /// Gives back the memory of a program, once the runs before this are done.
  virtual void unload(ProgramId program) = 0;

  /// Gives up whatever runs and whatever is loaded. After a success no memory
  /// of a run from before is touched, whether or not its `done` was or will be
  /// called, and all memory is free. Fails, changing nothing, with
  ///   Code::Unsupported  if the device cannot do that while something runs;
  ///   Code::DeviceLost   if it is still out of reach.
  virtual Status reset() {
    return Status(Code::Unsupported, "the device cannot give up a run");
  }

  /// Memory on the device for a value between two of its programs, of which
  /// DeviceInfo::hasBuffers says whether there is any. Fails with
  /// Code::OutOfMemory or Code::Unsupported.
  virtual Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t bytes) {
    return Status(Code::Unsupported, "the device has no memory of its own");
  }

  /// Tells `observer` about every step of later runs; null for none. A device
  /// whose programs have no steps may ignore this.
  virtual void observe(std::shared_ptr<StepObserver> observer) {}
};

/// Checks `tensors` against what a program names, for devices. Fails with
/// Code::ShapeMismatch, naming the input or output.
Status checkTensors(const std::vector<Binding> &inputs,
                    const std::vector<Binding> &outputs,
                    const Tensors &tensors);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_H
