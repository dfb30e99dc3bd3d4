//===- Calibration.h - measured numbers of cost models ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Measurement of the numbers in a backend's cost model, on the processor that
// runs the backend. Each number has a small model whose run time depends mostly
// on it. glow/Toolchain/Calibrate.h, above the compiler, takes the times.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKEND_CALIBRATION_H
#define GLOW_BACKEND_CALIBRATION_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Status.h"
#include "glow/Program/CodeOptions.h"
#include <vector>

namespace glow {

/// A number of a cost model, and the text of a module of nodes that probes it.
struct Probe {
  std::string number, model;
  Math math = Math::Default; ///< the module is compiled for it
};

class Calibration {
public:
  virtual ~Calibration() = default;

  /// The probes of this host. In their order, each model depends only on its
  /// own number and on those before.
  virtual Result<std::vector<Probe>> probes() const = 0;

  /// A text for CodeOptions::measured in which the cost `number` is `factor`
  /// times as high as in `options`. Fails with Code::InvalidArgument for
  /// options that make no code for this host.
  virtual Result<std::string> withCost(const CodeOptions &options,
                                       const std::string &number,
                                       double factor) const = 0;

  /// The unit and the meaning of a number, for people: "bytes a cycle of what
  /// is in memory".
  virtual std::string unitOf(const std::string &number) const { return ""; }

  /// The most products of factors of this kind that a core multiplies and adds
  /// in a cycle, in code for `options`; 0 if unknown.
  virtual double products(const CodeOptions &options,
                          ElementKind factors) const = 0;

  /// Name of the processor whose numbers predict code for `options`, for
  /// people, and whether these numbers were measured.
  virtual std::string source(const CodeOptions &options) const = 0;
};

void registerCalibration(const std::string &backend,
                         const Calibration &calibration);
/// The calibration of a backend; null if it measures nothing.
const Calibration *findCalibration(const std::string &backend);

} // namespace glow

#endif // GLOW_BACKEND_CALIBRATION_H
