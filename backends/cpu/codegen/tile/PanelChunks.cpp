//===- PanelChunks.cpp - work of a convolution for each thread ------------===//
// SPDX-License-Identifier: MIT

#include "PanelChunks.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

void PanelChunks::choosePanels(const Target &target, int64_t blocks,
                               int64_t groups) {
  int64_t blocksOfGroup = blocks / groups;
  panel = choosePanel(target, groups > 1 ? blocksOfGroup : blocks);
  // A panel must not extend into the next group, which has other input
  // channels.
  if (groups > 1 && blocksOfGroup % panel)
    panel = 1;
  panels = (blocks + panel - 1) / panel;
}

void PanelChunks::chooseBands(const Length &ofImage, int64_t productsOfUnit) {
  units = ofImage;
  band = chooseBand(productsOfUnit, units.range().high);
  // Threads share a small image, too.
  if (rowsFirst || !units.isFixed())
    band = lesser(band, quarterOf(units));
  else
    band = evenBand(band.fixed(), units.fixed(), panels, productsOfUnit);
  bands = quotient(units + band - 1, band);
}

void PanelChunks::emitChunk(Emitter &code, Value *chunk, int64_t blocks,
                            bool isAlike,
                            function_ref<void(const PanelChunk &)> body) const {
  Value *chunks = valueOf(code, perImage());
  Value *image = code.CreateUDiv(chunk, chunks);
  Value *rest = code.CreateURem(chunk, chunks);
  Value *inner = valueOf(code, rowsFirst ? Length(panels) : bands);
  Value *kernel = code.CreateUDiv(rest, inner);
  Value *part = code.CreateURem(rest, inner);
  if (rowsFirst)
    std::swap(kernel, part);
  Value *first = times(code, part, band);
  Value *end =
      code.smaller(code.add(first, valueOf(code, band)), valueOf(code, units));
  // A last panel of fewer blocks needs its own tiles. The panel of a chunk is
  // known only at run time.
  int64_t last = blocks - (panels - 1) * panel;
  if (last == panel && isAlike)
    return body({image, kernel, first, end, panel, false});
  Value *isLast = code.CreateICmpEQ(kernel, code.integer(panels - 1));
  code.when(isLast, [&] { body({image, kernel, first, end, last, true}); });
  if (panels > 1)
    code.when(code.CreateNot(isLast),
              [&] { body({image, kernel, first, end, panel, false}); });
}
