//===- MatMul.cpp - products of matrices ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is one product of the batch, one panel of columns, and a band of
// rows. A constant matrix is packed panel by panel, so that a tile reads one
// stream. Any other matrix is read in place, or a chunk copies its panel first,
// where rows of the matrix would compete for lines of the cache.
//
//===----------------------------------------------------------------------===//

#include "MatMul.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/tile/Float24.h"
#include "codegen/tile/HalfTile.h"
#include "glow/Base/Functions.h"
#include <numeric>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Whether tiles read a block of columns slowly in place: its vectors cross
/// lines of the cache, or its rows are so far apart that they compete for half
/// of the sets of a second-level cache (of 512 KB in eight ways).
static bool isReadBadly(int64_t columns, int64_t inner) {
  constexpr int64_t sets = 1024, ways = 8;
  if (columns % lanes)
    return true;
  return inner > sets / std::gcd(columns / lanes, sets) * ways / 2;
}

MatMulSizes::MatMulSizes(const CodeModule &module,
                         const MatMulOperands &operands) {
  const Target &target = module.target;
  Ints lhs = operands.lhs.shape(), out = operands.out.shape();
  inner = channels = lhs.back(), columns = out.back(),
  rows = out[out.size() - 2];
  openRows = operands.out.sizes()[out.size() - 2].length();
  for (size_t i = 0; i + 2 < out.size(); ++i)
    batch *= out[i];
  transposed = operands.transposed;
  packed = batch == 1 && operands.rhs.known() && !transposed;
  // Other forms of weights have forms of the first factor, of all rows.
  if (packed && openRows.isFixed())
    form = formOf(module, product());
  // A product of few rows is bound by memory.
  if (packed && (form == WeightForm::F32 || form == WeightForm::SplitTiles) &&
      usesFloat24(module, rows, inner, columns))
    form = WeightForm::F24;
  // From here on `inner` counts pairs, in tiles and packing alike.
  if (form == WeightForm::Pairs)
    inner /= 2;
  // Few rows leave registers for more columns. At most eight rows, because rows
  // a multiple of a page apart compete for the same cache lines.
  width = std::min<int64_t>(rows, target.vectorRegisters >= 32 ? 8 : 6);
  while (panel < 8 && target.fits(width, panel + 1))
    ++panel;
  if (form == WeightForm::F24)
    // Four blocks are packed together.
    panel = std::max(panel / blocks24 * blocks24, blocks24);
  if (openRows.isFixed()) {
    int64_t tiles = (rows + width - 1) / width;
    width = (rows + tiles - 1) / tiles; // as even as can be
  }
  int64_t blocks = (columns + lanes - 1) / lanes;
  if (isOfTiles(form)) {
    inner = pairsOfTiles(channels);
    width = linesOfTiles(rows), panel = std::min(blocks, halfTileBlocks);
  }
  panels = (blocks + panel - 1) / panel;
  lastPanel = blocks - (panels - 1) * panel;
  copied = !packed && !transposed && target.lanes > 1 && rows >= 4 * width &&
           isReadBadly(columns, inner) && module.hasPlaceFor(0, panelBytes());
}

TileCall MatMulEmitter::callAt(Value *product, Value *kernel) {
  TileCall call;
  Value *column = code.times(kernel, panel * lanes);
  bool isRounded = form == WeightForm::Pairs || isOfTiles(form);
  unsigned in = isRounded ? operands.lhs.shared() : unsigned(operands.lhs);
  call.in = code.at(code.buffer(in), code.times(product, rows * inner));
  if (writesPanel()) {
    call.weights = code.scratch();
  } else {
    Value *weights =
        packed ? code.times(kernel, packedSize(form, panel) * inner)
               : code.add(code.times(product, inner * columns), column);
    call.weights = code.at(code.buffer(operands.rhs), weights);
  }
  Value *out = code.add(code.times(product, rows * columns), column);
  call.out = code.at(code.buffer(0), out);
  call.outBlock = code.integer(lanes);
  call.tail = code.integer(inner);
  if (isOfTiles(form)) {
    call.outer = code.integer(inner / lanes);
    call.inOuter = code.integer(rows * lanes);
    call.rest = code.integer(rows * inner);
  }
  if (epilogue.bias)
    call.bias = code.at(code.buffer(*operands.bias), column);
  call.extras = extrasAt(code, operands.extras, epilogue, out, column);
  return call;
}

