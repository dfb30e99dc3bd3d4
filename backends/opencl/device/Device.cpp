//===- Device.cpp - a device with OpenCL ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Device.h"
#include "device/Loaded.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <algorithm>
#include <cstdlib>

using namespace glow;
using namespace glow::opencl;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The device that the user chose; the first without a choice.
static Result<FoundDevice> chosen(const std::vector<FoundDevice> &all) {
  const char *given = std::getenv("GLOW_OPENCL_DEVICE");
  const std::string wanted = given ? given : "";
  if (wanted.empty())
    return all.front();
  std::string known;
  for (size_t i = 0; i < all.size(); ++i) {
    if (wanted == std::to_string(i) ||
        all[i].name.find(wanted) != std::string::npos)
      return all[i];
    known += (i ? ", " : "") + std::to_string(i) + " (" + all[i].name + ")";
  }
  return failure(Code::NotFound, "no OpenCL device is '", wanted,
                 "', the value of GLOW_OPENCL_DEVICE; there are: ", known);
}

Result<std::unique_ptr<Device>>
OpenclDevice::open(const DeviceOptions &options) {
  Result<AllDevices> all = openDevices();
  if (!all)
    return all.status();
  const Library &cl = all->library;
  Result<FoundDevice> found = chosen(all->devices);
  if (!found)
    return found.status();
  if (Status status = checkDevice(cl, *found); !status.ok())
    return status;
  cl_int error = CL_SUCCESS;
  cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, cl_context_properties(found->platform), 0};
  Owned<cl_context> context(cl.clCreateContext(properties, 1, &found->device,
                                               nullptr, nullptr, &error),
                            cl.clReleaseContext);
  if (error != CL_SUCCESS)
    return failureOf("clCreateContext", error);
  Owned<cl_command_queue> queue(
      cl.clCreateCommandQueue(context.get(), found->device, 0, &error),
      cl.clReleaseCommandQueue);
  if (error != CL_SUCCESS)
    return failureOf("clCreateCommandQueue", error);
  return std::unique_ptr<Device>(new OpenclDevice(
      cl, *found, std::move(context), std::move(queue), options.memoryBytes));
}

OpenclDevice::OpenclDevice(const Library &cl, FoundDevice found,
                           Owned<cl_context> context,
                           Owned<cl_command_queue> queue, uint64_t memoryBytes)
    : cl(cl), found(std::move(found)), context(std::move(context)),
      queue(std::move(queue)),
      capacity(memoryBytes ? memoryBytes
                           : numberOf<cl_ulong>(cl, this->found.device,
                                                CL_DEVICE_GLOBAL_MEM_SIZE)) {}

OpenclDevice::~OpenclDevice() { programs.clear(); }

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

DeviceInfo OpenclDevice::info() const {
  DeviceInfo info;
  info.backend = "opencl";
  info.hasBuffers = true;
  info.memoryBytes = capacity;
  return info;
}

DeviceState OpenclDevice::state() const {
  std::lock_guard lock(mutex);
  return isLost ? DeviceState::Lost : DeviceState::Good;
}

uint64_t OpenclDevice::freeBytes() const {
  std::lock_guard lock(mutex);
  return capacity - taken - *inBuffers;
}

/// Remembers a lost device.
Status OpenclDevice::note(Status status) {
  if (status.code() == Code::DeviceLost) {
    std::lock_guard lock(mutex);
    isLost = true;
  }
  return status;
}

