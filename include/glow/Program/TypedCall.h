//===- TypedCall.h - typed arguments of kernels -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// ClassGen generates a struct for each instruction, with a member for each
// operand and attribute of its record, under the same name.
// `glow/Generated/NAMECalls.h` has the structs of the operator library NAME,
// and declares its hand-written kernels. A kernel is defined as
//
//   Status kernels::gatherND(const GatherNDCall &call) { ... call.indices ... }
//
// so that the compiler checks it against the record.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_TYPEDCALL_H
#define GLOW_PROGRAM_TYPEDCALL_H

#include "glow/Program/Kernel.h"
#include "glow/Program/KernelRegistry.h"
#include <numeric>

namespace glow::kernels {

/// Member types of a typed call, and access to them in a KernelCall. The
/// members refer to the KernelCall and to its contents, and must not outlive
/// them.
struct CallView {
  using Source = KernelCall;
  using Buffer = const TensorView &;
  using MaybeBuffer = const TensorView *; ///< null if it is absent
  using Buffers = std::span<const TensorView>;
  using IntList = const Ints &;
  using RealList = const Reals &;
  using Text = const std::string &;
  using Formula = const std::string &; ///< the text of the formula

  /// The first buffer of a declared operand.
  static size_t first(const Source &call, size_t operand) {
    auto before = call.segments.first(operand);
    return size_t(std::accumulate(before.begin(), before.end(), 0));
  }
  static Buffer buffer(const Source &call, size_t buffer) {
    return call.buffers[buffer];
  }
  static MaybeBuffer maybe(const Source &call, size_t operand, size_t first) {
    return call.segments[operand] ? &call.buffers[first] : nullptr;
  }
  static Buffers many(const Source &call, size_t operand, size_t first) {
    return call.buffers.subspan(first, size_t(call.segments[operand]));
  }
  /// The value of an attribute; a choice is the number of its word.
  template <typename T> static T attribute(const Source &call, size_t index) {
    using Held = std::remove_cvref_t<T>;
    if constexpr (std::is_enum_v<Held> && !std::is_same_v<Held, ElementKind>)
      return Held(std::get<int64_t>(call.attributes[index]));
    else
      return std::get<Held>(call.attributes[index]);
  }
};

/// Converts a typed call to a KernelCall; must not outlive the typed call.
class PlacedCall {
public:
  template <typename Call> explicit PlacedCall(const Call &call) {
    call.visit(*this);
  }

  operator KernelCall() const { return {buffers, segments, attributes}; }

  void operator()(CallView::Buffer buffer) { add({&buffer, 1}); }
  void operator()(CallView::MaybeBuffer buffer) {
    add({buffer, size_t(buffer != nullptr)});
  }
  void operator()(CallView::Buffers all) { add(all); }
  template <typename T> void operator()(const T &attribute) {
    if constexpr (std::is_enum_v<T> && !std::is_same_v<T, ElementKind>)
      attributes.emplace_back(int64_t(attribute));
    else
      attributes.emplace_back(attribute);
  }

private:
  void add(CallView::Buffers all) {
    buffers.insert(buffers.end(), all.begin(), all.end());
    segments.push_back(int32_t(all.size()));
  }

  std::vector<TensorView> buffers;
  std::vector<int32_t> segments;
  std::vector<AttributeValue> attributes;
};

/// Runs the interpreter's kernel for a call's instruction:
///   run(TransposeCall{.out = y, .in = x, .permutation = {1, 0}})
template <typename Call> Status run(const Call &call) {
  return KernelRegistry::instance().run(Call::mnemonic, PlacedCall(call));
}

/// Wraps a function on a typed call as a kernel for a table.
template <typename Call, Status (*function)(const Call &)>
Status typed(const KernelCall &call) {
  return function(Call::of(call));
}

} // namespace glow::kernels

#endif // GLOW_PROGRAM_TYPEDCALL_H
