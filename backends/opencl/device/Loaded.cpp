//===- Loaded.cpp - a program on a device with OpenCL ---------------------===//
// SPDX-License-Identifier: MIT

#include "device/Loaded.h"
#include "glow/Values/Tensor.h"
#include <algorithm>
#include <cstring>

using namespace glow;
using namespace glow::opencl;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// A buffer with `bytes` bytes; `data` fills it, or is null.
static Status make(const Target &target, uint64_t bytes, const void *data,
                   Owned<cl_mem> &buffer) {
  cl_int error = CL_SUCCESS;
  buffer = Owned<cl_mem>(
      target.cl.clCreateBuffer(target.context, CL_MEM_READ_WRITE,
                               std::max<uint64_t>(bytes, 1), nullptr, &error),
      target.cl.clReleaseMemObject);
  if (error == CL_SUCCESS && data && bytes)
    error = target.cl.clEnqueueWriteBuffer(target.queue, buffer.get(), CL_TRUE,
                                           0, bytes, data, 0, nullptr, nullptr);
  return error == CL_SUCCESS ? Status() : failureOf("clCreateBuffer", error);
}

Status Loaded::makeBuffers(const Target &target, const Program &program) {
  uint64_t all = 0;
  for (const Constant &constant : program.constants) {
    constantOffsets.push_back(all);
    all = (all + constant.type.bytes() + 127) / 128 * 128;
  }
  Status status = make(target, all, nullptr, constants);
  for (size_t i = 0; i < program.constants.size() && status.ok(); ++i) {
    const Constant &constant = program.constants[i];
    if (uint64_t bytes = constant.type.bytes())
      if (cl_int error = target.cl.clEnqueueWriteBuffer(
              target.queue, constants.get(), CL_TRUE, constantOffsets[i], bytes,
              constant.data, 0, nullptr, nullptr);
          error != CL_SUCCESS)
        return failureOf("clEnqueueWriteBuffer", error);
  }
  if (status.ok())
    status = make(target, program.arenaBytes, nullptr, arena);
  auto addAll = [&](const std::vector<Binding> &bindings,
                    std::vector<Owned<cl_mem>> &buffers) {
    for (const Binding &binding : bindings)
      if (status.ok())
        status =
            make(target, binding.type.bytes(), nullptr, buffers.emplace_back());
  };
  addAll(inputs, ins);
  addAll(outputs, outs);
  if (!status.ok())
    return status;
  std::vector<int64_t> given = code->numbers;
  for (const Launch &launch : code->launches)
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      const BufferPlace &place = code->buffers[launch.buffers[i]];
      if (place.where == BufferPlace::Constant)
        given[launch.first + i + (launch.kernel == Launch::copy ? 0 : 1)] +=
            int64_t(constantOffsets[place.index]);
    }
  placed = std::move(given);
  status =
      make(target, placed.size() * sizeof(int64_t), placed.data(), numbers);
  const cl_int none = 0;
  return status.ok() ? make(target, sizeof none, &none, failed) : status;
}

cl_mem Loaded::memoryOf(const BufferPlace &place,
                        const Tensors &tensors) const {
  auto of = [&](const std::vector<DeviceBuffer *> &given,
                const std::vector<Owned<cl_mem>> &own) {
    auto *buffer = place.index < given.size()
                       ? static_cast<Buffer *>(given[place.index])
                       : nullptr;
    return buffer ? buffer->memory.get() : own[place.index].get();
  };
  switch (place.where) {
  case BufferPlace::Constant:
    return constants.get();
  case BufferPlace::Input:
    return of(tensors.inputBuffers, ins);
  case BufferPlace::Output:
    return of(tensors.outputBuffers, outs);
  default:
    return arena.get();
  }
}

