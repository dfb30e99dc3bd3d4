//===- TileFormula.cpp - long formulas behind tiles -----------------------===//
// SPDX-License-Identifier: MIT
//
// Unrolled for each of 28 sums, an error function is 600 instructions in every
// tile; all tiles of a program share the loop instead. The records of functions
// define the length of a formula (`operations`). A program unrolls a limited
// number of instructions first, for small networks: bert-toy, which takes 39
// us, ran at 0.85 of its speed with loops only.
//
//===----------------------------------------------------------------------===//

#include "TileFormula.h"
#include "TileFunction.h"

using namespace glow::cpu;
using namespace llvm;

/// The longest formula without a loop: storing and loading sums would take as
/// many instructions.
static constexpr unsigned longest = 6;
/// The most operations of longer formulas that a program unrolls. This unrolls
/// the formulas of a small network, whose tiles are so short that a loop would
/// cost time.
static constexpr int64_t mostWritten = 10000;

bool glow::cpu::needsFormulaLoop(CodeModule &module, const Tile &tile) {
  if (isOfTiles(tile.form))
    return false; // tiles have their own loop
  int64_t vectors = tile.width * tile.blocks;
  unsigned operations = operationsOf(tile.epilogue.formula);
  if (vectors == 1 || operations <= longest)
    return false;
  module.formulaOperations += vectors * operations;
  return module.formulaOperations > mostWritten;
}

namespace {

enum Argument : unsigned {
  Sums,
  Out,
  OutBlock,
  OutPixel,
  Width,
  Blocks,
  FirstExtra
};

/// Emits the loop over vectors of blocks, of which the last may not be full.
class FormulaLoopEmitter {
public:
  FormulaLoopEmitter(CodeModule &module, Function *function,
                     const Epilogue &epilogue, int64_t lastLanes)
      : epilogue(epilogue), code(module, function) {
    Value *blocks = argument(Blocks);
    if (lastLanes == lanes) {
      emitBlocks(code.integer(0), blocks, lanes);
    } else {
      Value *last = code.CreateNSWSub(blocks, code.integer(1));
      emitBlocks(code.integer(0), last, lanes);
      emitBlocks(last, blocks, lastLanes);
    }
    code.CreateRetVoid();
  }

private:
  Value *argument(unsigned index) { return code.function->getArg(index); }

  void emitBlocks(Value *from, Value *to, int64_t count) {
    code.loop(
        from, to,
        [&](Value *b) {
          Value *start = code.CreateNSWMul(b, argument(OutBlock));
          code.loop(code.integer(0), argument(Width), [&](Value *x) {
            Value *place =
                code.add(start, code.CreateNSWMul(x, argument(OutPixel)));
            emitVector(b, x, place, count);
          });
        },
        /*maybeNone=*/true);
  }

  void emitVector(Value *b, Value *x, Value *place, int64_t count) {
    // The layout in which the tile stores sums: [block][pixel][16].
    Value *row = code.CreateNSWMul(b, argument(Width));
    Value *sum = code.at(argument(Sums), code.times(code.add(row, x), lanes));
    SmallVector<Value *> operands = {code.loadVector(sum)};
    for (auto [i, kind] : enumerate(epilogue.extras)) {
      Value *from = argument(FirstExtra + unsigned(i));
      operands.push_back(
          kind == BroadcastKind::Scalar ? code.splat(code.loadElement(from))
          : kind == BroadcastKind::Elementwise
              ? code.loadVector(code.at(from, place), count)
              : code.loadVector(code.at(from, code.times(b, lanes)), count));
    }
    code.storeVector(emitFormula(code, epilogue.formula, operands),
                     code.at(argument(Out), place), count);
  }

  const Epilogue &epilogue;
  Emitter code;
};

} // namespace

static Function *loopFunction(CodeModule &module, const Tile &tile) {
  LLVMContext &context = module.ir->getContext();
  llvm::Type *pointer = PointerType::get(context, 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(context);
  SmallVector<llvm::Type *> parameters(FirstExtra, integer);
  parameters[Sums] = parameters[Out] = pointer;
  parameters.append(tile.epilogue.extras.size(), pointer);
  std::string key = "formula." + std::to_string(tile.lastLanes);
  for (BroadcastKind kind : tile.epilogue.extras)
    key += "," + std::to_string(int(kind));
  return module.sharedFunction(
      key + "," + tile.epilogue.formula.text(), parameters,
      [&](Function *function) {
        FormulaLoopEmitter(module, function, tile.epilogue, tile.lastLanes);
      });
}

static void readArgument(Function *function, unsigned index, size_t count,
                         Value *&member) {
  if (count)
    member = function->getArg(index);
}
static void readArgument(Function *function, unsigned index, size_t count,
                         TileValues &member) {
  for (size_t i = 0; i < count; ++i)
    member.push_back(function->getArg(index + unsigned(i)));
}

/// The arguments of a tile's function, in that function.
static TileCall argumentsOf(Function *function, const Tile &tile) {
  TileCall call;
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT)                       \
  readArgument(function, indexOf(tile, TileArgument::ROW), size_t(COUNT),      \
               call.NAME);
#include "Tile.def"
  return call;
}

void glow::cpu::emitInParts(CodeModule &module, Function *function,
                            const Tile &tile) {
  Emitter code(module, function);
  Value *sums = code.CreateAlloca(
      ArrayType::get(code.vector, uint64_t(tile.width * tile.blocks)));
  Tile plain = tile;
  // The same tile without a formula; it stores its sums contiguously on the
  // stack.
  plain.outPixel = lanes;
  plain.epilogue.formula = {}, plain.epilogue.extras.clear();
  TileCall own = argumentsOf(function, tile), call = own;
  call.out = sums, call.outBlock = code.integer(tile.width * lanes);
  call.extras.clear();
  emitTile(code, plain, call);
  SmallVector<Value *> arguments = {sums,
                                    own.out,
                                    own.outBlock,
                                    code.integer(tile.outPixel),
                                    code.integer(tile.width),
                                    code.integer(tile.blocks)};
  append_range(arguments, own.extras);
  code.CreateCall(loopFunction(module, tile), arguments);
  code.CreateRetVoid();
}
