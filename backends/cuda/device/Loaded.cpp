//===- Loaded.cpp - a program on a GPU ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Loaded.h"
#include "glow/Values/Tensor.h"
#include <algorithm>
#include <cstring>

using namespace glow;
using namespace glow::cuda;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Memory::~Memory() {
  if (first)
    cuda->cuMemFree_v2(first);
}

Result<Memory> Memory::make(const Target &target, uint64_t bytes,
                            const void *data) {
  Memory made;
  made.cuda = &target.cuda;
  driver::Error error =
      target.cuda.cuMemAlloc_v2(&made.first, std::max<uint64_t>(bytes, 1));
  if (error != driver::Success)
    return failureOf(target.cuda, "cuMemAlloc", error);
  if (data && bytes) {
    error = target.cuda.cuMemcpyHtoDAsync_v2(made.first, data, bytes,
                                             target.stream);
    if (error == driver::Success)
      error = target.cuda.cuStreamSynchronize(target.stream);
    if (error != driver::Success)
      return failureOf(target.cuda, "cuMemcpyHtoDAsync", error);
  }
  return made;
}

Loaded::~Loaded() {
  if (graph)
    cuda->cuGraphExecDestroy(graph);
  if (module)
    cuda->cuModuleUnload(module);
}

/// Constants begin at multiples of this.
static constexpr uint64_t constantAlignment = 256;

Status Loaded::makeMemory(const Target &target, const Program &program) {
  uint64_t all = 0;
  for (const Constant &constant : program.constants) {
    constantOffsets.push_back(all);
    all += (constant.type.bytes() + constantAlignment - 1) / constantAlignment *
           constantAlignment;
  }
  Status status;
  auto make = [&](uint64_t bytes, const void *data, Memory &memory) {
    if (!status.ok())
      return;
    Result<Memory> made = Memory::make(target, bytes, data);
    status = made.status();
    if (made)
      memory = made.take();
  };
  make(all, nullptr, constants);
  for (size_t i = 0; i < program.constants.size() && status.ok(); ++i)
    if (uint64_t size = program.constants[i].type.bytes())
      if (driver::Error error = target.cuda.cuMemcpyHtoDAsync_v2(
              constants.address() + constantOffsets[i],
              program.constants[i].data, size, target.stream);
          error != driver::Success)
        return failureOf(target.cuda, "cuMemcpyHtoDAsync", error);
  make(program.arenaBytes, nullptr, arena);
  for (const Binding &binding : inputs)
    make(binding.type.bytes(), nullptr, ins.emplace_back());
  for (const Binding &binding : outputs)
    make(binding.type.bytes(), nullptr, outs.emplace_back());
  placed = code->numbers;
  for (const Launch &launch : code->launches)
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      const BufferPlace &place = code->buffers[launch.buffers[i]];
      if (place.where == BufferPlace::Constant)
        placed[launch.first + i + (launch.kernel == Launch::copy ? 0 : 1)] +=
            int64_t(constantOffsets[place.index]);
    }
  make(placed.size() * sizeof(int64_t), placed.data(), numbers);
  const int none = 0;
  make(sizeof none, &none, failed);
  if (!status.ok())
    return status;
  driver::Error error = target.cuda.cuStreamSynchronize(target.stream);
  return error == driver::Success
             ? Status()
             : failureOf(target.cuda, "cuStreamSynchronize", error);
}

Status Loaded::makeFunctions(const Target &target) {
  if (code->kernels.empty())
    return Status();
  Result<driver::Module> loaded = loadModule(target, *code);
  if (!loaded)
    return loaded.status();
  module = *loaded;
  for (const std::string &kernel : code->kernels)
    if (driver::Error error = target.cuda.cuModuleGetFunction(
            &functions.emplace_back(), module, kernel.c_str());
        error != driver::Success)
      return failureOf(target.cuda, "cuModuleGetFunction", error);
  const uint64_t most = uint64_t(
      numberOf(target.cuda, target.device, driver::MaxThreadsPerBlock));
  for (const Launch &launch : code->launches)
    if (launch.kernel != Launch::copy &&
        (launch.local[0] > most ||
         launch.global[0] / launch.local[0] > INT32_MAX))
      return failure(Code::Unsupported, "node '", code->steps[launch.step].node,
                     "': its kernel needs ", launch.global[0] / launch.local[0],
                     " blocks of ", launch.local[0],
                     " threads, more than the device has");
  return Status();
}

