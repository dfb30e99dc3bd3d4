//===- Tile.cpp - LLVM IR of a product by shared memory -------------------===//
// SPDX-License-Identifier: MIT
//
// A block computes a tile of rows and lanes. For a few terms at a time, its
// threads copy the factors of all rows and of all lanes to shared memory, wait
// for each other, and multiply: each thread has 4 rows and 4 lanes in
// registers. How a factor is found in memory does not matter then: strides,
// borders and conversions are those of the copy. Factors beyond the ends of
// rows, lanes and terms are 0.
//
//===----------------------------------------------------------------------===//

#include "StatementCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cuda;
using namespace glow::loops;

/// Rows and lanes of a thread, and the threads along the lanes of a tile.
static constexpr int rowsOfThread = 4, lanesOfThread = 4, threadsOfLanes = 16;

/// Binds the indices of a term from its number.
void StatementCode::bindTerm(llvm::Value *number) {
  llvm::IRBuilder<> &builder = values.builder;
  for (unsigned index : llvm::reverse(plan.localTerms)) {
    if (index == plan.localTerms.front()) {
      values.bind(index, number);
      return;
    }
    llvm::Value *extent = values.number(program.extent(index));
    values.bind(index, builder.CreateURem(number, extent));
    number = builder.CreateUDiv(number, extent);
  }
}

/// Copies the factor of a row or a lane and of a term to its place in shared
/// memory; `first` is the first row or lane of the tile.
void StatementCode::copyFactor(Term factor, unsigned index, llvm::Value *first,
                               llvm::Value *term, llvm::Value *terms,
                               llvm::Value *to, llvm::Value *inTile) {
  llvm::IRBuilder<> &builder = values.builder;
  llvm::Value *value = values.variable(values.literal(0));
  llvm::Value *place = builder.CreateAdd(first, inTile);
  llvm::Value *isInside = builder.CreateAnd(
      builder.CreateICmpSLT(place, values.number(program.extent(index))),
      builder.CreateICmpSLT(term, terms));
  values.openIf(isInside, "inside");
  values.bind(index, place);
  bindTerm(term);
  std::vector<Term> conditions;
  for (Term tree : treesOf(factor))
    if (tree->op == Op::Load && tree->outside == Outside::Skips)
      for (Term one :
           conditionsOf(tree->operands, program.tensors[size_t(tree->integer)]))
        conditions.push_back(one);
  llvm::Value *holds = values.all(conditions);
  if (holds)
    values.openIf(holds, "inside");
  values.isGuarded = true;
  builder.CreateStore(values.get(factor), value);
  values.isGuarded = false;
  if (holds)
    values.close();
  values.close();
  for (unsigned bound : plan.localTerms)
    values.unbind(bound);
  values.unbind(index);
  builder.CreateStore(values.read(value), to);
}

void StatementCode::emitTile(llvm::Value *block, llvm::Value *thread) {
  llvm::IRBuilder<> &builder = values.builder;
  const unsigned row = plan.row->index, lane = plan.lanes->index;
  const int64_t rows = plan.row->size, lanes = plan.lanes->size,
                atOnce = plan.localSize;
  bindItems(block, plan.items);
  auto number = [&](int64_t value) {
    return builder.getInt32(uint32_t(value));
  };
  // The tile begins at these; the indices get their values below.
  llvm::Value *firstRow = builder.CreateMul(values.valueOf(row), number(rows)),
              *firstLane =
                  builder.CreateMul(values.valueOf(lane), number(lanes));
  values.unbind(row);
  values.unbind(lane);
  int64_t count = 1;
  for (unsigned index : plan.localTerms)
    count *= program.extent(index);
  llvm::Value *terms = values.number(count);
  // One more place a term, so that neighbouring rows are in other banks.
  const int64_t pitch = rows + 1;
  llvm::Value *rowFactors = values.shared("rows", atOnce * pitch),
              *laneFactors = values.shared("lanes", atOnce * lanes);
  auto placeIn = [&](llvm::Value *memory, llvm::Value *term, int64_t by,
                     llvm::Value *inTile) {
    llvm::Value *at =
        builder.CreateAdd(builder.CreateMul(term, number(by)), inTile);
    return builder.CreateGEP(builder.getFloatTy(), memory, at);
  };
  llvm::Value *x = builder.CreateURem(thread, number(threadsOfLanes)),
              *y = builder.CreateUDiv(thread, number(threadsOfLanes));
  llvm::Value *sums[rowsOfThread][lanesOfThread];
  for (auto &ofRow : sums)
    for (llvm::Value *&one : ofRow)
      one = values.variable(values.literal(0));

  llvm::Value *first = values.openLoop(number(0), terms, atOnce);
  values.wait();
  // Neighbouring threads read neighbouring terms of a row.
  llvm::Value *e = values.openLoop(thread, number(rows * atOnce), plan.group);
  llvm::Value *s = builder.CreateURem(e, number(atOnce)),
              *inTile = builder.CreateUDiv(e, number(atOnce));
  copyFactor(plan.rowFactor, row, firstRow, builder.CreateAdd(first, s), terms,
             placeIn(rowFactors, s, pitch, inTile), inTile);
  values.close();
  // Neighbouring threads read neighbouring lanes of a term.
  e = values.openLoop(thread, number(lanes * atOnce), plan.group);
  s = builder.CreateUDiv(e, number(lanes));
  inTile = builder.CreateURem(e, number(lanes));
  copyFactor(plan.laneFactor, lane, firstLane, builder.CreateAdd(first, s),
             terms, placeIn(laneFactors, s, lanes, inTile), inTile);
  values.close();
  values.wait();

  auto rowAt = [&](int i) {
    return builder.CreateAdd(builder.CreateMul(y, number(rowsOfThread)),
                             number(i));
  };
  auto laneAt = [&](int j) {
    return builder.CreateAdd(x, number(j * threadsOfLanes));
  };
  llvm::Type *real = builder.getFloatTy();
  s = values.openLoop(number(0), number(atOnce));
  llvm::Value *a[rowsOfThread], *b[lanesOfThread];
  for (int i = 0; i < rowsOfThread; ++i)
    a[i] = builder.CreateLoad(real, placeIn(rowFactors, s, pitch, rowAt(i)));
  for (int j = 0; j < lanesOfThread; ++j)
    b[j] = builder.CreateLoad(real, placeIn(laneFactors, s, lanes, laneAt(j)));
  for (int i = 0; i < rowsOfThread; ++i)
    for (int j = 0; j < lanesOfThread; ++j)
      builder.CreateStore(
          builder.CreateIntrinsic(llvm::Intrinsic::fma, {real},
                                  {a[i], b[j], values.read(sums[i][j])}),
          sums[i][j]);
  values.close();
  values.close();

  for (int i = 0; i < rowsOfThread; ++i)
    for (int j = 0; j < lanesOfThread; ++j) {
      llvm::Value *atRow = builder.CreateAdd(firstRow, rowAt(i)),
                  *atLane = builder.CreateAdd(firstLane, laneAt(j));
      values.openIf(
          builder.CreateAnd(
              builder.CreateICmpSLT(atRow, values.number(program.extent(row))),
              builder.CreateICmpSLT(atLane,
                                    values.number(program.extent(lane)))),
          "item");
      values.bind(row, atRow);
      values.bind(lane, atLane);
      values.store(statement().tensor, placeOf(), values.read(sums[i][j]),
                   program.computes);
      values.unbind(row);
      values.unbind(lane);
      values.close();
    }
  for (unsigned index : statement().indices)
    values.unbind(index);
}
