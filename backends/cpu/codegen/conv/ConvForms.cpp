//===- ConvForms.cpp - direct convolutions of floats, of pairs, by tiles --===//
// SPDX-License-Identifier: MIT
//
// The factors may be f32, pairs of bf16, or operands of the processor's tiles.
// The loops are the same (Conv.cpp); their operands are laid out first.
//
//===----------------------------------------------------------------------===//

#include "ConvSizes.h"
#include "codegen/tile/HalfTile.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvCall;

void cpu::layPixelsInRow(ConvSizes &c) {
  if (!c.isPointwise())
    return;
  c.width = c.width * c.height, c.outWidth = c.outWidth * c.outHeight;
  c.height = c.outHeight = 1;
  c.imageHeight = 1, c.imageWidth = c.outWidth;
}

/// The sizes after layout: the pixels of a pointwise convolution are one row.
static ConvSizes laidOut(ConvSizes c) {
  layPixelsInRow(c);
  return c.isSparse() ? c.ofGathered() : c;
}

/// The copied image of a convolution: with zeros around its rows, or, if it is
/// gathered, without the pixels that no tap reads.
static HalfImage halfImageOf(const ConvSizes &c) {
  HalfImage image;
  image.channels = c.perGroup * c.groups;
  image.images = c.mostImages();
  const int64_t height = c.height.fixed(), width = c.width.fixed();
  const int64_t outWidth = c.outWidth.fixed();
  image.rowStep = width * lanes, image.planeStep = height * image.rowStep;
  image.imageStep = c.depth * image.planeStep;
  image.blockStep = c.mostImages() * image.imageStep;
  image.pixelStep = lanes;
  if (c.isSparse()) {
    image.depth = c.outDepth, image.height = c.outHeight.fixed();
    image.width = outWidth;
    image.planeStep *= c.strideZ, image.rowStep *= c.strideY;
    image.pixelStep *= c.strideX;
    return image;
  }
  image.depth = c.depth, image.height = height, image.width = width;
  image.before = c.padLeft.fixed(), image.step = c.strideX;
  int64_t end = (outWidth - 1) * c.strideX + c.reach() + 1;
  image.after = std::max<int64_t>(end - image.before - width, 0);
  return image;
}

static ProductSizes productOf(const ConvSizes &sizes) {
  ConvSizes c = laidOut(sizes);
  ProductSizes p;
  p.line = c.outWidth.fixed();
  p.lines = c.mostImages() * c.outDepth * c.outHeight.fixed();
  p.inner = c.perGroup, p.taps = c.planes * c.rows * c.taps;
  p.columns = c.channels;
  p.copied = c.mostImages() * c.pixels().fixed() * c.perGroup * c.groups;
  // The factor of products that Winograd's algorithm usually saves.
  if (c.rows == 3 && c.taps == 3 && c.strideY == c.strideX && c.strideX <= 2 &&
      c.groups == 1)
    p.saved = c.strideX == 1 ? 2 : 1.5;
  p.image = halfImageOf(sizes);
  return p;
}

static WeightForm formOf(const CodeModule &module, const ConvSizes &c) {
  // Separable convolutions suffer most from rounding.
  // Other forms have copies of the images, of fixed sizes.
  if (c.lanesIn != lanes || (module.separable && !module.halfFactors) ||
      !c.images.isFixed() || !c.isFixed())
    return WeightForm::F32;
  WeightForm form = cpu::formOf(module, productOf(c));
  // A pixel of tiles has 32 channels, which must belong to one group.
  bool fills = c.groups == 1 || c.perGroup % (2 * lanes) == 0;
  return isOfTiles(form) && !fills ? WeightForm::F32 : form;
}
WeightForm cpu::formOf(const CodeModule &module, const CpuConvCall &call) {
  // A filter that a run gives is packed as it is.
  return call.filter.known() ? ::formOf(module, sizesOf(call))
                             : WeightForm::F32;
}

static NativeStep emitByTiles(CodeModule &module, const CpuConvCall &call,
                              const ConvSizes &sizes, WeightForm form,
                              const Epilogue &epilogue, const Twine &name) {
  HalfImage image = halfImageOf(sizes);
  ConvSizes c = laidOut(sizes);
  c.form = form;
  c.channelsIn = c.perGroup, c.perGroup = pairsOfTiles(c.perGroup);
  c.width = c.width + (image.before + image.after), c.padLeft = 0;
  NativeStep step = emitDirect(module, ConvOperands(call), c, epilogue, name);
  pairFirst(module, call.in, image, form, name, step);
  step.choice = choiceOfTiles(form, productOf(sizes), "cnhw32c");
  step.work = workOfTiles(module.target, form, productOf(sizes));
  return step;
}

NativeStep cpu::emitDirect(CodeModule &module, const CpuConvCall &call,
                           const Twine &name) {
  ConvOperands operands(call);
  Epilogue epilogue =
      epilogueOf(call, convolvedShape(call), 0, /*blocked=*/true);
  ConvSizes sizes = sizesOf(call);
  WeightForm form = cpu::formOf(module, call);
  if (isOfTiles(form))
    return emitByTiles(module, call, sizes, form, epilogue, name);
  if (form == WeightForm::F32) {
    bool gathers =
        sizes.isSparse() && module.hasPlaceFor(bytesOfGathered(sizes), 0);
    // The gathered pixels come first in shared memory.
    const int64_t before =
        gathers && !call.filter.known() ? bytesOfGathered(sizes) / 4 : 0;
    NativeStep step = emitDirect(
        module, operands, sizes.isSparse() && !gathers ? sizes : laidOut(sizes),
        epilogue, name, before);
    if (gathers)
      gatherFirst(module, call.in, sizes, name, step);
    return step;
  }
  layPixelsInRow(sizes);
  sizes.form = form, sizes.lanesIn /= 2, sizes.perGroup /= 2;
  NativeStep step = emitDirect(module, operands, sizes, epilogue, name);
  roundFirst(module, call.in, name, step);
  return step;
}
