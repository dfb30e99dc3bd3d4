//===- Problem.h - nodes to share out among devices -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The graph as input of the partition search: only numbers, no IR. Times are in
// seconds, sizes in bytes.
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
  uint64_t memoryBytes = 0; ///< 0: no limit
  /// Transfer cost of each value from or to the memory of the host, and of each
  /// of its bytes.
  double secondsPerValue = 0, secondsPerByte = 0;
  /// Bytes in a program for each byte of constants and of values.
  double constantFactor = 1, valueFactor = 1;

  /// Memory of a program, to which the limit applies.
  uint64_t bytes(uint64_t constants, uint64_t values) const {
    return uint64_t(constantFactor * double(constants) +
                    valueFactor * double(values));
  }
  /// Bytes of constants that fit a limited memory.
  double roomForConstants() const {
    return double(memoryBytes) / constantFactor;
  }
  double transfer(uint64_t bytes) const {
    return secondsPerValue + secondsPerByte * double(bytes);
  }
};

/// An indivisible unit: a node, or several that run as one.
struct Item {
  std::vector<double> seconds; ///< by device; `never` for a device that cannot
  std::vector<uint32_t> constants;
  uint64_t liveBytes = 0; ///< values during its run, also those only passing by
};

/// A value that is passed between items.
struct Value {
  uint64_t bytes = 0;
  std::optional<uint32_t> producer; ///< empty: an input of the model
  std::vector<uint32_t> users;      ///< each once, without the producer
  bool isOutput = false;
};

/// The minimised time: of one request, or of the busiest device. The latter is
/// the time between two consecutive requests.
enum class Objective { Latency, Pipeline };

struct Problem {
  std::vector<Device> devices;
  std::vector<Item> items; ///< in topological order
  std::vector<Value> values;
  std::vector<uint64_t> constants; ///< sizes
  Objective objective = Objective::Latency;
};

/// The device of each item.
using Assignment = std::vector<uint32_t>;

/// The cost of an assignment, by device. A value crosses the link of a device
/// once if it is made there and read elsewhere, or made elsewhere and read
/// there. The host has the inputs and takes the outputs.
struct Loads {
  std::vector<double> seconds; ///< for items and transfers
  std::vector<double> transfers;
  std::vector<uint64_t> bytes; ///< constants, and the peak of values

  double total() const;
  double largest() const;
  double objective(Objective objective) const {
    return objective == Objective::Latency ? total() : largest();
  }
};
Loads loadsOf(const Problem &problem, const Assignment &assignment);

/// Whether each device has enough memory.
bool fits(const Problem &problem, const Loads &loads);

/// A partition, and a bound for its quality.
struct Solution {
  Assignment assignment; ///< empty if none fits
  Loads loads;
  double objective = never;
  double bound = 0; ///< no partition has a smaller objective

  /// Upper limit of the relative excess of the objective over the optimum.
  double gap() const { return bound > 0 ? objective / bound - 1 : 0; }
};

/// Searches for the best partition. Intervals of the order are searched
/// exactly; other partitions by minimum cuts between two devices and by moves
/// of one item. The bound takes links and memory into account.
Solution solve(const Problem &problem);

} // namespace glow::partition

#endif // GLOW_PARTITION_PROBLEM_H
