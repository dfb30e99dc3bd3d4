//===- Grpc.h - devices by way of gRPC --------------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H
#define GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H

#include "glow/Runtime/Remote.h"

namespace glow::remote {

/// `place` is HOST:PORT or unix:PATH. Nothing is encrypted, and no caller is
/// asked for a name. Connects when it is used.
Result<std::unique_ptr<Link>> connectGrpc(const std::string &place);

/// The same; port 0 is a free one. Fails with Code::InvalidArgument if the
/// place cannot be listened at.
Result<std::unique_ptr<LinkServer>> serveGrpc(const std::string &place,
                                              RemoteService &service);

/// Fails with Code::InvalidArgument for what is no place.
Status checkPlace(const std::string &place);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H
