#include "glow/Generated/NodesCalls.h"
#include <cmath>

using namespace glow;

Status kernels::nodesSwish(const SwishCall &call) {
  for (int64_t i = 0; i < call.out.type->elements(); ++i) {
    float x = call.x.as<const float>()[i];
    call.out.as<float>()[i] = x / (1 + std::exp(-float(call.alpha) * x));
  }
  return Status();
}
