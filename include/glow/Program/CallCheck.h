//===- CallCheck.h - checks of a call's arguments ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_CALLCHECK_H
#define GLOW_PROGRAM_CALLCHECK_H

#include "glow/Program/TypedCall.h"
#include <limits>

namespace glow::kernels {

/// Checks the segments and attributes of a call, for example one from a file,
/// against the members of the typed call.
class CallCheck {
public:
  explicit CallCheck(const KernelCall &call) : call(call) {}

  template <typename Member> void member(const char *name) {
    using Held = std::remove_cvref_t<Member>;
    if constexpr (std::is_same_v<Member, CallView::Buffer>)
      operand(name, 1, 1);
    else if constexpr (std::is_same_v<Member, CallView::MaybeBuffer>)
      operand(name, 0, 1);
    else if constexpr (std::is_same_v<Member, CallView::Buffers>)
      operand(name, 0, std::numeric_limits<int32_t>::max());
    else if constexpr (std::is_enum_v<Held> &&
                       !std::is_same_v<Held, ElementKind>)
      choice(name, std::size(wordsOf(Held())));
    else
      attribute(name, AttributeValue(Held()).index());
  }

  /// The first mistake: "has 2 buffers for 'bias', not 0 or 1".
  Status done();

private:
  void operand(const char *name, int32_t least, int32_t most);
  bool attribute(const char *name, size_t form);
  void choice(const char *name, size_t words);
  template <typename... What> void fail(const What &...what) {
    if (status.ok())
      status = failure(Code::InvalidArgument, what...);
  }

  const KernelCall &call;
  size_t operands = 0, attributes = 0; ///< number of members so far
  Status status;
};

/// A check for a kernel table.
template <typename Call> Status checked(const KernelCall &call) {
  CallCheck check(call);
  Call::members(check);
  return check.done();
}

} // namespace glow::kernels

#endif // GLOW_PROGRAM_CALLCHECK_H
