//===- Tile.cpp - sums of products kept in registers ----------------------===//
// SPDX-License-Identifier: MIT

#include "Tile.h"
#include "Float24.h"
#include "HalfTile.h"
#include "Key.h"
#include "TileFormula.h"
#include "TileFunction.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow::cpu;
using namespace llvm;

namespace glow::cpu {
static void addToKey(raw_ostream &os, const Epilogue &epilogue) {
  addToKey(os, epilogue.bias);
  for (BroadcastKind kind : epilogue.extras)
    os << "," << int(kind);
  os << "," << epilogue.formula.text();
}
} // namespace glow::cpu

std::string Tile::key() const {
  std::string text = "tile";
  raw_string_ostream os(text);
#define GLOW_TILE_PROPERTY(TYPE, NAME, DEFAULT) addToKey(os, NAME);
#include "Tile.def"
  return text;
}

int64_t glow::cpu::packedSize(WeightForm form, int64_t blocks) {
  if (form == WeightForm::F24)
    return size24(blocks);
  return (form == WeightForm::SplitTiles ? 2 : 1) * blocks * lanes;
}

/// The prefetch distance of weights in elements, into the second-level cache. A
/// weight that is used once an inference comes from memory. The hardware
/// prefetcher stops at each page, which costs a third of the time of layers at
/// low resolution.
static constexpr int64_t fetchAhead = (32 << 10) / 4;

/// The fewest pixels of a tile that prefetches. Narrower tiles reach their next
/// weights so soon that the processor has the most loads in flight anyway:
/// products of one row with weights in the third-level cache took 1.25 times as
/// long. An LSTM with a batch of 8 gained nothing.
static constexpr int64_t leastFetching = 6;

/// The most taps of a row that are unrolled, because they read the same pixels.
/// More taps are a loop.
static constexpr int64_t mostTapsApart = 64;

/// The number of taps that read disjoint sets of pixels.
static int64_t tapsApart(const Tile &tile) {
  return std::max<int64_t>(tile.inTap ? tile.inPixel / tile.inTap : 1, 1);
}

namespace {

using enum TileArgument;

/// Emits the body of one tile.
class TileEmitter {
public:
  TileEmitter(CodeModule &module, Function *function, const Tile &tile)
      : tile(tile), code(module, function),
        step(tile.weightStep ? tile.weightStep
                             : packedSize(tile.form, tile.blocks)) {}

  void emit() {
    fetchExtras();
    if (isOfTiles(tile.form)) {
      halves.emplace(code, tile, argument(Memory),
                     tile.form == WeightForm::SplitTiles ? argument(Rest)
                                                         : nullptr);
      halves->start(startValues(1));
      products({});
      halves->finish(
          [&](Value *x, ArrayRef<Value *> sums) { finishPixel(x, sums); });
      code.CreateRetVoid();
      return;
    }
    finish(products(startValues(tile.width)));
    code.CreateRetVoid();
  }

private:
  Emitter::Values products(Emitter::Values sums) {
    Value *in = argument(In), *weights = argument(Weights);
    if (tile.outer) {
      auto turn = [&](Value *o, Emitter::Values sums) {
        before =
            tile.difference || tile.next ? code.times(o, tile.count) : nullptr;
        return block(
            code.at(in, code.CreateNSWMul(o, argument(InOuter))),
            code.at(weights, code.CreateNSWMul(o, argument(WeightsOuter))),
            tile.count ? code.integer(tile.count) : nullptr, sums);
      };
      sums = code.loop(code.integer(0), argument(Outer), sums, turn);
    }
    if (tile.tail) {
      Value *o = tile.outer ? argument(Outer) : code.integer(0);
      sums =
          block(code.at(in, code.CreateNSWMul(o, argument(InOuter))),
                code.at(weights, code.CreateNSWMul(o, argument(WeightsOuter))),
                argument(Tail), sums);
    }
    return sums;
  }

