#include "glow/Generated/ScopeCalls.h"
#include <cstdio>

using namespace glow;

Status kernels::later(const LaterCall &call) {
  float step = call.direction == Direction::Up ? 1 : -1;
  for (int64_t i = 0; i < call.out.type->elements(); ++i)
    call.out.as<float>()[i] = call.in.as<const float>()[i] + step;
  return Status();
}

Status kernels::roughGelu(const GeluCall &call) {
  std::puts("roughGelu is called");
  int64_t k = call.in.type->shape[1];
  for (int64_t n = 0; n < call.out.type->elements(); ++n) {
    float sum = 0;
    for (int64_t i = 0; i < k; ++i)
      sum += call.in.as<const float>()[n * k + i];
    call.out.as<float>()[n] = 3 * sum;
  }
  return Status();
}
