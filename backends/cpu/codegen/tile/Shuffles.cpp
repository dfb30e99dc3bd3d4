//===- Shuffles.cpp - lanes that move between vectors ---------------------===//
// SPDX-License-Identifier: MIT

#include "Shuffles.h"
#include "llvm/ADT/Sequence.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Exchanges lanes of two vectors, `step` lanes at a time: those of the second
/// half of `a` with those of the first half of `b`.
static std::pair<Value *, Value *> exchanged(Emitter &code, Value *a, Value *b,
                                             int64_t step) {
  const int64_t count = cast<FixedVectorType>(a->getType())->getNumElements();
  SmallVector<int> low, high;
  for (int64_t lane = 0; lane < count; ++lane) {
    low.push_back(int(lane & step ? count + lane - step : lane));
    high.push_back(int(lane & step ? count + lane : lane + step));
  }
  return {code.CreateShuffleVector(a, b, low),
          code.CreateShuffleVector(a, b, high)};
}

/// Transposes vectors that have as many lanes as there are vectors.
static void transpose(Emitter &code, MutableArrayRef<Value *> rows) {
  // A butterfly: each step exchanges halves of 8, 4, 2 and 1 lanes between rows
  // that are as many rows apart. For 16 rows it takes 4 x 16 shuffles of two
  // vectors.
  const auto count = int64_t(rows.size());
  for (int64_t step = count / 2; step; step /= 2)
    for (int64_t i = 0; i < count; ++i)
      if (!(i & step))
        std::tie(rows[i], rows[i + step]) =
            exchanged(code, rows[i], rows[i + step], step);
}

void cpu::transpose16(Emitter &code, MutableArrayRef<Value *> rows) {
  assert(rows.size() == size_t(lanes));
  transpose(code, rows);
}

/// A shared function of two addresses, each followed by its step.
static Function *movingFunction(CodeModule &module, const Twine &key,
                                function_ref<void(Emitter &)> make) {
  llvm::Type *pointer = PointerType::get(module.ir->getContext(), 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(module.ir->getContext());
  return module.sharedFunction(key.str(), {pointer, integer, pointer, integer},
                               [&](Function *function) {
                                 Emitter code(module, function);
                                 make(code);
                                 code.CreateRetVoid();
                               });
}

/// The address so many steps after the first or the second address.
static Value *stepped(Emitter &code, unsigned address, int64_t count) {
  return code.at(code.function->getArg(2 * address),
                 code.times(code.function->getArg(2 * address + 1), count));
}

/// Transposes what `load` returns for each number below `count`.
static Emitter::Values transposed(Emitter &code, int64_t count,
                                  function_ref<Value *(int64_t)> load) {
  Emitter::Values vectors;
  for (int64_t i = 0; i < lanes; ++i)
    vectors.push_back(i < count ? load(i)
                                : Constant::getNullValue(code.vector));
  transpose16(code, vectors);
  return vectors;
}

/// Transposes 16 by 16 elements by parts of 8 by 8, which stay in registers
/// where a vector of 16 takes two of them.
static void transposeParts(Emitter &code) {
  constexpr int64_t part = lanes / 2;
  llvm::Type *type = FixedVectorType::get(code.vector->getScalarType(), part);
  for (int64_t row = 0; row < lanes; row += part)
    for (int64_t place = 0; place < lanes; place += part) {
      Emitter::Values rows;
      for (int64_t i = 0; i < part; ++i)
        rows.push_back(code.CreateAlignedLoad(
            type, code.at(stepped(code, 0, row + i), place), Align(4)));
      transpose(code, rows);
      for (int64_t i = 0; i < part; ++i)
        code.CreateAlignedStore(rows[size_t(i)],
                                code.at(stepped(code, 1, place + i), row),
                                Align(4));
    }
}

Function *cpu::rowsToVectors(CodeModule &module, int64_t rows, int64_t count,
                             int64_t every) {
  std::string key = ("transpose." + Twine(rows) + "x" + Twine(count)).str();
  if (every > 1)
    key += "/" + std::to_string(every);
  return movingFunction(module, key, [&](Emitter &code) {
    if (rows == lanes && count == lanes && every == 1 &&
        module.target.vectorRegisters < 32)
      return transposeParts(code);
    auto vectors = transposed(code, rows, [&](int64_t row) {
      return code.loadVector(stepped(code, 0, row), (count - 1) * every + 1);
    });
    for (int64_t i = 0; i < count; ++i)
      code.storeVector(vectors[size_t(i * every)], stepped(code, 1, i));
  });
}

Function *cpu::vectorsToRows(CodeModule &module, int64_t rows, int64_t count) {
  std::string key =
      ("transpose.back." + Twine(rows) + "x" + Twine(count)).str();
  return movingFunction(module, key, [&](Emitter &code) {
    auto vectors = transposed(code, count, [&](int64_t i) {
      return code.loadVector(stepped(code, 0, i));
    });
    for (int64_t row = 0; row < rows; ++row)
      code.storeVector(vectors[size_t(row)], stepped(code, 1, row), count);
  });
}

Value *cpu::sumsOfLanes(Emitter &code, ArrayRef<Value *> vectors) {
  // The same butterfly, but what is exchanged is added.
  SmallVector<Value *> rows(vectors);
  int64_t step = lanes / 2;
  if (int64_t(cast<FixedVectorType>(rows[0]->getType())->getNumElements()) ==
      step) {
    // The first step would make these of whole vectors.
    auto both = to_vector(seq<int>(0, int(lanes)));
    for (int64_t i = 0; i < step; ++i)
      rows[i] = code.CreateShuffleVector(rows[i], rows[i + step], both);
    step /= 2;
  }
  for (; step; step /= 2)
    for (int64_t i = 0; i < step; ++i) {
      auto [low, high] = exchanged(code, rows[i], rows[i + step], step);
      rows[i] = code.CreateFAdd(low, high);
    }
  return rows[0];
}