/// Makes a kernel object for each launch, whose arguments stay.
Status Loaded::makeKernels(const Target &target) {
  const Library &cl = target.cl;
  for (size_t number = 0; number < code->launches.size(); ++number) {
    const Launch &launch = code->launches[number];
    kernels.emplace_back();
    if (launch.kernel == Launch::copy)
      continue;
    cl_int error = CL_SUCCESS;
    kernels.back() = Owned<cl_kernel>(
        cl.clCreateKernel(program.get(), code->kernels[launch.kernel].c_str(),
                          &error),
        cl.clReleaseKernel);
    if (error != CL_SUCCESS)
      return failureOf("clCreateKernel", error);
    size_t most = 0;
    cl.clGetKernelWorkGroupInfo(kernels.back().get(), target.device,
                                CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                nullptr);
    if (launch.needsGroup && most < launch.local[0])
      return failure(Code::Unsupported, "node '", code->steps[launch.step].node,
                     "': its kernel needs ", launch.local[0],
                     " work-items in a group, the device has ", most);
    groups.push_back({number, std::min<uint64_t>(most, launch.local[0])});
    const cl_uint first = cl_uint(launch.buffers.size());
    const cl_long start = cl_long(launch.first);
    cl_mem fail = failed.get(), all = numbers.get();
    error = cl.clSetKernelArg(kernels.back().get(), first, sizeof fail, &fail);
    if (error == CL_SUCCESS)
      error =
          cl.clSetKernelArg(kernels.back().get(), first + 1, sizeof all, &all);
    if (error == CL_SUCCESS)
      error = cl.clSetKernelArg(kernels.back().get(), first + 2, sizeof start,
                                &start);
    if (error != CL_SUCCESS)
      return failureOf("clSetKernelArg", error);
  }
  return bindTensors(target, {});
}

Status Loaded::bindTensors(const Target &target, const Tensors &tensors) {
  for (size_t number = 0; number < code->launches.size(); ++number) {
    const Launch &launch = code->launches[number];
    if (launch.kernel == Launch::copy)
      continue;
    for (size_t i = 0; i < launch.buffers.size(); ++i) {
      cl_mem memory = memoryOf(code->buffers[launch.buffers[i]], tensors);
      if (cl_int error = target.cl.clSetKernelArg(
              kernels[number].get(), cl_uint(i), sizeof memory, &memory);
          error != CL_SUCCESS)
        return failureOf("clSetKernelArg", error);
    }
  }
  return Status();
}

Result<std::shared_ptr<Loaded>> Loaded::load(const Target &target,
                                             const Program &program) {
  auto loaded = std::make_shared<Loaded>();
  loaded->inputs = program.inputs;
  loaded->outputs = program.outputs;
  loaded->code = std::static_pointer_cast<const OpenclCode>(program.code);
  if (Status status = loaded->makeBuffers(target, program); !status.ok())
    return status;
  if (!loaded->code->sources.empty()) {
    Result<Owned<cl_program>> built = buildKernels(target, *loaded->code);
    if (!built)
      return built.status();
    loaded->program = built.take();
  }
  if (Status status = loaded->makeKernels(target); !status.ok())
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
    const uint64_t bytes = inputs[i].type.bytes();
    if (isThere || bytes == 0)
      continue;
    if (cl_int error = target.cl.clEnqueueWriteBuffer(
            target.queue, ins[i].get(), CL_FALSE, 0, bytes,
            tensors.inputs[i].data, 0, nullptr, nullptr);
        error != CL_SUCCESS)
      return failureOf("clEnqueueWriteBuffer", error);
  }
  return Status();
}

Status Loaded::readOutputs(const Target &target, const Tensors &tensors) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const bool isThere =
        i < tensors.outputBuffers.size() && tensors.outputBuffers[i];
    const uint64_t bytes = outputs[i].type.bytes();
    if (isThere || bytes == 0)
      continue;
    if (cl_int error = target.cl.clEnqueueReadBuffer(
            target.queue, outs[i].get(), CL_FALSE, 0, bytes,
            tensors.outputs[i].data, 0, nullptr, nullptr);
        error != CL_SUCCESS)
      return failureOf("clEnqueueReadBuffer", error);
  }
  return Status();
}

