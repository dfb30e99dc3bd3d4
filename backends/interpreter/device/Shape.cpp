//===- Shape.cpp - copies of all bytes, and lists as tensors --------------===//

#include "KernelSupport.h"
#include <cstring>

namespace glow::kernels {

Status reshape(const KernelCall &call) {
  const TensorView &out = call.buffers[0], &in = call.buffers[1];
  if (out.data != in.data && out.type->bytes())
    std::memmove(out.data, in.data, out.type->bytes());
  return Status();
}

template <typename List> static Status fill(const KernelCall &call) {
  Operands operands(call);
  const List &values = operands.attribute<List>(0);
  visitKind(operands.view(0).type->kind,
            [&]<typename T>(std::type_identity<T>) {
              auto *out = operands.data<T>(0);
              for (size_t i = 0; i < values.size(); ++i)
                out[i] = store<T>(Compute<T>(values[i]));
            });
  return Status();
}

Status literal(const KernelCall &call) { return fill<Ints>(call); }
Status realLiteral(const KernelCall &call) { return fill<Reals>(call); }

} // namespace glow::kernels
