//===- AttentionEmitter.h - the code of an attention ----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
#define GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H

#include "codegen/step/Step.h"

namespace glow::cpu {

/// An operand of the formula, by its steps over [batch, heads, rows, columns].
struct Extra {
  unsigned buffer;
  int64_t steps[4];
};

/// The sizes of an attention, with the offsets of rows of its operands.
struct AttentionSizes {
  int64_t batch, heads, rows, keys;   // rows of q; of k and v
  int64_t depth, width;               // of a head of q and k; of v
  int64_t queryRow, keyRow, valueRow; // from a row to the next
  int64_t query, key, value;          // where the first head begins
  int64_t paddedKeys() const { return (keys + lanes - 1) / lanes * lanes; }
};

/// Keys of a block, where there are more.
constexpr int64_t blockKeys = 256;
inline bool isBlocked(const AttentionSizes &a) {
  return a.keys > 2 * blockKeys;
}

/// Emits an attention step. Attention.cpp handles all keys of a head at once,
/// AttentionBlocks.cpp blocks of keys, and AttentionSoftmax.cpp a row of
/// scores.
class AttentionEmitter {
public:
  AttentionEmitter(CodeModule &unit, const calls::CpuAttentionCall &call,
                   AttentionSizes sizes, Formula formula,
                   std::vector<Extra> extras, const llvm::Twine &name)
      : a(sizes), call(call), formula(std::move(formula)),
        extras(std::move(extras)), code(unit, unit.addStep(name)) {
    height =
        std::min<int64_t>(a.rows, unit.target.vectorRegisters >= 32 ? 8 : 6);
  }

  NativeStep emit();

private:
  Work work() const;

  void locateHead(llvm::Value *chunk);

  void emitHead();

  /// Calls `body` with each first row, and how many rows follow.
  void overRows(llvm::function_ref<void(llvm::Value *, int64_t)> body);

  /// Where an operand has the rows of this head.
  llvm::Value *placeOf(const Operand &operand, int64_t imageSize, int64_t first,
                       int64_t depth);

  /// `count` keys as columns, [depth][columns], zeros after the last key.
  void packKeys(llvm::Value *from, int64_t count, int64_t columns);

  void emitRows(llvm::Value *first, int64_t count);

  /// Tiles over all columns, as wide as registers allow: so many blocks with
  /// `rows`.
  int64_t columnBlocks(int64_t rows, int64_t columns) const;
  void emitColumns(Tile tile, TileCall call, int64_t columns);

  /// Blocks of columns of a panel of the values that leaves few columns empty.
  int64_t panelBlocks() const;
  int64_t panelWidth() const { return panelBlocks() * lanes; }
  int64_t panels() const { return (a.width + panelWidth() - 1) / panelWidth(); }
  int64_t paddedWidth() const { return panels() * panelWidth(); }
  /// From a row of scores to the next: not in the same sets of the cache.
  static constexpr int64_t scoreRow = blockKeys + lanes;
  int64_t paddedRows() const { return (a.rows + lanes - 1) / lanes * lanes; }
  int64_t sumsSize() const;
  int64_t blockedScratch() const;

  void emitBlocks();

  /// The largest so far is finite, so that the difference of it is a number.
  void clearSums();

  void emitBlock(llvm::Value *first, int64_t count);

  /// Rows of values side by side, zeros after the last column.
  void packValues(llvm::Value *from, int64_t count);

  /// The sums of the rows: [panel][row][panelWidth].
  llvm::Value *sumsAt(llvm::Value *firstRow);

  void emitBlockRows(llvm::Value *row, int64_t rows, llvm::Value *firstKey,
                     int64_t count);

  void divideRows(llvm::Value *first, int64_t count);

  /// Calls the function for the formula and softmax of one row of scores, which
  /// all rows share. For a block of keys, `ofBlock` has the address of the
  /// row's first sums and the step to the sums of the next panel.
  void emitSoftmax(llvm::Value *row, llvm::Value *index, llvm::Value *firstKey,
                   int64_t count, llvm::ArrayRef<llvm::Value *> ofBlock);

  llvm::Function *makeSoftmax(int64_t count,
                              llvm::ArrayRef<llvm::Value *> arguments);

  static void scale(Emitter &code, llvm::Value *place, llvm::Value *factor);

  /// The larger of each lane, or `b` where `a` is NaN: what is NaN makes the
  /// sum of the powers NaN.
  static llvm::Value *larger(Emitter &code, llvm::Value *a, llvm::Value *b);

  /// Stores the formula of each score. Gives the largest in all lanes.
  llvm::Value *emitFormulaOfRow(Emitter &row, int64_t count);

  /// Stores exp(score - best). Gives the sum of them, in all lanes.
  llvm::Value *emitPowers(Emitter &row, int64_t count, llvm::Value *best);

  static llvm::Value *powerOf(Emitter &row, llvm::Value *value,
                              llvm::Value *best);

  /// The same, with what the blocks before have summed.
  void emitPowersOfBlock(Emitter &row, int64_t count, llvm::Value *best);

  /// Calls `body` with each place of a row of `count` scores, a value that is
  /// carried on, and how many lanes are keys.
  llvm::Value *overRow(
      Emitter &row, int64_t count, llvm::Value *carried,
      llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *, int64_t)>
          body);

  llvm::Value *rowFormula(Emitter &row, llvm::Value *place, int64_t count);

  AttentionSizes a;
  const calls::CpuAttentionCall &call;
  Formula formula;
  std::vector<Extra> extras;
  Emitter code;
  int64_t height; // rows of scores at a time
  llvm::Function *softmax = nullptr;
  // Of a chunk; `keys` and `packed` are copies of the keys and of the values.
  llvm::Value *head, *image, *keys, *packed, *scores, *query, *key, *values,
      *out;
  llvm::Value *sums, *largest; // of rows; the sums of powers follow the largest
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
