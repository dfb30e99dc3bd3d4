//===- QuantizedLayers.h - errors of quantized layers -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_QUANTIZEDLAYERS_H
#define GLOW_TOOLS_GLOW_REPORT_QUANTIZEDLAYERS_H

#include "cli/Tool.h"
#include "glow/Quantizer/Quantize.h"
#include "glow/Report/Table.h"

namespace glow::tool {

/// A row for each layer, in their order. JSON has null for infinite numbers.
Table quantizedTable(const std::vector<QuantizedLayer> &layers);

/// Layers in the order of their noise alone, the worst first.
std::vector<QuantizedLayer> worstFirst(std::vector<QuantizedLayer> layers);

/// As an array of objects, by name.
Json outputsAsJson(const std::vector<OutputNoise> &outputs);

/// "38.2 dB", or "exact".
std::string decibelText(const Noise &noise);

/// The share of the products of a run that is of integers of at most 8 bits.
double integerShare(const std::vector<QuantizedLayer> &layers);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_QUANTIZEDLAYERS_H
