//===- Driver.cpp - the functions of the emulated driver ------------------===//
// SPDX-License-Identifier: MIT
//
// Work on a stream is done as late as possible, when the host waits for it, so
// that memory of the host which changed meanwhile gives wrong results. One file
// has all functions, since they share the state of the driver.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <mutex>

using namespace emulator;

namespace {

using Work = std::function<Error()>;

} // namespace

namespace glow::cuda::driver {
struct ContextOfDriver {
  int device = 0;
  std::map<uint64_t, std::unique_ptr<Allocation>> memory; ///< by address
  Error stuck = Success; ///< the error that stays
};
struct ModuleOfDriver {
  Context context = nullptr;
  std::unique_ptr<Kernels> kernels;
};
struct FunctionOfDriver {
  const Kernel *kernel = nullptr;
  Module module = nullptr;
};
struct StreamOfDriver {
  Context context = nullptr;
  std::vector<Work> queue;
  std::unique_ptr<std::vector<Work>> captured; ///< while a graph is recorded
};
struct GraphOfDriver {
  std::vector<Work> all;
};
struct GraphExecOfDriver {
  Context context = nullptr;
  std::vector<Work> all;
};
} // namespace glow::cuda::driver

namespace {

/// The handles that a program has now.
template <typename T> using Handles = std::map<T *, std::unique_ptr<T>>;

struct State {
  std::recursive_mutex mutex;
  bool hasBegun = false;
  std::vector<uint64_t> taken = // bytes of each GPU
      std::vector<uint64_t>(size_t(settings().devices));
  Handles<ContextOfDriver> contexts;
  Handles<ModuleOfDriver> modules;
  Handles<StreamOfDriver> streams;
  Handles<GraphOfDriver> graphs;
  Handles<GraphExecOfDriver> execs;
  std::map<std::pair<Module, std::string>, std::unique_ptr<FunctionOfDriver>>
      functions;
  std::map<std::string, unsigned> calls;
  std::mt19937_64 random{settings().seed};

  /// A program that ends has given everything back.
  ~State() {
    if (size_t kept = contexts.size())
      wrong(std::to_string(kept) + " contexts were not destroyed");
  }
};
State &state() {
  static State all;
  return all;
}
thread_local Context current = nullptr;

/// Begins a call: whether it fails by the settings.
Error begin(const char *name) {
  const unsigned number = ++state().calls[name];
  if (!state().hasBegun && std::strcmp(name, "cuInit") != 0)
    wrong(std::string(name) + " comes before cuInit");
  for (const Settings::Fault &fault : settings().faults)
    if (fault.call == name && fault.number == number) {
      if (fault.error >= IllegalAddress && current)
        current->stuck = fault.error;
      return fault.error;
    }
  return Success;
}

template <typename T>
T &known(const Handles<T> &handles, T *handle, const char *what) {
  auto found = handles.find(handle);
  if (found == handles.end())
    wrong(std::string("there is no such ") + what);
  return *found->second;
}

ContextOfDriver &currentFor(const char *name) {
  if (!current)
    wrong(std::string(name) + " needs a current context");
  return known(state().contexts, current, "context");
}

/// Begins a call of a context: an error that stays is the result of all calls.
Error beginOnGpu(const char *name) {
  ContextOfDriver &context = currentFor(name);
  if (Error error = begin(name); error != Success)
    return error;
  return context.stuck;
}

/// Checks that a piece of memory is in one allocation, and returns it.
char *piece(Address address, size_t bytes, const char *name) {
  ContextOfDriver &gpu = currentFor(name);
  auto next = gpu.memory.upper_bound(address);
  if (next != gpu.memory.begin()) {
    auto &[first, allocation] = *std::prev(next);
    if (address >= first && bytes <= allocation->size() &&
        address - first <= allocation->size() - bytes)
      return allocation->data() + (address - first);
  }
  wrong(std::string(name) + " of " + std::to_string(bytes) +
        " bytes is outside of all memory");
}

StreamOfDriver &streamOf(Stream stream) {
  StreamOfDriver &found = known(state().streams, stream, "stream");
  if (found.context != current)
    wrong("a stream is used in another context");
  return found;
}

Error enqueue(Stream stream, Work work) {
  StreamOfDriver &its = streamOf(stream);
  (its.captured ? *its.captured : its.queue).push_back(std::move(work));
  return Success;
}

/// Does all work of a stream.
Error drain(StreamOfDriver &stream) {
  ContextOfDriver &gpu = *stream.context;
  std::vector<Work> queue = std::move(stream.queue);
  stream.queue.clear();
  for (const Work &work : queue) {
    if (gpu.stuck == Success)
      gpu.stuck = work();
    for (const auto &[address, allocation] : gpu.memory)
      if (gpu.stuck == Success && !allocation->isIntact()) {
        std::fprintf(stderr,
                     "emulated CUDA: bytes around an allocation of %zu "
                     "bytes were written\n",
                     allocation->size());
        gpu.stuck = IllegalAddress;
      }
  }
  return gpu.stuck;
}

Error drainAll(Context context) {
  Error error = Success;
  for (auto &[stream, its] : state().streams)
    if (its->context == context)
      if (Error one = drain(*its); one != Success)
        error = one;
  return error;
}

Error enqueueCopy(const char *name, Stream stream, void *to, const void *from,
                  size_t bytes) {
  return enqueue(stream, [=] {
    std::memmove(to, from, bytes);
    return Success;
  });
}

} // namespace

