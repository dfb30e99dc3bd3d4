//===- PackInRun.cpp - filters of a run packed for convolutions -----------===//
// SPDX-License-Identifier: MIT
//
// A weight in training changes from run to run, so that its filter is packed in
// each run, in the form of PackConv.cpp. A chunk is the part of a panel for one
// block of input channels. The filter's rows are read as they lie in memory,
// 16 output channels at a time, and transposed in registers. Packing takes half
// a cycle for an element, or one if only some taps of a row are packed.
//
//===----------------------------------------------------------------------===//

#include "ConvSizes.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/Shuffles.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Emits the phase that packs a filter to shared memory.
class FilterPacker {
public:
  FilterPacker(CodeModule &module, const Operand &filter, const ConvSizes &c,
               int64_t panel, int64_t before, const Twine &name)
      : c(c), filter(filter), panel(panel), before(before),
        panels((c.outBlocks() + panel - 1) / panel),
        window(c.planes * c.rows * c.taps),
        code(module, module.addStep(name + ".filter")) {}

  NativeStep::Phase emit() {
    const int64_t blocksIn = (c.perGroup + c.lanesIn - 1) / c.lanesIn;
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *kernel = code.CreateUDiv(chunk, code.integer(blocksIn));
                Value *block = code.CreateURem(chunk, code.integer(blocksIn));
                emitLast(kernel, panels - 1, [&](bool isLast) {
                  emitPanel(kernel, block, blocksIn, isLast);
                });
              });
    code.CreateRetVoid();
    return {code.function, panels * blocksIn};
  }

private:
  /// Calls `body` in one branch for the last of several parts, and in another
  /// one for the others.
  void emitLast(Value *part, int64_t last, function_ref<void(bool)> body) {
    if (last == 0)
      return body(true);
    Value *isLast = code.CreateICmpEQ(part, code.integer(last));
    code.when(isLast, [&] { body(true); });
    code.when(code.CreateNot(isLast), [&] { body(false); });
  }

  void emitPanel(Value *kernel, Value *block, int64_t blocksIn, bool isLast) {
    const int64_t blocks =
        isLast ? c.outBlocks() - (panels - 1) * panel : panel;
    const int64_t width = blocks * lanes;
    Value *from = code.at(code.buffer(filter), c.filter.first);
    from = code.at(from, code.times(kernel, panel * lanes * c.filter.out));
    from = code.at(from, code.times(block, c.lanesIn * c.filter.in));
    Value *to = code.at(code.buffer(filter.shared()), before);
    to = code.at(to, code.times(kernel, c.filterSize() * panel * lanes));
    to = code.at(to, code.times(block, c.lanesIn * window * width));
    const int64_t tail = c.perGroup % c.lanesIn;
    emitLast(block, tail ? blocksIn - 1 : 0, [&](bool isTail) {
      const int64_t channels = isTail && tail ? tail : c.lanesIn;
      for (int64_t b = 0; b < blocks; ++b) {
        const bool isEnd = isLast && b + 1 == blocks;
        const int64_t rows = isEnd ? (c.channels - 1) % lanes + 1 : lanes;
        emitBlock(code.at(from, b * lanes * c.filter.out),
                  code.at(to, b * lanes), rows, channels, width);
      }
    });
  }

  /// Packs `rows` output channels for so many input channels. A vector of the
  /// result is followed by the next after `width` elements.
  void emitBlock(Value *from, Value *to, int64_t rows, int64_t channels,
                 int64_t width) {
    // Input channels of a single tap lie side by side.
    if (window == 1 && c.filter.in == 1)
      return turn(from, to, rows, channels, 1, width);
    code.loop(code.integer(0), code.integer(channels), [&](Value *i) {
      Value *in =
          code.at(from, code.CreateNSWMul(i, code.integer(c.filter.in)));
      emitTaps(in, code.at(to, code.times(i, width)), rows, channels * width);
    });
  }

  /// Packs all taps of one input channel. From a tap to the next are `step`
  /// elements of the result.
  void emitTaps(Value *from, Value *to, int64_t rows, int64_t step) {
    // Output channels of a single tap lie side by side.
    if (window == 1 && c.filter.out == 1)
      return code.storeVector(code.loadVector(from, rows), to);
    const int64_t tap = c.filter.tap;
    if (std::abs(tap) == 1 && c.filter.row == tap * c.taps &&
        (c.planes == 1 || c.filter.plane == c.filter.row * c.rows))
      return turn(from, to, rows, window, tap, step);
    for (int64_t q = 0; q < c.planes; ++q)
      for (int64_t r = 0; r < c.rows; ++r)
        turn(code.at(from, q * c.filter.plane + r * c.filter.row),
             code.at(to, (q * c.rows + r) * c.taps * step), rows, c.taps, tap,
             step);
  }

  /// Transposes `count` elements of each row, which lie `every` apart, upwards
  /// or downwards, to vectors that lie `step` apart.
  void turn(Value *from, Value *to, int64_t rows, int64_t count, int64_t every,
            int64_t step) {
    const int64_t apart = std::abs(every);
    const int64_t most = std::max<int64_t>((lanes - 1) / apart + 1, 1);
    for (int64_t first = 0; first < count; first += most) {
      const int64_t part = std::min(most, count - first);
      // The element with the lowest address is the first or the last one.
      const int64_t lowest = every > 0 ? first : first + part - 1;
      Value *step64 = code.integer(every > 0 ? step : -step);
      code.CreateCall(rowsToVectors(code.module, rows, part, apart),
                      {code.at(from, lowest * every),
                       code.integer(c.filter.out), code.at(to, lowest * step),
                       step64});
    }
  }

  const ConvSizes &c;
  const Operand filter;
  const int64_t panel, before, panels, window;
  Emitter code;
};

} // namespace

void cpu::packOperands(CodeModule &module, const ConvOperands &operands,
                       const ConvSizes &c, int64_t panel, int64_t before,
                       const Twine &name, NativeStep &step) {
  if (operands.bias)
    step.packings.push_back(packBias(c.channels, *operands.bias));
  if (operands.filter.known()) {
    step.packings.push_back(packFilter(c, panel, operands.filter));
    return;
  }
  const int64_t elements = packedElements(c);
  if (!elements)
    return; // no tap reaches these pixels
  FilterPacker packer(module, operands.filter, c, panel, before, name);
  step.phases.insert(step.phases.begin(), packer.emit());
  step.sharedBytes = std::max(step.sharedBytes, (before + elements) * 4);
}
