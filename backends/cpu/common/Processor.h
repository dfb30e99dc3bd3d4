//===- Processor.h - throughput of a processor ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The few numbers of the cost model (docs/rationale/Cpu.md). Cycles are those
// of the clock at which a core runs alone. A vector has 16 elements of f32, in
// as many registers as the processor needs.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_COMMON_PROCESSOR_H
#define GLOW_BACKENDS_CPU_COMMON_PROCESSOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace glow::cpu {

/// The kind of factors of a multiply-accumulate. One instruction adds to a lane
/// one product of reals, two of 16 bits, four of bytes, or 32 of a matrix unit.
enum class Factors { Reals, Halves, Words, Bytes, Tiles };

/// The work of a step, without moving its operands.
struct Work {
  Factors factors = Factors::Reals;
  double products = 0;   ///< vectors that are multiplied and added
  double operations = 0; ///< other instructions on vectors of 16 elements
  double gathers = 0;    ///< vectors or rows that lie apart from each other
  double transforms = 0; ///< of 16 channels: points of Winograd's algorithm
  double turns = 1;      ///< number of times that constants are read
  bool isMove = false;   ///< each element of the result is one of an operand

  Work &operator+=(const Work &more);
};

struct Processor {
  const char *name;    ///< as LLVM calls it
  const char *feature; ///< the row also holds for unnamed processors with this
                       ///< feature; null for none, "" for any

  // Vectors that are multiplied and added in a cycle, at best.
  double realProducts, halfProducts, wordProducts, byteProducts, tileProducts;

  // Bytes a cycle that a core reads and writes of what is in its caches, where
  // steps read and write in the order of addresses.
  double firstLevel, secondLevel, thirdLevel, memory;

  // Cycles.
  double operation; ///< an instruction on a vector of 16 elements
  double gather;    ///< a vector or row that lies apart
  double transform; ///< a point of Winograd's algorithm, for 16 channels
  double step;      ///< from the end of a step to the begin of the next one

  /// Cycles that the processor takes to compute `work`.
  double cyclesOf(const Work &work) const;
  /// Cycles to read or write `bytes`. `distance` is the number of other bytes
  /// that the core has accessed since their last use.
  double cyclesToMove(double bytes, double distance) const;
};

/// The row of a processor, or that of the first feature it has.
const Processor &processorNamed(llvm::StringRef name,
                                llvm::function_ref<bool(llvm::StringRef)> has);

/// The numbers as text: the name, and a line "NUMBER VALUE" for each.
std::string textOf(const Processor &processor);
/// Numbers that were measured of such a processor; nothing if the text is of
/// another one, or has not exactly these numbers, each above 0.
std::optional<Processor> processorIn(llvm::StringRef text,
                                     const Processor &shipped);

/// A processor that takes `factor` times as long for the work which `number`
/// describes; the same processor if there is no such number.
Processor withCost(Processor processor, llvm::StringRef number, double factor);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_PROCESSOR_H
