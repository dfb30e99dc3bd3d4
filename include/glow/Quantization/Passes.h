//===- Passes.h - passes that quantize nodes --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_PASSES_H
#define GLOW_QUANTIZATION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "glow/Quantization/Options.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL
#include "glow/Quantization/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Quantization/Passes.h.inc"

} // namespace glow

#endif // GLOW_QUANTIZATION_PASSES_H
