//===- Stages.h - models in stages ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_STAGES_STAGES_H
#define GLOW_STAGES_STAGES_H

#include "glow/Session/Session.h"
#include "glow/Session/StagedModel.h"

namespace glow {

class ModelFile;

/// As Session::stages, for the model in a file. The ModelFile may be destroyed
/// later.
Result<std::unique_ptr<StagedModel>>
openStages(ModelFile &file, const CompileRequest &request, Host &host);

} // namespace glow

#endif // GLOW_STAGES_STAGES_H