void MatMulEmitter::copyPanel(Value *product, Value *panelNumber, bool last) {
  const int64_t blocks = last ? lastPanel : panel;
  Value *from = code.at(code.buffer(operands.rhs),
                        code.add(code.times(product, inner * columns),
                                 code.times(panelNumber, panel * lanes)));
  code.loop(code.integer(0), code.integer(inner), [&](Value *k) {
    Value *row = code.at(from, code.times(k, columns));
    Value *to = code.at(code.scratch(), code.times(k, blocks * lanes));
    for (int64_t b = 0; b < blocks; ++b) {
      const bool isPart = last && b == blocks - 1 && columns % lanes;
      Value *values = code.loadVector(code.at(row, b * lanes),
                                      isPart ? columns % lanes : lanes);
      code.storeVector(values, code.at(to, b * lanes));
    }
  });
}

Tile MatMulEmitter::tileOf(int64_t width, bool last) const {
  Tile tile;
  tile.width = width;
  tile.blocks = last ? lastPanel : panel;
  tile.lastLanes = last && columns % lanes ? columns % lanes : lanes;
  tile.inPixel = rowStep(), tile.outPixel = columns;
  tile.lines = isOfTiles(form) ? this->width : 0;
  tile.outer = isOfTiles(form), tile.tail = !tile.outer;
  tile.count = tile.outer ? lanes : 0;
  // 0 is the panel's own width.
  tile.weightStep = packed || writesPanel() ? 0 : columns;
  tile.stream = packed;
  tile.form = form;
  tile.epilogue = epilogue;
  return tile;
}

void MatMulEmitter::tileAt(const Tile &tile, TileCall call, Value *row) {
  call.in = code.at(call.in, code.times(row, rowStep()));
  if (isOfTiles(form))
    call.weightsOuter = code.integer(lanes * packedSize(form, tile.blocks));
  Value *out = code.times(row, columns);
  call.out = code.at(call.out, out);
  for (auto [extra, kind] : zip(call.extras, epilogue.extras))
    if (kind == BroadcastKind::Elementwise)
      extra = code.at(extra, out);
  emitTile(code, tile, call);
}

/// Packs a channel; returns the address after it.
static float *packRow(WeightForm form, ArrayRef<float> row, float *to) {
  int64_t blocks = int64_t(row.size()) / lanes;
  if (form == WeightForm::F24)
    pack24(row.data(), blocks, to);
  else
    copy(row, to);
  return to + packedSize(form, blocks);
}

/// The same of pairs for tiles, panel by panel.
static float *packPanelOfTiles(const MatMulSizes &p, const float *from,
                               int64_t there, int64_t width, float *to) {
  std::vector<float> rows[2] = {std::vector<float>(size_t(width)),
                                std::vector<float>(size_t(width))};
  for (int64_t k = 0; k < p.inner; ++k) {
    // Channels i and 16 + i of 32.
    int64_t channel = k / lanes * 2 * lanes + k % lanes;
    for (std::vector<float> &row : rows) {
      if (channel < p.channels)
        std::copy_n(from + channel * p.columns, there, row.begin());
      else
        row.assign(row.size(), 0);
      channel += lanes;
    }
    packPair(p.form, rows[0], rows[1], to);
    to += packedSize(p.form, width / lanes);
  }
  return to;
}

