//===- Shadow.h - integers beside floats ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MEASURE_SHADOW_H
#define GLOW_LIB_QUANTIZER_MEASURE_SHADOW_H

#include "model/ModelRun.h"
#include "model/ModelVersions.h"

namespace glow {

/// Values by their names.
using Floats = std::map<std::string, std::vector<float>>;

/// The floating-point outputs of one run.
Result<Floats> runOnce(ModelRun &run, std::span<const NamedTensor> inputs);

/// Fills in `alone`, `upTo` and `clipped`, and the outputs. Each of `runs`
/// takes two runs: one in floats with a copy of each layer beside it, one in
/// integers.
Status measureLayers(ModelVersions &versions, const LayerKinds &kinds,
                     std::vector<QuantizedLayer> &layers,
                     std::vector<OutputNoise> &outputs, const ForEachRun &runs,
                     const QuantizationRun &run);

/// See Quantizer::meet; the bits and the predicted errors go into `layers`.
Result<BoundReport> meetBound(ModelVersions &versions,
                              std::vector<QuantizedLayer> &layers, double bound,
                              const ForEachRun &runs,
                              const QuantizationRun &run, const TimeOf &timeOf);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MEASURE_SHADOW_H
