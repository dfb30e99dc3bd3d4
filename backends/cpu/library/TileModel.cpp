//===- TileModel.cpp - what AMX does, in C++ ------------------------------===//
//
// By the descriptions of LDTILECFG, TILELOADD, TILESTORED, TDPBUSD and TDPBSSD
// in Intel's Software Developer's Manual, volume 2: what is outside of a tile's
// rows and bytes is zero and stays so, and sums wrap around.
//
//===----------------------------------------------------------------------===//

#include "../common/TileModel.h"

using namespace glow::cpu;

/// The 64 bytes that LDTILECFG reads.
extern "C" void tile_model_configure(TileModel *model, const uint8_t *config) {
  for (int64_t i = 0; i < 8; ++i) {
    TileModel::Tile &tile = model->tiles[i];
    tile.rows = config[48 + i];
    tile.bytes = config[16 + 2 * i] | config[17 + 2 * i] << 8;
    for (auto &row : tile.elements)
      for (uint8_t &element : row)
        element = 0;
  }
}

extern "C" void tile_model_load(TileModel *model, int64_t number,
                                const uint8_t *from, int64_t step) {
  TileModel::Tile &tile = model->tiles[number];
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t i = 0; i < tile.bytes; ++i)
      tile.elements[row][i] = from[row * step + i];
}

extern "C" void tile_model_store(TileModel *model, int64_t number, uint8_t *to,
                                 int64_t step) {
  const TileModel::Tile &tile = model->tiles[number];
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t i = 0; i < tile.bytes; ++i)
      to[row * step + i] = tile.elements[row][i];
}

extern "C" void tile_model_multiply(TileModel *model, int64_t sums, int64_t a,
                                    int64_t b, int64_t isSigned) {
  TileModel::Tile &result = model->tiles[sums];
  const TileModel::Tile &left = model->tiles[a], &right = model->tiles[b];
  for (int64_t row = 0; row < result.rows; ++row)
    for (int64_t column = 0; column < result.bytes / 4; ++column) {
      uint32_t sum = 0;
      for (int64_t i = 0; i < 4; ++i)
        sum |= uint32_t(result.elements[row][column * 4 + i]) << (8 * i);
      for (int64_t k = 0; k < left.bytes; ++k) {
        uint8_t byte = left.elements[row][k];
        int32_t factor = isSigned ? int32_t(int8_t(byte)) : int32_t(byte);
        auto weight = int8_t(right.elements[k / 4][column * 4 + k % 4]);
        sum += uint32_t(factor * int32_t(weight));
      }
      for (int64_t i = 0; i < 4; ++i)
        result.elements[row][column * 4 + i] = uint8_t(sum >> (8 * i));
    }
}
