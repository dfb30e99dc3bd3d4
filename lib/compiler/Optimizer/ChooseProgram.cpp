//===- ChooseProgram.cpp - one function of several programs ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/ControlFlow.h"
#include "glow/Optimizer/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHOOSEPROGRAM
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Leaves one program of a module. The driver does the same when it has read a
/// file, so that all phases are on one program. Ends because it visits each
/// function once.
struct ChooseProgram : impl::ChooseProgramBase<ChooseProgram> {
  using ChooseProgramBase::ChooseProgramBase;

  void runOnOperation() override {
    if (failed(chooseProgram(getOperation(), name)))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
