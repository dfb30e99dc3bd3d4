//===- WinogradCost.cpp - when Winograd's algorithm is the fastest --------===//
// SPDX-License-Identifier: MIT

#include "Winograd.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;

PlaneRange cpu::planesInside(const WinogradSizes &w, int64_t z) {
  int64_t front = z - w.padFront;
  return {std::clamp<int64_t>(-front, 0, w.planes),
          std::clamp<int64_t>(w.depth - front, 0, w.planes)};
}
/// The same over all planes of the result.
static int64_t tapsInside(const WinogradSizes &w) {
  int64_t count = 0;
  for (int64_t z = 0; z < w.outDepth; ++z) {
    auto [first, end] = planesInside(w, z);
    count += end - first;
  }
  return count;
}

double cpu::productsOf(const WinogradSizes &w) {
  return double(w.points() * w.mostTiles() * tapsInside(w)) *
         double(w.inChannels * w.outBlocks());
}
double cpu::transformsOf(const WinogradSizes &w) {
  return double(w.points() * w.mostTiles()) *
         double(w.inBlocks() * w.depth + w.outBlocks() * w.outDepth);
}
double cpu::resultsOf(const WinogradSizes &w) {
  return double((w.images * w.outHeight * w.outWidth).range().high) *
         double(w.outDepth * w.outBlocks());
}

/// Cycles of a convolution. Sums of products run at 93 % of the peak rate.
/// Meanwhile weights are read from memory; several streams run at two thirds of
/// the rate of a single one.
static double costOf(const Processor &processor, double products,
                     double weights) {
  return std::max(products / lanes / (0.93 * processor.realProducts),
                  weights * 4 / (0.68 * processor.memory));
}
/// Cycles of a run that stand for the memory of a large filter in the form of
/// its kernel. Its pages are cleared, written and read when the program is
/// compiled, which counts as for a program of 16 runs.
static double costOfPages(const Processor &processor, double elements) {
  constexpr double moves = 3, runs = 16, large = 1 << 20;
  const double bytes = elements * 4;
  return bytes < large ? 0 : bytes * moves / runs / processor.memory;
}
static double costOfWinograd(const Processor &processor,
                             const WinogradSizes &w) {
  double weights =
      double(w.filterPoints() * w.inChannels * w.outBlocks() * lanes);
  double transforms = transformsOf(w);
  // The taps of a filter that a run gives are transposed, too.
  if (w.inRun)
    transforms += 1.5 * weights * double(w.planes) / lanes;
  double pages =
      w.inRun ? 0 : costOfPages(processor, weights * double(w.planes));
  return pages +
         costOf(processor, productsOf(w) * lanes, weights * double(w.planes)) +
         transforms * processor.transform;
}

/// The number of taps of a 3-tap window inside of the image, over all pixels of
/// a dimension.
static int64_t tapsInside(int64_t out, int64_t in, int64_t pad,
                          int64_t stride) {
  int64_t count = 0;
  for (int64_t x = 0; x < out; ++x)
    for (int64_t tap = 0; tap < 3; ++tap) {
      int64_t at = x * stride - pad + tap;
      count += at >= 0 && at < in;
    }
  return count;
}
static double costOfDirect(const Processor &processor, const WinogradSizes &w) {
  double matrix = double(w.inChannels * w.outBlocks() * lanes);
  auto most = [](const Length &size) { return size.range().high; };
  double taps = double(
      tapsInside(most(w.outHeight), most(w.height), most(w.padTop), w.stride) *
      tapsInside(most(w.outWidth), most(w.width), most(w.padLeft), w.stride));
  double weights = matrix * double(9 * w.planes);
  double pages = w.inRun ? 0 : costOfPages(processor, weights);
  return pages + costOf(processor,
                        matrix * taps * double(most(w.images) * tapsInside(w)),
                        weights);
}

/// The fewest tiles of a block: fewer have no time to prefetch weights.
static int64_t leastBlock(const WinogradSizes &w) {
  return (13 + w.depth) / w.depth;
}

/// The tiles of a block: all if they are few; else so many that V fits half of
/// the second-level cache.
static int64_t tilesOfBlock(const WinogradSizes &w) {
  int64_t tileBytes = w.points() * w.inChannels * w.depth * 4;
  int64_t most = std::max<int64_t>(
      cpu::Target::secondLevelCache / 2 / tileBytes, leastBlock(w));
  const int64_t tiles = w.mostTiles();
  if (tiles * w.depth <= 64)
    most = tiles;
  int64_t blocks = (tiles + most - 1) / most;
  blocks += blocks > 1 && blocks % 2; // an even number, for two threads
  return (tiles + blocks - 1) / blocks;
}

/// The blocks of a panel. Panels are the chunks of a single block of tiles: one
/// of two blocks, or three of them, would leave a second thread without work
/// for a time. Tiles of many pixels need no second block in registers.
static int64_t panelOf(const cpu::Target &target, const WinogradSizes &w) {
  const int64_t panel = choosePanel(target, w.outBlocks());
  auto cost = [&](int64_t panel) {
    const int64_t rows = w.outDepth * w.mostTiles();
    const int64_t width = chooseWidth(target, rows, panel);
    return (double(rows / width) * tileCost(width, panel) +
            tileCost(rows % width, panel)) *
           (1 + shareOfTwo(w.outBlocks(), panel));
  };
  return w.isOneBlock() && cost(1) < 0.95 * cost(panel) ? 1 : panel;
}

/// The cycles of one thread for `cost` cycles of products and transforms, of
/// which two threads share the chunks: the mean of it and of twice the cycles
/// of two threads.
static double costOfThreads(const WinogradSizes &w, double cost) {
  double share = w.isOneBlock() ? shareOfTwo(w.outBlocks(), w.panel)
                                : shareOfTwo(w.mostTiles(), w.blockTiles);
  return cost * (1 + share) / 2;
}

/// Chooses the tiles of a block: fewer if there is no space for the transforms
/// of more; false if there is none for the fewest, or for the filter.
static bool chooseBlock(const CodeModule &module, WinogradSizes &w) {
  for (w.blockTiles = tilesOfBlock(w);; w.blockTiles = (w.blockTiles + 1) / 2) {
    w.panel = panelOf(module.target, w);
    int64_t v = w.bytesOfV(), m = w.bytesOfM() + w.bytesOfU();
    if (w.isOneBlock()
            ? module.hasPlaceFor(v, m, w.grownBytes())
            : module.hasPlaceFor(w.sharedBytesOfU(), v + m, w.grownBytes()))
      return true;
    if (w.blockTiles < 2 * leastBlock(w))
      return false;
  }
}

std::optional<WinogradSizes> cpu::bestWinograd(const CodeModule &module,
                                               WinogradSizes w) {
  const Processor &processor = module.target.processor;
  double least = 0.9 * costOfDirect(processor, w);
  std::optional<WinogradSizes> best;
  for (int64_t size : {2, 4}) {
    if (size % w.poolRows || size % w.poolColumns)
      continue; // a pool would span several tiles
    w.size = size;
    double alone = costOfWinograd(processor, w);
    if (alone >= least || !chooseBlock(module, w))
      continue;
    if (double cost = costOfThreads(w, alone); cost < least)
      least = cost, best = w;
  }
  return best;
}
