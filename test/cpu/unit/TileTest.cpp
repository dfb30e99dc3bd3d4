//===- TileTest.cpp - assembled tiles give the bits of compiled ones ------===//
// SPDX-License-Identifier: MIT

#include "codegen/tile/Float24.h"
#include "codegen/tile/TileFunction.h"
#include "compile/Image.h"
#include "quick/Quick.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

constexpr size_t room = 1 << 16; // elements of each operand
constexpr int64_t inOuter = 700, inRow = 190, rows = 3;

/// Tiles of all shapes, from a seed.
class Tiles {
public:
  explicit Tiles(const cpu::Target &target) : target(target) {}

  Tile next() {
    Tile tile;
    do
      tile.width = pick(1, 28), tile.blocks = pick(1, 6);
    while (!target.fits(unsigned(tile.width), unsigned(tile.blocks)));
    tile.lastLanes = one() ? lanes : pick(1, lanes);
    tile.inPixel = one() ? lanes : pick(1, 40);
    tile.outPixel = tile.blocks * lanes + pick(0, 3);
    tile.taps = pick(1, 4), tile.inTap = pick(1, 20);
    tile.count = one() ? lanes : one() ? 1 : 0;
    tile.outer = tile.count != 0;
    tile.tail = !tile.outer || (tile.count > 1 && one());
    tile.weightStep = one() ? 0 : tile.blocks * lanes + pick(0, 5);
    tile.rows = one(), tile.stream = one();
    tile.ahead = tile.count > 1 && one();
    if (tile.taps > 1 && one())
      for (int64_t s = 0; s < tile.taps; ++s) {
        int64_t from = pick(0, tile.width);
        tile.inside.push_back({from, pick(from, tile.width)});
      }
    tile.epilogue = epilogue();
    return tile;
  }

private:
  int64_t pick(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  }
  bool one() { return pick(0, 1) == 1; }

  Epilogue epilogue() {
    static const std::pair<const char *, std::vector<BroadcastKind>>
        formulas[] = {
            {"", {}},
            {"relu(x0)", {}},
            {"clip(x0, -0.5, 6)", {}},
            {"add(x0, x1)", {BroadcastKind::Elementwise}},
            {"add(x0, x1); relu(t0)", {BroadcastKind::Elementwise}},
            {"mul(x0, x1)", {BroadcastKind::PerChannel}},
            {"sub(x1, x0); mul(t0, x2); clip(t1, 0, 6)",
             {BroadcastKind::Scalar, BroadcastKind::PerChannel}},
            {"relu(x0); mul(t0, x0)", {}},
            {"mul(x0, x1); add(t0, x0)", {BroadcastKind::Elementwise}},
            {"sigmoid(x0); mul(t0, x0)", {}},
            {"add(x0, x1); tanh(t0); add(t1, x2)",
             {BroadcastKind::Elementwise, BroadcastKind::PerChannel}},
        };
    const auto &[text, extras] =
        formulas[size_t(pick(0, int64_t(std::size(formulas)) - 1))];
    Epilogue epilogue;
    epilogue.bias = one();
    epilogue.formula = *Formula::parse(text);
    epilogue.extras = extras;
    return epilogue;
  }

  const cpu::Target &target;
  std::mt19937 random{1};
};

/// A function of the operands of a tile: in, weights, bias, out, and extras.
void emitRun(CodeModule &module, const Tile &tile, const std::string &name) {
  llvm::Type *pointer = PointerType::get(module.ir->getContext(), 0);
  SmallVector<llvm::Type *> parameters(4 + tile.epilogue.extras.size(),
                                       pointer);
  Function *function = module.addFunction(name, parameters, /*internal=*/false);
  Emitter code(module, function);
  int64_t step = tile.weightStep ? tile.weightStep : tile.blocks * lanes;
  TileCall call;
  call.in = function->getArg(0), call.weights = function->getArg(1);
  call.bias = function->getArg(2), call.out = function->getArg(3);
  call.outBlock = code.integer(lanes);
  call.outer = code.integer(2), call.inOuter = code.integer(inOuter);
  call.weightsOuter = code.integer(rows * tile.taps * tile.count * step);
  call.firstRow = code.integer(1), call.endRow = code.integer(rows);
  call.inRow = code.integer(inRow), call.tail = code.integer(7);
  call.ahead = code.integer(tile.inPixel);
  for (size_t i = 0; i < tile.epilogue.extras.size(); ++i)
    call.extras.push_back(function->getArg(unsigned(4 + i)));
  emitTile(code, tile, call);
  code.CreateRetVoid();
}

