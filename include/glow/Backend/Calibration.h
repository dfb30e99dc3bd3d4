//===- Calibration.h - what a backend measures of a host --------*- C++ -*-===//
//
// A backend whose cost model has numbers of the processor may have them
// measured where it runs: for each there is a small model, of whose time it
// decides the most. What takes the times is above the compiler
// (glow/Toolchain/Calibrate.h).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKEND_CALIBRATION_H
#define GLOW_BACKEND_CALIBRATION_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Status.h"
#include "glow/Program/CodeOptions.h"
#include <vector>

namespace glow {

/// A number of a cost model, and the text of a module of nodes.
struct Probe {
  std::string number, model;
  Math math = Math::Default; ///< that the module is compiled for
};

class Calibration {
public:
  virtual ~Calibration() = default;

  /// What this host is measured by, in an order in which models are decided by
  /// their own number and by those before.
  virtual Result<std::vector<Probe>> probes() const = 0;

  /// The text for CodeOptions::measured with which what `number` speaks of
  /// takes `factor` times as long as `options` say. Fails with
  /// Code::InvalidArgument for options that make no code for this host.
  virtual Result<std::string> withCost(const CodeOptions &options,
                                       const std::string &number,
                                       double factor) const = 0;

  /// The unit of a number, and what it is, for people: "bytes a cycle of what
  /// is in memory".
  virtual std::string unitOf(const std::string &number) const { return ""; }

  /// How many products of this kind of factors a core multiplies and adds in a
  /// cycle, at best, in code for `options`; 0 if that is not known.
  virtual double products(const CodeOptions &options,
                          ElementKind factors) const = 0;

  /// The processor whose numbers code for `options` is predicted with, for
  /// people, and whether they were measured.
  virtual std::string source(const CodeOptions &options) const = 0;
};

void registerCalibration(const std::string &backend,
                         const Calibration &calibration);
/// Null for a backend that measures nothing.
const Calibration *findCalibration(const std::string &backend);

} // namespace glow

#endif // GLOW_BACKEND_CALIBRATION_H
