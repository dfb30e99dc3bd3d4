//===- Host.cpp - requests from many threads, on many devices -------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Host.h"
#include "Core.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

static HostOptions withDevice(DeviceOptions device) {
  HostOptions options;
  options.device = device;
  options.queueLimit = SIZE_MAX;
  options.patience = 0; // a caller of one device handles its loss best itself
  return options;
}

Host::Host(DeviceOptions options) : Host(withDevice(options)) {}

Host::Host(HostOptions options)
    : core(std::make_shared<Core>(std::move(options))) {}

Host::~Host() {
  // Keeps the devices until this function returns: they end on this thread,
  // even if a task still holds the core.
  std::vector<std::shared_ptr<Device>> devices;
  {
    Core::Entry entry(core);
    // No request is admitted and no device is recovered from here on.
    core->isClosed = true;
    core->scheduler.close(Status(Code::Cancelled, "the host is gone"));
    core->provisioner.close();
    for (const std::unique_ptr<DeviceSlot> &slot : core->executor.devices())
      devices.push_back(slot->device);
  }
  // A second Entry: the first one has answered the requests above.
  Core::Entry entry(core);
  core->provisioner.clear();
}

Status Host::addDevice(std::shared_ptr<Device> device, std::string name) {
  DeviceInfo info = device->info();
  return addDevice(std::move(device), std::move(info), std::move(name));
}

Status Host::addDevice(std::shared_ptr<Device> device, DeviceInfo info,
                       std::string name) {
  auto slot = std::make_unique<DeviceSlot>();
  slot->info = std::move(info);
  slot->device = std::move(device);
  slot->name = std::move(name);
  Core::Entry entry(core);
  return core->provisioner.add(std::move(slot));
}

Status Host::openDevice(const std::string &backend, DeviceOptions options,
                        std::string name) {
  Result<std::unique_ptr<Device>> opened =
      DeviceRegistry::instance().open(backend, options);
  if (!opened)
    return opened.status();
  std::shared_ptr<Device> device = opened.take();
  DeviceInfo info = device->info();
  info.backend = backend; // a device need not know the name of its backend
  return addDevice(std::move(device), std::move(info), std::move(name));
}

/// Opens a device of a backend, unless the host has one. `opening` makes
/// threads wait that load for the same backend, and is held while the device
/// opens.
Status Host::open(const std::string &backend) {
  std::lock_guard oneAtATime(core->opening);
  {
    std::lock_guard lock(core->mutex);
    for (const std::unique_ptr<DeviceSlot> &slot : core->executor.devices())
      if (slot->info.backend == backend)
        return Status();
  }
  return openDevice(backend, core->options.device, backend);
}

/// The model as it is now. It may be replaced before its request is submitted:
/// Scheduler::submit looks again.
std::shared_ptr<ServedModel> Host::find(ModelId id) const {
  std::lock_guard lock(core->mutex);
  return core->provisioner.find(id);
}

static Status notLoaded(ModelId id) {
  return failure(Code::NotFound, "no program is loaded as ", uint64_t(id));
}

/// Whether the inputs have the values that the program was specialised on.
static Status checkAssumed(const std::vector<Constant> &assumed,
                           std::span<const NamedTensor> inputs) {
  for (const Constant &value : assumed)
    for (const NamedTensor &input : inputs)
      if (input.name == value.name && !value.sameAs(input.tensor.view()))
        return failure(Code::InvalidArgument, "input '", input.name,
                       "' has another value than the one that the program was "
                       "compiled for");
  return Status();
}

/// Gives `outputs` the names and types of the bindings. Tensors that have the
/// right type already are kept.
static Status prepareOutputs(const std::vector<Binding> &bindings,
                             const SizeValues &sizes,
                             std::vector<NamedTensor> &outputs) {
  outputs.resize(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    outputs[i].name = bindings[i].name;
    const TensorType type = sizes.typeOf(bindings[i].type, bindings[i].lengths);
    if (outputs[i].tensor.type() == type && outputs[i].tensor.data())
      continue;
    Result<Tensor> fresh = Tensor::zeros(type);
    if (!fresh)
      return fresh.status().prefixed("output '" + bindings[i].name + "': ");
    outputs[i].tensor = fresh.take();
  }
  return Status();
}

/// The rows of a request whose first input has this type.
static int64_t rowsOf(const ServedModel &model, const TensorType *first) {
  return model.joins() ? first->shape[0] : model.variants.front()->batch;
}

/// A request on memory of the caller, which stays valid until the answer.
static std::shared_ptr<Request> makeBorrowed(std::shared_ptr<ServedModel> model,
                                             Tensors tensors,
                                             SizeValues sizes) {
  auto request = std::make_shared<Request>();
  const std::vector<TensorView> &inputs = tensors.inputs;
  request->rows = rowsOf(*model, inputs.empty() ? nullptr : inputs[0].type);
  request->model = std::move(model);
  request->inputViews = std::move(tensors.inputs);
  request->outputViews = std::move(tensors.outputs);
  request->outputShapes = tensors.outputShapes;
  request->outputDone = tensors.outputDone;
  request->sizes = std::move(sizes);
  request->isBorrowed = true;
  return request;
}

