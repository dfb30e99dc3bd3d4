//===- Model.h - served models, and their options ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_MODEL_H
#define GLOW_RUNTIME_MODEL_H

#include "glow/Program/Program.h"
#include "glow/Runtime/Device.h"
#include "glow/Runtime/Workers.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <vector>

namespace glow {

/// A loaded model of a host, in one version.
enum class ModelId : uint64_t {};

/// A session of a served model, at one host.
enum class HostSessionId : uint64_t {};

/// A model to be served under a name.
struct ModelSpec {
  std::string name;
  uint64_t version = 0; ///< 0: one more than the newest of this name

  /// One program, or several that differ only in the batch size, the first
  /// dimension of every input and output. With several, requests have one or
  /// more rows each, and are combined into batches.
  std::vector<Program> programs;

  /// The size variable that is the batch of the one program, whose range has
  /// all batch sizes: dimension 0 of every input and output, of which no other
  /// dimension and no condition depends. Requests whose other sizes are equal
  /// are combined. Empty: with one program each request is a run.
  std::string batch = {};

  /// Whether a batch may be padded: copies of the last row are added, and their
  /// results dropped.
  bool mayPad = false;

  unsigned copies = 1; ///< each on its own devices; 0: wherever it fits
  unsigned weight = 1; ///< share of a device among models; at least 1
  bool evictsOthers =
      false; ///< models unused the longest go if memory is short

  /// Whether each program runs once after loading. The run is measured, and
  /// after a fault a device must reproduce its results.
  bool hasCanary = true;

  /// Inputs of that run; empty: numbers from 0 to 1, integers 0 or 1. The
  /// expected outputs; empty: those of the first run.
  std::vector<Tensor> canaryInputs, canaryOutputs; ///< for the first program

  Duration predicted{0}; ///< of one run; 0: unknown until measured
};

/// Options of a request.
struct RequestOptions {
  int priority = 0; ///< larger numbers go first
  TimePoint deadline = TimePoint::max();
  uint64_t parentSpan = 0; ///< the caller's span, for Trace
};

/// Options of a host.
struct HostOptions {
  std::shared_ptr<Workers> workers; ///< null: own threads
  DeviceOptions device;             ///< for devices that the host opens itself
  size_t queueLimit = 1024;         ///< waiting requests, over all models
  uint64_t memoryLimit = 0; ///< bytes of tensors in host memory; 0: no limit

  /// A run hangs, and its device is lost, after `hangFactor` times the measured
  /// time, at least `hangLeast`. 0: no time limit.
  double hangFactor = 0;
  Duration hangLeast = std::chrono::seconds(1);

  /// A device is also lost if loading a copy takes longer than this, unless
  /// `hangFactor` is 0. It is not called again before the load ends.
  Duration loadLimit = std::chrono::minutes(5);

  /// Delay between the loss of a device and its next load. It doubles with each
  /// failure, and up to half of it is added at random.
  Duration backOff = std::chrono::milliseconds(50);
  Duration backOffMost = std::chrono::seconds(30);

  /// Consecutive failures after which requests no longer wait for a device.
  /// Attempts to load it continue.
  unsigned patience = 8;
  uint64_t seed = 1; ///< seed of random numbers
};

} // namespace glow

#endif // GLOW_RUNTIME_MODEL_H
