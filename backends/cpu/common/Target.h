//===- Target.h - the processor that code is made for ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMMON_TARGET_H
#define GLOW_BACKENDS_CPU_COMMON_TARGET_H

#include "Processor.h"
#include "glow/Base/Status.h"
#include "glow/Program/CodeOptions.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace glow::cpu {

/// A processor, the register tiles that suit it, and how exact to be.
struct Target {
  static Result<Target> create(const CodeOptions &options);

  /// Fails with Code::Unsupported, naming what is missing, if this processor
  /// cannot run code for that one.
  Status checkHost() const;

  /// Whether code for the processor may use a feature that LLVM calls `name`.
  bool has(llvm::StringRef name) const;

  /// Whether the processor has instructions between f16 and f32.
  bool convertsHalves() const;

  std::unique_ptr<llvm::TargetMachine> machine;
  std::string cpu, features;
  Math math = Math::Default;
  /// Whether code calls a model of AMX's tiles, whatever the processor has.
  bool modelsTiles = false;

  /// The most bytes of an arena with what kernels take on one thread; 0: no
  /// limit.
  uint64_t arenaLimit = 0;
  uint64_t memoryLimit = 0; ///< bytes for all values of a run; 0: no limit

  /// Lanes of the vectors that code has: 16, which LLVM splits where registers
  /// are smaller, or 1 on a processor without registers of vectors.
  int64_t lanes = 16;

  /// Registers that hold a vector of 16 floats: 32 with AVX-512, else 8 of two
  /// or four registers each.
  unsigned vectorRegisters = 8;

  /// Registers of f32 on a processor without vectors; 0 for short code.
  unsigned floatRegisters = 0;

  /// Registers of integers, where there are no vectors.
  unsigned integerRegisters = 16;

  /// How a float becomes the nearest integer on a processor without vectors: by
  /// an instruction that rounds, by a conversion that does (Arm), or by a sum.
  enum class Nearest { Rounding, Conversion, Sum };
  Nearest nearest = Nearest::Rounding;

  /// Bytes of the second-level cache, by which bands and blocks are chosen: the
  /// same for all processors, so that code is.
  static constexpr int64_t secondLevelCache = 1 << 20;

  /// Bytes at a multiple of which regions of a bundle lie: a line of the cache
  /// or, without vectors, the largest number.
  uint64_t alignment() const { return lanes == 1 ? 8 : 64; }

  /// The numbers of the cost model: the shipped numbers, or those that
  /// `CodeOptions::measured` has of this host, if the code is for this host.
  Processor processor;
  bool isMeasured = false;
  bool isHost = false; ///< whether neither triple nor processor was asked for

  /// Whether a tile of `width` x `blocks` vectors is kept in registers: its
  /// sums, one row of weights, and one element of the image.
  bool fits(unsigned width, unsigned blocks) const {
    return width * blocks + blocks + 1 <= vectorRegisters;
  }
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_TARGET_H