/// The functions of all tiles, made by LLVM or by ourselves.
std::shared_ptr<const Image> load(const cpu::Target &target,
                                  ArrayRef<Tile> tiles, bool assembled) {
  LLVMContext context;
  CodeModule module(context, target);
  for (auto [i, tile] : enumerate(tiles))
    emitRun(module, tile, "run" + std::to_string(i));
  auto code = std::make_shared<MadeCode>();
  if (assembled) {
    EXPECT_TRUE(linkLibrary(module).ok());
    inlineLibrary(module);
    auto flat = quick::assemble(*module.ir, target);
    EXPECT_TRUE(flat) << "some tile is left to LLVM";
    if (flat)
      code->flat = std::move(*flat);
  } else {
    code->object = makeObject(module).take();
  }
  return Image::load(code).take();
}

struct Operands {
  std::vector<float> in, weights, bias, out, extra1, extra2;

  Operands() {
    std::mt19937 random(2);
    std::normal_distribution<float> normal;
    for (auto *list : {&in, &weights, &bias, &out, &extra1, &extra2})
      for (size_t i = 0; i < room; ++i)
        list->push_back(normal(random));
    in[40] = NAN, in[90] = -0.0f, in[200] = INFINITY;
  }

  void run(void *function, size_t extras) {
    auto *x = extra1.data(), *y = extra2.data();
    using P = float *;
    if (extras == 2)
      reinterpret_cast<void (*)(P, P, P, P, P, P)>(function)(
          in.data(), weights.data(), bias.data(), out.data(), x, y);
    else
      reinterpret_cast<void (*)(P, P, P, P, P)>(function)(
          in.data(), weights.data(), bias.data(), out.data(), x);
  }
};

GLOW_CALLS_MADE_CODE
void runBoth(const Tile &tile, void *assembled, void *compiled) {
  Operands first, second;
  first.run(assembled, tile.epilogue.extras.size());
  second.run(compiled, tile.epilogue.extras.size());
  for (size_t i = 0; i < room; ++i)
    ASSERT_TRUE(std::bit_cast<uint32_t>(first.out[i]) ==
                    std::bit_cast<uint32_t>(second.out[i]) ||
                (std::isnan(first.out[i]) && std::isnan(second.out[i])))
        << tile.key() << " at " << i << ": " << first.out[i] << ", not "
        << second.out[i];
}

void compare(const std::string &processor) {
  CodeOptions options;
  options.settings["cpu"] = processor;
  cpu::Target target = cpu::Target::create(options).take();
  if (!target.checkHost().ok())
    GTEST_SKIP() << "this is no " << processor;
  Tiles random(target);
  std::vector<Tile> tiles;
  for (int i = 0; i < 300; ++i)
    tiles.push_back(random.next());
  auto first = load(target, tiles, /*assembled=*/true);
  auto second = load(target, tiles, /*assembled=*/false);
  for (auto [i, tile] : enumerate(tiles)) {
    std::string name = "run" + std::to_string(i);
    ASSERT_TRUE(first->find(name)) << tile.key();
    runBoth(tile, first->find(name), second->find(name));
  }
}

TEST(Tile, AssembledForAvx512) { compare("x86-64-v4"); }
TEST(Tile, AssembledForAvx2) { compare("x86-64-v3"); }

TEST(Tile, ChunksOfTwoThreads) {
  EXPECT_EQ(shareOfTwo(1), 2);
  EXPECT_EQ(shareOfTwo(4), 1);
  EXPECT_EQ(shareOfTwo(2, 2), 2);
  EXPECT_DOUBLE_EQ(shareOfTwo(5, 2), 1.6); // 4 of 5 units
  EXPECT_EQ(evenBand(10, 30, 1, 1000000), 8) << "four chunks in place of three";
  EXPECT_EQ(evenBand(10, 30, 2, 1000000), 10) << "six chunks";
  EXPECT_EQ(evenBand(10, 90, 1, 1000000), 10) << "many chunks";
  EXPECT_EQ(evenBand(10, 30, 1, 1000), 10) << "few products";
}

} // namespace
