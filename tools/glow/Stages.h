//===- Stages.h - what becomes of a model in stages -------------*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_STAGES_H
#define GLOW_TOOLS_GLOW_STAGES_H

#include "Runner.h"

namespace glow::tool {

/// Runs a model that is no single program once, on chance, and prints its
/// stages and what the host did between them, also when the run fails.
Status explainStages(const std::shared_ptr<Session> &session,
                     const ModelOptions &options, bool json);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_STAGES_H
