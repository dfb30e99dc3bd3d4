//===- SparseMatMul.cpp - a vector of many zeros, times a matrix ----------===//
// SPDX-License-Identifier: MIT
//
// A Relu makes about half of a vector zero. Only rows of the matrix that belong
// to nonzero numbers are read, two at a time, while rows after the next two are
// prefetched: reading the matrix takes most of the time. A row is contiguous,
// with all of its columns, since a processor reads pieces of a few lines at
// half the speed.
//
// A chunk is a range of rows, with sums of its own. The total of all chunks is
// then a product, too: of ones with the matrix of the sums.
//
// Measured zeros after a Relu: 43 % before the first product of VGG-19, and
// 50 % in the MLP, both with the random weights of the benchmark. Panels of 8
// vectors with every other row left out took 1.3 times as long as all rows
// (25088 x 4096). Pairs of whole rows take 0.8 of that time, and 0.65 with two
// threads. A small matrix stays in the second-level cache, where nothing is
// gained (512 x 256 took 1.4 times as long with two threads). With pairs of
// bf16 the MLP is as fast with all of its zeros.
//
//===----------------------------------------------------------------------===//

#include "MatMul.h"
#include "codegen/tile/Float24.h"
#include <cmath>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

constexpr int64_t rowsAtOnce = 2, rowsAhead = 4;
/// Padding of the index list: indices of the zero row fill the last iteration,
/// and are prefetched in it.
constexpr int64_t placesBehind = rowsAtOnce + rowsAhead;
constexpr int64_t mostChunks = 16;
constexpr int64_t chunkWeights = 256 << 10; // some microseconds

/// The packed matrix: its rows, a row of zeros, and a vector. The vector is 0,
/// or NaN if not all weights are finite: then products with 0 count, too.
struct SparseSizes {
  explicit SparseSizes(const MatMulSizes &p)
      : form(p.form), rows(p.inner), columns(p.columns),
        blocks((p.columns + lanes - 1) / lanes),
        row(packedSize(p.form, blocks)),
        chunks(
            std::clamp<int64_t>(rows * columns / chunkWeights, 1, mostChunks)),
        chunkRows((rows + chunks - 1) / chunks) {}

  int64_t finite() const { return (rows + 1) * row; } ///< offset of the vector
  int64_t elements() const { return finite() + lanes; }
  /// Bytes of the sums of all chunks, and of the rows of one.
  int64_t sharedBytes() const {
    return (mostChunks + chunks * blocks * lanes) * 4;
  }
  int64_t scratchBytes() const { return 2 * (chunkRows + placesBehind) * 4; }

  WeightForm form;
  int64_t rows, columns, blocks;
  int64_t row; ///< elements of a packed row
  int64_t chunks, chunkRows;
};

/// See SparseSizes.
void packRows(const SparseSizes &s, const float *from, float *to) {
  std::vector<float> row(size_t(s.blocks * lanes));
  bool finite = true;
  for (int64_t k = 0; k < s.rows; ++k, from += s.columns, to += s.row) {
    std::copy_n(from, s.columns, row.begin());
    finite &= all_of(row, [](float weight) { return std::isfinite(weight); });
    if (s.form == WeightForm::F24)
      pack24(row.data(), s.blocks, to);
    else
      std::copy(row.begin(), row.end(), to);
  }
  std::fill_n(to, s.row, 0.0f);
  std::fill_n(to + s.row, lanes, finite ? 0.0f : NAN);
}

/// Emits the one function of a form that adds rows, whatever their length.
class SparseRowsEmitter {
public:
  enum Argument : unsigned {
    Weights, ///< the first row
    Places,  ///< indices of the rows to add, i32
    Numbers, ///< factors of the rows, f32
    Sums,
    Turns, ///< of rowsAtOnce rows each
    Row,   ///< from a row to the next
    Groups,
    Rest, ///< blocks after the groups
    Arguments
  };

  static Function *get(CodeModule &module, WeightForm form) {
    LLVMContext &context = module.ir->getContext();
    SmallVector<llvm::Type *> parameters(Arguments,
                                         llvm::Type::getInt64Ty(context));
    for (unsigned index : {Weights, Places, Numbers, Sums})
      parameters[index] = PointerType::get(context, 0);
    auto make = [&](Function *function) {
      for (unsigned index : {Weights, Places, Numbers, Sums})
        function->addParamAttr(index, Attribute::NoAlias);
      SparseRowsEmitter(module, function, form).emit();
    };
    return module.sharedFunction(form == WeightForm::F24 ? "sparse.rows.24"
                                                         : "sparse.rows",
                                 parameters, make);
  }

private:
  SparseRowsEmitter(CodeModule &module, Function *function, WeightForm form)
      : form(form), group(form == WeightForm::F24 ? blocks24 : 1),
        code(module, function) {}

