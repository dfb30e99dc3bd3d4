//===- AttentionEmitter.h - the code of an attention ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
#define GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H

#include "codegen/step/Step.h"

namespace glow::cpu {

/// An operand of the formula, with its strides over [batch, heads, rows,
/// columns].
struct Extra {
  unsigned buffer;
  Length steps[4];
};

/// Keys of a block, if there are more than two blocks of them.
constexpr int64_t blockKeys = 256;

/// The sizes of an attention, with the offsets of rows of its operands.
struct AttentionSizes {
  Length batch, rows, keys;           // rows of q; of k and v
  int64_t heads, depth, width;        // columns of a head of q and k; of v
  int64_t queryRow, keyRow, valueRow; // from a row to the next
  int64_t query, key, value;          // offsets of the first head
  int64_t keyHeads; // of k and v, if they are along the first axis, else 0
  int64_t sharing;  // heads of q in turn with one head of k and v
  int64_t mostRows() const { return rows.range().high; }
  int64_t mostKeys() const { return keys.range().high; }
  int64_t paddedKeys() const {
    return (mostKeys() + lanes - 1) / lanes * lanes;
  }
  /// Whether all runs, or no run, have keys in blocks.
  bool areAlwaysBlocked() const { return keys.range().low > 2 * blockKeys; }
  bool areNeverBlocked() const { return mostKeys() <= 2 * blockKeys; }
  /// From a channel of packed keys to the next, and from a row of scores to the
  /// next, if all keys of a head are handled at once. Rows of open sizes do not
  /// compete for cache sets.
  int64_t wholeRow() const {
    return keys.isFixed() ? paddedKeys()
                          : std::min(paddedKeys(), 2 * blockKeys) + lanes;
  }
};

/// The keys of a row of scores: a number, or a value of the run.
struct KeyCount {
  int64_t fixed;
  llvm::Value *open = nullptr;
};
/// The lanes of a vector that are keys: the first `count`, or those of `mask`.
struct KeyLanes {
  int64_t count = lanes;
  llvm::Value *mask = nullptr;
};

/// Emits an attention step. Attention.cpp handles all keys of a head at once,
/// AttentionBlocks.cpp blocks of keys, and AttentionSoftmax.cpp a row of
/// scores.
class AttentionEmitter {
public:
  AttentionEmitter(CodeModule &module, const calls::CpuAttentionCall &call,
                   AttentionSizes sizes, Formula formula,
                   std::vector<Extra> extras, const llvm::Twine &name)
      : a(sizes), call(call), formula(std::move(formula)),
        extras(std::move(extras)), code(module, module.addStep(name)) {
    height = std::min<int64_t>(a.mostRows(),
                               module.target.vectorRegisters >= 32 ? 8 : 6);
    parts = chooseParts();
  }

  NativeStep emit();

private:
  Work work() const;

  /// The parts into which the rows of a head are divided: two where heads are
  /// few and odd, so that two threads have as much to do, and where each part
  /// has so many rows that it may transpose the keys on its own.
  int64_t chooseParts() const;

  void locateHead(llvm::Value *chunk);

  void emitHead(llvm::Value *chunk);
  void emitWhole();

  /// Calls `body` for each tile of the part, with its first row and its number
  /// of rows.
  void overRows(llvm::function_ref<void(llvm::Value *, int64_t)> body);

  /// The address of a head's rows in an operand.
  llvm::Value *placeOf(const Operand &operand, llvm::Value *head,
                       const Length &imageSize, int64_t first, int64_t depth);

  /// The same in k or v.
  llvm::Value *placeOfKeys(const Operand &operand, int64_t row, int64_t first,
                           int64_t depth);

  /// Transposes `count` keys to columns, [depth][columns], with zeros after the
  /// last; columns beyond a number of keys that the run gives are any keys.
  void packKeys(llvm::Value *from, const Length &count, int64_t columns);

  void emitRows(llvm::Value *first, int64_t count);

