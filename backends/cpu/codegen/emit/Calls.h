//===- Calls.h - buffers and arguments of an instruction --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `calls::CpuConvCall::of(instr)` has the operands and attributes of an
// instruction by the names in its record: `call.filter.shape()`, `call.group`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_EMIT_CALLS_H
#define GLOW_BACKENDS_CPU_CODEGEN_EMIT_CALLS_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Generated/CpuChoices.h"
#include "glow/Graph/Formula.h"
#include "glow/Program/Size.h"
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace glow::cpu {

/// An instruction whose code is emitted. Its buffers have numbers.
class Instr {
public:
  /// `isConstant` returns whether the bytes of a buffer are known.
  Instr(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isConstant)
      : op(op), isConstant(isConstant) {}

  Ints shape(unsigned buffer) const;
  Sizes sizes(unsigned buffer) const;
  int64_t bytes(unsigned buffer) const;
  ElementKind kind(unsigned buffer) const;
  int64_t elementBytes(unsigned buffer) const;
  bool known(unsigned buffer) const;
  unsigned buffers() const;
  /// Whether a run gives sizes of it.
  bool isOpen() const;

  /// A list among the attributes, whose elements a run may give.
  Sizes list(llvm::StringRef attribute) const;
  /// Whether it is the instruction of a call, as
  /// `instr.is<calls::CpuConvCall>()`.
  template <typename Call> bool is() const {
    return op->getName().stripDialect() == Call::mnemonic;
  }

  mlir::Operation *op;

private:
  llvm::function_ref<bool(mlir::Value)> isConstant;
};

/// A buffer of an instruction. It converts to its number.
struct Operand {
  const Instr *instr;
  unsigned number;

  operator unsigned() const { return number; }
  Ints shape() const { return instr->shape(number); }
  Sizes sizes() const { return instr->sizes(number); }
  int64_t bytes() const { return instr->bytes(number); }
  ElementKind kind() const { return instr->kind(number); }
  int64_t elementBytes() const { return instr->elementBytes(number); }
  bool known() const { return instr->known(number); }
  /// The number of the step's shared memory, behind those of all buffers.
  unsigned shared() const { return instr->buffers(); }
};

/// The buffers of a variadic operand.
struct Operands {
  const Instr *instr;
  unsigned first, count;

  size_t size() const { return count; }
  Operand operator[](size_t i) const { return {instr, first + unsigned(i)}; }
};

namespace calls {

/// The types of the members of a call, and the way to find them. Lists of
/// lengths have their extents: code that takes lengths reads `sizes` of
/// buffers and `list` of the instruction.
struct CallView {
  using Source = Instr;
  using Buffer = Operand;
  using MaybeBuffer = std::optional<Operand>;
  using Buffers = Operands;
  using IntList = Ints;
  using RealList = Reals;
  using Text = std::string;
  using Formula = const glow::Formula &;

  static unsigned first(const Instr &instr, unsigned operand);
  static Operand buffer(const Instr &instr, unsigned number) {
    return {&instr, number};
  }
  static MaybeBuffer maybe(const Instr &instr, unsigned operand,
                           unsigned first);
  static Operands many(const Instr &instr, unsigned operand, unsigned first);

  template <typename T> static T attribute(const Instr &instr, unsigned place) {
    return T(number(instr, place)); // a choice
  }

private:
  /// The number of a choice, or the value of an integer attribute.
  static int64_t number(const Instr &instr, unsigned place);
};

template <> double CallView::attribute(const Instr &, unsigned);
template <> Ints CallView::attribute(const Instr &, unsigned);
template <> Reals CallView::attribute(const Instr &, unsigned);
template <> std::string CallView::attribute(const Instr &, unsigned);
template <> const Formula &CallView::attribute(const Instr &, unsigned);

#include "glow/Generated/CpuCalls.h.inc"
#include "glow/Generated/GlowCalls.h.inc"
#include "glow/IR/StructureCalls.h.inc"

} // namespace calls
} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_EMIT_CALLS_H