Status Loaded::launch(const Target &target, const Launch &launch, size_t number,
                      const Tensors &tensors) {
  const Library &cl = target.cl;
  cl_int error = CL_SUCCESS;
  if (launch.kernel == Launch::copy) {
    const int64_t *at = placed.data() + launch.first;
    error = cl.clEnqueueCopyBuffer(
        target.queue, memoryOf(code->buffers[launch.buffers[1]], tensors),
        memoryOf(code->buffers[launch.buffers[0]], tensors), size_t(at[1]),
        size_t(at[0]), size_t(at[2]), 0, nullptr, nullptr);
    return error == CL_SUCCESS ? Status()
                               : failureOf("clEnqueueCopyBuffer", error);
  }
  size_t global[3], local[3];
  for (size_t i = 0; i < 3; ++i) {
    global[i] = launch.global[i];
    local[i] = launch.local[i];
  }
  for (const Group &group : groups)
    if (group.launch == number)
      local[0] = group.items;
  error =
      cl.clEnqueueNDRangeKernel(target.queue, kernels[number].get(), 3, nullptr,
                                global, local, 0, nullptr, nullptr);
  return error == CL_SUCCESS ? Status()
                             : failureOf("clEnqueueNDRangeKernel", error);
}

Status Loaded::observeStep(const Target &target, const Tensors &tensors,
                           uint32_t step, StepObserver &observer, uint64_t span,
                           std::chrono::steady_clock::time_point begin) {
  if (cl_int error = target.cl.clFinish(target.queue); error != CL_SUCCESS)
    return failureOf("clFinish", error);
  StepEvent event{
      code->steps[step].node, code->steps[step].instruction, {}, {}};
  event.parent = span;
  event.begin = begin;
  event.end = std::chrono::steady_clock::now();
  std::vector<Tensor> results;
  std::vector<TensorView> views;
  for (uint32_t buffer : code->steps[step].results) {
    const BufferPlace &place = code->buffers[buffer];
    Result<Tensor> tensor = Tensor::zeros(place.type);
    if (!tensor)
      return tensor.status();
    if (uint64_t bytes = place.type.bytes())
      if (cl_int error = target.cl.clEnqueueReadBuffer(
              target.queue, memoryOf(place, tensors), CL_TRUE, place.offset,
              bytes, tensor->data(), 0, nullptr, nullptr);
          error != CL_SUCCESS)
        return failureOf("clEnqueueReadBuffer", error);
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
      if (Status status = launch(target, code->launches[next], next, tensors);
          !status.ok())
        return status.prefixed("node '" + code->steps[step].node + "': ");
    if (observer)
      if (Status status = observeStep(target, tensors, step, *observer,
                                      tensors.span, begin);
          !status.ok())
        return status;
  }
  return Status();
}

Status Loaded::run(const Target &target, const Tensors &tensors,
                   StepObserver *observer) {
  const bool hasBuffers =
      !tensors.inputBuffers.empty() || !tensors.outputBuffers.empty();
  Status status =
      hasBuffers || wasBound ? bindTensors(target, tensors) : Status();
  wasBound = hasBuffers;
  if (status.ok())
    status = writeInputs(target, tensors);
  if (status.ok())
    status = runSteps(target, tensors, observer);
  cl_int wrong = 0;
  if (status.ok())
    status = readOutputs(target, tensors);
  if (status.ok())
    if (cl_int error = target.cl.clEnqueueReadBuffer(
            target.queue, failed.get(), CL_FALSE, 0, sizeof wrong, &wrong, 0,
            nullptr, nullptr);
        error != CL_SUCCESS)
      status = failureOf("clEnqueueReadBuffer", error);
  // The caller's memory is not touched after the end of the run.
  cl_int error = target.cl.clFinish(target.queue);
  if (status.ok() && error != CL_SUCCESS)
    status = failureOf("clFinish", error);
  if (!status.ok() || !wrong)
    return status;
  const cl_int none = 0;
  target.cl.clEnqueueWriteBuffer(target.queue, failed.get(), CL_TRUE, 0,
                                 sizeof none, &none, 0, nullptr, nullptr);
  return failure(Code::InvalidArgument, "node '",
                 code->steps[size_t(wrong) - 1].node, "': ", outOfRange);
}
