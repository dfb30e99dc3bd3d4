//===- Curve.h - the losses of a training as a picture ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_CURVE_H
#define GLOW_TOOLS_GLOW_REPORT_CURVE_H

#include <string>
#include <vector>

namespace glow::tool {

/// A line of a picture: a value for each epoch, from the first one on.
struct CurveLine {
  std::string name;
  std::vector<double> values;
};

/// An SVG picture of lines over epochs, from 0 to the largest value. `first` is
/// the number of the first epoch.
std::string curveAsSvg(const std::vector<CurveLine> &lines, int64_t first);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_CURVE_H
