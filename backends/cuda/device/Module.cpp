//===- Module.cpp - kernels compiled by the driver ------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Loaded.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace glow;
using namespace glow::cuda;

/// Writes what the driver refused to a new file; returns its name, or "".
static std::string keep(const std::string &ptx, const std::string &log) {
  const char *folder = std::getenv("TMPDIR");
  std::string name = std::string(folder ? folder : "/tmp") + "/glow-XXXXXX.ptx";
  int file = ::mkstemps(name.data(), 4);
  if (file < 0)
    return "";
  ::close(file);
  std::ofstream(name) << ptx << "\n/*\n" << log << "\n*/\n";
  return name;
}

/// The step whose kernel the driver's log names: the last kernel that begins
/// before the line in "line 12". The first step if there is no such line.
static size_t stepIn(const CudaCode &code, const std::string &log) {
  size_t at = log.find("line ");
  if (at == std::string::npos)
    return 0;
  const long line = std::strtol(log.c_str() + at + 5, nullptr, 10);
  size_t place = 0;
  for (long i = 1; i < line && place != std::string::npos; ++i)
    if (place = code.ptx.find('\n', place); place != std::string::npos)
      ++place;
  if (place == std::string::npos)
    return 0;
  size_t found = 0, last = 0;
  for (size_t i = 0; i < code.kernels.size(); ++i) {
    size_t begin = code.ptx.find(".entry " + code.kernels[i] + "(");
    if (begin != std::string::npos && begin <= place && begin >= last) {
      last = begin;
      found = code.kernelSteps[i];
    }
  }
  return found;
}

Result<driver::Module> cuda::loadModule(const Target &target,
                                        const CudaCode &code) {
  char log[8192] = "";
  driver::JitOption names[] = {driver::ErrorLogBuffer,
                               driver::ErrorLogBufferBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  driver::Module module = nullptr;
  driver::Error error = target.cuda.cuModuleLoadDataEx(
      &module, code.ptx.c_str(), 2, names, values);
  if (error == driver::Success)
    return module;
  Status status = failureOf(target.cuda, "cuModuleLoadDataEx", error);
  if (error != driver::InvalidPtx && error != driver::InvalidImage &&
      error != driver::UnsupportedPtxVersion)
    return status;
  const size_t step = stepIn(code, log);
  std::string file = keep(code.ptx, log);
  return failure(Code::Unsupported, "node '", code.steps[step].node,
                 "': the driver refuses its kernel (", status.message(), ")",
                 file.empty() ? "" : "; source and log are in ", file);
}
