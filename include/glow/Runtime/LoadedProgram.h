//===- LoadedProgram.h - a program on its device ----------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_LOADEDPROGRAM_H
#define GLOW_RUNTIME_LOADEDPROGRAM_H

#include "glow/Runtime/Device.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace glow {

/// The device on which programs of a backend run, or why there is none.
using DeviceOf =
    std::function<Result<std::shared_ptr<Device>>(const std::string &backend)>;

/// A program on its device, one of parts on the devices of these: loaded when
/// made, unloaded when destroyed. Its methods may be called from any thread.
class LoadedProgram {
public:
  /// Loads `program` onto `device`; fails as Device::load does, also for a
  /// program of parts (Program/Parts.h).
  static Result<std::unique_ptr<LoadedProgram>>
  load(std::shared_ptr<Device> device, const Program &program);

  /// The same onto the device of its backend; of parts, of each one's. Fails as
  /// `deviceOf` and Device::load do, and where there is no memory for the
  /// values that parts hand on; then nothing is loaded.
  static Result<std::unique_ptr<LoadedProgram>> load(const DeviceOf &deviceOf,
                                                     const Program &program);

  ~LoadedProgram();
  LoadedProgram(const LoadedProgram &) = delete;
  LoadedProgram &operator=(const LoadedProgram &) = delete;

  /// Runs as Device::run does: `tensors` must live until `done` was called,
  /// and so must this. Of parts, the first one that fails is the last that
  /// runs.
  void run(Tensors &tensors, std::function<void(Status)> done);

  /// Runs and waits.
  Status runAndWait(Tensors &tensors);

private:
  LoadedProgram() = default;

  struct Part {
    std::shared_ptr<Device> device;
    ProgramId program;
    std::vector<uint32_t> inputs, outputs; ///< as those of PartsCode
  };
  struct Running;
  Status add(std::shared_ptr<Device> device, const Program &program,
             std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);
  Result<std::vector<Tensor>> takeValues();
  void runPart(std::shared_ptr<Running> running);

  bool isWhole = true; ///< one part, of the values of a run as they are
  std::vector<Part> parts;
  std::vector<TensorType> between; ///< what parts hand on
  std::mutex mutex;
  std::vector<std::vector<Tensor>> spare; ///< of runs that are done
};

} // namespace glow

#endif // GLOW_RUNTIME_LOADEDPROGRAM_H
