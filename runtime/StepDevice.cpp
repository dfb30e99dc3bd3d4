//===- StepDevice.cpp - devices that run programs step by step ------------===//
//
// Everything that does not change between runs is resolved when a program is
// loaded: kernels, constants and places in the arena. A run sets the addresses
// of its tensors and calls. One program runs at a time, since its arena is one.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/StepDevice.h"
#include "glow/Base/MappedFiles.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/MemoryBudget.h"
#include "glow/Values/Tensor.h"
#include <unistd.h>

using namespace glow;

/// A program, with everything resolved that does not change between runs.
struct StepDevice::Loaded {
  std::vector<Binding> inputs, outputs;
  std::shared_ptr<const StepCode> code;
  std::unique_ptr<StepRunner> runner;
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<const void *> files; // in which constants are
  Tensor arena;
  std::vector<TensorView>
      views; // one a buffer; a run sets those of its tensors
  uint64_t bytes = 0;
  MemoryBudget memory = MemoryBudget::ofThread(); ///< also of what kernels take
};

Result<std::unique_ptr<KernelRunner>>
KernelRunner::create(const StepCode &code, const std::string &backend,
                     std::function<bool(size_t)> needed) {
  std::unique_ptr<KernelRunner> runner(new KernelRunner(code));
  for (const Step &step : code.steps) {
    Kernel kernel = nullptr;
    if (!needed || needed(runner->kernels.size())) {
      std::vector<ElementKind> kinds;
      for (uint32_t buffer : step.buffers)
        kinds.push_back(code.buffers[buffer].type.kind);
      kernel = KernelRegistry::instance().find(backend, step.instruction,
                                               step.segments, kinds);
      if (!kernel)
        return failure(Code::NotFound, "node '", step.node, "': the ", backend,
                       " has no kernel for instruction '", step.instruction,
                       "'");
    }
    runner->kernels.push_back(kernel);
  }
  return runner;
}

Status KernelRunner::run(size_t index, std::span<const TensorView> buffers) {
  const Step &step = code.steps[index];
  return kernels[index]({buffers, step.segments, step.attributes});
}

/// Where a constant's elements can be read from until `owner` is gone.
static Result<const void *> keepConstant(const Constant &constant,
                                         std::shared_ptr<const void> &owner) {
  // A model file is mapped as it is, and puts tensors at any byte.
  auto address = reinterpret_cast<uintptr_t>(constant.data);
  bool aligned = address % byteSize(constant.type.kind) == 0;
  if ((constant.owner && aligned) || constant.type.bytes() == 0) {
    owner = constant.owner;
    return constant.data;
  }
  Result<Tensor> copy = Tensor::copyOf(
      {const_cast<void *>(constant.data), &constant.type}); // only read
  if (!copy)
    return copy.status().prefixed("constant '" + constant.name + "': ");
  auto kept = std::make_shared<Tensor>(copy.take());
  owner = kept;
  return kept->data();
}

/// The views of buffers in the arena and of constants.
static Status resolve(const Program &program, const StepCode &code,
                      Tensor &arena, std::vector<TensorView> &views,
                      std::vector<std::shared_ptr<const void>> &owners) {
  std::vector<const void *> constants;
  owners.resize(program.constants.size());
  for (size_t i = 0; i < owners.size(); ++i) {
    Result<const void *> data = keepConstant(program.constants[i], owners[i]);
    if (!data)
      return data.status();
    constants.push_back(*data);
  }
  auto *start = static_cast<char *>(arena.data());
  for (const BufferPlace &buffer : code.buffers) {
    TensorView view{nullptr, &buffer.type};
    if (buffer.where == BufferPlace::Arena)
      view.data = start + buffer.offset;
    else if (buffer.where == BufferPlace::Constant)
      view.data = static_cast<char *>(const_cast<void *>( // only read
                      constants[buffer.index])) +
                  buffer.offset;
    views.push_back(view);
  }
  return Status();
}

/// The mapped files that constants are in.
static std::vector<const void *>
filesOf(const std::vector<Constant> &constants) {
  std::vector<const void *> places;
  for (const Constant &constant : constants)
    places.push_back(constant.data);
  return MappedFiles::instance().holding(places);
}

static uint64_t hostMemory() {
  return uint64_t(::sysconf(_SC_PHYS_PAGES)) *
         uint64_t(::sysconf(_SC_PAGE_SIZE));
}

StepDevice::StepDevice(std::string backend, uint64_t memoryBytes)
    : backend(std::move(backend)),
      capacity(memoryBytes ? memoryBytes : hostMemory()) {}

StepDevice::~StepDevice() = default;

DeviceInfo StepDevice::info() const {
  DeviceInfo info;
  info.backend = backend;
  return info;
}

uint64_t StepDevice::freeBytes() const {
  std::lock_guard lock(mutex);
  return capacity - taken;
}

