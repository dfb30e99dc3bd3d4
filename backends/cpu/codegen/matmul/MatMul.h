//===- MatMul.h - matmul, tile by tile --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_MATMUL_MATMUL_H
#define GLOW_BACKENDS_CPU_CODEGEN_MATMUL_MATMUL_H

#include "codegen/step/Halves.h"

namespace glow::cpu {

/// The buffers of a product, with a formula or without.
struct MatMulOperands {
  explicit MatMulOperands(const calls::MatMulCall &call)
      : out(call.out), lhs(call.lhs), rhs(call.rhs) {}
  explicit MatMulOperands(const calls::CpuMatMulCall &call)
      : out(call.out), lhs(call.lhs), rhs(call.rhs), bias(call.bias),
        extras(call.extras) {}
  explicit MatMulOperands(const calls::CpuMatMulTransposedCall &call)
      : out(call.out), lhs(call.lhs), rhs(call.rhs), bias(call.bias),
        extras(call.extras), transposed(true) {}

  Operand out, lhs, rhs;
  std::optional<Operand> bias;
  Operands extras{};
  bool transposed = false; ///< the second factor has columns as rows
};

struct MatMulSizes {
  MatMulSizes(const CodeModule &module, const MatMulOperands &operands);

  int64_t batch = 1, rows, columns, inner;
  Length openRows;  ///< rows in a run; `rows` is the most
  int64_t channels; ///< channels that are summed
  bool packed;      ///< the second factor is a packed constant
  bool transposed;  ///< a chunk transposes a panel of the second factor
  bool copied;      ///< a chunk copies a panel of the second factor
  WeightForm form =
      WeightForm::F32;       ///< second factor's form; `inner` may count pairs
  int64_t width, panel = 1;  ///< rows of a tile, and blocks of columns
  int64_t panels, lastPanel; ///< number of panels, and blocks of the last

  /// Elements from a row to the next. Rows of tiles have 16 pairs each,
  /// contiguous with the pairs of other rows.
  int64_t rowStep() const { return isOfTiles(form) ? lanes : inner; }
  /// The first factor.
  HalfImage image() const {
    HalfImage image;
    image.channels = channels;
    image.height = rows, image.rowStep = channels, image.blockStep = lanes;
    return image;
  }
  ProductSizes product() const {
    return {.line = rows,
            .inner = channels,
            .columns = columns,
            .copied = rows * channels,
            .image = image()};
  }
  /// Whether a chunk writes the panel that its tiles read.
  bool writesPanel() const { return transposed || copied; }
  /// Bytes of a thread's scratch for such a panel.
  int64_t panelBytes() const {
    return inner * (panels > 1 ? panel : lastPanel) * lanes * 4;
  }
  /// Whether the last panel has the size of the others.
  bool even() const { return lastPanel == panel && columns % lanes == 0; }
};

/// Emits tiles of the result, with the formula.
class MatMulEmitter : protected MatMulSizes {
protected:
  MatMulEmitter(CodeModule &module, const MatMulOperands &operands,
                const MatMulSizes &sizes, const Epilogue &epilogue,
                const llvm::Twine &name)
      : MatMulSizes(sizes), operands(operands), epilogue(epilogue),
        code(module, module.addStep(name)) {}

  Tile tileOf(int64_t width, bool lastPanel) const;
  /// The arguments of tiles at the first row of a panel.
  TileCall callAt(llvm::Value *product, llvm::Value *panelNumber);
  /// Emits a tile `row` rows below.
  void tileAt(const Tile &tile, TileCall call, llvm::Value *row);
  /// Transposes a panel, from [m, k] to [k][block][16] in the thread's scratch.
  void transposePanel(llvm::Value *product, llvm::Value *panelNumber,
                      bool lastPanel);
  /// Copies a panel, from [k, m] to [k][block][16].
  void copyPanel(llvm::Value *product, llvm::Value *panelNumber,
                 bool lastPanel);
  /// From [k, m] to [panel][k][block][16], zeros where there is no column.
  Packing packing() const;

  const MatMulOperands &operands;
  const Epilogue &epilogue;
  Emitter code;
};

/// Emits the panels from `firstPanel` on.
NativeStep emitPanels(CodeModule &module, const MatMulOperands &operands,
                      const MatMulSizes &sizes, const Epilogue &epilogue,
                      const llvm::Twine &name, int64_t firstPanel);

inline Epilogue epilogueOf(const calls::MatMulCall &) { return {}; }
inline Epilogue epilogueOf(const calls::CpuMatMulTransposedCall &call) {
  const Ints out = call.out.shape();
  return epilogueOf(call, out, out.size() - 1, /*blocked=*/false);
}
inline Epilogue epilogueOf(const calls::CpuMatMulCall &call) {
  return epilogueOf(call, call.out.shape(), 1, /*blocked=*/false);
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_MATMUL_MATMUL_H