/// See MatMulEmitter::packing.
static void packPanels(const MatMulSizes &p, const float *from, float *to) {
  bool pairs = p.form == WeightForm::Pairs;
  for (int64_t i = 0; i < p.panels; ++i) {
    int64_t first = i * p.panel * lanes;
    std::vector<float> row(size_t(i + 1 < p.panels ? p.panel : p.lastPanel) *
                           lanes);
    // Columns past the last stay 0: `row` is allocated once for all channels.
    int64_t there = std::min(int64_t(row.size()), p.columns - first);
    if (isOfTiles(p.form)) {
      to = packPanelOfTiles(p, from + first, there, int64_t(row.size()), to);
      continue;
    }
    for (int64_t k = 0; k < p.inner; ++k) {
      const float *at = from + (pairs ? 2 * k : k) * p.columns + first;
      for (int64_t c = 0; c < there; ++c)
        row[c] = pairs ? halvesOf(at[c], at[p.columns + c]) : at[c];
      to = packRow(p.form, row, to);
    }
  }
}

Packing MatMulEmitter::packing() const {
  const MatMulSizes &sizes = *this;
  int64_t size =
      (panels - 1) * packedSize(form, panel) + packedSize(form, lastPanel);
  return {operands.rhs, inner * size, [sizes](const float *from, float *to) {
            packPanels(sizes, from, to);
          }};
}

namespace {

class PanelEmitter : public MatMulEmitter {
public:
  PanelEmitter(CodeModule &module, const MatMulOperands &operands,
               const MatMulSizes &sizes, const Epilogue &epilogue,
               const Twine &name, int64_t firstPanel)
      : MatMulEmitter(module, operands, sizes, epilogue, name),
        firstPanel(firstPanel) {
    tilesOfRows = (rows + width - 1) / width;
    band = writesPanel() ? bandOfPanels() : bandOfRows();
    bands = (tilesOfRows + band - 1) / band;
  }

  NativeStep emit() {
    emitTileLines(code, form, width);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    emitTileRelease(code, form);
    code.CreateRetVoid();
    NativeStep step;
    int64_t done = panels - firstPanel;
    step.phases.push_back({code.function, batch * done * bands});
    emitMeasure(code, bandsInRun() * done);
    if (packed)
      step.packings.push_back(packing());
    if (writesPanel())
      step.scratchBytes = panelBytes();
    step.choice = tileChoice(variant(),
                             packed       ? "packed"
                             : transposed ? "transposed in a run"
                             : copied     ? "copied in a run"
                                          : "row-major",
                             width, panel);
    double results = double(batch * rows * ((done - 1) * panel + lastPanel));
    step.work = tileWork(width, panel, results * double(inner), results,
                         epilogue.formula);
    if (transposed) // 16 by 16 elements take 64 shuffles
      step.work->operations += double(batch * inner * columns) / lanes * 6;
    if (copied) // a load and a store
      step.work->operations += double(batch * inner * columns) / lanes * 2;
    if (form == WeightForm::Pairs)
      step.work->factors = Factors::Halves;
    if (form == WeightForm::Pairs)
      roundFirst(code.module, operands.lhs, code.function->getName(), step);
    if (isOfTiles(form))
      pairRowsFirst(step);
    return step;
  }

private:
  void pairRowsFirst(NativeStep &step) {
    pairFirst(code.module, operands.lhs, image(), form,
              code.function->getName(), step);
    step.scratchBytes = tileScratchBytes(code.module.target, form);
    step.choice = choiceOfTiles(form, product(), "packed");
    step.work = workOfTiles(code.module.target, form, product());
  }

  int64_t bandOfRows() const {
    const int64_t products = inner * panel * lanes * width;
    return evenBand(chooseBand(products, tilesOfRows), tilesOfRows,
                    batch * (panels - firstPanel), products);
  }
  /// The tiles of a band. Each band writes its panel again, so that few chunks
  /// have bands, and a band has at least 64 rows.
  int64_t bandOfPanels() const {
    constexpr int64_t chunks = 8, rowsOfBand = 64;
    int64_t most = (chunks + batch * panels - 1) / (batch * panels);
    int64_t count = std::clamp<int64_t>(rows / rowsOfBand, 1, most);
    return (tilesOfRows + count - 1) / count;
  }

  const char *variant() const {
    return form == WeightForm::Pairs ? "bf16"
           : form == WeightForm::F24 ? "24 bits"
                                     : "";
  }

