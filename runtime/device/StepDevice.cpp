//===- StepDevice.cpp - step-by-step devices ------------------------------===//
// SPDX-License-Identifier: MIT
//
// Everything that does not change between runs is resolved when a program is
// loaded: kernels, constants and offsets in the arena. A run sets the addresses
// of its tensors and calls the kernels. A Space with an arena belongs to one
// run at a time. Loading makes the first Space, which suffices for runs one
// after the other. A run that finds no free Space makes another, which is kept.
//
// PlannedArena.cpp has the arenas of programs whose sizes differ much.
//
// StepDevice::mutex guards the programs, the counts of runs and of bytes, and
// the observer. It is free while kernels run and while a Space is made.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/StepDevice.h"
#include "StepConstants.h"
#include "StepSpace.h"
#include "glow/Base/Log.h"
#include "glow/Base/MappedFiles.h"
#include "glow/Base/MemorySize.h"
#include <cstring>
#include <functional>
#include <unistd.h>

using namespace glow;

/// The views of buffers in the arena and of constants.
static std::vector<TensorView>
viewsOf(const StepCode &code, const std::vector<const void *> &constants,
        Tensor &arena) {
  std::vector<TensorView> views;
  auto *start = static_cast<char *>(arena.data());
  for (const BufferPlace &buffer : code.buffers) {
    TensorView view{nullptr, &buffer.type};
    if (buffer.where == BufferPlace::Arena)
      view.data = start ? start + buffer.offset : nullptr;
    else if (buffer.where == BufferPlace::Constant)
      view.data = static_cast<char *>(const_cast<void *>( // only read
                      constants[buffer.index])) +
                  buffer.offset;
    views.push_back(view);
  }
  return views;
}

static uint64_t hostMemory() {
  return uint64_t(::sysconf(_SC_PHYS_PAGES)) *
         uint64_t(::sysconf(_SC_PAGE_SIZE));
}

StepDevice::StepDevice(std::string backend, const DeviceOptions &options)
    : backend(std::move(backend)),
      capacity(options.memoryBytes ? options.memoryBytes : hostMemory()),
      runsAtOnce(std::max(1u, options.runsAtOnce)) {}

StepDevice::~StepDevice() = default;

DeviceInfo StepDevice::info() const {
  DeviceInfo info;
  info.backend = backend;
  info.programsAtOnce = runsAtOnce;
  info.hasBuffers = true;
  info.threads = 1;
  info.memoryBytes = capacity;
  return info;
}

uint64_t StepDevice::freeBytes() const {
  std::lock_guard lock(mutex);
  return unused() + spareBytes();
}

/// Memory that nothing takes; the lock is held.
uint64_t StepDevice::unused() const { return capacity - taken - *inBuffers; }

Result<ProgramId> StepDevice::load(const Program &program) {
  if (program.backend != backend)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program.backend, "', this device runs those of '", backend,
                   "'");
  // A program may come from a file. After this check all numbers in it are in
  // bounds.
  if (Status status = checkSteps(program); !status.ok())
    return status;
  auto loaded = std::make_shared<Loaded>();
  loaded->inputs = program.inputs;
  loaded->outputs = program.outputs;
  loaded->conditions = program.conditions;
  loaded->code = std::dynamic_pointer_cast<const StepCode>(program.code);
  loaded->ports = PortTable(*loaded->code);
  loaded->lastUses = lastUses(*loaded->code);
  loaded->isOpen = glow::isOpen(program, *loaded->code);
  loaded->computesLengths = glow::computesLengths(*loaded->code);
  if (loaded->isOpen)
    loaded->lengths = LengthTable(*loaded->code);
  const bool plans = plansEachRun(program);
  loaded->arenaBytes = plans ? 0 : program.arenaBytes;
  loaded->bytes = program.constantBytes() + loaded->arenaBytes;
  Status status = keepConstants(program, loaded->constants, loaded->owners);
  if (!status.ok())
    return status;
  Result<std::unique_ptr<Space>> space =
      plans ? prepareSpace(*loaded) : makeSpace(*loaded);
  if (!space)
    return space.status();
  if (plans)
    planRuns(program, *loaded, **space);
  loaded->spare.push_back(space.take());
  loaded->files = filesOf(program.constants);

  // The lock is taken last: copying constants and preparing kernels take long.
  std::lock_guard lock(mutex);
  if (!makeRoom(loaded->bytes))
    return failure(Code::OutOfMemory, "the program takes ", loaded->bytes,
                   " bytes, the device has ", unused(), " free");
  taken += loaded->bytes;
  ProgramId id{++lastId};
  programs[id] = std::move(loaded);
  return id;
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