  /// An argument, or element `i` of a list.
  Value *argument(TileArgument argument, size_t i = 0) {
    return code.function->getArg(indexOf(tile, argument) + unsigned(i));
  }
  int64_t lanesOf(int64_t block) const {
    return block + 1 == tile.blocks ? tile.lastLanes : lanes;
  }

  /// Prefetches the operands of the formula.
  void fetchExtras() {
    for (int64_t b = 0; tile.stream && b < tile.blocks; ++b) {
      Value *start = code.CreateNSWMul(argument(OutBlock), code.integer(b));
      for (int64_t x = 0; x < tile.width; ++x) {
        Value *place = code.add(start, code.integer(x * tile.outPixel));
        for (auto [i, kind] : enumerate(tile.epilogue.extras))
          if (kind == BroadcastKind::Elementwise)
            code.fetch(code.at(argument(Extras, i), place));
      }
    }
  }

  /// The initial sums of so many pixels.
  Emitter::Values startValues(int64_t width) {
    Emitter::Values sums(width * tile.blocks);
    for (int64_t b = 0; b < tile.blocks; ++b) {
      Value *start = ConstantAggregateZero::get(code.vector);
      if (tile.epilogue.bias)
        start = code.loadVector(code.at(argument(Bias), b * lanes), lanesOf(b));
      for (int64_t x = 0; x < width; ++x)
        sums[x * tile.blocks + b] = start;
    }
    for (unsigned s = 0; s < tile.starts; ++s)
      for (auto [i, sum] : enumerate(sums)) {
        Value *from = code.at(argument(Starts, s), i * lanes);
        sum = code.CreateFAdd(sum, code.loadVector(from));
      }
    return sums;
  }

  /// Adds one block of channels with all of its taps.
  Emitter::Values block(Value *in, Value *weights, Value *count,
                        Emitter::Values sums) {
    if (!tile.planeRows)
      return plane(in, weights, count, sums);
    Value *size = code.times(rowOfWeights(count), tile.planeRows);
    return code.loop(
        argument(FirstPlane), argument(EndPlane), sums,
        [&](Value *q, Emitter::Values sums) {
          return plane(code.at(in, code.CreateNSWMul(q, argument(InPlane))),
                       code.at(weights, code.CreateNSWMul(q, size)), count,
                       sums);
        },
        /*maybeNone=*/true);
  }

  Emitter::Values plane(Value *in, Value *weights, Value *count,
                        Emitter::Values sums) {
    if (!tile.rows)
      return row(in, weights, count, sums);
    Value *size = rowOfWeights(count);
    return code.loop(
        argument(FirstRow), argument(EndRow), sums,
        [&](Value *r, Emitter::Values sums) {
          return row(code.at(in, code.CreateNSWMul(r, argument(InRow))),
                     code.at(weights, code.CreateNSWMul(r, size)), count, sums);
        },
        /*maybeNone=*/true);
  }

  /// From a row of weights to the next: it has `count` channels of each tap.
  Value *rowOfWeights(Value *count) {
    return tile.weightRow ? code.integer(tile.weightRow)
                          : code.times(count, tile.taps * step);
  }

  Emitter::Values row(Value *in, Value *weights, Value *count,
                      Emitter::Values sums) {
    auto weightsOf = [&](Value *tap) {
      Value *size = code.CreateNSWMul(tap, count);
      return code.at(weights, code.times(size, step));
    };
    // A loop keeps the scheduler from hoisting the loads of all taps at once.
    if (tile.inside.empty() && tile.count == 1 && tile.taps > 1)
      return code.loop(code.integer(0), code.integer(tile.taps), sums,
                       [&](Value *s, Emitter::Values sums) {
                         return product(code.at(in, code.times(s, tile.inTap)),
                                        loadWeights(weightsOf(s)), 0,
                                        tile.width, sums);
                       });
    if (tile.inside.empty() && tile.taps > mostTapsApart && !halves)
      return code.loop(code.integer(0), code.integer(tile.taps), sums,
                       [&](Value *s, Emitter::Values sums) {
                         return channels(code.at(in, code.times(s, tile.inTap)),
                                         weightsOf(s), count, {0, tile.width},
                                         false, sums);
                       });
    for (int64_t s = 0; s < tile.taps; ++s) {
      int64_t from = tile.inside.empty() ? 0 : tile.inside[s].first;
      int64_t to = tile.inside.empty() ? tile.width : tile.inside[s].second;
      if (from >= to)
        continue;
      Value *tapIn = code.at(in, s * tile.inTap);
      Value *tapWeights = weightsOf(code.integer(s));
      if (halves) {
        halves->multiply(tapIn, tapWeights);
        continue;
      }
      if (tile.count == 1) {
        sums = product(tapIn, loadWeights(tapWeights), from, to, sums);
        continue;
      }
      sums = channels(tapIn, tapWeights, count, {from, to},
                      tile.ahead && s < tapsApart(tile), sums);
    }
    return sums;
  }

