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

Status kernels::prefix(const PrefixCall &call) {
  const int64_t count = *dataOf<const int64_t>(call.count);
  const Ints &in = call.in.type->shape, &out = call.out.type->shape;
  if (count != out.front() || count > in.front())
    return failure(Code::InvalidArgument, count, " of ", in.front(),
                   " slices are counted, where there should be ", out.front());
  if (call.out.type->bytes())
    std::memmove(call.out.data, call.in.data, call.out.type->bytes());
  return Status();
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
