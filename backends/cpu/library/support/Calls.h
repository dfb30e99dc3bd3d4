//===- Calls.h - arguments of the library's kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel of a node gets its operands and attributes by the names in the
// node's record: `call.in`, `call.axis`. The Kernel records (Kernels.td) assign
// kernels to nodes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_CALLS_H
#define GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_CALLS_H

#include "Support.h"
#include "glow/Generated/CpuChoices.h"

/// Defines a kernel: the body runs chunks [begin, end) of the step `call`, with
/// `scratch`. `failure` is valid if the Kernel record has an error message.
#define GLOW_KERNEL(name)                                                      \
  GLOW_INLINE static void name##_chunks(                                       \
      const ::glow::cpu::library::name##_call &call, int64_t begin,            \
      int64_t end, char *scratch, const ::glow::cpu::library::Failure &);      \
  GLOW_STEP_KERNEL(name) {                                                     \
    name##_chunks(::glow::cpu::library::name##_call::of({info, buffers}),      \
                  begin, end, scratch, {buffers + info->buffers});             \
  }                                                                            \
  GLOW_INLINE static void name##_chunks(                                       \
      const ::glow::cpu::library::name##_call &call,                           \
      [[maybe_unused]] int64_t begin, [[maybe_unused]] int64_t end,            \
      [[maybe_unused]] char *scratch,                                          \
      [[maybe_unused]] const ::glow::cpu::library::Failure &failure)

/// Defines a measure: the body sets `work`, the chunks and scratch of the step
/// `call`, whose buffers have no elements yet.
#define GLOW_WORK(name)                                                        \
  GLOW_INLINE static void name##_cut(                                          \
      const ::glow::cpu::library::name##_call &call,                           \
      ::glow::cpu::StepWork *work);                                            \
  GLOW_STEP_WORK(name) {                                                       \
    name##_cut(::glow::cpu::library::name##_call::of({info, nullptr}), work);  \
  }                                                                            \
  GLOW_INLINE static void name##_cut(                                          \
      [[maybe_unused]] const ::glow::cpu::library::name##_call &call,          \
      ::glow::cpu::StepWork *work)

namespace glow {
enum class ElementKind : uint8_t {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  enumerator,
#include "glow/Base/ElementKinds.def"
};
} // namespace glow

namespace glow::cpu::library {

/// A step, with the buffers of a run.
struct StepCall {
  const StepInfo *info;
  char *const *buffers;
};

struct Buffer {
  const Shape &shape;
  char *const *buffers;
  int64_t number;

  ElementKind kind() const { return ElementKind(shape.kind); }
  template <typename T> GLOW_INLINE T *as() const {
    return reinterpret_cast<T *>(buffers[number]);
  }
};

/// A buffer, or none.
struct MaybeBuffer {
  const Shape *shape; ///< for none, the shape of another buffer
  char *const *buffers;
  int64_t number = -1; ///< -1 for none

  explicit operator bool() const { return number >= 0; }
  /// Null when there is none.
  template <typename T> GLOW_INLINE T *as() const {
    return number < 0 ? nullptr : reinterpret_cast<T *>(buffers[number]);
  }
};

/// The error flag: the first word of the shared memory of chunks, which comes
/// after the buffers.
struct Failure {
  char *const *flag;

  /// Reports a wrong value: the run ends with an error.
  GLOW_INLINE void report() const { *reinterpret_cast<int64_t *>(*flag) = 1; }
};

struct Buffers {
  StepCall call;
  int64_t first, count;

  Buffer operator[](int64_t i) const {
    return {call.info->shapes[first + i], call.buffers, first + i};
  }
};

template <typename T> struct List {
  const T *values;
  int64_t count;

  T operator[](int64_t i) const { return values[i]; }
};

/// The types of the members of a call, and the way to find them.
struct CallView {
  using Source = StepCall;
  using Buffer = library::Buffer;
  using MaybeBuffer = library::MaybeBuffer;
  using Buffers = library::Buffers;
  using IntList = List<int64_t>;
  using RealList = List<double>;
  using Text = const char *;
  using Formula = const char *;

  GLOW_INLINE static int64_t first(const Source &call, int64_t operand) {
    int64_t result = 0;
    for (int64_t i = 0; i < operand; ++i)
      result += call.info->segments[i];
    return result;
  }
  GLOW_INLINE static Buffer buffer(const Source &call, int64_t number) {
    return {call.info->shapes[number], call.buffers, number};
  }
  GLOW_INLINE static MaybeBuffer maybe(const Source &call, int64_t operand,
                                       int64_t first) {
    return {call.info->shapes + first, call.buffers,
            call.info->segments[operand] ? first : -1};
  }
  GLOW_INLINE static Buffers many(const Source &call, int64_t operand,
                                  int64_t first) {
    return {call, first, call.info->segments[operand]};
  }
  template <typename T>
  GLOW_INLINE static T attribute(const Source &call, int64_t index) {
    const Attribute &value = call.info->attributes[index];
    if constexpr (__is_same(T, IntList))
      return {value.ints, value.count};
    else if constexpr (__is_same(T, RealList))
      return {value.reals, value.count};
    else if constexpr (__is_same(T, Text))
      return value.text;
    else if constexpr (__is_same(T, double))
      return value.real;
    else
      return T(value.integer);
  }
};

#include "glow/Generated/GlowCalls.h.inc"
// Calls that are implemented by the calls above.
#include "glow/Generated/CpuCalls.h.inc"
#include "glow/Generated/CpuLibraryCalls.h.inc"

} // namespace glow::cpu::library

#endif // GLOW_BACKENDS_CPU_LIBRARY_SUPPORT_CALLS_H
