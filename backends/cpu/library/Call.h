//===- Call.h - a step as generated loops see it ----------------*- C++ -*-===//
//
// What ../../interpreter/device/IndexNotation.h asks for: a kernel's call, its tensors
// and its status, without the memory that the interpreter's take.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_CALL_H
#define GLOW_BACKENDS_CPU_LIBRARY_CALL_H

#include "../device/Kernel.h"
#include "glow/Base/ElementKind.h"
#include "glow/Base/Small.h"
#include "glow/Generated/GlowChoices.h"
#include <span>

namespace glow {

using Ints = std::span<const int64_t>;

/// Whether a run may go on.
struct Status {
  bool ok = true;
};

struct TensorType {
  ElementKind kind;
  Ints shape;

  int64_t elements() const {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    return count;
  }
};

struct TensorView {
  const TensorType *type;
  void *data;
};

/// Instructions with a list of operands have no kernels here.
class KernelCall {
public:
  static constexpr int64_t most = 12; ///< buffers

  KernelCall(const cpu::StepInfo &info, char *const *memory)
      : buffers(views), segments(info.segments), info(info) {
    for (int64_t i = 0; i < info.buffers; ++i) {
      const cpu::Shape &shape = info.shapes[i];
      types[i] = {ElementKind(shape.kind), {shape.sizes, size_t(shape.rank)}};
      views[i] = {&types[i], memory[i]};
    }
  }
  KernelCall(const KernelCall &) = delete;

  TensorView views[most];
  const TensorView *buffers;
  const int64_t *segments;
  const cpu::StepInfo &info;

private:
  TensorType types[most];
};

namespace kernels {

// Kinds and ranks are checked when a program is compiled.
struct Position;
inline Status wrongKind(const char *, ElementKind) { return {false}; }
inline Status wrongRank(int64_t) { return {false}; }
inline Status outOfRange(const char *, const Position &) { return {false}; }

inline size_t bytesOf(ElementKind kind) {
  switch (kind) {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  case ElementKind::enumerator:                                                \
    return sizeof(type);
#include "glow/Base/ElementKinds.def"
  }
  return 0;
}

/// What the members of a typed call are, and where they are found.
struct CallView {
  using Source = KernelCall;
  using Buffer = const TensorView &;
  using MaybeBuffer = const TensorView *;
  using Buffers = std::span<const TensorView>;
  using IntList = Ints;
  using RealList = std::span<const double>;
  using Text = const char *;
  using Formula = const char *;

  static int64_t first(const Source &call, int operand) {
    int64_t buffer = 0;
    for (int i = 0; i < operand; ++i)
      buffer += call.segments[i];
    return buffer;
  }
  static Buffer buffer(const Source &call, int64_t buffer) {
    return call.buffers[buffer];
  }
  static MaybeBuffer maybe(const Source &call, int operand, int64_t first) {
    return call.segments[operand] ? &call.buffers[first] : nullptr;
  }
  static Buffers many(const Source &call, int operand, int64_t first) {
    return {call.buffers + first, size_t(call.segments[operand])};
  }
  template <typename T> static T attribute(const Source &call, int index) {
    const cpu::Attribute &attribute = call.info.attributes[index];
    if constexpr (std::is_same_v<T, IntList>)
      return {attribute.ints, size_t(attribute.count)};
    else if constexpr (std::is_same_v<T, RealList>)
      return {attribute.reals, size_t(attribute.count)};
    else if constexpr (std::is_same_v<T, Text>)
      return attribute.text;
    else if constexpr (std::is_same_v<T, double>)
      return attribute.real;
    else
      return T(attribute.integer);
  }
};
#include "glow/Generated/GlowCalls.h.inc"

} // namespace kernels
} // namespace glow

#endif // GLOW_BACKENDS_CPU_LIBRARY_CALL_H
