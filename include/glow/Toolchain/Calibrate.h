//===- Calibrate.h - the cost model measured on this host -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLCHAIN_CALIBRATE_H
#define GLOW_TOOLCHAIN_CALIBRATE_H

#include "glow/Session/Session.h"
#include <functional>

namespace glow {

/// Calibration::products of the requested backend, with the numbers that were
/// measured on this host.
double productsOf(CompileRequest request, ElementKind factors);

/// Milliseconds of the steps of a model, on one thread.
struct ProbeTime {
  double predicted = 0, measured = 0;
};

/// Opens the module at `path`, compiles it with these options, and runs it if
/// `measure` is set.
using TimeProbe = std::function<Result<ProbeTime>(
    const std::string &path, const CodeOptions &options, bool measure)>;

/// Fails with Code::Unsupported for a backend that measures nothing.
Status checkMeasures(const std::string &backend);

/// Measures the numbers of a backend's cost model on this host. Returns the
/// text for CodeOptions::measured, which begins with the processor's name.
/// Fails as `checkMeasures` and as `time` do.
Result<std::string> calibrate(const std::string &backend,
                              const TimeProbe &time);

/// Stores measurements in a cache's folder. Fails if it cannot be written.
Status keepMeasured(const std::string &cacheDir, const std::string &backend,
                    const std::string &numbers);

/// Removes the measurements. False if there are none; fails as
/// CompileCache::clear.
Result<bool> dropMeasured(const std::string &cacheDir,
                          const std::string &backend);

/// The text of `calibrate` as a table for people: each number with its unit.
std::string measuredAsText(const std::string &backend,
                           const std::string &numbers);

/// Origin of the numbers that predict a request, for people; "" for a backend
/// without predictions.
std::string numbersOf(CompileRequest request);

/// Sets CodeOptions::measured to the cached measurements of this host, if the
/// request has a cache and no measurements of its own.
void useMeasured(CompileRequest &request);

} // namespace glow

#endif // GLOW_TOOLCHAIN_CALIBRATE_H
