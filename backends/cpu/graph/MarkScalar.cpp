//===- MarkScalar.cpp - modules for processors without vectors ------------===//
// SPDX-License-Identifier: MIT

#include "Passes.h"
#include "glow/Graph/Marks.h"

using namespace mlir;

namespace glow::cpu {

#define GEN_PASS_DEF_CPUMARKSCALAR
#include "glow/Cpu/Passes.h.inc"

namespace {

/// Marks a module whose code is for a processor without registers of vectors.
///
/// Pinned before the first pass that selects records by target. The pass ends
/// because it sets one attribute.
struct CpuMarkScalar : impl::CpuMarkScalarBase<CpuMarkScalar> {
  using CpuMarkScalarBase::CpuMarkScalarBase;
  void runOnOperation() override {
    getOperation()->setAttr(scalar, UnitAttr::get(&getContext()));
  }
};

} // namespace
} // namespace glow::cpu
