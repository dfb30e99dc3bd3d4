//===- KernelSupport.cpp - what the generated kernels are made of ---------===//

#include "KernelSupport.h"

using namespace glow;

Status kernels::wrongKind(const char *kernel, ElementKind kind) {
  return Status(Code::Unsupported, std::string("'") + kernel +
                                       "' has no kernel for element kind " +
                                       std::string(name(kind)));
}

Status kernels::wrongRank(int64_t rank) {
  return Status(Code::Internal,
                "a kernel was called with rank " + std::to_string(rank));
}

Status kernels::outOfRange(const char *tensor, const Position &) {
  return Status(Code::InvalidArgument,
                std::string("an index into '") + tensor + "' is out of range");
}
