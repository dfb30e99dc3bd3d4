//===- Stages.h - models in stages ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_STAGES_STAGES_H
#define GLOW_STAGES_STAGES_H

#include "glow/Session/Session.h"
#include "glow/Session/StagedModel.h"

namespace glow {

class ModelFile;

/// Keeps programs of stages for other processes, by texts that determine them.
class StageStore {
public:
  virtual ~StageStore() = default;

  /// The kept program; nullopt without one.
  virtual std::optional<Program> load(const std::string &key) = 0;

  /// A failure is ignored: the next process compiles again.
  virtual void store(const std::string &key, const Program &program) = 0;
};

/// As Session::stages, for the model in a file. The ModelFile may be destroyed
/// later. `store` may be null.
Result<std::unique_ptr<StagedModel>>
openStages(ModelFile &file, const CompileRequest &request, Host &host,
           std::unique_ptr<StageStore> store);

} // namespace glow

#endif // GLOW_STAGES_STAGES_H