  /// The blocks of columns of a tile with `rows` rows, as many as registers
  /// allow.
  int64_t columnBlocks(int64_t rows, int64_t columns) const;
  void emitColumns(Tile tile, TileCall call, const Length &columns);

  /// The blocks of columns of a panel of the values, chosen for little padding.
  int64_t panelBlocks() const;
  int64_t panelWidth() const { return panelBlocks() * lanes; }
  int64_t panels() const { return (a.width + panelWidth() - 1) / panelWidth(); }
  int64_t paddedWidth() const { return panels() * panelWidth(); }
  /// The stride of rows of scores, padded so that rows use different cache
  /// sets.
  static constexpr int64_t scoreRow = blockKeys + lanes;
  int64_t paddedRows() const {
    return (a.mostRows() + lanes - 1) / lanes * lanes;
  }
  int64_t sumsSize() const;
  int64_t blockedScratch() const;

  void emitBlocks();

  /// Clears the sums. The initial largest score is finite, so that differences
  /// from it are numbers.
  void clearSums();

  void emitBlock(llvm::Value *first, const Length &count);

  /// Copies rows of values, with zeros after the last column.
  void packValues(llvm::Value *from, const Length &count);

  /// The sums of the rows: [panel][row][panelWidth].
  llvm::Value *sumsAt(llvm::Value *firstRow);

  void emitBlockRows(llvm::Value *row, int64_t rows, llvm::Value *firstKey,
                     const Length &count);

  void divideRows(llvm::Value *first, int64_t count);

  /// Calls the function for the formula and softmax of one row of scores, which
  /// all rows share. For a block of keys, `ofBlock` has the address of the
  /// row's first sums and the step to the sums of the next panel.
  void emitSoftmax(llvm::Value *row, llvm::Value *index, llvm::Value *firstKey,
                   const Length &count, llvm::ArrayRef<llvm::Value *> ofBlock);

  llvm::Function *makeSoftmax(const Length &count, bool isOfBlock,
                              llvm::ArrayRef<llvm::Value *> arguments);

  static void scale(Emitter &code, llvm::Value *place, llvm::Value *factor);

  /// The maximum of each lane, or `b` if `a` is NaN. A NaN score makes the sum
  /// of the powers NaN anyway.
  static llvm::Value *larger(Emitter &code, llvm::Value *a, llvm::Value *b);

  /// Stores the formula of each score. Returns the largest in all lanes.
  llvm::Value *emitFormulaOfRow(Emitter &row, KeyCount count);

  /// Stores exp(score - best). Returns the sum in all lanes.
  llvm::Value *emitPowers(Emitter &row, KeyCount count, llvm::Value *best);

  static llvm::Value *powerOf(Emitter &row, llvm::Value *value,
                              llvm::Value *best);

  /// The same, added to the sums of the blocks before.
  void emitPowersOfBlock(Emitter &row, KeyCount count, llvm::Value *best);

  /// Calls `body` for each vector of a row of `count` scores, with its offset,
  /// a carried value, and the lanes that are keys.
  llvm::Value *overRow(
      Emitter &row, KeyCount count, llvm::Value *carried,
      llvm::function_ref<llvm::Value *(llvm::Value *, llvm::Value *, KeyLanes)>
          body);

  llvm::Value *rowFormula(Emitter &row, llvm::Value *place, KeyLanes keys);

  AttentionSizes a;
  const calls::CpuAttentionCall &call;
  Formula formula;
  std::vector<Extra> extras;
  Emitter code;
  int64_t height; // rows of scores at a time
  int64_t parts;  // of the rows of a head
  llvm::Function *softmax = nullptr;
  // Values of a chunk; `keys` and `packed` are copies of the keys and the
  // values.
  llvm::Value *part, *head, *image, *keys, *packed, *scores, *query, *key,
      *values, *out;
  llvm::Value *sums, *largest; // of rows; the sums of powers follow the largest
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_ATTENTION_ATTENTIONEMITTER_H
