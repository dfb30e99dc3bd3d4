//===- ReportSocket.h - live report of a host -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_REPORTSOCKET_H
#define GLOW_RUNTIME_REPORTSOCKET_H

#include "glow/Base/Status.h"
#include <functional>
#include <memory>
#include <string>

namespace glow {

/// A Unix socket that sends a text to each client and closes the connection.
class ReportSocket {
public:
  /// Listens at `path`, for the user of this process only. `report` is called
  /// on a thread of the socket. Fails with Code::InvalidArgument if the path is
  /// too long or exists; a socket without a listener is replaced. Fails with
  /// Code::OutOfMemory if there is no thread.
  static Result<std::unique_ptr<ReportSocket>>
  open(const std::string &path, std::function<std::string()> report);

  /// Finishes the current reply, and removes the socket.
  ~ReportSocket();
  ReportSocket(const ReportSocket &) = delete;
  ReportSocket &operator=(const ReportSocket &) = delete;

private:
  struct State;
  explicit ReportSocket(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Reads the report of the socket at `path`. Fails with Code::NotFound if it
/// has no listener or does not answer in two seconds.
Result<std::string> readReport(const std::string &path);

} // namespace glow

#endif // GLOW_RUNTIME_REPORTSOCKET_H
