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

Status kernels::outOfRange(const char *index, int64_t low, int64_t high,
                           int64_t size) {
  return Status(Code::InvalidArgument,
                std::string("an index is out of range: '") + index +
                    "' goes from " + std::to_string(low) + " up to " +
                    std::to_string(high) + " of " + std::to_string(size));
}
