//===- Partition.h - partitions among devices -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The request for a partition of a model, and its result. Includes no LLVM and
// no MLIR. Times are in seconds, sizes in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_PARTITION_H
#define GLOW_PROGRAM_PARTITION_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Status.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// A device that may get parts of the model.
struct PartitionDevice {
  std::string name, backend;
  unsigned threads = 0;     ///< of the host; 0: one for each processor
  uint64_t memoryBytes = 0; ///< 0: no limit
  double memoryFactor = 1;  ///< ratio of actual to estimated memory of programs
  /// Size of the smallest program that was compiled for the device and did not
  /// fit; 0: none.
  uint64_t compiledBytes = 0;

  /// Rates of a core, if the backend predicts cycles; else of the device.
  double cyclesPerSecond = 3e9, bytesPerSecond = 1e10;
  std::map<ElementKind, double> operationsPerSecond; ///< by operand kind
  /// Measured seconds of runs on the device, by the names of nodes; empty:
  /// predicted.
  std::map<std::string, double> measured;

  /// Cost of moving a value to or from the device: a constant time and a rate.
  /// A rate of 0 marks a device in the host's memory, where `bytesPerSecond` is
  /// the rate.
  double linkSeconds = 5e-6;
  double linkBytesPerSecond = 0;

  /// The rate for a kind, or for the nearest known kind: i8 for u8, else f32.
  double operationsOf(ElementKind kind) const;

  /// Whether another device takes the same parts in the same time.
  bool isLike(const PartitionDevice &other) const;
};

/// The quantity to minimise.
enum class PartitionMode : uint8_t {
  Latency,  ///< the time of one request
  Pipeline, ///< time of the busiest device, between two requests
  Saturate  ///< the same for as many pipelines as equal devices hold
};
constexpr std::array partitionModes = {"latency", "pipeline", "saturate"};
inline std::string_view name(PartitionMode mode) {
  return partitionModes[size_t(mode)];
}

/// An assignment of nodes to a device by the user.
struct NodePin {
  std::string pattern; ///< pattern for names, with `*`, `?` and `[a-z]`
  std::string device;
};

/// A part in the result.
struct PartReport {
  std::string name, device, backend;
  std::vector<std::string> nodes; ///< names in the model
  double seconds = 0;             ///< time of its nodes
  uint64_t bytesIn = 0, bytesOut = 0;
  std::string why; ///< the reason for leaving the previous part's device
};

/// The load of a device from all of its parts.
struct DeviceLoad {
  std::string name, backend;
  double seconds = 0, transferSeconds = 0; ///< the first includes the second
  uint64_t memoryBytes = 0;                ///< approximate need of its parts
  uint64_t limitBytes = 0;                 ///< 0: no limit
};

struct PartitionReport {
  PartitionMode mode = PartitionMode::Latency;
  std::vector<PartReport> parts; ///< in an order in which they can run
  std::vector<DeviceLoad> devices;
  unsigned copies = 1; ///< copies of all parts, on separate devices
  double seconds = 0;  ///< the value that the mode minimises
  double bound = 0;    ///< no partition is below it
  double alone = 0;    ///< on the best device that holds all; 0: none

  /// Upper limit of the possible improvement, relative to the bound.
  double gap() const { return bound > 0 ? seconds / bound - 1 : 0; }
};

struct PartitionRequest {
  std::vector<PartitionDevice> devices; ///< with distinct names
  PartitionMode mode = PartitionMode::Latency;
  std::vector<NodePin> pins;               ///< the first match decides
  std::shared_ptr<PartitionReport> report; ///< receives the result, if not null
};

/// Text of the whole request; equal texts mean equal requests.
std::string keyOf(const PartitionRequest &request);

/// Parses "NAME:BACKEND", followed by any of ":memory=SIZE", ":threads=N",
/// ":link=BYTES_PER_SECOND" and ":delay=SECONDS". Fails with
/// Code::InvalidArgument, naming the text.
Result<PartitionDevice> partitionDeviceOf(std::string_view text);

/// Parses "PATTERN=DEVICE". Fails in the same way.
Result<NodePin> nodePinOf(std::string_view text);

} // namespace glow

#endif // GLOW_PROGRAM_PARTITION_H
