//===- Kernel.h - between programs and interpreter kernels ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_KERNEL_H
#define GLOW_PROGRAM_KERNEL_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace glow {

/// The value of an attribute; a choice is the number of its word. Initialise
/// integers as int64_t and texts as std::string: other types convert to bool.
using AttributeValue =
    std::variant<int64_t, bool, double, std::string, Ints, Reals, ElementKind>;

/// The arguments of one instruction.
struct KernelCall {
  /// The buffers in the instruction's order, without absent optional ones.
  /// Outputs may share memory with inputs only if the instruction's record
  /// permits it.
  std::span<const TensorView> buffers;

  /// Number of buffers of each declared operand: 1 for a plain one, 0 or 1 for
  /// an optional one, any number for a variadic one. Their sum is
  /// `buffers.size()`.
  std::span<const int32_t> segments;

  /// Attributes in the record's order.
  std::span<const AttributeValue> attributes;
};

/// Executes one instruction. Returns an error of the values, such as an index
/// out of range; types were checked when the program was compiled. May run on
/// any thread, and on several at once.
using Kernel = Status (*)(const KernelCall &);

/// A Kernel record: a backend's kernel in place of the interpreter's reference.
/// Different kinds of an instruction have separate kernels.
struct BackendKernel {
  /// An operand with a kind variable of its own, and its possible kinds.
  struct Other {
    int32_t operand;
    std::vector<ElementKind> kinds;
  };
  const char *backend, *instruction;
  ElementKind kind;     ///< kind of the tensors of one operand
  int32_t operand;      ///< index of that operand, as declared
  Kernel kernel;        ///< null if the compile half links it by its name
  int32_t ulps;         ///< error bound, in last places of the largest input
  const char *function; ///< its name in the record
  std::vector<Other> others = {};
};

/// A row of a generated table.
struct KernelEntry {
  const char *instruction = ""; ///< without its dialect: "conv2d"
  Kernel kernel = nullptr;
  /// Checks the segments and attributes of a call, without its buffers; null if
  /// the kernel accepts any.
  Kernel check = nullptr;
  const char *place = ""; ///< location of its record: "Npu.td:12"
};

} // namespace glow

#endif // GLOW_PROGRAM_KERNEL_H
