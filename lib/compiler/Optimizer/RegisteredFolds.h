//===- RegisteredFolds.h - the folds of this process ------------*- C++ -*-===//

#ifndef GLOW_OPTIMIZER_REGISTEREDFOLDS_H
#define GLOW_OPTIMIZER_REGISTEREDFOLDS_H

#include "glow/Optimizer/Folds.h"
#include <vector>

namespace glow {

/// What registerFolds was given, in its order.
std::vector<FoldInfo> &registeredFolds();

} // namespace glow

#endif // GLOW_OPTIMIZER_REGISTEREDFOLDS_H
