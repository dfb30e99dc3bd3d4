//===- Host.cpp - programs and the devices they run on --------------------===//

#include "glow/Runtime/Host.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/LoadedProgram.h"
#include <future>

using namespace glow;

struct Host::Network {
  std::vector<Binding> inputs, outputs;
  std::vector<Constant> assumed;
  std::unique_ptr<LoadedProgram> program;
};

/// What a run needs until it is done.
struct Host::Running {
  std::shared_ptr<Network> network;
  Tensors tensors;
};

Host::Host(DeviceOptions options) : options(options) {}
Host::~Host() = default;

Result<std::shared_ptr<Device>> Host::deviceOf(const std::string &backend) {
  std::lock_guard lock(mutex);
  if (auto found = devices.find(backend); found != devices.end())
    return found->second;
  Result<std::unique_ptr<Device>> opened =
      DeviceRegistry::instance().open(backend, options);
  if (!opened)
    return opened.status();
  std::shared_ptr<Device> device = opened.take();
  device->observe(observer);
  return devices[backend] = device;
}

std::shared_ptr<Host::Network> Host::find(NetworkId network) const {
  std::lock_guard lock(mutex);
  auto found = networks.find(network);
  return found == networks.end() ? nullptr : found->second;
}

Result<NetworkId> Host::load(const Program &program) {
  auto devices = [this](const std::string &backend) {
    return deviceOf(backend);
  };
  Result<std::unique_ptr<LoadedProgram>> loaded =
      LoadedProgram::load(devices, program);
  if (!loaded)
    return loaded.status();
  auto network = std::make_shared<Network>();
  network->inputs = program.inputs;
  network->outputs = program.outputs;
  network->assumed = program.assumed;
  network->program = loaded.take();

  std::lock_guard lock(mutex);
  NetworkId id{++lastId};
  networks[id] = std::move(network);
  return id;
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

/// Makes `outputs` what the bindings say, keeping tensors that are it already.
static Status prepareOutputs(const std::vector<Binding> &bindings,
                             std::vector<NamedTensor> &outputs) {
  outputs.resize(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    outputs[i].name = bindings[i].name;
    if (outputs[i].tensor.type() == bindings[i].type &&
        outputs[i].tensor.data())
      continue;
    Result<Tensor> fresh = Tensor::zeros(bindings[i].type);
    if (!fresh)
      return fresh.status().prefixed("output '" + bindings[i].name + "': ");
    outputs[i].tensor = fresh.take();
  }
  return Status();
}

void Host::runAsync(NetworkId id, std::span<const NamedTensor> inputs,
                    std::vector<NamedTensor> &outputs,
                    std::function<void(Status)> done) {
  std::shared_ptr<Network> network = find(id);
  if (!network)
    return done(
        failure(Code::NotFound, "no program is loaded as ", uint64_t(id)));
  Result<std::vector<TensorView>> bound = bindInputs(network->inputs, inputs);
  if (!bound)
    return done(bound.status());
  if (Status status = checkAssumed(network->assumed, inputs); !status.ok())
    return done(std::move(status));
  if (Status status = prepareOutputs(network->outputs, outputs); !status.ok())
    return done(std::move(status));

  // The network lives until its run is done, even if it is unloaded meanwhile.
  auto running = std::make_shared<Running>();
  running->network = network;
  running->tensors.inputs = bound.take();
  for (const NamedTensor &output : outputs)
    running->tensors.outputs.push_back(output.tensor.view());
  network->program->run(running->tensors,
                        [running, done = std::move(done)](Status status) {
                          // Not longer: `done` may destroy the host, and
                          // the last reference to a device must not be that of
                          // its own thread. A device may have copies of this
                          // function.
                          running->network.reset();
                          done(std::move(status));
                        });
}

Status Host::run(NetworkId network, std::span<const NamedTensor> inputs,
                 std::vector<NamedTensor> &outputs) {
  // Shared with the callback: this thread may wake while that of the device is
  // still inside `set_value`, and a promise on this stack would be gone then.
  auto finished = std::make_shared<std::promise<Status>>();
  runAsync(network, inputs, outputs, [finished](Status status) {
    finished->set_value(std::move(status));
  });
  return finished->get_future().get();
}

Status Host::run(NetworkId id, Tensors &tensors) {
  std::shared_ptr<Network> network = find(id);
  if (!network)
    return failure(Code::NotFound, "no program is loaded as ", uint64_t(id));
  if (Status status = checkTensors(network->inputs, network->outputs, tensors);
      !status.ok())
    return status;
  return network->program->runAndWait(tensors);
}

void Host::unload(NetworkId network) {
  std::shared_ptr<Network> last;
  std::lock_guard lock(mutex);
  if (auto found = networks.find(network); found != networks.end()) {
    last = std::move(found->second);
    networks.erase(found);
  }
}

void Host::observe(std::shared_ptr<StepObserver> watcher) {
  std::lock_guard lock(mutex);
  observer = std::move(watcher);
  for (auto &[backend, device] : devices)
    device->observe(observer);
}
