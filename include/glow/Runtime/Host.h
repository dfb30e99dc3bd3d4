//===- Host.h - programs and the devices they run on ------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_HOST_H
#define GLOW_RUNTIME_HOST_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Runtime/Counters.h"
#include "glow/Runtime/Device.h"
#include "glow/Runtime/Model.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glow {

namespace runtime {
class Core;
struct Model;
struct Request;
} // namespace runtime

/// A request that may be cancelled as long as it is not answered. While a host
/// is given one to write, other threads may cancel it at that host.
class RequestHandle {
public:
  RequestHandle() = default;

private:
  friend class Host;
  std::weak_ptr<runtime::Request> request;
};

/// Takes requests from many threads and runs them on many devices.
///
/// Every method may be called from any thread. A host must outlive its blocking
/// runs; what else it has not answered when it is destroyed it answers then.
/// docs/rationale/Runtime.md says why it is so.
class Host {
public:
  /// A host that opens a device of each backend it needs, and lets a run take
  /// as long as it likes: for one program after the other.
  explicit Host(DeviceOptions options = {});

  /// A host for many requests.
  explicit Host(HostOptions options);
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  /// Adds a device. `name` is for people; "" for that of its backend and a
  /// number. Fails with Code::InvalidArgument if there is one of that name.
  Status addDevice(std::shared_ptr<Device> device, std::string name = "");

  /// Opens a device of a backend and adds it. Fails as DeviceRegistry::open or
  /// as above.
  Status openDevice(const std::string &backend, DeviceOptions options,
                    std::string name);

  /// What may be answered to a request: the outputs in the program's order, or
  /// why there are none.
  using Done = std::function<void(Status, std::vector<Tensor>)>;

  /// Loads a model onto devices that the host has, and from then on serves it
  /// in place of an older version, whose requests go on. Of versions that load
  /// at once the one that was added last is served. `done` is called once,
  /// on any thread, also before this returns, with
  ///   Code::InvalidArgument  if its programs do not go together;
  ///   Code::NotFound         if there is no device for a backend;
  ///   Code::OutOfMemory      if it does not fit, with bytes for each device,
  ///   or
  ///                          if the system gives no thread;
  ///   Code::DeviceLost       if a device is lost before it is served;
  ///   any other              as Device::load does.
  void add(ModelSpec spec, std::function<void(Result<ModelId>)> done);

  /// The same, and waits.
  Result<ModelId> add(ModelSpec spec);

  /// The newest version of a name that is served. Requests to one that was
  /// replaced go to the newer.
  Result<ModelId> find(std::string_view name) const;

  /// Gives a request to a model: its inputs in the program's order; of a model
  /// with batches, with any number of rows up to the largest batch. `done` is
  /// called once, on any thread, also before this returns, with
  ///   Code::Ok             and the outputs;
  ///   Code::NotFound       if the model is not served;
  ///   Code::ShapeMismatch  if an input is not what the model takes;
  ///   Code::Overloaded     if the queue or the memory is full, or if it cannot
  ///                        be done by the deadline as far as is known;
  ///   Code::Deadline       at the deadline, whether or not it runs then;
  ///   Code::Cancelled      if it was cancelled;
  ///   Code::DeviceLost     if no device is left and none came back;
  ///   Code::Poison         if two devices were lost while they ran it;
  ///   Code::OutOfMemory    if there is no thread to answer it;
  ///   any other            as the program fails.
  RequestHandle submit(ModelId model, std::vector<Tensor> inputs,
                       RequestOptions options, Done done);

  /// Answers a request with Code::Cancelled, unless it is answered already.
  void cancel(const RequestHandle &handle);

  /// Whether every model that is served has a copy that can run.
  bool isReady() const;

  /// What it has done and does, also while it runs.
  HostReport report() const;

  /// Loads a program onto the device of its backend, or of those of its parts,
  /// which are opened first if need be. Fails as DeviceRegistry::open and
  /// Device::load do, loading nothing.
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
  /// its bindings say. Values that were assumed are not looked at. `handle`, if
  /// it is not null, becomes the run's: another thread may cancel it, which
  /// ends it with Code::Cancelled between two steps.
  Status run(NetworkId network, const Tensors &tensors,
             RequestHandle *handle = nullptr);

  /// The same on a thread of the host's: the memory is left alone by the caller
  /// until `done` was called, which happens once, on any thread, when no device
  /// touches it. Where this fails, `done` is not called.
  Status start(NetworkId network, const Tensors &tensors,
               std::function<void(Status)> done, RequestHandle &handle);

  /// The same, without waiting for a device that does not: `inputs` and
  /// `outputs` are left alone by the caller until `done` was called, which
  /// happens once, on any thread, when no device touches them.
  void runAsync(NetworkId network, std::span<const NamedTensor> inputs,
                std::vector<NamedTensor> &outputs,
                std::function<void(Status)> done);

  /// Forgets a version of a model, once its requests are answered, and frees
  /// its memory. A newer version that replaced it stays.
  void unload(ModelId model);

  /// Tells `observer` about every step of later runs, on any device, and about
  /// the spans of requests; null for none.
  void observe(std::shared_ptr<StepObserver> observer);

private:
  friend class HostAccess; // of the simulator, which looks at everything

  std::shared_ptr<runtime::Model> find(ModelId id) const;
  Status open(const std::string &backend);
  Status addDevice(std::shared_ptr<Device> device, DeviceInfo info,
                   std::string name);
  Status runBorrowed(const std::shared_ptr<runtime::Model> &model,
                     std::vector<TensorView> inputs,
                     std::vector<TensorView> outputs,
                     RequestHandle *handle = nullptr);
  Result<std::shared_ptr<runtime::Model>> accept(NetworkId network,
                                                 const Tensors &tensors) const;

  std::shared_ptr<runtime::Core> core;
};

/// The views of `tensors` in the order of `bindings`. Fails with
/// Code::NotFound or Code::ShapeMismatch, naming the input, what it is and what
/// it should be.
Result<std::vector<TensorView>>
bindInputs(const std::vector<Binding> &bindings,
           std::span<const NamedTensor> tensors);

} // namespace glow

#endif // GLOW_RUNTIME_HOST_H
