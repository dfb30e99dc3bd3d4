//===- ConvTranspose.cpp - transposed convolution of blocked images -------===//
// SPDX-License-Identifier: MIT
//
// Result pixels that lie a stride apart use the same taps of the filter: they
// are the result of a direct convolution with these taps. So each phase of the
// stride is a direct convolution.
//
//===----------------------------------------------------------------------===//

#include "ConvSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// The sizes along an axis of the convolution that computes every `step`th
/// pixel of a transposed convolution, from `phase` on.
struct PhaseSizes {
  int64_t count;   // number of pixels
  int64_t taps;    // filter taps that reach these pixels
  int64_t lastTap; // the tap that reads the first pixel: taps go backwards
  int64_t pad;
  PhaseSizes(int64_t phase, int64_t out, int64_t step, int64_t pad,
             int64_t filter) {
    // Result pixel p adds filter tap k times image pixel (p + pad - k) / step,
    // if that is an integer.
    int64_t first = (phase + pad) % step;
    count = (out - phase + step - 1) / step;
    taps = filter > first ? (filter - first + step - 1) / step : 0;
    lastTap = first + step * (taps - 1);
    this->pad = taps - 1 - (phase + pad - first) / step;
  }
};

ConvSizes cpu::phaseOf(const ConvSizes &whole, int64_t phaseY, int64_t phaseX) {
  ConvSizes c = whole;
  PhaseSizes y(phaseY, whole.imageHeight.fixed(), whole.strideY,
               whole.padTop.fixed(), whole.rows);
  PhaseSizes x(phaseX, whole.imageWidth.fixed(), whole.strideX,
               whole.padLeft.fixed(), whole.taps);
  c.rows = y.taps, c.taps = x.taps;
  c.outHeight = y.count, c.outWidth = x.count;
  c.padTop = y.pad, c.padLeft = x.pad;
  c.outStepY = whole.strideY, c.outStepX = whole.strideX;
  c.outFirst = phaseY * whole.imageWidth.fixed() + phaseX;
  c.strideY = c.strideX = 1;
  c.filter.first = y.lastTap * whole.taps + x.lastTap;
  // Taps go backwards: a larger tap reads an earlier pixel.
  c.filter.row = -whole.strideY * whole.taps;
  c.filter.tap = -whole.strideX;
  // If the stride is larger than the filter, no tap reaches the pixels of some
  // phases: these get the epilogue of the bias, by a loop of trip count 0.
  if (!c.rows || !c.taps)
    c.rows = 0, c.taps = 1, c.filter.first = 0;
  return c;
}

NativeStep cpu::emitConvTranspose(CodeModule &module,
                                  const calls::CpuConvTransposeCall &call,
                                  const Twine &name) {
  Epilogue epilogue = epilogueOf(call, call.out.shape(), 0, /*blocked=*/true);
  ConvSizes whole = sizesOf(call);
  NativeStep step;
  Work work;
  int64_t elements = 0;
  std::vector<Packing> parts;
  for (int64_t y = 0; y < whole.strideY; ++y)
    for (int64_t x = 0; x < whole.strideX; ++x) {
      ConvSizes c = phaseOf(whole, y, x);
      if (c.outHeight.fixed() <= 0 || c.outWidth.fixed() <= 0)
        continue;
      layPixelsInRow(c);
      NativeStep part =
          emitDirect(module, ConvOperands(call), c, epilogue,
                     name + "." + Twine(y) + "." + Twine(x), elements);
      step.phases.append(part.phases);
      step.choice = part.choice;
      step.sharedBytes = std::max(step.sharedBytes, part.sharedBytes);
      work += *part.work;
      elements += packedElements(c);
      for (Packing &packing : part.packings)
        if (packing.buffer == call.filter)
          parts.push_back(std::move(packing));
        else if (step.packings.empty())
          step.packings.push_back(std::move(packing));
    }
  step.work = work;
  // One constant holds the filters of all phases; the code of a phase has the
  // offset `weightsBefore`.
  if (call.filter.known())
    step.packings.push_back(
        {call.filter, elements, [parts](const float *from, float *to) {
           for (const Packing &part : parts) {
             part.write(from, to);
             to += part.elements;
           }
         }});
  return step;
}