/// A Space without an arena.
Result<std::unique_ptr<StepDevice::Space>>
StepDevice::prepareSpace(const Loaded &loaded) {
  auto space = std::make_unique<Space>();
  Result<std::unique_ptr<StepRunner>> runner = prepare(*loaded.code);
  if (!runner)
    return runner.status();
  space->runner = runner.take();
  space->bound.resize(loaded.ports.size());
  space->views = viewsOf(*loaded.code, loaded.constants, space->arena);
  return space;
}

Result<std::unique_ptr<StepDevice::Space>>
StepDevice::makeSpace(const Loaded &loaded) {
  MemoryBudget::Use use(loaded.memory);
  Result<std::unique_ptr<Space>> made = prepareSpace(loaded);
  if (!made)
    return made;
  Space &space = **made;
  if (!loaded.plan.empty()) {
    (void)space.runner->ownMemory(loaded.greatestBytes);
    space.places = loaded.plan.places();
    return made;
  }
  Result<Tensor> arena =
      Tensor::zeros({ElementKind::U8, {int64_t(loaded.arenaBytes)}});
  if (!arena)
    return arena.status().prefixed("arena: ");
  space.arena = arena.take();
  Status ready = space.runner->setArena(
      {static_cast<char *>(space.arena.data()), size_t(loaded.arenaBytes)});
  if (!ready.ok())
    return ready;
  space.views = viewsOf(*loaded.code, loaded.constants, space.arena);
  return made;
}

/// A Space for a run; null if all are in use and there is no memory for
/// another. The lock is held at both ends and is freed while a Space is made.
std::unique_ptr<StepDevice::Space>
StepDevice::takeSpace(Loaded &loaded, std::unique_lock<std::mutex> &lock) {
  auto isRoom = [&] { return makeRoom(loaded.arenaBytes); };
  if (loaded.spare.empty() && isRoom()) {
    lock.unlock();
    Result<std::unique_ptr<Space>> made = makeSpace(loaded);
    lock.lock();
    // Another thread may have taken the memory meanwhile.
    if (made && isRoom()) {
      taken += loaded.arenaBytes;
      loaded.bytes += loaded.arenaBytes;
      if (loaded.arenaBytes && isLogged(LogLevel::Debug)) {
        lock.unlock(); // a log handler may run programs
        logText(LogLevel::Debug, backend + ": another arena of " +
                                     sizeText(loaded.arenaBytes) +
                                     ", for a run beside others");
        lock.lock();
      }
      return made.take();
    }
  }
  if (loaded.spare.empty())
    return nullptr;
  std::unique_ptr<Space> space = std::move(loaded.spare.back());
  loaded.spare.pop_back();
  return space;
}

