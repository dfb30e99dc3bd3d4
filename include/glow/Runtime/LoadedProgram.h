//===- LoadedProgram.h - a program on its device ----------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_LOADEDPROGRAM_H
#define GLOW_RUNTIME_LOADEDPROGRAM_H

#include "glow/Runtime/Device.h"
#include <functional>
#include <memory>

namespace glow {

/// A program on its device: loaded when made, unloaded when destroyed. Its
/// methods may be called from any thread.
class LoadedProgram {
public:
  /// Loads `program` onto `device`; fails as Device::load does.
  static Result<std::unique_ptr<LoadedProgram>>
  load(std::shared_ptr<Device> device, const Program &program);

  ~LoadedProgram();
  LoadedProgram(const LoadedProgram &) = delete;
  LoadedProgram &operator=(const LoadedProgram &) = delete;

  /// Runs as Device::run does: `tensors` must live until `done` was called,
  /// and so must this.
  void run(Tensors &tensors, std::function<void(Status)> done);

  /// Runs and waits.
  Status runAndWait(Tensors &tensors);

private:
  LoadedProgram(std::shared_ptr<Device> device, ProgramId program)
      : device(std::move(device)), program(program) {}

  std::shared_ptr<Device> device;
  ProgramId program;
};

} // namespace glow

#endif // GLOW_RUNTIME_LOADEDPROGRAM_H
