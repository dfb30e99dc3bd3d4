//===- Curve.cpp - the losses of a training as a picture ------------------===//
// SPDX-License-Identifier: MIT

#include "Curve.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>

using namespace glow;
using namespace glow::tool;

namespace {

/// The picture and, within it, the rectangle that has the lines.
constexpr double width = 640, height = 400, left = 64, right = 624, top = 24,
                 bottom = 360;

/// Places of epochs and of values.
struct Scale {
  int64_t first;
  size_t epochs;
  double most;

  double x(double epoch) const {
    return left +
           (right - left) * epoch / double(std::max<size_t>(1, epochs - 1));
  }
  double y(double value) const {
    return bottom - (bottom - top) * value / most;
  }
};

} // namespace

/// The distance of marks: 1, 2 or 5 times a power of ten, for about five marks.
static double distanceOf(double most) {
  const double power = std::pow(10, std::floor(std::log10(most / 5)));
  for (double factor : {1.0, 2.0, 5.0})
    if (most / (factor * power) <= 6)
      return factor * power;
  return 10 * power;
}

static void addText(std::ostream &svg, double x, double y, const char *anchor,
                    const std::string &text) {
  svg << "<text x='" << x << "' y='" << y << "' text-anchor='" << anchor << "'>"
      << text << "</text>\n";
}

static void addMarks(std::ostream &svg, const Scale &scale) {
  const double distance = distanceOf(scale.most);
  for (int i = 0; i * distance <= scale.most; ++i) {
    const double y = scale.y(i * distance);
    svg << "<path d='M" << left << " " << y << "H" << right
        << "' stroke='#ddd'/>\n";
    std::ostringstream number;
    number << i * distance;
    addText(svg, left - 8, y + 4, "end", number.str());
  }
  const size_t every = std::max<size_t>(1, (scale.epochs + 9) / 10);
  for (size_t i = 0; i < scale.epochs; i += every)
    addText(svg, scale.x(double(i)), bottom + 18, "middle",
            std::to_string(scale.first + int64_t(i)));
  addText(svg, (left + right) / 2, bottom + 36, "middle", "epoch");
}

std::string tool::curveAsSvg(const std::vector<CurveLine> &lines,
                             int64_t first) {
  constexpr std::array colours = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728"};
  Scale scale{first, 0, 0};
  for (const CurveLine &line : lines) {
    scale.epochs = std::max(scale.epochs, line.values.size());
    for (double value : line.values)
      scale.most = std::max(scale.most, value);
  }
  if (scale.most <= 0)
    scale.most = 1;
  std::ostringstream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width
      << "' height='" << height
      << "' font-family='sans-serif' font-size='12'>\n"
      << "<rect width='100%' height='100%' fill='white'/>\n";
  addMarks(svg, scale);
  for (size_t i = 0; i < lines.size(); ++i) {
    const char *colour = colours[i % colours.size()];
    svg << "<polyline fill='none' stroke-width='2' stroke='" << colour
        << "' points='";
    for (size_t epoch = 0; epoch < lines[i].values.size(); ++epoch)
      svg << scale.x(double(epoch)) << "," << scale.y(lines[i].values[epoch])
          << " ";
    svg << "'/>\n<g fill='" << colour << "'>";
    addText(svg, right - 8, top + 16 * double(i + 1), "end", lines[i].name);
    svg << "</g>\n";
  }
  svg << "</svg>\n";
  return svg.str();
}