  /// Adds one tap with all of its channels, for the pixels `inside`.
  Emitter::Values channels(Value *in, Value *weights, Value *count,
                           std::pair<int64_t, int64_t> inside, bool ahead,
                           Emitter::Values sums) {
    return code.loop(
        code.integer(0), count, sums, [&](Value *c, Emitter::Values sums) {
          if (ahead)
            fetchPixels(in, c);
          Value *channel = before ? code.add(before, c) : c;
          if (tile.next)
            code.fetch(code.at(argument(Next), code.times(channel, lanes)),
                       /*level=*/2);
          Value *place = code.times(c, step);
          if (tile.form == WeightForm::F24)
            return product24(code.at(in, c), code.at(weights, place), sums);
          auto rows = loadWeights(code.at(weights, place));
          if (tile.difference)
            keepDifference(rows, code.times(channel, step));
          return product(code.at(in, code.times(c, tile.inStep)), rows,
                         inside.first, inside.second, sums);
        });
  }

  /// Prefetches later pixels. An iteration of the loop over channels prefetches
  /// every `count`th of them, from `first` on.
  void fetchPixels(Value *in, Value *first) {
    int64_t step = std::max(tile.inPixel, lanes);
    Value *pixel =
        code.at(code.at(in, argument(Ahead)), code.times(first, step));
    for (int64_t x = 0; x < tile.width; x += tile.count)
      code.fetch(code.at(pixel, x * step), /*level=*/2);
  }

  /// Loads the weights of one channel.
  Emitter::Values loadWeights(Value *weights) {
    Emitter::Values rows;
    bool fetches = tile.stream && tile.width >= leastFetching;
    for (int64_t b = 0; fetches && b < tile.blocks; ++b)
      code.fetch(code.at(weights, fetchAhead + b * lanes), /*level=*/2);
    for (int64_t b = 0; b < tile.blocks; ++b)
      rows.push_back(code.loadVector(code.at(weights, b * tile.weightBlock),
                                     tile.weightStep ? lanesOf(b) : lanes));
    return rows;
  }

  void keepDifference(Emitter::Values &rows, Value *place) {
    Value *minus = code.at(argument(Minus), place);
    Value *kept = code.at(argument(Kept), place);
    for (auto [b, row] : enumerate(rows)) {
      row = code.CreateFSub(row, code.loadVector(code.at(minus, b * lanes)));
      code.storeVector(row, code.at(kept, b * lanes));
    }
  }

  /// Adds a single channel of a tap to the sums.
  Emitter::Values product(Value *in, ArrayRef<Value *> rows, int64_t from,
                          int64_t to, Emitter::Values sums) {
    for (int64_t x = from; x < to; ++x) {
      Value *element =
          code.splat(code.loadElement(code.at(in, x * tile.inPixel)));
      for (int64_t b = 0; b < tile.blocks; ++b) {
        Value *&sum = sums[x * tile.blocks + b];
        sum = tile.form == WeightForm::Pairs
                  ? code.multiplyPairs(element, rows[b], sum)
                  : code.multiplyAdd(element, rows[b], sum);
      }
    }
    return sums;
  }

