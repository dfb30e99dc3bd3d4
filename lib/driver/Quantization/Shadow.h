//===- Shadow.h - integers beside floats ------------------------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_SHADOW_H
#define GLOW_LIB_QUANTIZATION_SHADOW_H

#include "Insert.h"

namespace glow {

/// Values by their names.
using Floats = std::map<std::string, std::vector<float>>;

/// The outputs of one run that are floats.
Result<Floats> runOnce(ModelRun &run, std::span<const NamedTensor> inputs);

/// Fills in `alone`, `upTo` and `clipped`, and the outputs: two runs for each
/// of `runs`, one of floats with a copy of each layer beside, one of integers.
Status measureLayers(const Source &source, const LayerKinds &kinds,
                     std::vector<QuantizedLayer> &layers,
                     std::vector<OutputNoise> &outputs, const ForEachRun &runs,
                     const QuantizationRun &run);

/// As Quantizer::meet; the bits and the predicted errors go into `layers`.
Result<BoundReport> meetBound(const Source &source,
                              std::vector<QuantizedLayer> &layers, double bound,
                              const ForEachRun &runs,
                              const QuantizationRun &run, const TimeOf &timeOf);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_SHADOW_H
