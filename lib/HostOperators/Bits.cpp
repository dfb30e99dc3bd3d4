//===- Bits.cpp - elements as what they are stored as ---------------------===//

#include "glow/HostOperators/Functions.h"
#include <cstring>

using namespace glow;

/// A byte that is no bool would become one that is neither true nor false.
Status glow::host::bitCast(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  if (!in)
    return in.status();
  int64_t to = call.attribute<int64_t>("to", 0);
  std::optional<ElementKind> kind = elementKindOfOnnx(to);
  if (!kind || *kind == ElementKind::Bool)
    return failure(Code::Unsupported, "data type ", to, " is not supported");
  const TensorType &type = (*in)->type();
  if (bitWidth(type.kind) != bitWidth(*kind))
    return failure(Code::InvalidArgument, "elements of ", name(type.kind),
                   " have ", bitWidth(type.kind), " bits, but those of ",
                   name(*kind), " have ", bitWidth(*kind));
  Result<Tensor> result = Tensor::zeros({*kind, type.shape});
  if (result && type.bytes())
    std::memcpy(result->data(), (*in)->data(), type.bytes());
  return call.setOutput(0, std::move(result));
}
