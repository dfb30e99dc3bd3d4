//===- ChildProcess.h - pieces of work, each in a process -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_CHILDPROCESS_H
#define GLOW_TOOLS_GLOW_CLI_CHILDPROCESS_H

#include "glow/Base/Status.h"
#include <functional>
#include <string>

namespace glow::tool {

/// How a child ended.
struct ChildResult {
  bool timedOut = false;
  int signal = 0;     ///< that ended it; 0 if none did
  int exitStatus = 0; ///< where no signal did
  double seconds = 0;
  std::string output; ///< the first 64 KiB of its stdout and stderr, mixed
};

/// The reason of the failure in one line, from its output, or how it ended.
/// `seconds` is the limit that it had.
std::string reasonOf(const ChildResult &child, double seconds);

/// Work of `count` pieces, each in a child of this process.
struct ChildWork {
  size_t count = 0;
  unsigned jobs = 1;  ///< children at one time
  double seconds = 0; ///< after which a child is killed
  /// Does a piece, in the child, which has no input; gives its exit status.
  std::function<int(size_t piece)> run;
  /// Receives the result of a piece, in this process, in the order in which
  /// they end. The status is Code::Internal if no child could be started.
  std::function<void(size_t piece, Result<ChildResult>)> ended;
};

/// Does all pieces, and waits. A child is a copy of this process, which must
/// have no other threads.
void runInChildren(const ChildWork &work);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_CHILDPROCESS_H
