//===- ConvTiles.h - the tiles of a convolution -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVTILES_H
#define GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVTILES_H

#include "ConvSizes.h"

namespace glow::cpu {

/// Emits tiles of a convolution's result, with the formula.
class ConvTiles {
protected:
  /// The packed filter begins after `weightsBefore` elements (emitDirect).
  ConvTiles(CodeModule &module, const ConvOperands &operands,
            const ConvSizes &sizes, Epilogue epilogue, const llvm::Twine &name,
            int64_t weightsBefore)
      : c(sizes), operands(operands), epilogue(std::move(epilogue)),
        code(module, module.addStep(name)), weightsBefore(weightsBefore) {}

  /// The arguments of tiles at the first pixel of an image, in panel `kernel`
  /// of `panels`. A panel has `panel` blocks, and this panel has `blocks`.
  TileCall callAt(llvm::Value *image, llvm::Value *kernel, int64_t panel,
                  int64_t panels, int64_t blocks);
  /// With forms of tiles, of `lines` pixels.
  Tile tileOf(int64_t width, int64_t blocks, int64_t lines) const;
  /// Emits a tile whose first pixel is `pixel` pixels after that of the call.
  void tileAt(const Tile &tile, const TileCall &base, llvm::Value *pixel);

  /// Elements from a block of channels to the next, of the image and of the
  /// result.
  Length inBlock() const { return c.images * inImage(); }
  Length outBlock() const { return c.images * outImage(); }
  /// Elements from an image to the next.
  Length inImage() const { return c.pixels() * c.lanesIn; }
  Length outImage() const {
    return c.imageHeight * c.imageWidth * (c.outDepth * lanes);
  }

  const ConvSizes c;
  const ConvOperands operands;
  const Epilogue epilogue;
  Emitter code;
  const int64_t weightsBefore;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_CONV_CONVTILES_H