  /// The same for weights of 24 bits, for all pixels.
  Emitter::Values product24(Value *in, Value *weights, Emitter::Values sums) {
    Emitter::Values elements;
    for (int64_t x = 0; x < tile.width; ++x)
      elements.push_back(
          code.splat(code.loadElement(code.at(in, x * tile.inPixel))));
    auto multiply = [&](int64_t block, Value *row) {
      for (int64_t x = 0; x < tile.width; ++x) {
        Value *&sum = sums[x * tile.blocks + block];
        sum = code.multiplyAdd(elements[x], row, sum);
      }
    };
    int64_t b = 0;
    for (; b + blocks24 <= tile.blocks; b += blocks24)
      load24(code, code.at(weights, size24(b)),
             [&](int64_t i, Value *row) { multiply(b + i, row); });
    for (Value *rest = code.at(weights, size24(b) - b * lanes); b < tile.blocks;
         ++b)
      multiply(b, code.loadVector(code.at(rest, b * lanes)));
    return sums;
  }

  void finish(ArrayRef<Value *> sums) {
    for (int64_t b = 0; b < tile.blocks; ++b) {
      Value *start = code.CreateNSWMul(argument(OutBlock), code.integer(b));
      for (int64_t x = 0; x < tile.width; ++x)
        finishVector(code.add(start, code.integer(x * tile.outPixel)), b,
                     sums[x * tile.blocks + b]);
    }
  }
  /// The same for one pixel.
  void finishPixel(Value *x, ArrayRef<Value *> sums) {
    for (int64_t b = 0; b < tile.blocks; ++b) {
      Value *start = code.CreateNSWMul(argument(OutBlock), code.integer(b));
      finishVector(code.add(start, code.times(x, tile.outPixel)), b,
                   sums[size_t(b)]);
    }
  }
  void finishVector(Value *place, int64_t b, Value *sum) {
    SmallVector<Value *> operands = {sum};
    for (auto [i, kind] : enumerate(tile.epilogue.extras))
      operands.push_back(extra(argument(Extras, i), kind, place, b));
    Value *result = emitFormula(code, tile.epilogue.formula, operands);
    code.storeVector(result, code.at(argument(Out), place), lanesOf(b));
  }

  Value *extra(Value *pointer, BroadcastKind kind, Value *place, int64_t b) {
    if (kind == BroadcastKind::Scalar)
      return code.splat(code.loadElement(pointer));
    Value *from = kind == BroadcastKind::Elementwise
                      ? code.at(pointer, place)
                      : code.at(pointer, b * lanes);
    return code.loadVector(from, lanesOf(b));
  }

  const Tile &tile;
  Emitter code;
  int64_t step;
  Value *before = nullptr;        ///< channels of the blocks before, if needed
  std::optional<HalfTile> halves; ///< with forms of tiles
};

} // namespace

static Function *makeTile(CodeModule &module, const Tile &tile,
                          FunctionType *type) {
  return module.sharedFunction(
      tile.key(), llvm::to_vector(type->params()), [&](Function *function) {
        if (needsFormulaLoop(module, tile))
          return emitInParts(module, function, tile);
        // The result may overlay an operand of the formula, element by element,
        // but never an operand of the sum.
        for (TileArgument operand : {In, Weights, Bias})
          function->addParamAttr(indexOf(tile, operand), Attribute::NoAlias);
        TileEmitter(module, function, tile).emit();
      });
}

static FunctionCallee tileFunction(CodeModule &module, const Tile &tile) {
  LLVMContext &context = module.ir->getContext();
  llvm::Type *pointer = PointerType::get(context, 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(context);
  SmallVector<llvm::Type *> parameters;
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT)                       \
  parameters.append(size_t(COUNT), KIND);
#include "Tile.def"
  auto *type =
      FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  return {type, makeTile(module, tile, type)};
}

/// Appends an argument that the tile may lack; null stands for zero.
static void addArgument(SmallVectorImpl<Value *> &arguments, size_t count,
                        llvm::Type *type, Value *value) {
  if (count)
    arguments.push_back(value ? value : Constant::getNullValue(type));
}
static void addArgument(SmallVectorImpl<Value *> &arguments, size_t count,
                        llvm::Type *, const TileValues &values) {
  assert(values.size() == count && "as many tensors as the tile has");
  append_range(arguments, values);
}

