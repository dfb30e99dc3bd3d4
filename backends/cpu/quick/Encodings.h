//===- Encodings.h - instructions on vectors ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Encodings of Intel's manual, volume 2. Instructions without a comment are of
// f32.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_ENCODINGS_H
#define GLOW_BACKENDS_CPU_QUICK_ENCODINGS_H

#include "Assembler.h"

namespace glow::cpu::quick::encodings {

using enum Prefix;
using enum Map;

constexpr Encoding add{None, M0F, 0x58};
constexpr Encoding multiply{None, M0F, 0x59};
constexpr Encoding subtract{None, M0F, 0x5c};
constexpr Encoding divide{None, M0F, 0x5e};
constexpr Encoding smaller{None, M0F,
                           0x5d}; ///< the second operand if one is NaN
constexpr Encoding larger{None, M0F, 0x5f}; ///< likewise
constexpr Encoding root{None, M0F, 0x51};
constexpr Encoding round{P66, M0F3A,
                         0x08}; ///< the immediate is the rounding mode

constexpr Encoding addIntegers{P66, M0F, 0xfe};
constexpr Encoding subtractIntegers{P66, M0F, 0xfa};
constexpr Encoding multiplyIntegers{P66, M0F38, 0x40};
constexpr Encoding smallerSigned{P66, M0F38, 0x39};
constexpr Encoding smallerUnsigned{P66, M0F38, 0x3b};
constexpr Encoding largerSigned{P66, M0F38, 0x3d};
constexpr Encoding largerUnsigned{P66, M0F38, 0x3f};
constexpr Encoding andBits{P66, M0F, 0xdb};
constexpr Encoding orBits{P66, M0F, 0xeb};
constexpr Encoding xorBits{P66, M0F, 0xef};
constexpr Encoding shiftBits{P66, M0F, 0x72}; ///< a digit is the kind of shift

constexpr Encoding toInteger{PF3, M0F, 0x5b};
constexpr Encoding toNearestInteger{P66, M0F, 0x5b}; ///< in the current mode
constexpr Encoding toFloat{None, M0F, 0x5b};
constexpr Encoding widenUnsigned{P66, M0F38, 0x31, 4}; ///< bytes
constexpr Encoding widenSigned{P66, M0F38, 0x21, 4};
constexpr Encoding narrow{PF3, M0F38, 0x31, 4};        ///< to bytes
constexpr Encoding narrowLimited{PF3, M0F38, 0x11, 4}; ///< at most 255

constexpr Encoding multiplyPairs{P66, M0F, 0xf5}; ///< sums of two, of 16 bits
/// Adds four products of unsigned by signed bytes to each i32 (AVX512-VNNI).
constexpr Encoding multiplyQuads{P66, M0F38, 0x50};

// Instructions on the processor's tiles, AMX.
constexpr Encoding multiplyTiles{P66, M0F38,
                                 0x5e}; ///< without a sign x with one
constexpr Encoding multiplySignedTiles{PF2, M0F38, 0x5e};
constexpr Encoding multiplyHalfTiles{PF3, M0F38, 0x5c}; ///< of bf16
constexpr Encoding loadTile{PF2, M0F38, 0x4b};
constexpr Encoding storeTile{PF3, M0F38, 0x4b};
/// Configures the tiles from memory; with a register operand it releases them.
constexpr Encoding configureTiles{None, M0F38, 0x49};

constexpr Encoding load{None, M0F, 0x10};
constexpr Encoding store{None, M0F, 0x11};
constexpr Encoding storeFirst{PF3, M0F, 0x11, 16}; ///< the first element
// Shuffles with an immediate, which selects parts, or elements of each quarter.
constexpr Encoding shuffleQuarters{P66, M0F3A, 0x23}; ///< only with AVX-512
constexpr Encoding shuffleHalves{P66, M0F3A, 0x06};   ///< only without
constexpr Encoding shuffleElements{P66, M0F3A, 0x04};
/// Shuffles two vectors; the register of the result first holds the indices.
/// Only with AVX-512.
constexpr Encoding shuffleTwo{P66, M0F38, 0x77};
// Masked by the sign bits of the elements of another register.
constexpr Encoding loadWhere{P66, M0F38, 0x2c};
constexpr Encoding storeWhere{P66, M0F38, 0x2e};
constexpr Encoding chooseWhere{P66, M0F3A, 0x4a};

} // namespace glow::cpu::quick::encodings

namespace glow::cpu::quick {

/// The mask register that no unit is assigned to.
constexpr unsigned scratchMask = 1;
constexpr uint32_t signBit = 0x80000000;

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_ENCODINGS_H