/// Checks names, types and values of inputs, and allocates outputs.
Result<std::shared_ptr<Request>>
Host::accept(ModelId id, std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs) const {
  std::shared_ptr<ServedModel> model = find(id);
  if (!model)
    return notLoaded(id);
  Result<std::vector<TensorView>> bound = bindInputs(model->inputs(), inputs);
  if (!bound)
    return bound.status();
  const Program &program = model->variants.front()->program;
  Result<SizeValues> sizes = sizesOf(program, *bound);
  Status status = sizes.status();
  if (status.ok())
    status = checkAssumed(program.assumed, inputs);
  if (status.ok())
    status = prepareOutputs(program.outputs, *sizes, outputs);
  if (!status.ok())
    return status;
  Tensors tensors;
  tensors.inputs = bound.take();
  for (const NamedTensor &output : outputs)
    tensors.outputs.push_back(output.tensor.view());
  return makeBorrowed(std::move(model), std::move(tensors), sizes.take());
}

/// Checks types and sizes of tensors in the order of the program.
Result<std::shared_ptr<ServedModel>>
Host::accept(ModelId id, const Tensors &tensors, SizeValues &sizes) const {
  std::shared_ptr<ServedModel> model = find(id);
  if (!model)
    return notLoaded(id);
  Status status =
      checkTensors(model->inputs(), model->outputs(), tensors, &sizes);
  if (status.ok()) // devices know the conditions of whole programs alone
    status = sizes.check(model->variants.front()->program.conditions);
  if (!status.ok())
    return status;
  return model;
}

/// Gives outputs the shapes that a run has reported, if it has.
static Status shrink(std::vector<NamedTensor> &outputs,
                     const std::vector<Ints> &shapes) {
  for (size_t i = 0; i < shapes.size(); ++i)
    if (Status status = outputs[i].tensor.shrink(shapes[i]); !status.ok())
      return status;
  return Status();
}

void Host::runAsync(ModelId id, std::span<const NamedTensor> inputs,
                    std::vector<NamedTensor> &outputs,
                    std::function<void(Status)> done) {
  Result<std::shared_ptr<Request>> accepted = accept(id, inputs, outputs);
  if (!accepted)
    return done(accepted.status());
  const std::shared_ptr<Request> request = accepted.take();
  auto shapes = std::make_shared<std::vector<Ints>>();
  request->outputShapes = shapes.get();
  request->done = [done = std::move(done), shapes,
                   &outputs](Status status, std::vector<Tensor>) {
    done(status.ok() ? shrink(outputs, *shapes) : std::move(status));
  };
  // `done` may destroy the host.
  std::shared_ptr<Core> kept = core;
  Core::Entry entry(kept);
  // This thread may run the device, at the end of the Entry.
  kept->executor.here = request.get();
  kept->scheduler.submit(request);
}

/// Runs a request on memory of the caller, and waits for its end.
Status Host::runBorrowed(const std::shared_ptr<Request> &request,
                         RequestHandle *handle,
                         const std::atomic<bool> *cancelled) {
  // Until the answer this thread dispatches the tasks of the request.
  auto waiter = std::make_shared<Waiter>();
  request->waiter = waiter;
  request->done = [waiter](Status status, std::vector<Tensor>) {
    waiter->answer(std::move(status));
  };
  {
    Core::Entry entry(core);
    if (handle)
      handle->request = request;
    core->scheduler.submit(request);
    // Later the other thread finds the handle.
    if (cancelled && *cancelled)
      core->scheduler.cancel(request);
  }
  return waiter->wait(Executor::dispatch);
}

Status Host::run(ModelId id, std::span<const NamedTensor> inputs,
                 std::vector<NamedTensor> &outputs) {
  Result<std::shared_ptr<Request>> request = accept(id, inputs, outputs);
  if (!request)
    return request.status();
  std::vector<Ints> shapes;
  (*request)->outputShapes = &shapes;
  Status status = runBorrowed(*request);
  return status.ok() ? shrink(outputs, shapes) : status;
}

Status Host::run(ModelId id, const Tensors &tensors, RequestHandle *handle) {
  SizeValues sizes;
  Result<std::shared_ptr<ServedModel>> model = accept(id, tensors, sizes);
  if (!model)
    return model.status();
  unsigned kills = 0;
  // A run that a handle alone can cancel needs a request.
  if (!handle || tensors.cancelled)
    if (auto status = core->scheduler.runHere(*model, tensors, kills))
      return std::move(*status);
  const std::shared_ptr<Request> request =
      makeBorrowed(model.take(), tensors, std::move(sizes));
  request->kills = kills;
  request->isAlone = kills;
  return runBorrowed(request, handle, tensors.cancelled);
}

