//===- RegisteredRewrites.h - the rewrites of this process ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_OPTIMIZER_REGISTEREDREWRITES_H
#define GLOW_OPTIMIZER_REGISTEREDREWRITES_H

#include "glow/Optimizer/Rewrites.h"
#include <vector>

namespace glow {

/// All rewrites passed to registerRewrites, in order.
std::vector<RewriteInfo> &registeredRewrites();

} // namespace glow

#endif // GLOW_OPTIMIZER_REGISTEREDREWRITES_H
