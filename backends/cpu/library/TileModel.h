//===- TileModel.h - what AMX has in its registers --------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_TILEMODEL_H
#define GLOW_BACKENDS_CPU_LIBRARY_TILEMODEL_H

#include <stdint.h>

namespace glow::cpu::library {

/// Eight tiles, and how much of each is used.
struct TileModel {
  struct Tile {
    int64_t rows, bytes;
    uint8_t elements[16][64];
  };
  Tile tiles[8];
};

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_TILEMODEL_H
