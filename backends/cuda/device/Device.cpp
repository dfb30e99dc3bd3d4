//===- Device.cpp - a GPU of NVIDIA ---------------------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Device.h"
#include "device/Loaded.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <algorithm>
#include <cstdlib>

using namespace glow;
using namespace glow::cuda;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The GPU that the user chose; the first without a choice.
static Result<FoundDevice> chosen(const std::vector<FoundDevice> &all) {
  const char *given = std::getenv("GLOW_CUDA_DEVICE");
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
  return failure(Code::NotFound, "no GPU is '", wanted,
                 "', the value of GLOW_CUDA_DEVICE; there are: ", known);
}

Result<std::unique_ptr<Device>> CudaDevice::open(const DeviceOptions &options) {
  Result<AllDevices> all = openDevices();
  if (!all)
    return all.status();
  Result<FoundDevice> found = chosen(all->devices);
  if (!found)
    return found.status();
  if (Status status = checkDevice(*found); !status.ok())
    return status;
  std::unique_ptr<CudaDevice> device(
      new CudaDevice(all->library, *found, options.memoryBytes));
  if (Status status = device->begin(); !status.ok())
    return status;
  return std::unique_ptr<Device>(std::move(device));
}

CudaDevice::CudaDevice(const Library &cuda, FoundDevice found,
                       uint64_t memoryBytes)
    : cuda(cuda), found(std::move(found)),
      capacity(memoryBytes ? memoryBytes : this->found.memoryBytes) {}

/// Makes the context and the stream.
Status CudaDevice::begin() {
  auto made = OwnContext::make(cuda, found.device);
  if (!made)
    return made.status();
  context = made.take();
  context->makeCurrent();
  driver::Error error = cuda.cuStreamCreate(&stream, /*non-blocking*/ 1);
  return error == driver::Success ? Status()
                                  : failureOf(cuda, "cuStreamCreate", error);
}

/// Frees all programs, the stream, and the context if no buffer needs it.
void CudaDevice::end() {
  if (!context)
    return;
  context->makeCurrent();
  std::map<ProgramId, std::shared_ptr<Loaded>> all;
  {
    std::lock_guard lock(mutex);
    std::swap(all, programs);
    taken = 0;
  }
  all.clear();
  if (stream)
    cuda.cuStreamDestroy_v2(stream);
  stream = nullptr;
  context.reset();
}

CudaDevice::~CudaDevice() { end(); }

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

DeviceInfo CudaDevice::info() const {
  DeviceInfo info;
  info.backend = "cuda";
  info.hasBuffers = true;
  info.memoryBytes = capacity;
  return info;
}

DeviceState CudaDevice::state() const {
  std::lock_guard lock(mutex);
  return isLost ? DeviceState::Lost : DeviceState::Good;
}

uint64_t CudaDevice::freeBytes() const {
  std::lock_guard lock(mutex);
  return capacity - taken - *inBuffers;
}

/// Remembers a lost device.
Status CudaDevice::note(Status status) {
  if (status.code() == Code::DeviceLost) {
    std::lock_guard lock(mutex);
    isLost = true;
  }
  return status;
}

void CudaDevice::observe(std::shared_ptr<StepObserver> watcher) {
  std::lock_guard lock(mutex);
  observer = std::move(watcher);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// A reset did not bring the device back.
static Status isGone() {
  return Status(Code::DeviceLost, "the GPU has no context");
}

Result<ProgramId> CudaDevice::load(const Program &program) {
  auto code = std::dynamic_pointer_cast<const CudaCode>(program.code);
  if (program.backend != "cuda" || !code)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program.backend, "', this device runs those of 'cuda'");
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
    if (!context)
      return Result<std::shared_ptr<Loaded>>(isGone());
    context->makeCurrent();
    return Loaded::load({cuda, found.device, stream}, program);
  }();
  if (!loaded) {
    {
      std::lock_guard lock(mutex);
      taken -= bytes;
    }
    return note(loaded.status());
  }
  std::lock_guard lock(mutex);
  (*loaded)->bytes = bytes;
  ProgramId id{++lastId};
  programs[id] = loaded.take();
  return id;
}

Status CudaDevice::runLoaded(ProgramId id, const Tensors &tensors) {
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
  context->makeCurrent(); // which a loaded program has
  return note(
      loaded->run({cuda, found.device, stream}, tensors, watcher.get()));
}

void CudaDevice::run(ProgramId program, Tensors &tensors,
                     std::function<void(Status)> done) {
  // No lock is held when `done` is called: a thread that waits for it may call
  // the device again.
  done(runLoaded(program, tensors));
}

void CudaDevice::unload(ProgramId program) {
  std::lock_guard oneAtATime(running);
  if (context)
    context->makeCurrent();
  std::shared_ptr<Loaded> loaded; // freed after the inner lock
  std::lock_guard lock(mutex);
  auto at = programs.find(program);
  if (at == programs.end())
    return;
  loaded = std::move(at->second);
  taken -= loaded->bytes;
  programs.erase(at);
}

/// Gives up the context, in which an error stays, and makes a new one.
Status CudaDevice::reset() {
  std::unique_lock oneAtATime(running, std::try_to_lock);
  if (!oneAtATime)
    return Status(Code::Unsupported, "the device cannot give up a run");
  end();
  Status status = begin();
  std::lock_guard lock(mutex);
  isLost = !status.ok();
  return isLost ? Status(Code::DeviceLost, status.message()) : Status();
}

Result<std::unique_ptr<DeviceBuffer>> CudaDevice::allocate(uint64_t bytes) {
  std::lock_guard oneAtATime(running);
  std::lock_guard lock(mutex);
  if (uint64_t free = capacity - taken - *inBuffers; bytes > free)
    return failure(Code::OutOfMemory, "a value takes ", bytes,
                   " bytes, the device has ", free, " free");
  if (!context)
    return isGone();
  context->makeCurrent();
  Result<Memory> memory = Memory::make({cuda, found.device, stream}, bytes);
  if (!memory)
    return memory.status();
  return std::unique_ptr<DeviceBuffer>(
      new Buffer(context, memory.take(), bytes, inBuffers));
}

static RegisterDevice registration("cuda", CudaDevice::open);
