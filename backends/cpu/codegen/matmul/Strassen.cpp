//===- Strassen.cpp - products of matrices with fewer products ------------===//
// SPDX-License-Identifier: MIT
//
// One level of Winograd's form of Strassen's algorithm. The factors and the
// result are cut into quarters; seven products of quarters replace eight:
//
//   S1 = A21 + A22   T1 = B12 - B11   P1 = A11 B11   P5 = S1 T1
//   S2 = S1 - A11    T2 = B22 - T1    P2 = A12 B21   P6 = S2 T2
//   S3 = A11 - A21   T3 = B22 - B12   P3 = S4 B22    P7 = S3 T3
//   S4 = A12 - S2    T4 = B21 - T2    P4 = A22 T4
//
//   C11 = P1 + P2             C12 = P1 + P6 + P5 + P3
//   C21 = P1 + P6 + P7 + P4   C22 = P1 + P6 + P7 + P5
//
// N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, 23.1.
//
// A first phase writes the sums S of the rows. The right half of B's columns is
// every second panel, so that the quarters of a chunk, two panels and a band of
// rows, are contiguous in memory. The first tile of a band computes each T
// while it multiplies, which hides the cost: constants keep their size. Chunks
// are ordered by bands, then by panels: a thread keeps its rows and their sums
// in its own cache, and reads panels, which are smaller and prefetched.
//
// The algorithm is used if it saves a twentieth: with 128 rows, from matrices
// of 256 x 192 on. BERT-base runs at 1.11 times the speed, GPT-2 at 1.12,
// ViT-small at 1.06. Packing sums of weights in advance would take 1.75 times
// the memory, and reading it gained no more. Prefetching 16 KiB ahead, as other
// products do, lost half of the gain; instead each tile prefetches its part of
// the next quarter.
//
// A pointwise convolution is such a product: its rows are the pixels of all
// images, and 16 channels of all rows are contiguous.
//
//===----------------------------------------------------------------------===//

#include "MatMul.h"
#include "codegen/conv/ConvTiles.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// The sizes of a product: rows by panels of so many blocks of columns.
struct StrassenSizes {
  int64_t rows, inner, panel;
  int64_t panels, full; // panels of all columns, and panels with all blocks
  int64_t width;        // rows of the tiles of a plain product
};

/// A cut of rows and columns into quarters.
struct Cut {
  int64_t width;       // rows of a tile
  int64_t tiles, band; // tiles of half of the rows, and of a chunk
  int64_t panels;      // pairs of panels
  // In multiplied vectors: the time of one thread, and the mean of it and of
  // twice that of two threads.
  double cost = 0, costOfThreads = 0;

  // Elements of one of the products of a chunk; bytes of all seven, with the
  // differences of weights, and of all sums.
  int64_t productSize(const StrassenSizes &p) const {
    return band * width * p.panel * lanes;
  }
  int64_t scratchBytes(const StrassenSizes &p) const {
    return (p.inner / 2 * p.panel * lanes + 7 * productSize(p)) * 4;
  }
  static int64_t sharedBytes(const StrassenSizes &p) {
    return p.rows * p.inner * 4;
  }

  int64_t halfRows() const { return tiles * width; }
  int64_t bands() const { return (tiles + band - 1) / band; }
};

enum Quarter { TopLeft, TopRight, BottomLeft, BottomRight };

/// The factors that are cut into halves, as they lie in memory.
class CutFactors {
public:
  virtual ~CutFactors() = default;
  virtual Emitter &emitter() = 0;
  virtual Operand rows() const = 0;
  /// Elements from a row to the next, and from 16 channels to the next.
  virtual int64_t rowStep() const = 0;
  virtual int64_t vectorStep() const = 0;
  /// A tile with the formula, its arguments at the first row of a panel, and
  /// its code `row` rows below.
  virtual Tile tileOf(int64_t width) const = 0;
  virtual TileCall panelAt(Value *panel) = 0;
  virtual void emitAt(const Tile &tile, const TileCall &call, Value *row) = 0;
  /// Restricts the sum of a tile to the first `channels` channels.
  virtual void sumOver(int64_t channels, TileCall &call) = 0;
};

