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
  SmallVector<int> low, high;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    low.push_back(int(lane & step ? lanes + lane - step : lane));
    high.push_back(int(lane & step ? lanes + lane : lane + step));
  }
  return {code.CreateShuffleVector(a, b, low),
          code.CreateShuffleVector(a, b, high)};
}

void cpu::transpose16(Emitter &code, MutableArrayRef<Value *> rows) {
  // A butterfly: each step exchanges halves of 8, 4, 2 and 1 lanes between rows
  // that are as many rows apart. It takes 4 x 16 shuffles of two vectors.
  for (int64_t step = lanes / 2; step; step /= 2)
    for (int64_t i = 0; i < lanes; ++i)
      if (!(i & step))
        std::tie(rows[i], rows[i + step]) =
            exchanged(code, rows[i], rows[i + step], step);
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

Function *cpu::rowsToVectors(CodeModule &module, int64_t rows, int64_t count,
                             int64_t every) {
  std::string key = ("transpose." + Twine(rows) + "x" + Twine(count)).str();
  if (every > 1)
    key += "/" + std::to_string(every);
  return movingFunction(module, key, [&](Emitter &code) {
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
