//===- Executor.h - runs a loaded program -----------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_EXECUTOR_H
#define GLOW_RUNTIME_EXECUTOR_H

#include "glow/Runtime/Device.h"
#include <functional>
#include <memory>

namespace glow {

/// A program on its device: loaded when made, unloaded when destroyed. Its
/// methods may be called from any thread.
class Executor {
public:
  /// Loads `program` onto `device`; fails as Device::load does.
  static Result<std::unique_ptr<Executor>> load(std::shared_ptr<Device> device,
                                                const Program &program);

  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  /// Runs as Device::run does: `tensors` must live until `done` was called,
  /// and so must this executor.
  void run(Tensors &tensors, std::function<void(Status)> done);

  /// Runs and waits.
  Status runAndWait(Tensors &tensors);

private:
  Executor(std::shared_ptr<Device> device, ProgramId program)
      : device(std::move(device)), program(program) {}

  std::shared_ptr<Device> device;
  ProgramId program;
};

} // namespace glow

#endif // GLOW_RUNTIME_EXECUTOR_H