  void emit() {
    code.loop(
        code.integer(0), argument(Turns),
        [&](Value *turn) { addRows(code.times(turn, rowsAtOnce)); },
        /*maybeNone=*/true);
    code.CreateRetVoid();
  }

  Value *argument(unsigned index) { return code.function->getArg(index); }

  Value *rowAt(Value *index) {
    Value *place = code.CreateAlignedLoad(
        code.getInt32Ty(), code.at(argument(Places), index), Align(4));
    place = code.CreateZExt(place, code.getInt64Ty());
    return code.at(argument(Weights), code.CreateNSWMul(place, argument(Row)));
  }

  /// Adds rows, and prefetches later ones.
  void addRows(Value *first) {
    for (int64_t i = 0; i < rowsAtOnce; ++i) {
      Value *index = code.add(first, code.integer(i));
      rows[i] = rowAt(index);
      next[i] = rowAt(code.add(index, code.integer(rowsAhead)));
      elements[i] =
          code.splat(code.loadElement(code.at(argument(Numbers), index)));
    }
    int64_t size = packedSize(form, group);
    code.loop(
        code.integer(0), argument(Groups),
        [&](Value *g) {
          addBlocks(code.times(g, size), code.times(g, group * lanes), group);
        },
        /*maybeNone=*/true);
    if (group == 1)
      return;
    Value *place = code.times(argument(Groups), size);
    Value *sum = code.times(argument(Groups), group * lanes);
    code.loop(
        code.integer(0), argument(Rest),
        [&](Value *b) {
          Value *offset = code.times(b, lanes);
          addBlocks(code.add(place, offset), code.add(sum, offset), 1);
        },
        /*maybeNone=*/true);
  }

  /// Adds a group, or a single block, of the rows.
  void addBlocks(Value *place, Value *sum, int64_t blocks) {
    Value *to = code.at(argument(Sums), sum);
    Emitter::Values sums;
    for (int64_t b = 0; b < blocks; ++b)
      sums.push_back(code.loadVector(code.at(to, b * lanes)));
    for (int64_t i = 0; i < rowsAtOnce; ++i) {
      for (int64_t at = 0; at < packedSize(form, blocks); at += lanes)
        code.fetch(code.at(code.at(next[i], place), at), /*level=*/2);
      Value *row = code.at(rows[i], place);
      auto add = [&](int64_t b, Value *part) {
        sums[b] = code.multiplyAdd(elements[i], part, sums[b]);
      };
      if (blocks == 1)
        add(0, code.loadVector(row));
      else
        load24(code, row, add);
    }
    for (auto [b, value] : enumerate(sums))
      code.storeVector(value, code.at(to, int64_t(b) * lanes));
  }

  const WeightForm form;
  const int64_t group; ///< blocks that are packed together
  Emitter code;
  std::array<Value *, rowsAtOnce> rows, next, elements;
};

/// Emits phase 1, the sums of chunks. Shared memory has a 1 for each chunk, and
/// its sums. A thread's scratch has the indices of a chunk's rows, and their
/// factors.
class ChunkEmitter {
public:
  ChunkEmitter(CodeModule &module, const MatMulOperands &operands,
               const SparseSizes &s, const Twine &name)
      : operands(operands), s(s), code(module, module.addStep(name)) {}

  Function *emit() {
    weights = code.buffer(operands.rhs);
    places = code.scratch();
    numbers = code.at(places, s.chunkRows + placesBehind);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    return code.function;
  }

private:
  void emitChunk(Value *chunk) {
    Value *shared = code.buffer(operands.lhs.shared());
    code.CreateAlignedStore(ConstantFP::get(code.getFloatTy(), 1),
                            code.at(shared, chunk), Align(4));
    Value *first = code.times(chunk, s.chunkRows);
    Value *end = code.smaller(code.add(first, code.integer(s.chunkRows)),
                              code.integer(s.rows));
    Value *count = findPlaces(first, end);
    Value *sums = code.at(code.at(shared, mostChunks),
                          code.times(chunk, s.blocks * lanes));
    code.CreateMemSet(sums, code.getInt8(0), s.blocks * lanes * 4, Align(4));
    Value *turns =
        code.CreateUDiv(code.add(count, code.integer(rowsAtOnce - 1)),
                        code.integer(rowsAtOnce));
    int64_t group = s.form == WeightForm::F24 ? blocks24 : 1;
    code.CreateCall(SparseRowsEmitter::get(code.module, s.form),
                    {weights, places, numbers, sums, turns, code.integer(s.row),
                     code.integer(s.blocks / group),
                     code.integer(s.blocks % group)});
  }

  void storePlace(Value *index, Value *place, Value *number) {
    code.CreateAlignedStore(code.CreateTrunc(place, code.getInt32Ty()),
                            code.at(places, index), Align(4));
    code.CreateAlignedStore(number, code.at(numbers, index), Align(4));
  }

