//===- Kernels.cpp - kernels compiled by the driver -----------------------===//
// SPDX-License-Identifier: MIT

#include "device/Loaded.h"
#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace glow;
using namespace glow::opencl;

/// The driver's log of a build.
static std::string logOf(const Target &target, cl_program program) {
  size_t size = 0;
  target.cl.clGetProgramBuildInfo(program, target.device, CL_PROGRAM_BUILD_LOG,
                                  0, nullptr, &size);
  std::string log(size, '\0');
  target.cl.clGetProgramBuildInfo(program, target.device, CL_PROGRAM_BUILD_LOG,
                                  size, log.data(), nullptr);
  while (!log.empty() && log.back() == '\0')
    log.pop_back();
  return log;
}

static Result<Owned<cl_program>>
build(const Target &target, const std::string &source, std::string &log) {
  const char *text = source.data();
  const size_t size = source.size();
  cl_int error = CL_SUCCESS;
  Owned<cl_program> program(target.cl.clCreateProgramWithSource(
                                target.context, 1, &text, &size, &error),
                            target.cl.clReleaseProgram);
  if (error != CL_SUCCESS)
    return failureOf("clCreateProgramWithSource", error);
  // Quotients and roots are rounded as everywhere else, if the device can.
  const bool rounds =
      numberOf<cl_device_fp_config>(target.cl, target.device,
                                    CL_DEVICE_SINGLE_FP_CONFIG) &
      CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
  error = target.cl.clBuildProgram(
      program.get(), 1, &target.device,
      rounds ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
             : "-cl-std=CL1.2",
      nullptr, nullptr);
  if (error == CL_SUCCESS)
    return program;
  log = logOf(target, program.get());
  return failureOf("clBuildProgram", error);
}

/// Writes what the driver refused to a new file; returns its name, or "".
static std::string keep(const std::string &source, const std::string &log) {
  const char *folder = std::getenv("TMPDIR");
  std::string name = std::string(folder ? folder : "/tmp") + "/glow-XXXXXX.cl";
  int file = ::mkstemps(name.data(), 3);
  if (file < 0)
    return "";
  ::close(file);
  std::ofstream(name) << source << "\n/*\n" << log << "\n*/\n";
  return name;
}

Result<Owned<cl_program>> opencl::buildKernels(const Target &target,
                                               const OpenclCode &code) {
  std::string log;
  std::string all = code.prelude;
  for (const std::string &kernel : code.sources)
    all += kernel;
  Result<Owned<cl_program>> whole = build(target, all, log);
  if (whole || log.empty())
    return whole;
  // One by one, to find the kernel that the driver refuses.
  std::string node = code.steps.empty() ? "" : code.steps.front().node;
  for (size_t i = 0; i < code.sources.size(); ++i) {
    std::string source = code.prelude + code.sources[i], its;
    if (build(target, source, its))
      continue;
    node = code.steps[code.kernelSteps[i]].node;
    all = std::move(source), log = std::move(its);
    break;
  }
  std::string file = keep(all, log);
  return failure(Code::Unsupported, "node '", node,
                 "': the driver refuses its kernel",
                 file.empty() ? "" : "; source and log are in ", file);
}
