//===- Calibrate.cpp - the cost model measured on this host ---------------===//
// SPDX-License-Identifier: MIT
//
// Each number determines the time of a probe model. A single measurement is
// compared with predictions, each with the number that the previous one
// suggests. Since the number determines nearly all of the time, a few rounds
// are enough.
//
//===----------------------------------------------------------------------===//

#include "glow/Toolchain/Calibrate.h"
#include "glow/Backend/Calibration.h"
#include "glow/Base/NewFile.h"
#include "glow/Cache/Cache.h"
#include "glow/Report/Table.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace glow;

namespace {

/// A temporary folder of this process, removed with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code error;
    std::string name =
        std::filesystem::temp_directory_path(error) / "glow-calibrate-XXXXXX";
    if (!error && ::mkdtemp(name.data()))
      path = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path.empty())
      std::filesystem::remove_all(path, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;

  std::string path; ///< "" if there is none
};

} // namespace

static Status measureNumber(const Calibration &calibration, const Probe &probe,
                            const std::string &path, const TimeProbe &time,
                            CodeOptions &options) {
  options.math = probe.math;
  Result<ProbeTime> found = time(path, options, /*measure=*/true);
  if (!found)
    return found.status();
  double measured = found->measured;
  constexpr int predictions = 4;
  for (int i = 0; i < predictions && found->predicted > 0; ++i) {
    // Bounds the factor: a measurement at a busy moment is not trusted.
    const double before = found->predicted;
    const std::string kept = options.measured;
    double factor = std::clamp(measured / before, 0.1, 10.0);
    Result<std::string> next =
        calibration.withCost(options, probe.number, factor);
    if (!next)
      return next.status();
    options.measured = next.take();
    found = time(path, options, /*measure=*/false);
    if (!found)
      return found.status();
    // The number stays if other code was chosen, or other costs dominate.
    if (std::abs(found->predicted - before) < std::abs(measured - before) / 8) {
      options.measured = kept;
      break;
    }
  }
  return Status();
}

Status glow::checkMeasures(const std::string &backend) {
  if (findCalibration(backend))
    return Status();
  return failure(Code::Unsupported, "backend '", backend,
                 "' has no numbers to measure");
}

Result<std::string> glow::calibrate(const std::string &backend,
                                    const TimeProbe &time) {
  if (Status status = checkMeasures(backend); !status.ok())
    return status;
  const Calibration *calibration = findCalibration(backend);
  TemporaryFolder folder;
  if (folder.path.empty())
    return Status(Code::Internal, "there is no folder for temporary files");
  Result<std::vector<Probe>> probes = calibration->probes();
  if (!probes)
    return probes.status();
  CodeOptions options;
  for (const Probe &probe : *probes) {
    const std::string path = folder.path + "/" + probe.number + ".mlir";
    Status status = writeFile(path, probe.model);
    if (status.ok())
      status = measureNumber(*calibration, probe, path, time, options);
    if (!status.ok())
      return status;
  }
  return options.measured;
}

Status glow::keepMeasured(const std::string &cacheDir,
                          const std::string &backend,
                          const std::string &numbers) {
  return CompileCache(cacheDir).keepNumbers(backend, numbers);
}

Result<bool> glow::dropMeasured(const std::string &cacheDir,
                                const std::string &backend) {
  return CompileCache(cacheDir).dropNumbers(backend);
}

std::string glow::measuredAsText(const std::string &backend,
                                 const std::string &numbers) {
  const Calibration *calibration = findCalibration(backend);
  Table table({{"number"}, {"value"}, {"unit"}});
  std::istringstream lines(numbers);
  std::string name, value;
  std::getline(lines, name); // the processor
  while (lines >> name >> value)
    table.add({name, value, calibration ? calibration->unitOf(name) : ""});
  return table.text();
}

std::string glow::numbersOf(CompileRequest request) {
  useMeasured(request);
  const Calibration *calibration = findCalibration(request.backend);
  return calibration ? calibration->source(request.code) : "";
}

double glow::productsOf(CompileRequest request, ElementKind factors) {
  useMeasured(request);
  const Calibration *calibration = findCalibration(request.backend);
  return calibration ? calibration->products(request.code, factors) : 0;
}

void glow::useMeasured(CompileRequest &request) {
  if (request.cacheDir.empty() || !request.code.measured.empty())
    return;
  request.code.measured =
      CompileCache(request.cacheDir).numbers(request.backend);
}
