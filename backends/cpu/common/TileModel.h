//===- TileModel.h - model of AMX's tile registers --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMMON_TILEMODEL_H
#define GLOW_BACKENDS_CPU_COMMON_TILEMODEL_H

#include <stdint.h>

namespace glow::cpu {

/// A software model of the eight tiles, with the used size of each.
struct TileModel {
  struct Tile {
    int64_t rows, bytes;
    uint8_t elements[16][64];
  };
  Tile tiles[8];
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_TILEMODEL_H
