//===- Host.h - programs and the devices they run on ------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_HOST_H
#define GLOW_RUNTIME_HOST_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Runtime/Device.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// A program that a host has loaded.
enum class NetworkId : uint64_t {};

/// Owns one device a backend, loads programs onto them, and runs those.
///
/// Every method may be called from any thread. Runs of one device follow each
/// other; runs of several devices overlap. A host must outlive its runs.
class Host {
public:
  explicit Host(DeviceOptions options = {});
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  /// Loads a program onto the device of its backend, or of those of its parts,
  /// which are opened first if need be. Fails as DeviceRegistry::open and
  /// LoadedProgram::load do, loading nothing.
  Result<NetworkId> load(const Program &program);

  /// Runs a program and waits for it.
  ///
  /// `inputs` are matched by name, in any order. Fails, before anything runs,
  /// with
  ///   Code::NotFound       if the program is not loaded, if an input is
  ///                        missing, or if the program has none of that name;
  ///   Code::ShapeMismatch  if an input is not of the kind and shape that the
  ///                        program takes;
  ///   Code::InvalidArgument  if an input has not the value that the program
  ///                        was specialised on;
  /// and as Device::run does. `outputs` becomes one tensor an output, in the
  /// program's order; tensors that are there already, with the right names and
  /// types, are written in place.
  Status run(NetworkId network, std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// The same with memory of the caller's, in the program's order: exactly what
  /// its bindings say. Values that were assumed are not looked at.
  Status run(NetworkId network, Tensors &tensors);

  /// The same, without waiting: `inputs` and `outputs` are left alone by the
  /// caller until `done` was called, which happens once, on any thread.
  void runAsync(NetworkId network, std::span<const NamedTensor> inputs,
                std::vector<NamedTensor> &outputs,
                std::function<void(Status)> done);

  /// Forgets a program, once its runs are done, and frees its memory.
  void unload(NetworkId network);

  /// Tells `observer` about every step of later runs, on any device; null for
  /// none.
  void observe(std::shared_ptr<StepObserver> observer);

private:
  struct Network;
  struct Running;
  Result<std::shared_ptr<Device>> deviceOf(const std::string &backend);
  std::shared_ptr<Network> find(NetworkId network) const;

  const DeviceOptions options;
  mutable std::mutex mutex;
  std::map<std::string, std::shared_ptr<Device>> devices;
  std::shared_ptr<StepObserver> observer; ///< of all of them, also later ones
  std::map<NetworkId, std::shared_ptr<Network>> networks;
  uint64_t lastId = 0;
};

/// The views of `tensors` in the order of `bindings`. Fails with
/// Code::NotFound or Code::ShapeMismatch, naming the input, what it is and what
/// it should be.
Result<std::vector<TensorView>>
bindInputs(const std::vector<Binding> &bindings,
           std::span<const NamedTensor> tensors);

} // namespace glow

#endif // GLOW_RUNTIME_HOST_H