driver::Address Loaded::addressOf(const BufferPlace &place,
                                  const Tensors &tensors) const {
  auto of = [&](const std::vector<DeviceBuffer *> &given,
                const std::vector<Memory> &own) {
    auto *buffer = place.index < given.size()
                       ? static_cast<Buffer *>(given[place.index])
                       : nullptr;
    return buffer ? buffer->memory.address() : own[place.index].address();
  };
  switch (place.where) {
  case BufferPlace::Constant:
    return constants.address();
  case BufferPlace::Input:
    return of(tensors.inputBuffers, ins);
  case BufferPlace::Output:
    return of(tensors.outputBuffers, outs);
  default:
    return arena.address();
  }
}

Result<std::shared_ptr<Loaded>> Loaded::load(const Target &target,
                                             const Program &program) {
  auto loaded = std::make_shared<Loaded>();
  loaded->cuda = &target.cuda;
  loaded->inputs = program.inputs;
  loaded->outputs = program.outputs;
  loaded->code = std::static_pointer_cast<const CudaCode>(program.code);
  if (Status status = loaded->makeMemory(target, program); !status.ok())
    return status;
  if (Status status = loaded->makeFunctions(target); !status.ok())
    return status;
  return loaded;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Status Loaded::writeInputs(const Target &target, const Tensors &tensors) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool isThere =
        i < tensors.inputBuffers.size() && tensors.inputBuffers[i];
    const uint64_t size = inputs[i].type.bytes();
    if (isThere || size == 0)
      continue;
    if (driver::Error error = target.cuda.cuMemcpyHtoDAsync_v2(
            ins[i].address(), tensors.inputs[i].data, size, target.stream);
        error != driver::Success)
      return failureOf(target.cuda, "cuMemcpyHtoDAsync", error);
  }
  return Status();
}

Status Loaded::readOutputs(const Target &target, const Tensors &tensors) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool isThere =
        i < tensors.outputBuffers.size() && tensors.outputBuffers[i];
    const uint64_t size = outputs[i].type.bytes();
    if (isThere || size == 0)
      continue;
    if (driver::Error error = target.cuda.cuMemcpyDtoHAsync_v2(
            tensors.outputs[i].data, outs[i].address(), size, target.stream);
        error != driver::Success)
      return failureOf(target.cuda, "cuMemcpyDtoHAsync", error);
  }
  return Status();
}

Status Loaded::launch(const Target &target, const Launch &launch,
                      const Tensors &tensors) {
  std::vector<driver::Address> addresses;
  for (uint32_t buffer : launch.buffers)
    addresses.push_back(addressOf(code->buffers[buffer], tensors));
  if (launch.kernel == Launch::copy) {
    const int64_t *at = placed.data() + launch.first;
    driver::Error error = target.cuda.cuMemcpyDtoDAsync_v2(
        addresses[0] + uint64_t(at[0]), addresses[1] + uint64_t(at[1]),
        size_t(at[2]), target.stream);
    return error == driver::Success
               ? Status()
               : failureOf(target.cuda, "cuMemcpyDtoDAsync", error);
  }
  addresses.push_back(failed.address());
  addresses.push_back(numbers.address());
  addresses.push_back(launch.first); // a number, of the same size
  std::vector<void *> arguments;
  for (driver::Address &address : addresses)
    arguments.push_back(&address);
  driver::Error error = target.cuda.cuLaunchKernel(
      functions[launch.kernel], unsigned(launch.global[0] / launch.local[0]), 1,
      1, unsigned(launch.local[0]), 1, 1, 0, target.stream, arguments.data(),
      nullptr);
  return error == driver::Success
             ? Status()
             : failureOf(target.cuda, "cuLaunchKernel", error);
}

Status Loaded::observeStep(const Target &target, const Tensors &tensors,
                           uint32_t step, StepObserver &observer,
                           std::chrono::steady_clock::time_point begin) {
  driver::Error error = target.cuda.cuStreamSynchronize(target.stream);
  if (error != driver::Success)
    return failureOf(target.cuda, "cuStreamSynchronize", error);
  StepEvent event{
      code->steps[step].node, code->steps[step].instruction, {}, {}};
  event.parent = tensors.span;
  event.begin = begin;
  event.end = std::chrono::steady_clock::now();
  std::vector<Tensor> results;
  std::vector<TensorView> views;
  for (uint32_t buffer : code->steps[step].results) {
    const BufferPlace &place = code->buffers[buffer];
    Result<Tensor> tensor = Tensor::zeros(place.type);
    if (!tensor)
      return tensor.status();
    if (uint64_t size = place.type.bytes())
      error = target.cuda.cuMemcpyDtoHAsync_v2(
          tensor->data(), addressOf(place, tensors) + place.offset, size,
          target.stream);
    if (error == driver::Success)
      error = target.cuda.cuStreamSynchronize(target.stream);
    if (error != driver::Success)
      return failureOf(target.cuda, "cuMemcpyDtoHAsync", error);
    results.push_back(tensor.take());
  }
  for (const Tensor &result : results)
    views.push_back(result.view());
  event.results = views;
  observer.stepDone(event);
  return Status();
}