#define LOCKED std::lock_guard lock(state().mutex)

extern "C" {

Error cuInit(unsigned flags) {
  LOCKED;
  if (flags)
    wrong("cuInit has no flags");
  state().hasBegun = true;
  if (Error error = begin("cuInit"); error != Success)
    return error;
  return settings().devices ? Success : NoDevice;
}
Error cuDriverGetVersion(int *version) {
  *version = settings().version;
  return Success;
}
Error cuDeviceGetCount(int *count) {
  LOCKED;
  *count = settings().devices;
  return begin("cuDeviceGetCount");
}
Error cuDeviceGet(Device *device, int number) {
  LOCKED;
  if (number < 0 || number >= settings().devices)
    return InvalidDevice;
  *device = number;
  return begin("cuDeviceGet");
}
Error cuDeviceGetName(char *name, int bytes, Device device) {
  std::snprintf(name, size_t(bytes), "Emulated GPU %d", device);
  return Success;
}
Error cuDeviceTotalMem_v2(size_t *bytes, Device) {
  *bytes = settings().memory;
  return Success;
}
Error cuDeviceGetAttribute(int *value, Attribute attribute, Device) {
  switch (attribute) {
  case MaxThreadsPerBlock:
    *value = 1024;
    return Success;
  case MultiprocessorCount:
    *value = 2;
    return Success;
  case CapabilityMajor:
    *value = settings().capability / 10;
    return Success;
  case CapabilityMinor:
    *value = settings().capability % 10;
    return Success;
  }
  return InvalidValue;
}

//===----------------------------------------------------------------------===//
// Contexts and streams
//===----------------------------------------------------------------------===//

Error cuCtxCreate_v2(Context *context, unsigned, Device device) {
  LOCKED;
  if (Error error = begin("cuCtxCreate_v2"); error != Success)
    return error;
  auto made = std::make_unique<ContextOfDriver>();
  made->device = device;
  current = *context = made.get();
  state().contexts[made.get()] = std::move(made);
  return Success;
}
/// A context is empty when it is destroyed.
Error cuCtxDestroy_v2(Context context) {
  LOCKED;
  size_t kept = known(state().contexts, context, "context").memory.size();
  for (auto &[stream, its] : state().streams)
    kept += its->context == context;
  for (auto &[module, its] : state().modules)
    kept += its->context == context;
  for (auto &[exec, its] : state().execs)
    kept += its->context == context;
  if (kept)
    wrong(std::to_string(kept) +
          " modules, streams, graphs and allocations are in a context that is "
          "destroyed");
  state().contexts.erase(context);
  return begin("cuCtxDestroy_v2");
}
Error cuCtxSetCurrent(Context context) {
  LOCKED;
  current = context;
  return Success;
}
Error cuStreamCreate(Stream *stream, unsigned) {
  LOCKED;
  if (Error error = beginOnGpu("cuStreamCreate"); error != Success)
    return error;
  auto made = std::make_unique<StreamOfDriver>();
  made->context = current;
  *stream = made.get();
  state().streams[made.get()] = std::move(made);
  return Success;
}
Error cuStreamDestroy_v2(Stream stream) {
  LOCKED;
  drain(streamOf(stream));
  state().streams.erase(stream);
  return begin("cuStreamDestroy_v2");
}
Error cuStreamSynchronize(Stream stream) {
  LOCKED;
  StreamOfDriver &its = streamOf(stream);
  if (its.captured)
    return CaptureUnsupported;
  if (Error error = beginOnGpu("cuStreamSynchronize"); error != Success)
    return error;
  return drain(its);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Error cuModuleLoadDataEx(Module *module, const void *image, unsigned options,
                         JitOption *names, void **values) {
  LOCKED;
  std::string log;
  Error error = beginOnGpu("cuModuleLoadDataEx");
  auto made = std::make_unique<ModuleOfDriver>();
  made->context = current;
  if (error == Success) {
    const std::string ptx = static_cast<const char *>(image);
    if (!settings().kept.empty())
      std::ofstream(settings().kept) << ptx;
    error = compile(ptx, made->kernels, log);
  } else if (error == InvalidPtx) {
    log = "ptxas error: line 1: refused by the emulator";
  }
  for (unsigned i = 0; i < options && !log.empty(); ++i)
    if (names[i] == ErrorLogBuffer)
      std::strcpy(static_cast<char *>(values[i]), log.c_str());
  if (error != Success)
    return error;
  *module = made.get();
  state().modules[made.get()] = std::move(made);
  return Success;
}
Error cuModuleUnload(Module module) {
  LOCKED;
  ModuleOfDriver &its = known(state().modules, module, "module");
  drainAll(its.context);
  std::erase_if(state().functions,
                [&](const auto &one) { return one.first.first == module; });
  state().modules.erase(module);
  return begin("cuModuleUnload");
}
Error cuModuleGetFunction(Function *function, Module module, const char *name) {
  LOCKED;
  if (Error error = beginOnGpu("cuModuleGetFunction"); error != Success)
    return error;
  const Kernel *kernel =
      known(state().modules, module, "module").kernels->find(name);
  if (!kernel)
    return NameNotFound;
  auto &made = state().functions[{module, name}];
  if (!made)
    made = std::make_unique<FunctionOfDriver>();
  made->kernel = kernel;
  made->module = module;
  *function = made.get();
  return Success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error cuMemAlloc_v2(Address *address, size_t bytes) {
  LOCKED;
  if (Error error = beginOnGpu("cuMemAlloc_v2"); error != Success)
    return error;
  if (bytes == 0)
    return InvalidValue;
  uint64_t &taken = state().taken[size_t(current->device)];
  if (bytes > settings().memory - taken)
    return OutOfMemory;
  auto made = std::make_unique<Allocation>(bytes);
  *address = reinterpret_cast<Address>(made->data());
  taken += bytes;
  current->memory[*address] = std::move(made);
  return Success;
}
Error cuMemFree_v2(Address address) {
  LOCKED;
  ContextOfDriver &gpu = currentFor("cuMemFree_v2");
  drainAll(current);
  auto found = gpu.memory.find(address);
  if (found == gpu.memory.end())
    wrong("cuMemFree has an address that is not allocated");
  state().taken[size_t(gpu.device)] -= found->second->size();
  gpu.memory.erase(found);
  return begin("cuMemFree_v2");
}
Error cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                           Stream stream) {
  LOCKED;
  if (Error error = beginOnGpu("cuMemcpyHtoDAsync_v2"); error != Success)
    return error;
  if (streamOf(stream).captured)
    return CaptureUnsupported;
  char *place = piece(to, bytes, "cuMemcpyHtoDAsync");
  return enqueueCopy("cuMemcpyHtoDAsync", stream, place, from, bytes);
}
Error cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes,
                           Stream stream) {
  LOCKED;
  if (Error error = beginOnGpu("cuMemcpyDtoHAsync_v2"); error != Success)
    return error;
  if (streamOf(stream).captured)
    return CaptureUnsupported;
  char *place = piece(from, bytes, "cuMemcpyDtoHAsync");
  return enqueueCopy("cuMemcpyDtoHAsync", stream, to, place, bytes);
}
Error cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                           Stream stream) {
  LOCKED;
  if (Error error = beginOnGpu("cuMemcpyDtoDAsync_v2"); error != Success)
    return error;
  char *place = piece(to, bytes, "cuMemcpyDtoDAsync"),
       *source = piece(from, bytes, "cuMemcpyDtoDAsync");
  return enqueueCopy("cuMemcpyDtoDAsync", stream, place, source, bytes);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Error cuLaunchKernel(Function function, unsigned blocksX, unsigned blocksY,
                     unsigned blocksZ, unsigned threadsX, unsigned threadsY,
                     unsigned threadsZ, unsigned sharedBytes, Stream stream,
                     void **arguments, void **extra) {
  LOCKED;
  if (Error error = beginOnGpu("cuLaunchKernel"); error != Success)
    return error;
  const bool isKnown = std::any_of(
      state().functions.begin(), state().functions.end(),
      [&](const auto &one) { return one.second.get() == function; });
  if (!isKnown)
    wrong("a launch of no function");
  const Kernel &kernel = *function->kernel;
  if (sharedBytes || extra || blocksY != 1 || blocksZ != 1 || threadsY != 1 ||
      threadsZ != 1)
    wrong("the emulator has launches of one dimension");
  if (blocksX == 0 || threadsX == 0 || blocksX > 0x7fffffffu)
    return InvalidValue;
  if (threadsX > kernel.mostThreads)
    return LaunchOutOfResources;
  std::vector<uint64_t> given(kernel.pointers.size());
  for (size_t i = 0; i < given.size(); ++i) {
    std::memcpy(&given[i], arguments[i], sizeof given[i]);
    if (kernel.pointers[i])
      piece(given[i], 1, "an argument of a kernel");
  }
  if (settings().lists)
    std::fprintf(stderr, "emulated CUDA: %s on %u blocks of %u threads\n",
                 kernel.name.c_str(), blocksX, threadsX);
  return enqueue(stream, [&kernel, given, blocksX, threadsX] {
    return run(kernel, given, {blocksX, 1, 1}, {threadsX, 1, 1},
               state().random);
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Error cuStreamBeginCapture_v2(Stream stream, CaptureMode) {
  LOCKED;
  if (Error error = beginOnGpu("cuStreamBeginCapture_v2"); error != Success)
    return error;
  StreamOfDriver &its = streamOf(stream);
  if (its.captured)
    return CaptureUnsupported;
  its.captured = std::make_unique<std::vector<Work>>();
  return Success;
}
Error cuStreamEndCapture(Stream stream, Graph *graph) {
  LOCKED;
  StreamOfDriver &its = streamOf(stream);
  if (!its.captured)
    wrong("no graph is recorded on the stream");
  auto made = std::make_unique<GraphOfDriver>();
  made->all = std::move(*its.captured);
  its.captured.reset();
  if (Error error = beginOnGpu("cuStreamEndCapture"); error != Success)
    return error;
  *graph = made.get();
  state().graphs[made.get()] = std::move(made);
  return Success;
}
Error cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                  unsigned long long) {
  LOCKED;
  if (Error error = beginOnGpu("cuGraphInstantiateWithFlags"); error != Success)
    return error;
  auto made = std::make_unique<GraphExecOfDriver>();
  made->all = known(state().graphs, graph, "graph").all;
  made->context = current;
  *exec = made.get();
  state().execs[made.get()] = std::move(made);
  return Success;
}
Error cuGraphLaunch(GraphExec exec, Stream stream) {
  LOCKED;
  if (Error error = beginOnGpu("cuGraphLaunch"); error != Success)
    return error;
  if (settings().lists)
    std::fprintf(stderr, "emulated CUDA: a graph of %zu nodes\n",
                 known(state().execs, exec, "graph").all.size());
  for (const Work &work : known(state().execs, exec, "graph").all)
    enqueue(stream, work);
  return Success;
}
Error cuGraphExecDestroy(GraphExec exec) {
  LOCKED;
  known(state().execs, exec, "graph");
  state().execs.erase(exec);
  return begin("cuGraphExecDestroy");
}
Error cuGraphDestroy(Graph graph) {
  LOCKED;
  known(state().graphs, graph, "graph");
  state().graphs.erase(graph);
  return begin("cuGraphDestroy");
}

Error cuGetErrorName(Error error, const char **name) {
  switch (error) {
  case OutOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    break;
  case IllegalAddress:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    break;
  case LaunchFailed:
    *name = "CUDA_ERROR_LAUNCH_FAILED";
    break;
  case InvalidPtx:
    *name = "CUDA_ERROR_INVALID_PTX";
    break;
  default:
    *name = "CUDA_ERROR";
    break;
  }
  return Success;
}
}