Status Host::start(ModelId id, const Tensors &tensors,
                   std::function<void(Status)> done, RequestHandle &handle) {
  SizeValues sizes;
  Result<std::shared_ptr<ServedModel>> model = accept(id, tensors, sizes);
  if (!model)
    return model.status();
  const std::shared_ptr<Request> request =
      makeBorrowed(model.take(), tensors, std::move(sizes));
  request->done = [done = std::move(done)](Status status, std::vector<Tensor>) {
    done(std::move(status));
  };
  std::shared_ptr<Core> kept = core; // `done` may destroy the host
  Core::Entry entry(kept);
  handle.request = request;
  kept->scheduler.submit(request);
  return Status();
}

/// Checks the types of the inputs of a request, and sets its rows and sizes.
static Status checkRequest(const ServedModel &model, Request &request) {
  const std::vector<TensorView> &given = request.inputViews;
  const std::vector<Binding> &inputs = model.inputs();
  if (given.size() != inputs.size())
    return failure(Code::ShapeMismatch, "a request has ", given.size(),
                   " inputs, model '", model.spec.name, "' has ",
                   inputs.size());
  const bool hasSizes = model.variants.size() > 1; // of the batch
  if (!hasSizes) {
    Result<SizeValues> sizes = sizesOf(model.variants.front()->program, given);
    if (!sizes)
      return sizes.status();
    request.sizes = sizes.take();
    request.rows = rowsOf(model, given.empty() ? nullptr : given[0].type);
    return Status();
  }
  const int64_t rows =
      given[0].type->shape.empty() ? 0 : given[0].type->shape[0];
  for (size_t i = 0; i < inputs.size(); ++i) {
    TensorType type = inputs[i].type;
    type.shape[0] = rows;
    if (*given[i].type != type)
      return failure(Code::ShapeMismatch, "input '", inputs[i].name, "' is ",
                     given[i].type->text(), ", it should be ", type.text());
  }
  request.rows = rows;
  std::string sizes;
  bool fits = false;
  for (const std::unique_ptr<Variant> &variant : model.variants) {
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(variant->batch);
    fits |= rows == variant->batch;
    fits |= rows >= 1 && rows < variant->batch && model.spec.mayPad;
  }
  if (!fits)
    return failure(Code::ShapeMismatch, "a request has ", rows,
                   " rows, the batches of model '", model.spec.name, "' are ",
                   sizes, model.spec.mayPad ? "" : ", and are not padded");
  return Status();
}

/// Counts the bytes of a request: its inputs, and its share of the values of a
/// run.
static void countBytes(const ServedModel &model, Request &request) {
  for (const Tensor &input : request.inputs)
    request.bytes += input.type().bytes();
  const Variant &variant = *model.variants.back();
  // A session's sizes are known when the request runs.
  if (variant.isOpen() && !request.session)
    for (const TensorType &type : variant.typesIn(request.sizes))
      request.runBytes += type.bytes();
  request.bytes += variant.isOpen()
                       ? request.runBytes
                       : variant.bytesOfRun * uint64_t(request.rows) /
                             uint64_t(variant.batch);
}

/// Sends a request that was accepted, or answers it with the reason why not.
RequestHandle Host::admit(std::shared_ptr<Request> request, Status status,
                          RequestOptions options, Done done) {
  if (status.ok())
    status = core->workers->begin(true);
  if (!status.ok()) {
    done(std::move(status), {});
    return {};
  }
  request->options = options;
  request->done = std::move(done);
  countBytes(*request->model, *request);
  RequestHandle handle;
  handle.request = request;
  std::shared_ptr<Core> kept = core; // `done` may destroy the host
  Core::Entry entry(kept);
  kept->scheduler.submit(request);
  return handle;
}

RequestHandle Host::submit(ModelId id, std::vector<Tensor> inputs,
                           RequestOptions options, Done done) {
  auto request = std::make_shared<Request>();
  request->model = find(id);
  request->inputs = std::move(inputs);
  for (const Tensor &input : request->inputs)
    request->inputViews.push_back(input.view());
  Status status =
      request->model ? checkRequest(*request->model, *request) : notLoaded(id);
  return admit(std::move(request), std::move(status), options, std::move(done));
}

void Host::cancel(const RequestHandle &handle) {
  std::shared_ptr<Request> request; // declared first: freed after the Entry
  Core::Entry entry(core);
  if ((request = handle.request.lock()))
    core->scheduler.cancel(request);
}

void Host::observe(std::shared_ptr<StepObserver> observer) {
  Core::Entry entry(core);
  core->observer = observer;
  for (const std::unique_ptr<DeviceSlot> &slot : core->executor.devices())
    core->later(
        [device = slot->device, observer] { device->observe(observer); });
}
