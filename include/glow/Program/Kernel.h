//===- Kernel.h - between programs and interpreter kernels ------*- C++ -*-===//

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

/// What one instruction is called with.
struct KernelCall {
  /// The buffers in the instruction's order, absent optional ones left out.
  /// Outputs may be the same memory as inputs only where the instruction's
  /// record says so.
  std::span<const TensorView> buffers;

  /// How many buffers each declared operand has: 1 for a plain one, 0 or 1 for
  /// an optional one, any number for a variadic one. Their sum is
  /// `buffers.size()`.
  std::span<const int32_t> segments;

  /// In the record's order.
  std::span<const AttributeValue> attributes;
};

/// Executes one instruction. Returns what is wrong with the values, such as an
/// index out of range; types were checked when the program was compiled. May
/// run on any thread, and on several at once.
using Kernel = Status (*)(const KernelCall &);

/// A Kernel record: what a backend runs where the interpreter would run the
/// reference. Another kind of the same instruction keeps its own.
struct BackendKernel {
  /// An operand that has a kind variable of its own, and what it may be.
  struct Other {
    int32_t operand;
    std::vector<ElementKind> kinds;
  };
  const char *backend, *instruction;
  ElementKind kind; ///< of the tensors of one operand
  int32_t operand;  ///< which operand of the instruction, as declared
  Kernel kernel;    ///< null where the compile half links it by its name
  int32_t ulps; ///< of the largest input: how far from the reference at most
  const char *function; ///< its name in the record
  std::vector<Other> others = {};
};

/// A row of a generated table.
struct KernelEntry {
  const char *instruction = ""; ///< without its dialect, as "conv2d"
  Kernel kernel = nullptr;
  /// What is wrong with the segments and attributes of a call, without looking
  /// at its buffers; null when the kernel takes any.
  Kernel check = nullptr;
  const char *place = ""; ///< of its record, as "Npu.td:12"
};

} // namespace glow

#endif // GLOW_PROGRAM_KERNEL_H
