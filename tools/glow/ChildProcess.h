//===- ChildProcess.h - this program again, in another process --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_CHILDPROCESS_H
#define GLOW_TOOLS_GLOW_CHILDPROCESS_H

#include "glow/Base/Status.h"
#include <string>
#include <vector>

namespace glow::tool {

/// How a child ended.
struct ChildResult {
  bool timedOut = false;
  int signal = 0;     ///< that ended it; 0 if none did
  int exitStatus = 0; ///< where no signal did
  double seconds = 0;
  std::string output; ///< the first 64 KiB of its stdout and stderr, mixed
};

/// Runs this program with other arguments, without input, and waits. A child
/// that is not done after `seconds` is killed. May be called from several
/// threads at once. Fails with Code::Internal if there can be no child.
Result<ChildResult> runSelf(const std::vector<std::string> &arguments,
                            double seconds);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CHILDPROCESS_H
