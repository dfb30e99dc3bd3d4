//===- Fit.h - weights in blocks that fit data ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MEASURE_FIT_H
#define GLOW_LIB_QUANTIZER_MEASURE_FIT_H

#include "model/ModelVersions.h"

namespace glow {

/// Fits the block weights of all layers to the inputs of the runs. The runs are
/// repeated for groups of layers, each as large as memory allows.
Status fitWeights(ModelVersions &versions, const ForEachRun &runs,
                  const QuantizationRun &run);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MEASURE_FIT_H
