//===- Host.h - programs and the devices they run on ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_H
#define GLOW_RUNTIME_HOST_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include "glow/Runtime/Counters.h"
#include "glow/Runtime/Device.h"
#include "glow/Runtime/Model.h"
#include "glow/Runtime/SessionStates.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glow {

namespace runtime {
class Core;
struct ServedModel;
struct HostSession;
struct Request;
} // namespace runtime

/// A request that may be cancelled as long as it is not answered. While a host
/// writes a handle, other threads may already use it to cancel at that host.
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
/// runs. Its destructor answers all other open requests.
/// docs/rationale/Runtime.md explains the design.
class Host {
public:
  /// A host for one program after the other: it opens a device for each backend
  /// it needs, and has no time limit for a run.
  explicit Host(DeviceOptions options = {});

  /// A host for many requests.
  explicit Host(HostOptions options);
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  /// Adds a device. `name` is for people; "" stands for the name of its backend
  /// and a number. Fails with Code::InvalidArgument if the name is taken.
  Status addDevice(std::shared_ptr<Device> device, std::string name = "");

  /// Opens a device of a backend and adds it. Fails as DeviceRegistry::open or
  /// as above.
  Status openDevice(const std::string &backend, DeviceOptions options,
                    std::string name);

  /// The answer to a request: the outputs in the program's order, or the reason
  /// of a failure.
  using Done = std::function<void(Status, std::vector<Tensor>)>;

  /// Loads a model onto devices of the host. From then on the model is served
  /// in place of an older version, whose requests go on. Among versions that
  /// load concurrently, the last one added is served. `done` is called once, on
  /// any thread, also before this returns, with
  ///   Code::InvalidArgument  if its programs do not fit together;
  ///   Code::NotFound         if there is no device for a backend;
  ///   Code::OutOfMemory      if it does not fit, with bytes by device, or if
  ///                          the system gives no thread;
  ///   Code::DeviceLost       if a device is lost before it is served;
  ///   any other              as Device::load does.
  void add(ModelSpec spec, std::function<void(Result<ModelId>)> done);

  /// The same, and waits.
  Result<ModelId> add(ModelSpec spec);

  /// The newest served version of a name. Requests to a replaced version go to
  /// the newer one.
  Result<ModelId> find(std::string_view name) const;

  /// Submits a request to a model: its inputs in the program's order. For a
  /// model with batches, inputs may have any number of rows up to the largest
  /// batch. `done` is called once, on any thread, also before this returns,
  /// with
  ///   Code::Ok             and the outputs;
  ///   Code::NotFound       if the model is not served;
  ///   Code::ShapeMismatch  if an input does not fit the model;
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

  /// Begins a session of models whose programs have states (docs/Sessions.md):
  /// of one, or of several that share them, as the functions of a module.
  /// The memory of its states counts as that of requests, until the session is
  /// closed. A session belongs to one version of a model: once a newer
  /// version is served, requests to the session fail with Code::NotFound. Fails
  /// with
  ///   Code::NotFound         if the model is not served;
  ///   Code::Unsupported      if its requests are combined into batches;
  ///   Code::Overloaded       if the memory is full;
  /// and as SessionStates::create does.
  Result<HostSessionId> openSession(std::span<const ModelId> models);
  Result<HostSessionId> openSession(ModelId model) {
    return openSession(std::span(&model, 1));
  }

  /// Ends a session. Its waiting requests are answered with Code::Cancelled.
  /// Fails with Code::NotFound.
  Status closeSession(HostSessionId session);

  /// Calls `body` with the states of a session, between two requests of it.
  /// Other requests to the session wait meanwhile. Fails with Code::NotFound if
  /// there is no such session, with Code::Overloaded, calling nothing, if one
  /// of its requests runs, and as `body` does.
  Status withSession(HostSessionId session,
                     const std::function<Status(SessionStates &)> &body);

