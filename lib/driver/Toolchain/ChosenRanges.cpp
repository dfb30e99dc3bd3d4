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
#include "glow/IR/Structure.h"

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

static uint64_t arenaBytesOf(ModuleOp module) {
  uint64_t bytes = 0;
  module.walk([&](ir::FuncOp function) {
    bytes += function.getArenaBytes().value_or(0);
  });
  return bytes;
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
  if (arenaBytesOf(*module) > modestBytes)
    return failure(Code::OutOfMemory, "its arena takes ", arenaBytesOf(*module),
                   " bytes");
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
