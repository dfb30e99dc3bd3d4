//===- StepRun.h - one run of the steps of a program ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_STEPRUN_H
#define GLOW_RUNTIME_DEVICE_STEPRUN_H

#include "glow/Program/LastUses.h"
#include "glow/Runtime/StepDevice.h"

namespace glow {

struct LoopOperands;

/// The buffers that lie in each port of a program, for calls to bind them.
class PortTable {
public:
  PortTable() = default;
  /// `code` has passed checkSteps.
  explicit PortTable(const StepCode &code);

  struct Part {
    uint32_t buffer;
    uint64_t offset; ///< in bytes, within the port
  };
  std::span<const Part> of(uint32_t port) const { return parts[port]; }

  /// Whether a loop may have the carried value that it gives in this port in
  /// the memory of the value before, so that a trip writes new elements alone.
  bool isInPlace(uint32_t port) const { return inPlace[port]; }

  size_t size() const { return parts.size(); }

private:
  void findInPlace(const StepCode &code, const Step &step);

  std::vector<std::vector<Part>> parts;
  std::vector<bool> inPlace;
};

/// Executes steps, and the functions that they call, on one thread. A loop has
/// two buffers for each carried value, which its trips write in turn. Slices of
/// its tensors are bound where they lie. A trip takes no memory.
class StepRun {
public:
  /// The objects of a run, which outlive it. The views have the addresses of
  /// all buffers but those in ports.
  struct Context {
    const StepCode &code;
    const PortTable &ports;
    StepRunner &runner;
    std::vector<TensorView> &views;    ///< one a buffer
    std::vector<TensorView> &operands; ///< operands of the current step
    std::vector<char *> &bound;        ///< one a port
    /// The attributes of steps with lists of lengths; empty for fixed sizes.
    std::span<const std::vector<AttributeValue>> lists;
    StepObserver *observer; ///< may be null
    const std::atomic<bool> *cancelled;
    uint64_t span; ///< for StepEvent::parent
    /// Takes a size that earlier steps have computed.
    std::function<Status(const Step &)> setComputed;
    const std::function<void(size_t)> *outputDone; ///< see Tensors; may be null
    std::span<const LastUse> lastUses;             ///< of the outputs
  };
  explicit StepRun(Context context) : context(std::move(context)) {}

  /// Runs the entry. Fails with the error of a step, with its node's name, or
  /// with Code::Cancelled.
  Status run();

private:
  Status runRange(size_t first, size_t count);
  Status runStep(size_t index);
  Status runIf(const Step &step);
  Status runLoop(size_t index);
  Status runKernel(size_t index);
  Status checkCancelled() const;
  int64_t tripLimit(size_t index) const;
  bool mayGoOn(const LoopOperands &operands, int64_t limit) const;
  void bind(uint32_t port, char *address);
  char *addressOf(uint32_t buffer) const {
    return static_cast<char *>(context.views[buffer].data);
  }
  char *sliceOf(uint32_t buffer, int64_t slice) const;

  Context context;
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_STEPRUN_H
