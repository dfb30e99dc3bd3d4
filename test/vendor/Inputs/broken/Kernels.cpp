#include "glow/Generated/BrokenCalls.h"
#include <cstdlib>

using namespace glow;

Status kernels::crash(const WrongKernelCall &call) { std::abort(); }

Status kernels::halfMatMul(const MatMulCall &call) {
  auto *out = call.out.as<float>();
  for (int64_t i = 0; i < call.out.type->elements(); ++i)
    out[i] = 0.5f;
  return Status();
}