Result<ProgramId> StepDevice::load(const Program &program) {
  if (program.backend != backend)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program.backend, "', this device runs those of '", backend,
                   "'");
  // A program may come from a file: from here on all numbers in it are in
  // bounds.
  if (Status status = checkSteps(program); !status.ok())
    return status;
  auto loaded = std::make_shared<Loaded>();
  loaded->inputs = program.inputs;
  loaded->outputs = program.outputs;
  loaded->code = std::dynamic_pointer_cast<const StepCode>(program.code);
  loaded->bytes = program.constantBytes() + program.arenaBytes;
  Result<std::unique_ptr<StepRunner>> runner = prepare(*loaded->code);
  if (!runner)
    return runner.status();
  loaded->runner = runner.take();
  Result<Tensor> arena =
      Tensor::zeros({ElementKind::U8, {int64_t(program.arenaBytes)}});
  if (!arena)
    return arena.status().prefixed("arena: ");
  loaded->arena = arena.take();
  Status ready = loaded->runner->setArena(
      {static_cast<char *>(loaded->arena.data()), size_t(program.arenaBytes)});
  if (!ready.ok())
    return ready;
  Status status = resolve(program, *loaded->code, loaded->arena, loaded->views,
                          loaded->owners);
  if (!status.ok())
    return status;
  loaded->files = filesOf(program.constants);

  std::lock_guard lock(mutex);
  if (loaded->bytes > capacity - taken)
    return failure(Code::OutOfMemory, "the program takes ", loaded->bytes,
                   " bytes, the device has ", capacity - taken, " free");
  taken += loaded->bytes;
  ProgramId id{++lastId};
  programs[id] = std::move(loaded);
  return id;
}

/// Puts the tensors of one run where the steps look for them.
static void bindTensors(const std::vector<BufferPlace> &buffers,
                        const Tensors &tensors,
                        std::vector<TensorView> &views) {
  auto at = [](const TensorView &tensor, uint64_t offset) {
    return static_cast<char *>(tensor.data) + offset;
  };
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BufferPlace &place = buffers[i];
    if (place.where == BufferPlace::Input)
      views[i].data = at(tensors.inputs[place.index], place.offset);
    else if (place.where == BufferPlace::Output)
      views[i].data = at(tensors.outputs[place.index], place.offset);
  }
}

static Status runSteps(const std::vector<Step> &steps, StepRunner &runner,
                       const std::vector<TensorView> &views,
                       const Tensors &tensors, StepObserver *observer) {
  std::vector<TensorView> operands;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    if (tensors.cancelled && tensors.cancelled->load(std::memory_order_relaxed))
      return Status(Code::Cancelled, "the run was cancelled");
    operands.clear();
    for (uint32_t buffer : step.buffers)
      operands.push_back(views[buffer]);
    StepEvent event{step.node, step.instruction, {}, {}};
    event.results = std::span(operands).first(
        std::min<size_t>(step.results, operands.size()));
    event.parent = tensors.span;
    if (observer)
      event.begin = std::chrono::steady_clock::now();
    Status status = runner.run(i, operands);
    if (observer) {
      event.end = std::chrono::steady_clock::now();
      observer->stepDone(event);
    }
    if (!status.ok())
      return status.prefixed("node '" + step.node + "': ");
  }
  return Status();
}

Status StepDevice::runLoaded(ProgramId id, const Tensors &tensors) {
  std::lock_guard order(running);
  std::shared_ptr<Loaded> loaded;
  std::shared_ptr<StepObserver> watcher;
  {
    std::lock_guard lock(mutex);
    if (auto found = programs.find(id); found != programs.end())
      loaded = found->second;
    watcher = observer;
  }
  if (!loaded)
    return failure(Code::NotFound, "no program is loaded as ", uint64_t(id));
  Status status = checkTensors(loaded->inputs, loaded->outputs, tensors);
  if (status.ok())
    // A page of a file that was cut would end the process.
    status = MappedFiles::instance().check(loaded->files);
  if (!status.ok())
    return status;
  bindTensors(loaded->code->buffers, tensors, loaded->views);
  MemoryBudget::Use use(loaded->memory);
  return runSteps(loaded->code->steps, *loaded->runner, loaded->views, tensors,
                  watcher.get());
}

void StepDevice::run(ProgramId program, Tensors &tensors,
                     std::function<void(Status)> done) {
  // Without a lock: a thread that waits for `done` may call the device again.
  done(runLoaded(program, tensors));
}

void StepDevice::unload(ProgramId program) {
  std::lock_guard order(running);
  std::lock_guard lock(mutex);
  auto found = programs.find(program);
  if (found == programs.end())
    return;
  taken -= found->second->bytes;
  programs.erase(found);
}

void StepDevice::observe(std::shared_ptr<StepObserver> watcher) {
  std::lock_guard lock(mutex);
  observer = std::move(watcher);
}