class StrassenEmitter {
public:
  StrassenEmitter(CutFactors &factors, const StrassenSizes &sizes,
                  const Cut &cut)
      : factors(factors), code(factors.emitter()), sizes(sizes), cut(cut),
        half(sizes.inner / 2), panelWidth(sizes.panel * lanes) {}

  NativeStep emit() {
    NativeStep step;
    step.phases.push_back({emitSums(), cut.tiles});
    step.phases.push_back({code.function, cut.panels * cut.bands()});
    step.sharedBytes = Cut::sharedBytes(sizes);
    step.scratchBytes = cut.scratchBytes(sizes);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    return step;
  }

private:
  /// The offset of a quarter of the rows. The sums have the same layout, with
  /// S1 and S2 above S3 and S4.
  int64_t rowsOf(Quarter q) const {
    // Quarters are numbered row by row: q / 2 is upper or lower, q % 2 is left
    // or right.
    return q / 2 * cut.halfRows() * factors.rowStep() +
           q % 2 * (half / lanes) * factors.vectorStep();
  }
  Value *weightsOf(Quarter q) {
    // The left and right quarters are consecutive panels; upper and lower are
    // halves of a panel.
    int64_t place = q % 2 * sizes.inner + q / 2 * half;
    return code.at(left.weights, place * panelWidth);
  }

  /// Emits phase 1. A chunk is the rows of a tile in the upper half, with the
  /// corresponding rows of the lower half.
  Function *emitSums() {
    Emitter code(
        this->code.module,
        this->code.module.addStep(this->code.function->getName() + ".sums"));
    Value *in = code.buffer(factors.rows());
    Value *out = code.buffer(factors.rows().shared());
    Value *first = code.times(code.function->getArg(2), cut.width);
    Value *end = code.times(code.function->getArg(3), cut.width);
    auto rows = [&](function_ref<void(Value *)> body) {
      code.loop(first, end, body);
    };
    auto vectors = [&](function_ref<void(Value *)> body) {
      code.loop(code.integer(0), code.integer(half / lanes), body);
    };
    auto sum = [&](Value *row, Value *vector) {
      Value *place = code.add(code.times(row, factors.rowStep()),
                              code.times(vector, factors.vectorStep()));
      sumVectors(code, code.at(in, place), code.at(out, place));
    };
    // In the order of memory.
    if (factors.rowStep() < factors.vectorStep())
      vectors([&](Value *v) { rows([&](Value *row) { sum(row, v); }); });
    else
      rows([&](Value *row) { vectors([&](Value *v) { sum(row, v); }); });
    code.CreateRetVoid();
    return code.function;
  }

  void sumVectors(Emitter &code, Value *in, Value *out) const {
    auto load = [&](Quarter q) {
      return code.loadVector(code.at(in, rowsOf(q)));
    };
    auto store = [&](Value *sum, Quarter q) {
      code.storeVector(sum, code.at(out, rowsOf(q)));
    };
    Value *first = code.CreateFAdd(load(BottomLeft), load(BottomRight));
    Value *second = code.CreateFSub(first, load(TopLeft));
    store(first, TopLeft);
    store(second, TopRight);
    store(code.CreateFSub(load(TopLeft), load(BottomLeft)), BottomLeft);
    store(code.CreateFSub(load(TopRight), second), BottomRight);
  }

  /// Emits phase 2.
  void emitChunk(Value *chunk) {
    Value *pair = code.CreateURem(chunk, code.integer(cut.panels));
    Value *first =
        code.times(code.CreateUDiv(chunk, code.integer(cut.panels)), cut.band);
    Value *end = code.smaller(code.add(first, code.integer(cut.band)),
                              code.integer(cut.tiles));
    count = code.CreateSub(end, first);
    top = code.times(first, cut.width);
    left = factors.panelAt(code.times(pair, 2));
    right = factors.panelAt(code.add(code.times(pair, 2), code.integer(1)));
    emitProducts();
    if (int64_t done = 2 * cut.halfRows(); done < sizes.rows)
      code.when(code.CreateICmpEQ(end, code.integer(cut.tiles)), [&] {
        emitRest(left, done);
        emitRest(right, done);
      });
  }

