//===- Device.h - one place where programs run ------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_DEVICE_H
#define GLOW_RUNTIME_DEVICE_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Program/Tensor.h"
#include "glow/Runtime/Trace.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace glow {

/// A program on a device, from `load` to `unload`.
enum class ProgramId : uint64_t {};

/// What one run reads and writes, in the order of Program::inputs and
/// Program::outputs. Outputs overlap nothing.
struct Tensors {
  std::vector<TensorView> inputs, outputs;
};

/// What a device is told when it is made.
struct DeviceOptions {
  unsigned threads = 0; ///< of the host; 0 for as many as it has processors

  static constexpr unsigned mostThreads = 1024; ///< that a user may ask for
};

/// One place where programs run: the host's processor, a GPU, a card.
///
/// A device owns its memory and runs programs one at a time, in the order in
/// which `run` was called. Every method may be called from any thread, also
/// from within `done`.
class Device {
public:
  virtual ~Device() = default;

  /// Memory not yet taken by a loaded program, in bytes.
  virtual uint64_t freeBytes() const = 0;

  /// Brings a program and its constants onto the device.
  ///
  /// Takes at most `program.constantBytes() + program.arenaBytes` bytes of
  /// `freeBytes()` until `unload`. `program` may be destroyed afterwards; a
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
  ///   any other            the message of the step that failed, and the
  ///                        outputs undefined. The program can run again.
  virtual void run(ProgramId program, Tensors &tensors,
                   std::function<void(Status)> done) = 0;

  /// Gives back the memory of a program, once the runs before this are done.
  virtual void unload(ProgramId program) = 0;

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
