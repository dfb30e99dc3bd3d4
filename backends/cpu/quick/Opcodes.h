//===- Opcodes.h - instructions on vectors ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Encodings of Intel's manual, volume 2. Instructions without a comment are of
// f32.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_OPCODES_H
#define GLOW_BACKENDS_CPU_QUICK_OPCODES_H

#include "Assembler.h"

namespace glow::cpu::quick::opcodes {

using enum Prefix;
using enum Map;

constexpr Opcode add{None, M0F, 0x58};
constexpr Opcode multiply{None, M0F, 0x59};
constexpr Opcode subtract{None, M0F, 0x5c};
constexpr Opcode divide{None, M0F, 0x5e};
constexpr Opcode smaller{None, M0F, 0x5d}; ///< the second operand if one is NaN
constexpr Opcode larger{None, M0F, 0x5f};  ///< likewise
constexpr Opcode root{None, M0F, 0x51};
constexpr Opcode round{P66, M0F3A,
                       0x08}; ///< the immediate is the rounding mode

constexpr Opcode addIntegers{P66, M0F, 0xfe};
constexpr Opcode subtractIntegers{P66, M0F, 0xfa};
constexpr Opcode multiplyIntegers{P66, M0F38, 0x40};
constexpr Opcode smallerSigned{P66, M0F38, 0x39};
constexpr Opcode smallerUnsigned{P66, M0F38, 0x3b};
constexpr Opcode largerSigned{P66, M0F38, 0x3d};
constexpr Opcode largerUnsigned{P66, M0F38, 0x3f};
constexpr Opcode andBits{P66, M0F, 0xdb};
constexpr Opcode orBits{P66, M0F, 0xeb};
constexpr Opcode xorBits{P66, M0F, 0xef};
constexpr Opcode shiftBits{P66, M0F, 0x72}; ///< a digit is the kind of shift

constexpr Opcode toInteger{PF3, M0F, 0x5b};
constexpr Opcode toNearestInteger{P66, M0F, 0x5b}; ///< in the current mode
constexpr Opcode toFloat{None, M0F, 0x5b};
constexpr Opcode widenUnsigned{P66, M0F38, 0x31, 4}; ///< bytes
constexpr Opcode widenSigned{P66, M0F38, 0x21, 4};
constexpr Opcode narrow{PF3, M0F38, 0x31, 4};        ///< to bytes
constexpr Opcode narrowLimited{PF3, M0F38, 0x11, 4}; ///< at most 255

constexpr Opcode multiplyPairs{P66, M0F, 0xf5}; ///< sums of two, of 16 bits
/// Adds four products of unsigned by signed bytes to each i32 (AVX512-VNNI).
constexpr Opcode multiplyQuads{P66, M0F38, 0x50};

// Instructions on the processor's tiles, AMX.
constexpr Opcode multiplyTiles{P66, M0F38, 0x5e}; ///< without a sign x with one
constexpr Opcode multiplySignedTiles{PF2, M0F38, 0x5e};
constexpr Opcode multiplyHalfTiles{PF3, M0F38, 0x5c}; ///< of bf16
constexpr Opcode loadTile{PF2, M0F38, 0x4b};
constexpr Opcode storeTile{PF3, M0F38, 0x4b};
/// Configures the tiles from memory; with a register operand it releases them.
constexpr Opcode configureTiles{None, M0F38, 0x49};

constexpr Opcode load{None, M0F, 0x10};
constexpr Opcode store{None, M0F, 0x11};
constexpr Opcode storeFirst{PF3, M0F, 0x11, 16}; ///< the first element
// Shuffles with an immediate, which selects parts, or elements of each quarter.
constexpr Opcode shuffleQuarters{P66, M0F3A, 0x23}; ///< only with AVX-512
constexpr Opcode shuffleHalves{P66, M0F3A, 0x06};   ///< only without
constexpr Opcode shuffleElements{P66, M0F3A, 0x04};
/// Shuffles two vectors; the register of the result first holds the indices.
/// Only with AVX-512.
constexpr Opcode shuffleTwo{P66, M0F38, 0x77};
// Masked by the sign bits of the elements of another register.
constexpr Opcode loadWhere{P66, M0F38, 0x2c};
constexpr Opcode storeWhere{P66, M0F38, 0x2e};
constexpr Opcode chooseWhere{P66, M0F3A, 0x4a};

} // namespace glow::cpu::quick::opcodes

namespace glow::cpu::quick {

/// The mask register that no unit is assigned to.
constexpr unsigned scratchMask = 1;
constexpr uint32_t signBit = 0x80000000;

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_OPCODES_H
