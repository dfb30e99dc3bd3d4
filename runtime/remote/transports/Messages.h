//===- Messages.h - runs as messages of gRPC --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A tensor is copied once on each side: into the memory that gRPC sends from,
// and from the received message into the tensor. Protobuf's own messages would
// copy it twice on each side.
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

/// The version of the protocol, which must be equal on both sides.
inline constexpr uint32_t version = 4;

/// The bytes of each piece in which a program is sent.
inline constexpr size_t pieceBytes = size_t(1) << 20;

void setOutcome(Outcome &outcome, const Status &status);
Status statusOf(const Outcome &outcome);

void setRates(Rates &message, const DeviceRates &rates);
DeviceRates ratesOf(const Rates &message);

/// The description of a device in the reply to Open.
void setDevice(OpenReply &reply, const DeviceInfo &device);
DeviceInfo deviceOf(const OpenReply &reply);

grpc::ByteBuffer runRequest(uint64_t session, uint64_t program,
                            const Ints &sizes,
                            const std::vector<TensorView> &inputs);
grpc::ByteBuffer runReply(const Status &status,
                          const std::vector<Tensor> &outputs);

/// Reads a RunRequest. `tensorsOf` returns the tensors for its inputs, once
/// session, program and sizes are known. Fails as `tensorsOf` does, with
/// Code::ShapeMismatch or Code::InvalidArgument if other inputs arrive, and
/// with Code::DeviceLost if their bytes differ from the bytes that were sent.
using TensorsOf = std::function<Result<std::vector<TensorView>>(
    uint64_t session, uint64_t program, const Ints &sizes)>;
Status readRunRequest(grpc::ByteBuffer &message, const TensorsOf &tensorsOf);

/// Reads a RunReply: its outcome, and after a success its tensors. Damaged
/// messages and damaged tensors are reported as a lost device.
Status readOutcome(grpc::ByteBuffer &message);
Status readOutputs(grpc::ByteBuffer &message,
                   const std::vector<TensorView> &outputs);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_MESSAGES_H
