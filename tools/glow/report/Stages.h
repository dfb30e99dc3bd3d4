//===- Stages.h - report of a model in stages -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_STAGES_H
#define GLOW_TOOLS_GLOW_REPORT_STAGES_H

#include "Layers.h"
#include <optional>

namespace glow::tool {

/// Runs the model once on random inputs, and prints its stages, the nodes
/// between them that run on the host, each with its reason, and what was chosen
/// for the steps of the stages; runs it again for their times if it should
/// `measure`. `json` is as addJsonOption has it. Where the values of the inputs
/// make one program of the model, nothing is printed, and what to ask for is
/// returned.
Result<std::optional<CompileRequest>>
explainStages(const std::shared_ptr<Session> &session,
              const ModelOptions &options, const std::string &json,
              bool measure);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_STAGES_H