  void emitProducts() {
    Value *rows = code.times(top, factors.rowStep());
    Value *a = code.at(code.buffer(factors.rows()), rows);
    Value *s = code.at(code.buffer(factors.rows().shared()), rows);
    Value *t = code.scratch();
    auto of = [&](Value *from, Quarter q) { return code.at(from, rowsOf(q)); };
    Value *b11 = weightsOf(TopLeft), *b12 = weightsOf(TopRight);
    Value *b21 = weightsOf(BottomLeft), *b22 = weightsOf(BottomRight);
    // In an order that needs one piece of scratch: T1 becomes T2 and then T4.
    // Only P7 uses T3, which overwrites it.
    multiply(1, of(a, TopLeft), b11);
    multiply(2, of(a, TopRight), b21);
    multiply(5, of(s, TopLeft), b12, b11);
    multiply(6, of(s, TopRight), b22, t);
    multiply(4, of(a, BottomRight), b21, t);
    multiply(7, of(s, BottomLeft), b22, b12);
    multiply(3, of(s, BottomRight), b22);
    code.loop(code.integer(0), code.times(count, cut.width), [&](Value *row) {
      finish(left, row, 0, {1, 2});
      finish(right, row, 0, {1, 6, 5, 3});
      finish(left, row, cut.halfRows(), {1, 6, 7, 4});
      finish(right, row, cut.halfRows(), {1, 6, 7, 5});
    });
  }

  /// P1 to P7 of the chunk.
  Value *product(int64_t number) {
    return code.at(code.scratch(),
                   half * panelWidth + (number - 1) * cut.productSize(sizes));
  }

  /// Computes product `number`: in * weights, or in * (weights - minus), whose
  /// second factor is stored in T.
  void multiply(int64_t number, Value *in, Value *weights,
                Value *minus = nullptr) {
    Tile tile = factors.tileOf(cut.width);
    TileCall call = left;
    factors.sumOver(half, call);
    tile.outPixel = panelWidth;
    tile.epilogue = {};
    tile.stream = false, tile.next = true;
    call.bias = nullptr, call.extras.clear();
    call.outBlock = code.integer(lanes);
    call.minus = minus, call.kept = code.scratch();
    // Each tile prefetches a part of the memory after the weights, but nothing
    // behind the next quarter: pages may end there (prefetchedBehind).
    Value *lastPart = code.integer(sizes.panel - 1);
    Value *next = code.at(weights, half * panelWidth);
    int64_t rowsOfTile = cut.width * factors.rowStep();
    call.ahead = code.integer(rowsOfTile);
    auto emitAt = [&](Value *index) {
      call.in = code.at(in, code.times(index, rowsOfTile));
      call.weights = weights;
      call.out =
          code.at(product(number), code.times(index, cut.width * panelWidth));
      call.next = code.at(
          next, code.times(code.smaller(index, lastPart), half * lanes));
      emitTile(code, tile, call);
    };
    // The first tile computes and stores the differences of weights; the others
    // read them.
    if (minus) {
      tile.difference = true;
      emitAt(code.integer(0));
      tile.difference = false;
      weights = call.kept;
    }
    code.loop(code.integer(minus ? 1 : 0), count, emitAt,
              /*maybeNone=*/minus != nullptr);
  }

  /// Applies the formula to a sum of products, in row `row` of the chunk. The
  /// tile has one row, since more gain nothing.
  void finish(TileCall call, Value *row, int64_t firstRow,
              ArrayRef<int64_t> numbers) {
    Tile tile = factors.tileOf(1);
    tile.outer = tile.tail = tile.stream = tile.ahead = false;
    tile.starts = int64_t(numbers.size());
    for (int64_t number : numbers)
      call.starts.push_back(
          code.at(product(number), code.times(row, panelWidth)));
    factors.emitAt(tile, call,
                   code.add(code.add(top, row), code.integer(firstRow)));
  }

  /// Emits the rows that are not cut.
  void emitRest(const TileCall &panel, int64_t first) {
    int64_t widest =
        chooseWidth(code.module.target, sizes.rows - first, sizes.panel);
    for (int64_t row = first; row < sizes.rows; row += widest)
      factors.emitAt(factors.tileOf(std::min(widest, sizes.rows - row)), panel,
                     code.integer(row));
  }

  CutFactors &factors;
  Emitter &code;
  const StrassenSizes &sizes;
  const Cut &cut;
  const int64_t half, panelWidth;
  // The current chunk: its panels, its first row, and the number of its tiles.
  TileCall left, right;
  Value *top = nullptr, *count = nullptr;
};

