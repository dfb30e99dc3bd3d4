//===- Model.h - what a host serves, and how --------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_MODEL_H
#define GLOW_RUNTIME_MODEL_H

#include "glow/Program/Program.h"
#include "glow/Runtime/Device.h"
#include "glow/Runtime/Workers.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <vector>

namespace glow {

/// A model that a host has loaded, in one version.
enum class ModelId : uint64_t {};

/// A program that a host has loaded, by its older name.
using NetworkId = ModelId;

/// What is served under a name.
struct ModelSpec {
  std::string name;
  uint64_t version = 0; ///< 0: one more than the newest of this name

  /// One program; or several, in which the first dimension of every input and
  /// output is the batch size, and nothing else differs. Requests then have one
  /// or more rows each, and are put together.
  std::vector<Program> programs;

  /// Whether a batch may be larger than what it holds: rows are then added,
  /// copies of the last one, and their results dropped.
  bool mayPad = false;

  unsigned copies = 1; ///< each on devices of its own; 0: wherever it fits
  unsigned weight = 1; ///< the share of a device among models; at least 1
  bool evictsOthers =
      false; ///< models unused the longest go if memory is short

  /// Whether each program is run once when loaded, which also measures it, and
  /// its results are what a device is held to after a fault.
  bool hasCanary = true;

  /// Inputs for that; empty: numbers from 0 to 1, integers 0 or 1. The expected
  /// outputs; empty: those of the first run.
  std::vector<Tensor> canaryInputs, canaryOutputs; ///< of the first program

  Duration predicted{0}; ///< of one run; 0: not known before it is measured
};

/// What a caller says of a request.
struct RequestOptions {
  int priority = 0; ///< the larger goes first
  TimePoint deadline = TimePoint::max();
  uint64_t parentSpan = 0; ///< of the caller, for Trace
};

/// How a host works.
struct HostOptions {
  std::shared_ptr<Workers> workers; ///< null: threads of its own
  DeviceOptions device;             ///< for those that it opens itself
  size_t queueLimit = 1024;         ///< requests that wait, of all models
  uint64_t memoryLimit = 0; ///< bytes of tensors in memory of the host; 0: none

  /// A run takes too long, and its device is lost, after `hangFactor` times the
  /// measured time, at least `hangLeast`. 0: a run may take as long as it
  /// likes.
  double hangFactor = 0;
  Duration hangLeast = std::chrono::seconds(1);

  /// So is a device that does not end loading a copy in this time, unless
  /// `hangFactor` is 0. It is not called again before it does.
  Duration loadLimit = std::chrono::minutes(5);

  /// From losing a device to loading it again: doubled with each failure, and
  /// up to half as much again by chance.
  Duration backOff = std::chrono::milliseconds(50);
  Duration backOffMost = std::chrono::seconds(30);

  /// Failures in a row after which requests no longer wait for a device. It is
  /// tried again all the same.
  unsigned patience = 8;
  uint64_t seed = 1; ///< of chance
};

} // namespace glow

#endif // GLOW_RUNTIME_MODEL_H
