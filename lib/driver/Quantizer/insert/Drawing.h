//===- Drawing.h - layers in colours ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_INSERT_DRAWING_H
#define GLOW_LIB_QUANTIZER_INSERT_DRAWING_H

#include "Insert.h"

namespace glow {

/// As Quantizer::drawing.
std::string drawingOf(const Source &source,
                      const std::vector<QuantizedLayer> &layers);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_INSERT_DRAWING_H
