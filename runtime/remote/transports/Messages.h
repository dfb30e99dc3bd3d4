//===- Messages.h - runs as messages of gRPC --------------------*- C++ -*-===//
//
// A tensor is copied once from where it lies into memory that gRPC sends from,
// and once from what came into the tensor of the other side: protobuf's own
// messages would copy it twice on each.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_REMOTE_TRANSPORTS_MESSAGES_H
#define GLOW_RUNTIME_REMOTE_TRANSPORTS_MESSAGES_H

#include "Device.pb.h"
#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include "glow/Runtime/DeviceInfo.h"
#include "glow/Values/Tensor.h"
#include <functional>
#include <grpcpp/support/byte_buffer.h>
#include <vector>

namespace glow::remote {

/// Of the protocol; both sides have the same.
inline constexpr uint32_t version = 3;

/// Pieces in which a program is sent, in bytes.
inline constexpr size_t pieceBytes = size_t(1) << 20;

void setOutcome(Outcome &outcome, const Status &status);
Status statusOf(const Outcome &outcome);

void setRates(Rates &message, const DeviceRates &rates);
DeviceRates ratesOf(const Rates &message);

/// What a device is, as the reply to Open says it.
void setDevice(OpenReply &reply, const DeviceInfo &device);
DeviceInfo deviceOf(const OpenReply &reply);

grpc::ByteBuffer runRequest(uint64_t session, uint64_t program,
                            const std::vector<TensorView> &inputs);
grpc::ByteBuffer runReply(const Status &status,
                          const std::vector<Tensor> &outputs);

/// Reads a RunRequest. `tensorsOf` gives the tensors for its inputs once
/// session and program are known. Fails as that does, with
/// Code::ShapeMismatch or Code::InvalidArgument if others come, and with
/// Code::DeviceLost if their bytes are not those that were sent.
using TensorsOf = std::function<Result<std::vector<TensorView>>(
    uint64_t session, uint64_t program)>;
Status readRunRequest(grpc::ByteBuffer &message, const TensorsOf &tensorsOf);

/// Reads a RunReply: its outcome, and then, if that is a success, its tensors.
/// A message that is none is a lost device, as are tensors that came damaged.
Status readOutcome(grpc::ByteBuffer &message);
Status readOutputs(grpc::ByteBuffer &message,
                   const std::vector<TensorView> &outputs);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_MESSAGES_H