/// The factors of a product of matrices.
class MatrixFactors : public MatMulEmitter, public CutFactors {
public:
  MatrixFactors(CodeModule &module, const MatMulOperands &operands,
                const MatMulSizes &sizes, const Epilogue &epilogue,
                const Twine &name)
      : MatMulEmitter(module, operands, sizes, epilogue, name) {}
  using MatMulEmitter::packing;

  Emitter &emitter() override { return code; }
  Operand rows() const override { return operands.lhs; }
  int64_t rowStep() const override { return inner; }
  int64_t vectorStep() const override { return lanes; }
  Tile tileOf(int64_t width) const override {
    return MatMulEmitter::tileOf(width, /*last=*/false);
  }
  TileCall panelAt(Value *panel) override {
    return callAt(code.integer(0), panel);
  }
  void emitAt(const Tile &tile, const TileCall &call, Value *row) override {
    tileAt(tile, call, row);
  }
  void sumOver(int64_t channels, TileCall &call) override {
    call.tail = code.integer(channels);
  }
};

/// The factors of a pointwise convolution: pixels of a packed image of one row.
class PixelFactors : public ConvTiles, public CutFactors {
public:
  PixelFactors(CodeModule &module, const ConvOperands &operands,
               const ConvSizes &sizes, const Epilogue &epilogue,
               const Twine &name, int64_t panel, int64_t panels)
      : ConvTiles(module, operands, sizes, epilogue, name, /*weightsBefore=*/0),
        panel(panel), panels(panels) {}

  Emitter &emitter() override { return code; }
  Operand rows() const override { return operands.in; }
  int64_t rowStep() const override { return lanes; }
  int64_t vectorStep() const override { return inBlock().fixed(); }
  Tile tileOf(int64_t width) const override {
    return ConvTiles::tileOf(width, panel, /*lines=*/0);
  }
  TileCall panelAt(Value *kernel) override {
    return callAt(code.integer(0), kernel, panel, panels, panel);
  }
  void emitAt(const Tile &tile, const TileCall &call, Value *row) override {
    tileAt(tile, call, row);
  }
  void sumOver(int64_t channels, TileCall &call) override {
    call.outer = code.integer(channels / lanes);
  }

private:
  const int64_t panel, panels;
};

} // namespace

/// The cost of plain tiles, in multiplied vectors.
static double costOfTiles(const StrassenSizes &p, int64_t rows, int64_t panels,
                          int64_t width) {
  double tiles = double(rows / width) * tileCost(width, p.panel) +
                 tileCost(rows % width, p.panel);
  return tiles * double(panels * p.panel * p.inner);
}

/// Sets the costs of a cut.
///
/// Measured with AVX-512: storing the sums of a tile and loading others takes
/// the time of 3 steps. A tile that subtracts weights takes a fifth longer.
/// Summing 4 vectors of rows takes the time of 10 products.
static void setCosts(const StrassenSizes &p, Cut &cut) {
  double tile =
      double(p.inner / 2 + 3) * tileCost(cut.width, p.panel) * double(p.panel);
  double chunk = 7 * double(cut.tiles) + 4 * 0.2 * double(cut.bands());
  int64_t rest = p.rows - 2 * cut.halfRows();
  double products = double(cut.panels) * chunk * tile;
  cut.cost = products + double(cut.halfRows() * p.inner / 2 / lanes) * 10 +
             costOfTiles(p, rest, 2 * cut.panels, p.width) +
             costOfTiles(p, p.rows, p.panels - 2 * cut.panels, p.width);
  double waits = shareOfTwo(cut.panels * cut.bands()) - 1;
  cut.costOfThreads = cut.cost + products * waits / 2;
}

/// The fewest tiles of a chunk: fewer have no time to prefetch the next
/// weights.
static constexpr int64_t leastTiles = 3;

