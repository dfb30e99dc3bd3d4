//===- Shape.cpp - copies of all bytes, and lists as tensors --------------===//
// SPDX-License-Identifier: MIT

#include "KernelSupport.h"
#include <cstring>

using namespace glow;
using namespace glow::kernels;

static Status copyBytes(const TensorView &from, const TensorView &to) {
  if (to.data != from.data && to.type->bytes())
    std::memmove(to.data, from.data, to.type->bytes());
  return Status();
}

Status kernels::copy(const CopyCall &call) {
  return copyBytes(call.src, call.dest);
}
Status kernels::reshape(const ReshapeCall &call) {
  return copyBytes(call.in, call.out);
}
Status kernels::reshape(const BitCastCall &call) {
  return copyBytes(call.in, call.out);
}

template <typename List>
static Status fill(const TensorView &tensor, const List &values) {
  visitKind(tensor.type->kind, [&]<typename T>(std::type_identity<T>) {
    auto *out = dataOf<T>(tensor);
    for (size_t i = 0; i < values.size(); ++i)
      out[i] = store<T>(Compute<T>(values[i]));
  });
  return Status();
}

Status kernels::literal(const LiteralCall &call) {
  return fill(call.out, call.values);
}
Status kernels::realLiteral(const RealLiteralCall &call) {
  return fill(call.out, call.values);
}
