//===- Forms.h - the instructions on vectors ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Encodings of Intel's manual, volume 2. Instructions without a comment are of
// f32.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_FORMS_H
#define GLOW_BACKENDS_CPU_QUICK_FORMS_H

#include "Assembler.h"

namespace glow::cpu::quick::forms {

using enum Prefix;
using enum Map;

constexpr Form add{None, M0F, 0x58};
constexpr Form multiply{None, M0F, 0x59};
constexpr Form subtract{None, M0F, 0x5c};
constexpr Form divide{None, M0F, 0x5e};
constexpr Form smaller{None, M0F, 0x5d}; ///< the second operand if one is NaN
constexpr Form larger{None, M0F, 0x5f};  ///< likewise
constexpr Form root{None, M0F, 0x51};
constexpr Form round{P66, M0F3A, 0x08}; ///< the immediate is the rounding mode

constexpr Form addIntegers{P66, M0F, 0xfe};
constexpr Form subtractIntegers{P66, M0F, 0xfa};
constexpr Form multiplyIntegers{P66, M0F38, 0x40};
constexpr Form smallerSigned{P66, M0F38, 0x39};
constexpr Form smallerUnsigned{P66, M0F38, 0x3b};
constexpr Form largerSigned{P66, M0F38, 0x3d};
constexpr Form largerUnsigned{P66, M0F38, 0x3f};
constexpr Form andBits{P66, M0F, 0xdb};
constexpr Form orBits{P66, M0F, 0xeb};
constexpr Form xorBits{P66, M0F, 0xef};
constexpr Form shiftBits{P66, M0F, 0x72}; ///< a digit is the kind of shift

constexpr Form toInteger{PF3, M0F, 0x5b};
constexpr Form toNearestInteger{P66, M0F, 0x5b}; ///< in the current mode
constexpr Form toFloat{None, M0F, 0x5b};
constexpr Form widenUnsigned{P66, M0F38, 0x31, 4}; ///< bytes
constexpr Form widenSigned{P66, M0F38, 0x21, 4};
constexpr Form narrow{PF3, M0F38, 0x31, 4};        ///< to bytes
constexpr Form narrowLimited{PF3, M0F38, 0x11, 4}; ///< at most 255

constexpr Form multiplyPairs{P66, M0F, 0xf5}; ///< sums of two, of 16 bits
/// Adds four products of unsigned by signed bytes to each i32 (AVX512-VNNI).
constexpr Form multiplyQuads{P66, M0F38, 0x50};

// Instructions on the processor's tiles, AMX.
constexpr Form multiplyTiles{P66, M0F38, 0x5e}; ///< without a sign x with one
constexpr Form multiplySignedTiles{PF2, M0F38, 0x5e};
constexpr Form multiplyHalfTiles{PF3, M0F38, 0x5c}; ///< of bf16
constexpr Form loadTile{PF2, M0F38, 0x4b};
constexpr Form storeTile{PF3, M0F38, 0x4b};
/// Configures the tiles from memory; with a register operand it releases them.
constexpr Form configureTiles{None, M0F38, 0x49};

constexpr Form load{None, M0F, 0x10};
constexpr Form store{None, M0F, 0x11};
constexpr Form storeFirst{PF3, M0F, 0x11, 16}; ///< the first element
// Shuffles with an immediate, which selects parts, or elements of each quarter.
constexpr Form shuffleQuarters{P66, M0F3A, 0x23}; ///< only with AVX-512
constexpr Form shuffleHalves{P66, M0F3A, 0x06};   ///< only without
constexpr Form shuffleElements{P66, M0F3A, 0x04};
/// Shuffles two vectors; the register of the result first holds the indices.
/// Only with AVX-512.
constexpr Form shuffleTwo{P66, M0F38, 0x77};
// Masked by the sign bits of the elements of another register.
constexpr Form loadWhere{P66, M0F38, 0x2c};
constexpr Form storeWhere{P66, M0F38, 0x2e};
constexpr Form chooseWhere{P66, M0F3A, 0x4a};

} // namespace glow::cpu::quick::forms

namespace glow::cpu::quick {

/// The mask register that no unit is assigned to.
constexpr unsigned scratchMask = 1;
constexpr uint32_t signBit = 0x80000000;

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_FORMS_H
