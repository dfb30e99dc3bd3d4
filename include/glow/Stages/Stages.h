//===- Stages.h - models that the host walks through ------------*- C++ -*-===//

#ifndef GLOW_STAGES_STAGES_H
#define GLOW_STAGES_STAGES_H

#include "glow/Session/Session.h"
#include "glow/Session/StagedModel.h"

namespace glow {

/// As Session::stages.
Result<std::unique_ptr<StagedModel>> openStages(const CompileRequest &request,
                                                Host &host);

} // namespace glow

#endif // GLOW_STAGES_STAGES_H