/// Runs the launches of all steps, in order.
Status Loaded::runSteps(const Target &target, const Tensors &tensors,
                        StepObserver *observer) {
  size_t next = 0;
  for (uint32_t step = 0; step < code->steps.size(); ++step) {
    if (tensors.cancelled && tensors.cancelled->load(std::memory_order_relaxed))
      return Status(Code::Cancelled, "the run was cancelled");
    const auto begin = std::chrono::steady_clock::now();
    for (; next < code->launches.size() && code->launches[next].step == step;
         ++next)
      if (Status status = launch(target, code->launches[next], tensors);
          !status.ok())
        return status.prefixed("node '" + code->steps[step].node + "': ");
    if (observer)
      if (Status status = observeStep(target, tensors, step, *observer, begin);
          !status.ok())
        return status;
  }
  return Status();
}

/// Runs all launches at once. The first run records them.
Status Loaded::runGraph(const Target &target, const Tensors &tensors) {
  const Library &cuda = target.cuda;
  if (!graph) {
    driver::Error error =
        cuda.cuStreamBeginCapture_v2(target.stream, driver::ThreadLocal);
    if (error != driver::Success)
      return failureOf(cuda, "cuStreamBeginCapture", error);
    Tensors none;
    Status status = runSteps(target, none, nullptr);
    driver::Graph captured = nullptr;
    error = cuda.cuStreamEndCapture(target.stream, &captured);
    if (status.ok() && error != driver::Success)
      status = failureOf(cuda, "cuStreamEndCapture", error);
    if (status.ok() && (error = cuda.cuGraphInstantiateWithFlags(
                            &graph, captured, 0)) != driver::Success)
      status = failureOf(cuda, "cuGraphInstantiateWithFlags", error);
    if (captured)
      cuda.cuGraphDestroy(captured);
    if (!status.ok())
      return status;
  }
  if (tensors.cancelled && tensors.cancelled->load(std::memory_order_relaxed))
    return Status(Code::Cancelled, "the run was cancelled");
  driver::Error error = cuda.cuGraphLaunch(graph, target.stream);
  return error == driver::Success ? Status()
                                  : failureOf(cuda, "cuGraphLaunch", error);
}

Status Loaded::run(const Target &target, const Tensors &tensors,
                   StepObserver *observer) {
  const bool hasBuffers =
      !tensors.inputBuffers.empty() || !tensors.outputBuffers.empty();
  Status status = writeInputs(target, tensors);
  if (status.ok())
    status = hasBuffers || observer || code->launches.empty()
                 ? runSteps(target, tensors, observer)
                 : runGraph(target, tensors);
  int wrong = 0;
  if (status.ok())
    status = readOutputs(target, tensors);
  driver::Error error = driver::Success;
  if (status.ok())
    error = target.cuda.cuMemcpyDtoHAsync_v2(&wrong, failed.address(),
                                             sizeof wrong, target.stream);
  // The caller's memory is not touched after the end of the run.
  driver::Error end = target.cuda.cuStreamSynchronize(target.stream);
  if (status.ok() && error != driver::Success)
    status = failureOf(target.cuda, "cuMemcpyDtoHAsync", error);
  if (status.ok() && end != driver::Success)
    status = failureOf(target.cuda, "cuStreamSynchronize", end);
  if (!status.ok() || !wrong)
    return status;
  const int none = 0;
  error = target.cuda.cuMemcpyHtoDAsync_v2(failed.address(), &none, sizeof none,
                                           target.stream);
  if (error == driver::Success)
    error = target.cuda.cuStreamSynchronize(target.stream);
  if (error != driver::Success)
    return failureOf(target.cuda, "cuMemcpyHtoDAsync", error);
  return failure(Code::InvalidArgument, "node '",
                 code->steps[size_t(wrong) - 1].node, "': ", outOfRange);
}