/// The best cut into tiles of `width`.
static Cut cutInto(const StrassenSizes &p, int64_t width) {
  Cut cut;
  cut.width = width;
  cut.tiles = p.rows / 2 / width;
  cut.panels = p.full / 2;
  int64_t products = 7 * p.inner / 2 * p.panel * lanes * width;
  int64_t band = std::max<int64_t>(chooseBand(products, cut.tiles), 4);
  int64_t bands = std::max<int64_t>(cut.tiles / band, 1);
  cut.band = (cut.tiles + bands - 1) / bands; // as even as can be
  if (int64_t even = evenBand(cut.band, cut.tiles, cut.panels, products);
      even >= leastTiles)
    cut.band = even;
  setCosts(p, cut);
  return cut;
}

/// The best cut that fits the arena, if it saves a twentieth. Chunks of a plain
/// product are so many that threads share them.
static std::optional<Cut> bestCut(const CodeModule &module,
                                  const StrassenSizes &p) {
  double least = 0.95 * costOfTiles(p, p.rows, p.panels, p.width);
  std::optional<Cut> best;
  for (int64_t width = 1; width <= p.width && 2 * width * leastTiles <= p.rows;
       ++width)
    if (Cut cut = cutInto(p, width);
        cut.costOfThreads < least &&
        module.hasPlaceFor(Cut::sharedBytes(p), cut.scratchBytes(p)))
      least = cut.costOfThreads, best = cut;
  return best;
}

static NativeStep emitCut(CutFactors &factors, const StrassenSizes &sizes,
                          const Cut &cut, std::string layout,
                          const Formula &formula) {
  NativeStep step = StrassenEmitter(factors, sizes, cut).emit();
  step.choice = tileChoice("", std::move(layout), cut.width, sizes.panel);
  step.work = Work();
  step.work->products = cut.cost;
  step.work->operations =
      double(sizes.rows * sizes.panels * sizes.panel) * operationsOf(formula);
  return step;
}

std::optional<NativeStep> cpu::emitStrassen(CodeModule &module,
                                            const calls::CpuMatMulCall &call,
                                            const Twine &name) {
  MatMulOperands operands(call);
  MatMulSizes product(module, operands);
  Epilogue epilogue = epilogueOf(call);
  if (module.math == Math::Strict || product.form != WeightForm::F32)
    return std::nullopt;
  StrassenSizes sizes{product.rows,
                      product.inner,
                      product.panel,
                      product.panels,
                      product.even() ? product.panels : product.panels - 1,
                      product.width};
  std::optional<Cut> cut = bestCut(module, sizes);
  if (!cut)
    return std::nullopt;
  MatrixFactors factors(module, operands, product, epilogue, name);
  NativeStep step = emitCut(factors, sizes, *cut, "packed", epilogue.formula);
  step.packings.push_back(factors.packing());
  if (int64_t done = 2 * cut->panels; done < sizes.panels) {
    NativeStep rest =
        emitPanels(module, operands, product, epilogue, name + ".rest", done);
    step.phases.append(rest.phases);
  }
  return step;
}

std::optional<NativeStep> cpu::emitStrassen(CodeModule &module,
                                            const calls::CpuConvCall &call,
                                            const Twine &name) {
  ConvSizes c = sizesOf(call);
  if (module.math == Math::Strict || formOf(module, call) != WeightForm::F32 ||
      !c.isPointwise())
    return std::nullopt;
  // A block has the pixels of all images contiguously.
  const int64_t pixels = (c.images * c.height * c.width).fixed();
  c.width = c.outWidth = c.imageWidth = pixels;
  c.images = 1;
  c.height = c.outHeight = c.imageHeight = 1;
  int64_t panel = choosePanel(module.target, c.outBlocks());
  int64_t panels = c.outBlocks() / panel;
  if (c.outBlocks() % (2 * panel))
    return std::nullopt;
  StrassenSizes sizes{pixels, c.perGroup,
                      panel,  panels,
                      panels, chooseWidth(module.target, pixels, panel)};
  std::optional<Cut> cut = bestCut(module, sizes);
  if (!cut)
    return std::nullopt;
  ConvOperands operands(call);
  Epilogue epilogue = epilogueOf(call, call.out.shape(), 0, /*blocked=*/true);
  PixelFactors factors(module, operands, c, epilogue, name, panel, panels);
  NativeStep step = emitCut(factors, sizes, *cut, "cnhw16c", epilogue.formula);
  step.packings.push_back(packFilter(c, panel, operands.filter));
  if (epilogue.bias)
    step.packings.push_back(packBias(c.channels, *operands.bias));
  return step;
}
