//===- ChosenRanges.cpp - ranges without a greatest size ------------------===//
// SPDX-License-Identifier: MIT
//
// A user may leave the greatest size of a range to the compiler: the greatest
// power of two for which the model compiles within the memory limit, in a
// modest arena. All such sizes of a model get the same one. The model is
// planned for one after the other, from the greatest down, since only a plan
// shows its memory and whether the model has an end of its own, such as a table
// of positions.
//
//===----------------------------------------------------------------------===//

#include "CompilingSession.h"
#include "glow/Base/Log.h"
#include "glow/Base/MemorySize.h"
#include "glow/Memory/MemoryPlan.h"

using namespace mlir;
using namespace glow;

static bool isChosen(const SizeVariable &size) {
  return size.high == chosenSize;
}

/// The request with as many as `most` in place of each size to choose.
static CompileRequest withMost(const CompileRequest &request, int64_t most) {
  CompileRequest trial = request;
  for (SizeVariable &size : trial.sizes)
    if (isChosen(size))
      size.high = std::max(size.low, most / size.multiple * size.multiple);
  return trial;
}

/// The memory of the greatest sizes.
static ir::MemoryPlan planOf(ModuleOp module) {
  ir::MemoryPlan all;
  module.walk([&](ir::FuncOp function) {
    const ir::MemoryPlan plan = ir::MemoryPlan::of(function);
    all.arenaBytes += plan.arenaBytes;
    all.constantBytes += plan.constantBytes;
    all.boundBytes += plan.boundBytes;
  });
  return all;
}

/// Plans the model for sizes of at most `most`. Fails with the errors as its
/// message.
Status CompilingSession::tryRanges(const CompileRequest &trial) {
  ErrorsOfThread errors;
  CompilerDriver driver = driverFor(trial);
  OwningOpRef<ModuleOp> module = driver.runTo(Phase::Plan, model.get());
  if (!module)
    return failure(Code::InvalidArgument, errors.text.empty()
                                              ? driver.refused().message()
                                              : errors.text);
  const ir::MemoryPlan plan = planOf(*module);
  const uint64_t bytes = plan.arenaBytes + plan.constantBytes + plan.boundBytes,
                 limit = trial.code.memoryLimit ? trial.code.memoryLimit
                                                : defaultMemoryLimit();
  if (plan.arenaBytes > modestBytes)
    return failure(Code::OutOfMemory, "its arena takes ", plan.arenaBytes,
                   " bytes");
  if (bytes > limit)
    return failure(Code::OutOfMemory, "the model needs ", sizeText(bytes),
                   "; the limit is ", sizeText(limit),
                   ": give another memory-limit");
  return Status();
}

Status CompilingSession::chooseRanges(CompileRequest &request) {
  if (!model || llvm::none_of(request.sizes, isChosen))
    return Status();
  constexpr int64_t greatest = 4096;
  Status status;
  for (int64_t most = greatest; most; most /= 2) {
    CompileRequest trial = withMost(request, most);
    status = tryRanges(trial);
    if (!status.ok())
      continue;
    std::string text;
    for (auto [size, given] : llvm::zip_equal(trial.sizes, request.sizes))
      if (isChosen(given))
        text += (text.empty() ? "" : ", ") + size.text();
    if (!std::exchange(hasChosen, true))
      logText(LogLevel::Warning,
              path + ": warning: the greatest sizes are chosen: " + text);
    request.sizes = std::move(trial.sizes);
    return Status();
  }
  return status.prefixed(path + ": no range is possible: ");
}
