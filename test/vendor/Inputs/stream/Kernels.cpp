// Models are compiled for the chip, and not run.
#include "glow/Generated/StreamCalls.h"

using namespace glow;

static Status refuse() {
  return Status(Code::Unsupported, "the chip does not compute");
}

Status kernels::streamLoad(const StreamLoadCall &) { return refuse(); }
Status kernels::streamStore(const StreamStoreCall &) { return refuse(); }
Status kernels::streamWait(const StreamWaitCall &) { return refuse(); }
Status kernels::streamConv(const StreamConvCall &) { return refuse(); }
Status kernels::streamApart(const StreamApartCall &) { return refuse(); }
Status kernels::streamSum(const StreamSumCall &) { return refuse(); }
