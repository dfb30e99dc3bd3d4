//===- StageCompiler.h - compilation of stages ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_STAGES_STAGECOMPILER_H
#define GLOW_LIB_STAGES_STAGECOMPILER_H

#include "StageCache.h"
#include "glow/Compile/CompilerDriver.h"

namespace glow {

/// Finds the next stage, or compiles and loads it.
class StageCompiler {
public:
  StageCompiler(StagedGraph &model, CompileRequest request, Host &host)
      : model(model), request(std::move(request)), host(host), cache(host) {}

  /// The stage for the remaining nodes of a frame. Valid until the next call.
  Result<const CompiledStage *> next(const GraphFrame &frame);

  /// Called with each compiled program; may be empty.
  std::function<void(const Program &program)> told;
  double milliseconds = 0; ///< spent in compiling and loading, ever

private:
  Result<CompiledStage> compile(const GraphFrame &frame, KnownValues known);
  Status load(const Program &program, CompiledStage &stage);

  StagedGraph &model;
  CompileRequest request;
  Host &host;
  StageCache cache;
  ContextOfMany contexts;
};

} // namespace glow

#endif // GLOW_LIB_STAGES_STAGECOMPILER_H