/// Waits until the device has capacity for a run of the program, and gives it a
/// Space. Fails if the program is not loaded, or was unloaded during the wait.
Status StepDevice::enter(ProgramId id, Entered &run) {
  std::unique_lock lock(mutex);
  while (true) {
    auto found = programs.find(id);
    if (found == programs.end())
      return failure(Code::NotFound, "no program is loaded as ", uint64_t(id));
    // A run that waits for memory is the next to plan an arena.
    if (runs < runsAtOnce && (!starved || found->second->plan.empty())) {
      run.loaded = found->second;
      run.observer = observer;
      ++runs;
      ++run.loaded->runs;
      if ((run.space = takeSpace(*run.loaded, lock))) {
        run.isHolder = run.space->arenaBytes != 0;
        holders += run.isHolder;
        return Status();
      }
      // Another run of the program has a Space, and notifies `ended` when it
      // gives it back.
      --runs;
      --run.loaded->runs;
      run.loaded = nullptr;
    }
    ended.wait(lock);
  }
}

/// Calls `what` while nothing else runs on the device.
Result<DeviceRates>
StepDevice::alone(const std::function<Result<DeviceRates>()> &what) {
  {
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return runs == 0; });
    runs = runsAtOnce; // enter() waits: the device counts as full
  }
  Result<DeviceRates> rates = what();
  {
    std::lock_guard lock(mutex);
    runs = 0;
  }
  ended.notify_all();
  return rates;
}

StepDevice::Entered::~Entered() {
  if (!loaded)
    return;
  {
    std::lock_guard lock(device.mutex);
    if (space)
      loaded->spare.push_back(std::move(space));
    device.holders -= isHolder;
    --loaded->runs;
    --device.runs;
  }
  // All: enter(), alone() and unload() wait for different conditions.
  device.ended.notify_all();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// A buffer in host memory, which is the memory of this device. It may outlive
/// the device, and so shares the byte count with it.
class StepDevice::Buffer final : public DeviceBuffer {
public:
  Buffer(std::shared_ptr<std::atomic<uint64_t>> all, Tensor given)
      : memory(std::move(given)), all(std::move(all)) {
    *this->all += bytes();
  }
  ~Buffer() override { *all -= bytes(); }
  uint64_t bytes() const override { return memory.type().bytes(); }

  Tensor memory;

private:
  const std::shared_ptr<std::atomic<uint64_t>> all;
};

Result<std::unique_ptr<DeviceBuffer>> StepDevice::allocate(uint64_t bytes) {
  Result<Tensor> memory = Tensor::zeros({ElementKind::U8, {int64_t(bytes)}});
  if (!memory)
    return memory.status();
  std::lock_guard lock(mutex);
  if (!makeRoom(bytes))
    return failure(Code::OutOfMemory, "a value takes ", bytes,
                   " bytes, the device has ", unused(), " free");
  return std::unique_ptr<DeviceBuffer>(new Buffer(inBuffers, memory.take()));
}

/// Sets the views of the input and output buffers to the tensors of a run.
void StepDevice::bindTensors(const std::vector<BufferPlace> &buffers,
                             const Tensors &tensors,
                             std::vector<TensorView> &views) {
  auto at = [](const TensorView &tensor,
               const std::vector<DeviceBuffer *> &kept, size_t index) {
    auto *buffer =
        index < kept.size() ? static_cast<Buffer *>(kept[index]) : nullptr;
    return static_cast<char *>(buffer ? buffer->memory.data() : tensor.data);
  };
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferPlace &place = buffers[i];
    const size_t index = place.index;
    if (place.where == BufferPlace::Input)
      views[i].data =
          at(tensors.inputs[index], tensors.inputBuffers, index) + place.offset;
    else if (place.where == BufferPlace::Output)
      views[i].data = at(tensors.outputs[index], tensors.outputBuffers, index) +
                      place.offset;
  }
}

Status StepDevice::runSteps(Entered &run, const Tensors &tensors) {
  const Loaded &loaded = *run.loaded;
  Space &space = *run.space;
  const auto setComputed = [&](const Step &step) {
    return StepDevice::setComputed(loaded, step, space);
  };
  return StepRun({*loaded.code, loaded.ports, *space.runner, space.views,
                  space.operands, space.bound, space.lists, run.observer.get(),
                  tensors.cancelled, tensors.span, std::cref(setComputed),
                  tensors.outputDone, loaded.lastUses})
      .run();
}

