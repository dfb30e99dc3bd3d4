//===- KernelSupport.h - parts of generated kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plain loops, one element at a time: the interpreter is the reference of every
// other backend, and is never tuned.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_INTERPRETER_KERNELSUPPORT_H
#define GLOW_BACKENDS_INTERPRETER_KERNELSUPPORT_H

#include "glow/Base/Functions.h"
#include "glow/Base/VisitKind.h"
#include "glow/Generated/GlowCalls.h"
#include <functional>

namespace glow::kernels {

struct Position;
Status wrongKind(const char *kernel, ElementKind kind);
Status wrongRank(int64_t rank);
Status outOfRange(const char *tensor, const Position &position);
/// The error for an index whose bounds exceed its size.
Status outOfRange(const char *index, int64_t low, int64_t high, int64_t size);

/// An operand of an instruction, and whether its kernel reads or writes it.
struct WideOperand {
  int32_t number;
  bool isRead, isWritten;
};
/// Runs a kernel on f32 copies of its f16 or bf16 operands, and rounds its
/// results once. Fails as the kernel does, or without memory.
Status widened(const KernelCall &given,
               std::initializer_list<WideOperand> operands,
               const std::function<Status(const KernelCall &)> &run);

inline size_t bytesOf(ElementKind kind) { return byteSize(kind); }

} // namespace glow::kernels

#include "IndexNotation.h"

#endif // GLOW_BACKENDS_INTERPRETER_KERNELSUPPORT_H
