//===- PanelChunks.cpp - work of a convolution for each thread ------------===//
// SPDX-License-Identifier: MIT

#include "PanelChunks.h"

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

void PanelChunks::emitChunk(Emitter &code, Value *chunk, int64_t blocks,
                            bool isAlike,
                            function_ref<void(const PanelChunk &)> body) const {
  Value *image = code.CreateUDiv(chunk, code.integer(perImage()));
  Value *rest = code.CreateURem(chunk, code.integer(perImage()));
  int64_t inner = rowsFirst ? panels : bands;
  Value *kernel = code.CreateUDiv(rest, code.integer(inner));
  Value *part = code.CreateURem(rest, code.integer(inner));
  if (rowsFirst)
    std::swap(kernel, part);
  Value *first = code.times(part, band);
  Value *end =
      code.smaller(code.add(first, code.integer(band)), code.integer(units));
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
