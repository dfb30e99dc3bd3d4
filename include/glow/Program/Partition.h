//===- Partition.h - how a model is shared out among devices ----*- C++ -*-===//
//
// What a user asks for, and what came of it. Includes no LLVM and no MLIR.
// Times are in seconds, sizes in bytes.
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

/// A device that parts may be made for.
struct PartitionDevice {
  std::string name, backend;
  unsigned threads = 0;     ///< of the host; 0: one a processor
  uint64_t memoryBytes = 0; ///< 0: without limit
  double memoryFactor = 1;  ///< what programs take, by what was estimated
  /// Of the smallest program that was compiled for it and did not fit; 0: none.
  uint64_t compiledBytes = 0;

  /// Of a core, where the backend predicts cycles; else what is known of it.
  double cyclesPerSecond = 3e9, bytesPerSecond = 1e10;
  std::map<ElementKind, double> operationsPerSecond; ///< by what they read
  /// Seconds of runs on it, by the names of nodes; empty: predicted.
  std::map<std::string, double> measured;

  /// What it takes to bring a value to the device or from it: a time of each,
  /// and of its bytes; 0 bytes a second for a device in the host's memory, from
  /// which it has to be read.
  double linkSeconds = 5e-6;
  double linkBytesPerSecond = 0;

  /// Of a kind, or of the nearest that is known: i8 for u8, else f32.
  double operationsOf(ElementKind kind) const;

  /// Whether another one takes the same parts in the same time.
  bool isLike(const PartitionDevice &other) const;
};

/// What is to be small.
enum class PartitionMode : uint8_t {
  Latency,  ///< the time of one request
  Pipeline, ///< the time of the busiest device, which is that between requests
  Saturate  ///< the same of as many copies as equal devices hold, each a
            ///< pipeline
};
constexpr std::array partitionModes = {"latency", "pipeline", "saturate"};
inline std::string_view name(PartitionMode mode) {
  return partitionModes[size_t(mode)];
}

/// Nodes that a user gives to a device.
struct NodePin {
  std::string pattern; ///< of names, with `*`, `?` and `[a-z]`
  std::string device;
};

/// A function of what came of it.
struct PartReport {
  std::string name, device, backend;
  std::vector<std::string> nodes; ///< by their names in the model
  double seconds = 0;             ///< of its nodes
  uint64_t bytesIn = 0, bytesOut = 0;
  std::string why; ///< it is not on the device of the part before
};

/// What a device has of all parts.
struct DeviceLoad {
  std::string name, backend;
  double seconds = 0, transferSeconds = 0; ///< the first includes the other
  uint64_t memoryBytes = 0;                ///< about what its parts need
  uint64_t limitBytes = 0;                 ///< 0: none
};

struct PartitionReport {
  PartitionMode mode = PartitionMode::Latency;
  std::vector<PartReport> parts; ///< in the order in which they can run
  std::vector<DeviceLoad> devices;
  unsigned copies = 1; ///< of all parts, each on devices of its own
  double seconds = 0;  ///< what the mode makes small
  double bound = 0;    ///< no partition has less
  double alone = 0;    ///< on the best device that has room for all; 0: none

  /// By how much of the bound a better partition might be better.
  double gap() const { return bound > 0 ? seconds / bound - 1 : 0; }
};

struct PartitionRequest {
  std::vector<PartitionDevice> devices; ///< each of another name
  PartitionMode mode = PartitionMode::Latency;
  std::vector<NodePin> pins; ///< the first that fits a node decides
  std::shared_ptr<PartitionReport> report; ///< what came of it; null: not asked
};

/// All that is asked for, so that two requests with one text are the same.
std::string keyOf(const PartitionRequest &request);

/// Reads "NAME:BACKEND", and behind it any of ":memory=SIZE", ":threads=N",
/// ":link=BYTES_PER_SECOND" and ":delay=SECONDS". Fails with
/// Code::InvalidArgument, naming the text.
Result<PartitionDevice> partitionDeviceOf(std::string_view text);

/// Reads "PATTERN=DEVICE". Fails in the same way.
Result<NodePin> nodePinOf(std::string_view text);

} // namespace glow

#endif // GLOW_PROGRAM_PARTITION_H
