// The functions that the printed records name, which do nothing yet.
#include "glow/Generated/StubCalls.h"

using namespace glow;

Status kernels::ownStrangeBlend(const OwnStrangeBlendCall &) {
  return Status();
}
Status kernels::ownPlaceTwist(const OwnPlaceTwistCall &) { return Status(); }
