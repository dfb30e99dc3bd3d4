//===- LoadedProgram.cpp - a program on its device ------------------------===//
//
// Runs of a program of parts may overlap, as those of a device may be called
// before the last is done: each has memory for what its parts hand on, which is
// kept for the next.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/LoadedProgram.h"
#include "glow/Program/Parts.h"
#include <future>

using namespace glow;

/// A run of several parts, until it is done.
struct LoadedProgram::Running {
  Tensors &whole;
  std::vector<Tensor> between;
  std::function<void(Status)> done;
  size_t next = 0; ///< of the parts
  Tensors part = {};

  TensorView value(uint32_t index) {
    if (index < whole.inputs.size())
      return whole.inputs[index];
    index -= uint32_t(whole.inputs.size());
    if (index < whole.outputs.size())
      return whole.outputs[index];
    return between[index - whole.outputs.size()].view();
  }
};

Result<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(std::shared_ptr<Device> device, const Program &program) {
  std::unique_ptr<LoadedProgram> loaded(new LoadedProgram());
  if (Status status = loaded->add(std::move(device), program, {}, {});
      !status.ok())
    return status;
  return loaded;
}

Result<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(const DeviceOf &deviceOf, const Program &program) {
  std::unique_ptr<LoadedProgram> loaded(new LoadedProgram());
  auto add = [&](const Program &one, std::vector<uint32_t> inputs,
                 std::vector<uint32_t> outputs) -> Status {
    Result<std::shared_ptr<Device>> device = deviceOf(one.backend);
    return device ? loaded->add(device.take(), one, std::move(inputs),
                                std::move(outputs))
                  : device.status();
  };
  const PartsCode *code = partsOf(program);
  if (!code) {
    Status status = add(program, {}, {});
    if (!status.ok())
      return status;
    return loaded;
  }
  loaded->isWhole = false;
  for (const PartsCode::Part &part : code->parts)
    if (Status status = add(part.program, part.inputs, part.outputs);
        !status.ok())
      return status;
  // The first run finds the memory there.
  loaded->between = code->between;
  Result<std::vector<Tensor>> values = loaded->takeValues();
  if (!values)
    return values.status();
  loaded->spare.push_back(values.take());
  return loaded;
}

Status LoadedProgram::add(std::shared_ptr<Device> device,
                          const Program &program, std::vector<uint32_t> inputs,
                          std::vector<uint32_t> outputs) {
  Result<ProgramId> id = device->load(program);
  if (id)
    parts.push_back(
        {std::move(device), *id, std::move(inputs), std::move(outputs)});
  return id.status();
}

LoadedProgram::~LoadedProgram() {
  for (Part &part : parts)
    part.device->unload(part.program);
}

Result<std::vector<Tensor>> LoadedProgram::takeValues() {
  {
    std::lock_guard lock(mutex);
    if (!spare.empty()) {
      std::vector<Tensor> values = std::move(spare.back());
      spare.pop_back();
      return values;
    }
  }
  std::vector<Tensor> values;
  for (const TensorType &type : between) {
    Result<Tensor> value = Tensor::zeros(type);
    if (!value)
      return value.status().prefixed("a value between parts: ");
    values.push_back(value.take());
  }
  return values;
}

void LoadedProgram::runPart(std::shared_ptr<Running> running) {
  Part &part = parts[running->next++];
  running->part = {};
  for (uint32_t input : part.inputs)
    running->part.inputs.push_back(running->value(input));
  for (uint32_t output : part.outputs)
    running->part.outputs.push_back(running->value(output));
  part.device->run(part.program, running->part, [this, running](Status status) {
    if (status.ok() && running->next < parts.size())
      return runPart(running);
    {
      std::lock_guard lock(mutex);
      spare.push_back(std::move(running->between));
    }
    running->done(std::move(status));
  });
}

void LoadedProgram::run(Tensors &tensors, std::function<void(Status)> done) {
  if (isWhole)
    return parts.front().device->run(parts.front().program, tensors,
                                     std::move(done));
  Result<std::vector<Tensor>> values = takeValues();
  if (!values)
    return done(values.status());
  runPart(std::make_shared<Running>(
      Running{tensors, values.take(), std::move(done)}));
}

Status LoadedProgram::runAndWait(Tensors &tensors) {
  // Shared: what sets the value may still be inside when it is read here.
  auto finished = std::make_shared<std::promise<Status>>();
  run(tensors,
      [finished](Status status) { finished->set_value(std::move(status)); });
  return finished->get_future().get();
}
