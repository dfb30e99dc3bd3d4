//===- HostValue.cpp - what ONNX passes between nodes ---------------------===//

#include "glow/HostOperators/HostValue.h"

using namespace glow;

std::string HostValue::text() const {
  if (const Tensor *found = tensor())
    return found->type().text();
  if (const Sequence *found = sequence())
    return "a sequence of " + std::to_string(found->size());
  const Strings *found = strings();
  if (!found)
    return "nothing";
  std::string sizes;
  for (int64_t size : found->shape)
    sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  return "strings[" + sizes + "]";
}
