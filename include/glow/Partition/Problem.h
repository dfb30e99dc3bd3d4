//===- Problem.h - nodes to share out among devices -------------*- C++ -*-===//
//
// A graph as the search for a partition sees it: numbers, and no IR. Times are
// in seconds, sizes in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PARTITION_PROBLEM_H
#define GLOW_PARTITION_PROBLEM_H

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace glow::partition {

inline constexpr double never = std::numeric_limits<double>::infinity();

struct Device {
  uint64_t memoryBytes = 0; ///< 0: without limit
  /// Of each value that comes from or goes to the memory of the host, and of
  /// each of its bytes.
  double secondsPerValue = 0, secondsPerByte = 0;
  /// Bytes that a program takes for each byte of constants, and of values.
  double constantFactor = 1, valueFactor = 1;

  /// Memory of a program. The limit holds for it.
  uint64_t bytes(uint64_t constants, uint64_t values) const {
    return uint64_t(constantFactor * double(constants) +
                    valueFactor * double(values));
  }
  /// Bytes of constants for which a limited memory has room.
  double roomForConstants() const {
    return double(memoryBytes) / constantFactor;
  }
  double transfer(uint64_t bytes) const {
    return secondsPerValue + secondsPerByte * double(bytes);
  }
};

/// What cannot be cut: a node, or several that run as one.
struct Item {
  std::vector<double> seconds; ///< by device; `never` where it cannot run
  std::vector<uint32_t> constants;
  uint64_t liveBytes = 0; ///< of values while it runs, those that pass by too
};

/// What items hand on.
struct Value {
  uint64_t bytes = 0;
  std::optional<uint32_t> producer; ///< none: an input of the model
  std::vector<uint32_t> users;      ///< each once, not its producer
  bool isOutput = false;
};

/// What is to be small: the time of one request, or of the busiest device,
/// which is the time between two requests that follow each other.
enum class Objective { Latency, Pipeline };

struct Problem {
  std::vector<Device> devices;
  std::vector<Item> items; ///< in an order in which they can run
  std::vector<Value> values;
  std::vector<uint64_t> constants; ///< sizes
  Objective objective = Objective::Latency;
};

/// The device of each item.
using Assignment = std::vector<uint32_t>;

/// What an assignment comes to, by device. A value crosses the link of a device
/// once, if it is made there and read elsewhere, or the other way round; the
/// host has the inputs, and takes the outputs.
struct Loads {
  std::vector<double> seconds; ///< of items and transfers
  std::vector<double> transfers;
  std::vector<uint64_t> bytes; ///< of constants, and of values at their peak

  double total() const;
  double largest() const;
  double objective(Objective objective) const {
    return objective == Objective::Latency ? total() : largest();
  }
};
Loads loadsOf(const Problem &problem, const Assignment &assignment);

/// Whether each device has the memory.
bool fits(const Problem &problem, const Loads &loads);

/// A partition, and how good any can be.
struct Solution {
  Assignment assignment; ///< empty where none fits
  Loads loads;
  double objective = never;
  double bound = 0; ///< no partition has a smaller objective

  /// By how much of the bound the objective may be too large.
  double gap() const { return bound > 0 ? objective / bound - 1 : 0; }
};

/// Searches for the best partition: of intervals of the order exactly, of other
/// ones by minimum cuts between two devices and by moves of one item. The bound
/// knows of links and of memory.
Solution solve(const Problem &problem);

} // namespace glow::partition

#endif // GLOW_PARTITION_PROBLEM_H
