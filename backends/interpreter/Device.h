//===- Device.h - the interpreter's device ----------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_INTERPRETER_DEVICE_H
#define GLOW_BACKENDS_INTERPRETER_DEVICE_H

#include "glow/Program/Steps.h"
#include "glow/Runtime/Device.h"
#include <map>
#include <mutex>
#include <string>

namespace glow {

/// Runs programs that are StepCode on the calling thread, one step at a time,
/// each by the kernel that KernelRegistry has for its instruction. `run`
/// returns when `done` was called. The truth that other devices are measured
/// against.
///
/// A loaded program keeps its arena, aligned to 64 bytes, from `load` to
/// `unload`; constants are used where they lie, if somebody owns them and they
/// are aligned for their element kind, and copied otherwise.
class InterpreterDevice final : public Device {
public:
  /// `backend` is the name of programs it takes; another backend whose programs
  /// are steps may use this device under its own name.
  explicit InterpreterDevice(std::string backend = "interpreter");
  ~InterpreterDevice() override;

  uint64_t freeBytes() const override;
  Result<ProgramId> load(const Program &program) override;
  void run(ProgramId program, Tensors &tensors,
           std::function<void(Status)> done) override;
  void unload(ProgramId program) override;
  void observe(std::shared_ptr<StepObserver> observer) override;

private:
  struct Loaded;
  Status runLoaded(ProgramId program, const Tensors &tensors);

  const std::string backend;
  const uint64_t capacity; // bytes of memory the host has

  mutable std::mutex mutex; // guards what follows; never held during a run
  std::map<ProgramId, std::shared_ptr<Loaded>> programs;
  std::shared_ptr<StepObserver> observer;
  uint64_t taken = 0;
  uint64_t lastId = 0;

  std::mutex running; // held during a run; taken before `mutex`
};

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_DEVICE_H