Status StepDevice::setSizes(const Loaded &loaded, const SizeValues &sizes,
                            Space &space) {
  if (sizes == space.sizes && !space.types.empty())
    return Status();
  if (space.types.empty()) {
    space.types = LengthTable::types(*loaded.code);
    space.lists = LengthTable::lists(*loaded.code);
    for (size_t i = 0; i < space.types.size(); ++i)
      space.views[i].type = &space.types[i];
  }
  space.sizes = SizeValues(); // of no run, in case the runner refuses
  loaded.lengths.set(sizes, space.lengths, space.types, space.lists);
  Status status = space.runner->setSizes({sizes, space.types, space.lists});
  if (status.ok())
    space.sizes = sizes;
  return status;
}

/// Takes a size that earlier steps have computed.
Status StepDevice::setComputed(const Loaded &loaded, const Step &step,
                               Space &space) {
  const LengthFrom &from = *step.lengthFrom;
  int64_t value = 0;
  std::memcpy(&value, space.views[step.buffers[from.operand]].data,
              sizeof value);
  const SizeVariable *variable = from.length.variable();
  if (!variable)
    return value == from.length.fixed()
               ? Status()
               : failure(Code::ShapeMismatch, "the size is ", value,
                         ", but the program was compiled for ",
                         from.length.fixed());
  SizeValues sizes = space.sizes;
  Status status = sizes.set(*variable, value);
  return status.ok() ? setSizes(loaded, sizes, space) : status;
}

/// Reports the shapes of the outputs, if steps have computed sizes.
static void reportShapes(const std::vector<Binding> &outputs,
                         const SizeValues &sizes, const Tensors &tensors) {
  if (!tensors.outputShapes)
    return;
  tensors.outputShapes->clear();
  for (const Binding &output : outputs)
    tensors.outputShapes->push_back(
        sizes.typeOf(output.type, output.lengths).shape);
}

Status StepDevice::runEntered(Entered &run, const Tensors &tensors) {
  const Loaded &loaded = *run.loaded;
  SizeValues sizes;
  Status status = checkTensors(loaded.inputs, loaded.outputs, tensors, &sizes);
  if (status.ok())
    // Reading a page past the end of a truncated file would end the process.
    status = MappedFiles::instance().check(loaded.files);
  if (!status.ok())
    return status;
  MemoryBudget::Use use(loaded.memory);
  if (loaded.isOpen)
    status = takeSizes(run, std::move(sizes));
  if (!status.ok())
    return status;
  bindTensors(loaded.code->buffers, tensors, run.space->views);
  status = runSteps(run, tensors);
  if (status.ok() && loaded.computesLengths)
    reportShapes(loaded.outputs, run.space->sizes, tensors);
  return status;
}

Status StepDevice::runHere(ProgramId id, const Tensors &tensors) {
  Entered run(*this);
  Status status = enter(id, run);
  return status.ok() ? runEntered(run, tensors) : status;
}

void StepDevice::run(ProgramId program, Tensors &tensors,
                     std::function<void(Status)> done) {
  // The run is over and no lock is held when `done` is called: a thread that
  // waits for it may call the device again.
  done(runHere(program, tensors));
}

void StepDevice::unload(ProgramId program) {
  std::shared_ptr<Loaded> loaded; // declared first: freed after the lock
  std::unique_lock lock(mutex);
  auto found = programs.find(program);
  if (found == programs.end())
    return;
  loaded = std::move(found->second);
  // Erased first: runs that wait in enter() then fail instead of beginning.
  programs.erase(found);
  ended.wait(lock, [&] { return loaded->runs == 0; });
  taken -= loaded->bytes;
}

void StepDevice::observe(std::shared_ptr<StepObserver> watcher) {
  std::lock_guard lock(mutex);
  observer = std::move(watcher);
}
