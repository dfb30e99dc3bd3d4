//===- Drawing.h - layers in colours ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MEASURE_DRAWING_H
#define GLOW_LIB_QUANTIZER_MEASURE_DRAWING_H

#include "model/ModelVersions.h"

namespace glow {

/// As Quantizer::drawing.
std::string drawingOf(const std::vector<GraphNode> &nodes,
                      const std::vector<QuantizedLayer> &layers);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MEASURE_DRAWING_H