  /// Stores the indices of rows that count; returns their number, without the
  /// row of zeros.
  Value *findPlaces(Value *first, Value *end) {
    Value *in = code.buffer(operands.lhs);
    Value *finite = code.loadElement(code.at(weights, s.finite()));
    Value *zero = ConstantFP::getZero(code.getFloatTy());
    auto find = [&](Value *k, Emitter::Values count) -> Emitter::Values {
      Value *number = code.loadElement(code.at(in, k));
      // Always written, and counted only if nonzero: a branch would be
      // mispredicted at random.
      storePlace(count[0], k, number);
      // `finite` is 0 or NaN: with NaN every number differs from 0, so that all
      // rows count. Unordered, as a number may be NaN itself.
      Value *counts = code.CreateFCmpUNE(code.CreateFAdd(number, finite), zero);
      return {code.add(count[0], code.CreateZExt(counts, code.getInt64Ty()))};
    };
    Value *count = code.loop(first, end, {code.integer(0)}, find,
                             /*maybeNone=*/true)[0];
    code.loop(code.integer(0), code.integer(placesBehind), [&](Value *i) {
      storePlace(code.add(count, i), code.integer(s.rows), zero);
    });
    return count;
  }

  const MatMulOperands &operands;
  const SparseSizes s;
  Emitter code;
  Value *weights, *places, *numbers;
};

/// Emits phase 2, the sums of all chunks and the formula.
class SumEmitter : public MatMulEmitter {
public:
  SumEmitter(CodeModule &module, const MatMulOperands &operands,
             const MatMulSizes &sizes, const Epilogue &epilogue,
             const Twine &name)
      : MatMulEmitter(module, operands, sizes, epilogue, name), s(sizes) {
    // There is little work: the smallest tile has the shortest compile time.
    panel = lastPanel = 1, panels = s.blocks;
  }
  int64_t chunks() const { return panels; }

  Function *emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *panel) { emitAnyPanel(panel); });
    code.CreateRetVoid();
    return code.function;
  }

private:
  void emitAnyPanel(Value *number) {
    if (even())
      return emitPanel(number, false);
    Value *isLast = code.CreateICmpEQ(number, code.integer(panels - 1));
    code.when(isLast, [&] { emitPanel(number, true); });
    code.when(code.CreateNot(isLast), [&] { emitPanel(number, false); });
  }

  void emitPanel(Value *number, bool last) {
    TileCall call = callAt(code.integer(0), number);
    call.in = code.buffer(operands.lhs.shared());
    call.weights = code.at(code.at(call.in, mostChunks),
                           code.times(number, panel * lanes));
    call.tail = code.integer(s.chunks);
    Tile tile = tileOf(1, last);
    tile.form = WeightForm::F32;
    tile.weightStep = s.blocks * lanes;
    tile.stream = false;
    emitTile(code, tile, call);
  }

  const SparseSizes s;
};

} // namespace

/// Whether rows that are multiplied with 0 are skipped. It does not pay if the
/// matrix stays in the second-level cache, which is fast, or if rows are so
/// short that memory is read in pieces.
static bool skipsZeros(const CodeModule &module, int64_t inner,
                       int64_t columns) {
  constexpr int64_t leastWeights = 512 << 10, leastColumns = 512;
  return module.math != Math::Strict && columns >= leastColumns &&
         inner * columns >= leastWeights;
}

std::optional<NativeStep>
cpu::emitSparseMatMul(CodeModule &module, const calls::CpuMatMulCall &call,
                      const Twine &name) {
  MatMulOperands operands(call);
  MatMulSizes sizes(module, operands);
  if (sizes.form == WeightForm::Pairs || isOfTiles(sizes.form) ||
      !skipsZeros(module, sizes.inner, sizes.columns))
    return std::nullopt;
  SparseSizes s(sizes);
  if (!module.hasPlaceFor(s.sharedBytes(), s.scratchBytes()))
    return std::nullopt;
  Epilogue epilogue = epilogueOf(call);
  NativeStep step;
  step.phases.push_back(
      {ChunkEmitter(module, operands, s, name).emit(), s.chunks});
  SumEmitter sums(module, operands, sizes, epilogue, name + ".sums");
  step.phases.push_back({sums.emit(), sums.chunks()});
  step.scratchBytes = s.scratchBytes();
  step.sharedBytes = s.sharedBytes();
  step.packings.push_back(
      {operands.rhs, s.elements(),
       [s](const float *from, float *to) { packRows(s, from, to); }});
  step.choice = tileChoice(s.form == WeightForm::F24 ? "24 bits" : "", "packed",
                           1, s.blocks);
  step.work = tileWork(1, s.blocks, double(s.blocks) * double(s.rows) / 2,
                       double(s.blocks), epilogue.formula);
  return step;
}
