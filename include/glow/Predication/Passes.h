//===- Passes.h - passes that leave rows out ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PREDICATION_PASSES_H
#define GLOW_PREDICATION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace glow {

#define GEN_PASS_DECL
#include "glow/Predication/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Predication/Passes.h.inc"

} // namespace glow

#endif // GLOW_PREDICATION_PASSES_H
