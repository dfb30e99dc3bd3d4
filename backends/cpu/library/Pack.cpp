//===- Pack.cpp - images into blocks of 16 channels and back --------------===//
// SPDX-License-Identifier: MIT

#include "support/Calls.h"
#include "support/StridedCopy.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// An image of `channels` x `pixels`, in tiles of 16 x 16.
struct Blocks {
  int64_t images, channels, blocks, pixels;
  int64_t strips = dividedUp(pixels, lanes);
  Rows rows = {images * blocks * strips, lanes *lanes};

  Blocks(const Shape &plain, const Shape &blocked)
      : images(plain.sizes[0]), channels(plain.sizes[1]),
        blocks(blocked.sizes[0]), pixels(product(plain, 2, plain.rank)) {}

  /// Calls `visit` for each tile, with its offsets in the image and in the
  /// blocks, and its numbers of pixels and channels.
  template <typename Visit>
  GLOW_INLINE void forTiles(int64_t begin, int64_t end, Visit visit) const {
    for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
      int64_t pixel = r % strips * lanes, block = r / strips % blocks;
      int64_t image = r / strips / blocks, channel = block * lanes;
      visit((image * channels + channel) * pixels + pixel,
            ((block * images + image) * pixels + pixel) * lanes,
            smaller(lanes, pixels - pixel), smaller(lanes, channels - channel));
    }
  }
};

} // namespace

GLOW_WORK(cpu_pack_f32) {
  Blocks(call.in.shape, call.out.shape).rows.cut(work);
}
GLOW_KERNEL(cpu_pack_f32) {
  Blocks blocks(call.in.shape, call.out.shape);
  auto *out = call.out.as<float>();
  auto *in = call.in.as<const float>();
  auto move = [&](int64_t plain, int64_t blocked, int64_t pixels,
                  int64_t channels) {
    V16f rows[16];
    for (int i = 0; i < 16; ++i)
      rows[i] = i < channels ? loadPart(in + plain + i * blocks.pixels, pixels)
                             : splat<V16f>(0); // what no channel fills
    transpose(rows);
    for (int i = 0; i < pixels; ++i)
      store(out + blocked + i * lanes, rows[i]);
  };
  blocks.forTiles(begin, end, move);
}

GLOW_WORK(cpu_unpack_f32) {
  Blocks(call.out.shape, call.in.shape).rows.cut(work);
}
GLOW_KERNEL(cpu_unpack_f32) {
  Blocks blocks(call.out.shape, call.in.shape);
  auto *out = call.out.as<uint32_t>();
  auto *in = call.in.as<const uint32_t>();
  auto move = [&](int64_t plain, int64_t blocked, int64_t pixels,
                  int64_t channels) {
    moveTile([&](int64_t x) { return out + plain + x * blocks.pixels; },
             in + blocked, lanes, channels, pixels);
  };
  blocks.forTiles(begin, end, move);
}
