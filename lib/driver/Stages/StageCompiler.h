//===- StageCompiler.h - compilation of stages ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_STAGES_STAGECOMPILER_H
#define GLOW_LIB_STAGES_STAGECOMPILER_H

#include "CompiledStage.h"
#include "glow/Compile/CompilerDriver.h"
#include "glow/Stages/Stages.h"

namespace glow {

/// Finds the next stage, or compiles and loads it.
class StageCompiler {
public:
  /// `store` may be null.
  StageCompiler(StagedGraph &model, CompileRequest request, Host &host,
                std::unique_ptr<StageStore> store)
      : model(model), request(std::move(request)), programs(host, most),
        store(std::move(store)) {}

  /// The stage for the remaining nodes of a frame. Valid until the next call.
  Result<const CompiledStage *> next(const GraphFrame &frame);

  /// Called with each compiled program; may be empty.
  std::function<void(const Program &program)> observer;
  double milliseconds = 0; ///< spent in compiling and loading, ever

private:
  static constexpr size_t most = 64; ///< stages that are kept

  Status compile(const GraphFrame &frame, KnownValues known);
  Result<std::optional<Program>> programFor(const GraphFrame &frame,
                                            KnownValues known,
                                            ImportedStage &imported);

  StagedGraph &model;
  CompileRequest request;
  LoadedPrograms<CompiledStage> programs;
  std::unique_ptr<StageStore> store;
  ContextOfMany contexts;
};

} // namespace glow

#endif // GLOW_LIB_STAGES_STAGECOMPILER_H