void OpenclDevice::observe(std::shared_ptr<StepObserver> watcher) {
  std::lock_guard lock(mutex);
  observer = std::move(watcher);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Fails if a kernel needs more than the device has.
static Status checkNeeds(const Library &cl, const FoundDevice &found,
                         const OpenclCode &code) {
  std::string extensions = textOf(cl, found.device, CL_DEVICE_EXTENSIONS);
  if (code.usesDoubles && extensions.find("cl_khr_fp64") == std::string::npos)
    return failure(Code::Unsupported, "device '", found.name,
                   "' has no numbers of 64 bits (cl_khr_fp64), which the "
                   "program computes with");
  return Status();
}

Result<ProgramId> OpenclDevice::load(const Program &program) {
  auto code = std::dynamic_pointer_cast<const OpenclCode>(program.code);
  if (program.backend != "opencl" || !code)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program.backend, "', this device runs those of 'opencl'");
  if (Status status = checkNeeds(cl, found, *code); !status.ok())
    return status;
  uint64_t bytes = program.constantBytes() + program.arenaBytes;
  {
    std::lock_guard lock(mutex);
    if (uint64_t free = capacity - taken - *inBuffers; bytes > free)
      return failure(Code::OutOfMemory, "the program takes ", bytes,
                     " bytes, the device has ", free, " free");
    taken += bytes;
  }
  Result<std::shared_ptr<Loaded>> loaded = [&] {
    std::lock_guard oneAtATime(running);
    return Loaded::load({cl, found.device, context.get(), queue.get()},
                        program);
  }();
  if (!loaded) {
    std::lock_guard lock(mutex);
    taken -= bytes;
    return loaded.status();
  }
  std::lock_guard lock(mutex);
  (*loaded)->bytes = bytes;
  ProgramId id{++lastId};
  programs[id] = loaded.take();
  return id;
}

Status OpenclDevice::runLoaded(ProgramId id, const Tensors &tensors) {
  std::lock_guard oneAtATime(running);
  std::shared_ptr<Loaded> loaded;
  std::shared_ptr<StepObserver> watcher;
  {
    std::lock_guard lock(mutex);
    auto at = programs.find(id);
    if (at == programs.end())
      return failure(Code::NotFound, "no program is loaded as ", uint64_t(id));
    loaded = at->second;
    watcher = observer;
  }
  Status status = checkTensors(loaded->inputs, loaded->outputs, tensors);
  if (!status.ok())
    return status;
  return note(loaded->run({cl, found.device, context.get(), queue.get()},
                          tensors, watcher.get()));
}

void OpenclDevice::run(ProgramId program, Tensors &tensors,
                       std::function<void(Status)> done) {
  // No lock is held when `done` is called: a thread that waits for it may call
  // the device again.
  done(runLoaded(program, tensors));
}

void OpenclDevice::unload(ProgramId program) {
  std::shared_ptr<Loaded> loaded; // declared first: freed after the locks
  std::lock_guard oneAtATime(running);
  std::lock_guard lock(mutex);
  auto at = programs.find(program);
  if (at == programs.end())
    return;
  loaded = std::move(at->second);
  taken -= loaded->bytes;
  programs.erase(at);
}

Status OpenclDevice::reset() {
  std::unique_lock oneAtATime(running, std::try_to_lock);
  if (!oneAtATime)
    return Status(Code::Unsupported, "the device cannot give up a run");
  if (cl_int error = cl.clFinish(queue.get()); error != CL_SUCCESS)
    return Status(Code::DeviceLost, failureOf("clFinish", error).message());
  std::map<ProgramId, std::shared_ptr<Loaded>> all;
  std::lock_guard lock(mutex);
  std::swap(all, programs);
  taken = 0;
  isLost = false;
  return Status();
}

Result<std::unique_ptr<DeviceBuffer>> OpenclDevice::allocate(uint64_t bytes) {
  std::lock_guard lock(mutex);
  if (uint64_t free = capacity - taken - *inBuffers; bytes > free)
    return failure(Code::OutOfMemory, "a value takes ", bytes,
                   " bytes, the device has ", free, " free");
  cl_int error = CL_SUCCESS;
  Owned<cl_mem> memory(cl.clCreateBuffer(context.get(), CL_MEM_READ_WRITE,
                                         std::max<uint64_t>(bytes, 1), nullptr,
                                         &error),
                       cl.clReleaseMemObject);
  if (error != CL_SUCCESS)
    return failureOf("clCreateBuffer", error);
  return std::unique_ptr<DeviceBuffer>(
      new Buffer(std::move(memory), bytes, inBuffers));
}

static RegisterDevice registration("opencl", OpenclDevice::open);
