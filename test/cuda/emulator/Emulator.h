//===- Emulator.h - a driver without a GPU ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A libcuda.so.1 for tests. The LLVM IR that PTX was printed from is in
// comments of the PTX: it is compiled for this processor, and run thread by
// thread. All calls are checked. A wrong call ends the process with a message,
// since a test must not pass with it; errors that a GPU has are returned as the
// driver returns them.
//
// Environment variable GLOW_EMULATED_CUDA changes the emulator, by words that
// commas separate:
//   seed=N             order of blocks, and of threads between barriers
//   memory=N           bytes of each GPU
//   devices=N          GPUs
//   version=N          of the driver, as cuDriverGetVersion has it
//   capability=N       of the GPUs: 80 for 8.0
//   fail=CALL:K:ERROR  the K-th call of a function returns an error; errors of
//                      700 and up stay
//   remove=bounds      threads without an element compute one, too
//   remove=barriers    threads do not wait for each other
//   keep=FILE          the PTX of the last module is written to a file
//   calls              a line on the standard error for each launch
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TEST_CUDA_EMULATOR_EMULATOR_H
#define GLOW_TEST_CUDA_EMULATOR_EMULATOR_H

#include "cuda/device/Driver.h"
#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace emulator {

using namespace glow::cuda::driver;

/// Ends the process, whose test fails.
[[noreturn]] void wrong(const std::string &why);

struct Settings {
  uint64_t seed = 1, memory = uint64_t(4) << 30;
  int devices = 1, version = 13000, capability = 80;
  bool keepsBounds = true, keepsBarriers = true, lists = false;
  struct Fault {
    std::string call;
    unsigned number;
    Error error;
  };
  std::vector<Fault> faults;
  std::string kept;
};
const Settings &settings();

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Memory of a GPU, between pages that no one may touch. Bytes up to the next
/// page have a pattern, which is checked.
class Allocation {
public:
  explicit Allocation(size_t bytes);
  ~Allocation();
  Allocation(const Allocation &) = delete;
  char *data() const { return first; }
  size_t size() const { return bytes; }
  /// Whether all bytes around it are as they were.
  bool isIntact() const;
  /// Makes all floats NaN.
  void forget();

private:
  char *pages, *first;
  size_t bytes, all;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A kernel, compiled for this processor.
struct Kernel {
  std::string name;
  void (*call)(const uint64_t *arguments) = nullptr; ///< for one thread
  std::vector<bool> pointers; ///< the arguments that are addresses
  bool waits = false;         ///< whether it has a barrier
  /// Memory that the threads of a block share.
  std::vector<std::shared_ptr<Allocation>> shared;
  unsigned mostThreads = 1024;
};

/// The kernels of a module of PTX.
class Kernels {
public:
  virtual ~Kernels() = default;
  /// Null for an unknown name.
  virtual const Kernel *find(const std::string &name) = 0;
};
/// Compiles the kernels. Fails, with a log as that of the driver, if the text
/// is no PTX for this GPU.
Error compile(const std::string &ptx, std::unique_ptr<Kernels> &kernels,
              std::string &log);

/// Runs all threads of a launch, in an order that the seed gives. Returns
/// IllegalAddress where a thread leaves all memory.
Error run(const Kernel &kernel, const std::vector<uint64_t> &arguments,
          std::array<unsigned, 3> blocks, std::array<unsigned, 3> threads,
          std::mt19937_64 &random);

} // namespace emulator

#endif // GLOW_TEST_CUDA_EMULATOR_EMULATOR_H