  /// Submits a request to a session, with the inputs that are no states. The
  /// answer has the outputs that are no states. Requests of a session run one
  /// after the other, by priority and then in the order of submission. Requests
  /// of other sessions run meanwhile. `program` is the number of the model in
  /// openSession. A request advances the states if its
  /// answer is Code::Ok, and leaves them as they were otherwise. A deadline
  /// that passes while the outputs are copied is not reported. Fails as the
  /// other `submit`, and with Code::InvalidArgument if the capacity of a state
  /// is exceeded. The request may run by another model than that of
  /// openSession, with its inputs, outputs and states: `by`.
  RequestHandle submit(HostSessionId session, size_t program,
                       std::vector<Tensor> inputs, RequestOptions options,
                       Done done, std::optional<ModelId> by = {});
  RequestHandle submit(HostSessionId session, std::vector<Tensor> inputs,
                       RequestOptions options, Done done) {
    return submit(session, 0, std::move(inputs), options, std::move(done));
  }

  /// Answers a request with Code::Cancelled, unless it is already answered.
  void cancel(const RequestHandle &handle);

  /// Whether every served model has a copy that can run.
  bool isReady() const;

  /// Past and current activity, also while the host runs.
  HostReport report() const;

  /// Loads a program onto the device of its backend, or of the backends of its
  /// parts. Missing devices are opened. Fails as DeviceRegistry::open and
  /// Device::load do, loading nothing.
  Result<ModelId> load(const Program &program);

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
  /// and as Device::run does. `outputs` gets one tensor for each output, in the
  /// program's order. Existing tensors with the right names and types are
  /// written in place.
  Status run(ModelId model, std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// The same with memory of the caller, in the program's order and exactly of
  /// the types of its bindings. Assumed values are not checked. Another thread
  /// ends it with Code::Cancelled, between two steps, by setting
  /// `tensors.cancelled`, unless that is null, and cancelling `handle` then.
  Status run(ModelId model, const Tensors &tensors,
             RequestHandle *handle = nullptr);

  /// The same on a thread of the host. The caller must not touch the memory
  /// until `done` is called, which happens once, on any thread, when no device
  /// accesses it any more. On failure, `done` is not called.
  Status start(ModelId model, const Tensors &tensors,
               std::function<void(Status)> done, RequestHandle &handle);

  /// The same without blocking, if the device does not block either. The caller
  /// must not touch `inputs` and `outputs` until `done` is called, which
  /// happens once, on any thread, when no device accesses them any more.
  void runAsync(ModelId model, std::span<const NamedTensor> inputs,
                std::vector<NamedTensor> &outputs,
                std::function<void(Status)> done);

  /// Removes a version of a model, once its requests are answered, and frees
  /// its memory. A newer version that replaced it stays.
  void unload(ModelId model);

  /// Reports every step of later runs, on any device, and the spans of requests
  /// to `observer`; null stops it.
  void observe(std::shared_ptr<StepObserver> observer);

private:
  friend class HostAccess; // of the simulator, which inspects all members

  std::shared_ptr<runtime::ServedModel> find(ModelId id) const;
  std::shared_ptr<runtime::HostSession> find(HostSessionId id) const;
  RequestHandle admit(std::shared_ptr<runtime::Request> request, Status status,
                      RequestOptions options, Done done);
  Status open(const std::string &backend);
  Status addDevice(std::shared_ptr<Device> device, DeviceInfo info,
                   std::string name);
  Status runBorrowed(const std::shared_ptr<runtime::Request> &request,
                     RequestHandle *handle = nullptr,
                     const std::atomic<bool> *cancelled = nullptr);
  Result<std::shared_ptr<runtime::Request>>
  accept(ModelId model, std::span<const NamedTensor> inputs,
         std::vector<NamedTensor> &outputs) const;
  Result<std::shared_ptr<runtime::ServedModel>>
  accept(ModelId model, const Tensors &tensors, SizeValues &sizes) const;

  std::shared_ptr<runtime::Core> core;
};

/// The views of `tensors` in the order of `bindings`, whatever their types.
/// Fails with Code::NotFound or Code::InvalidArgument, naming the input.
Result<std::vector<TensorView>>
bindInputs(const std::vector<Binding> &bindings,
           std::span<const NamedTensor> tensors);

} // namespace glow

#endif // GLOW_RUNTIME_HOST_H