  void emitChunk(Value *chunk) {
    Value *allBands = valueOf(code, bandsInRun());
    Value *band_ = code.CreateURem(chunk, allBands);
    Value *rest = code.CreateUDiv(chunk, allBands);
    Value *count = code.integer(panels - firstPanel);
    Value *kernel =
        code.add(code.CreateURem(rest, count), code.integer(firstPanel));
    Value *product = code.CreateUDiv(rest, count);
    Value *first = code.times(band_, band);
    Value *end = code.smaller(code.add(first, code.integer(band)),
                              valueOf(code, tilesInRun()));
    if (even())
      return emitPanel(product, kernel, first, end, false);
    Value *isLast = code.CreateICmpEQ(kernel, code.integer(panels - 1));
    code.when(isLast, [&] { emitPanel(product, kernel, first, end, true); });
    if (panels - firstPanel > 1)
      code.when(code.CreateNot(isLast),
                [&] { emitPanel(product, kernel, first, end, false); });
  }

  /// The tiles of rows in a run, and their bands.
  Length tilesInRun() const { return quotient(openRows + (width - 1), width); }
  Length bandsInRun() const {
    return greater(quotient(tilesInRun() + (band - 1), band), 1);
  }

  /// Emits whole tiles, and tiles of half as many rows, and so on, for the
  /// rest.
  void emitOpenPanel(const TileCall &call, Value *first, Value *end,
                     bool last) {
    Value *all = valueOf(code, openRows);
    Value *full = code.CreateUDiv(all, code.integer(width));
    code.loop(
        first, code.smaller(end, full),
        [&](Value *t) {
          tileAt(tileOf(width, last), call, code.times(t, width));
        },
        /*maybeNone=*/true);
    Value *rest = code.CreateURem(all, code.integer(width));
    Value *isMine =
        code.CreateAnd(code.CreateICmpEQ(end, valueOf(code, tilesInRun())),
                       code.CreateICmpNE(rest, code.integer(0)));
    code.when(isMine, [&] {
      overRest(code, code.times(full, width), rest, width,
               [&](Value *row, int64_t some) {
                 tileAt(tileOf(some, last), call, row);
               });
    });
  }

  void emitPanel(Value *product, Value *kernel, Value *first, Value *end,
                 bool last) {
    TileCall call = callAt(product, kernel);
    if (transposed)
      transposePanel(product, kernel, last);
    if (copied)
      copyPanel(product, kernel, last);
    if (!openRows.isFixed())
      return emitOpenPanel(call, first, end, last);
    int64_t full = rows / width, rest = rows % width;
    if (full)
      code.loop(
          first, code.smaller(end, code.integer(full)),
          [&](Value *t) {
            tileAt(tileOf(width, last), call, code.times(t, width));
          },
          /*maybeNone=*/true);
    if (rest)
      code.when(code.CreateICmpEQ(end, code.integer(tilesOfRows)), [&] {
        tileAt(tileOf(rest, last), call, code.integer(full * width));
      });
  }

  int64_t firstPanel;
  int64_t tilesOfRows, band, bands;
};

} // namespace

NativeStep cpu::emitPanels(CodeModule &module, const MatMulOperands &operands,
                           const MatMulSizes &sizes, const Epilogue &epilogue,
                           const Twine &name, int64_t firstPanel) {
  return PanelEmitter(module, operands, sizes, epilogue, name, firstPanel)
      .emit();
}

template <typename Call>
static NativeStep tilesOf(CodeModule &module, const Call &call,
                          const Twine &name) {
  MatMulOperands operands(call);
  return emitPanels(module, operands, MatMulSizes(module, operands),
                    epilogueOf(call), name, 0);
}
NativeStep cpu::emitMatMul(CodeModule &module, const calls::MatMulCall &call,
                           const Twine &name) {
  return tilesOf(module, call, name);
}
NativeStep cpu::emitMatMul(CodeModule &module, const calls::CpuMatMulCall &call,
                           const Twine &name) {
  return tilesOf(module, call, name);
}
NativeStep cpu::emitMatMul(CodeModule &module,
                           const calls::CpuMatMulTransposedCall &call,
                           const Twine &name) {
  return tilesOf(module, call, name);
}
