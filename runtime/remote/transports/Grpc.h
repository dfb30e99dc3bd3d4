//===- Grpc.h - devices by way of gRPC --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H
#define GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H

#include "glow/Runtime/Remote.h"

namespace glow::remote {

/// A link to the server at `place`, which is HOST:PORT or unix:PATH. Nothing is
/// encrypted or authenticated. The link connects with its first call.
Result<std::unique_ptr<Link>> connectGrpc(const std::string &place);

/// Serves a device at such a place; port 0 is a free one. Fails with
/// Code::InvalidArgument if the process cannot listen there.
Result<std::unique_ptr<LinkServer>> serveGrpc(const std::string &place,
                                              RemoteService &service);

/// Fails with Code::InvalidArgument for a text that is no place.
Status checkPlace(const std::string &place);

} // namespace glow::remote

#endif // GLOW_RUNTIME_REMOTE_TRANSPORTS_GRPC_H