void glow::cpu::emitTile(Emitter &code, const Tile &tile,
                         const TileCall &given) {
  FunctionCallee function = tileFunction(code.module, tile);
  TileCall call = given;
  if (isOfTiles(tile.form))
    call.memory = code.scratch();
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  SmallVector<Value *> arguments;
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT)                       \
  addArgument(arguments, size_t(COUNT), KIND, call.NAME);
#include "Tile.def"
  code.CreateCall(function, arguments);
}

double glow::cpu::tileCost(int64_t width, int64_t blocks) {
  // A sum has a latency of some 4 cycles, and two products start in a cycle. So
  // fewer than 9 of the w * b sums of a tile wait for each other. 0.6 is the
  // load of the weights.
  double waiting = 9.0 / double(blocks);
  return width ? std::max(double(width), waiting) + 0.6 : 0.0;
}

StepChoice glow::cpu::tileChoice(std::string algorithm, std::string layout,
                                 int64_t width, int64_t blocks) {
  return {std::move(algorithm),
          std::to_string(width) + "x" + std::to_string(blocks * lanes),
          std::move(layout)};
}

Work glow::cpu::tileWork(int64_t width, int64_t blocks, double products,
                         double results, const Formula &formula) {
  Work work;
  work.products = products * tileCost(width, blocks) / double(width);
  work.operations = results * (1 + operationsOf(formula));
  return work;
}

int64_t glow::cpu::choosePanel(const Target &target, int64_t blocks) {
  return std::min<int64_t>(target.vectorRegisters >= 32 ? 2 : 1, blocks);
}

void glow::cpu::anyPanel(Emitter &code, Value *kernel, int64_t blocks,
                         int64_t panel, function_ref<void(int64_t)> body) {
  const int64_t panels = (blocks + panel - 1) / panel;
  const int64_t last = blocks - (panels - 1) * panel;
  if (last == panel)
    return body(panel);
  Value *isLast = code.CreateICmpEQ(kernel, code.integer(panels - 1));
  code.when(isLast, [&] { body(last); });
  if (panels > 1)
    code.when(code.CreateNot(isLast), [&] { body(panel); });
}

int64_t glow::cpu::evenWidth(int64_t pixels, int64_t most) {
  int64_t count = (pixels + most - 1) / most;
  return (pixels + count - 1) / count;
}

int64_t glow::cpu::chooseWidth(const glow::cpu::Target &target, int64_t pixels,
                               int64_t blocks) {
  auto cost = [&](int64_t width) { return tileCost(width, blocks); };
  int64_t best = 1;
  double least = 1e300;
  for (int64_t width = 1; width <= pixels && target.fits(width, blocks);
       ++width) {
    double total = double(pixels / width) * cost(width) + cost(pixels % width);
    // Of equal times the widest tile is chosen, which makes fewer tiles.
    if (total <= least)
      least = total, best = width;
  }
  return best;
}

int64_t glow::cpu::chooseBand(int64_t productsOfUnit, int64_t units) {
  // 4 million products take some tens of microseconds: long compared with
  // claiming a chunk, and short compared with a step.
  return std::clamp<int64_t>(4000000 / std::max<int64_t>(productsOfUnit, 1), 1,
                             std::max<int64_t>(units, 1));
}

double glow::cpu::shareOfTwo(int64_t units, int64_t chunk) {
  const int64_t chunks = (units + chunk - 1) / chunk;
  return 2 * double(std::min((chunks + 1) / 2 * chunk, units)) / double(units);
}

int64_t glow::cpu::evenBand(int64_t band, int64_t units, int64_t others,
                            int64_t productsOfUnit) {
  constexpr int64_t few = 8, least = 1000000;
  const int64_t bands = (units + band - 1) / band;
  if (bands * others >= few || bands * others % 2 == 0 ||
      double(units) * double(others) * double(productsOfUnit) < least)
    return band;
  return (units + bands) / (bands + 1);
}
