//===- Drawing.cpp - layers in colours ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Drawing.h"
#include "glow/Base/OneLine.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace glow;

static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : oneLine(text))
    result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

/// The colour of a layer as hue, saturation and brightness: red is 0, green a
/// third.
static std::string colourOf(const QuantizedLayer &layer) {
  if (layer.kind.bits == 0)
    return "0 0 0.85";
  constexpr double red = 10, green = 50;
  const double noise = layer.upTo.decibels();
  const double hue = std::clamp((noise - red) / (green - red), 0.0, 1.0) / 3;
  char text[32];
  std::snprintf(text, sizeof text, "%.3f 0.6 1", hue);
  return text;
}

static std::string labelOf(const QuantizedLayer &layer) {
  if (layer.kind.bits == 0)
    return layer.name + " float";
  char text[64];
  std::snprintf(text, sizeof text, " %s %.1f dB",
                layer.kind.isBF16
                    ? "bf16"
                    : (std::to_string(layer.kind.bits) + " bits").c_str(),
                layer.upTo.decibels());
  return layer.name + text;
}

std::string glow::drawingOf(const std::vector<GraphNode> &nodes,
                            const std::vector<QuantizedLayer> &layers) {
  std::string text = "digraph model {\n"
                     "  node [shape=box, style=\"rounded,filled\", "
                     "fillcolor=white];\n";
  const auto id = [](size_t node) { return "n" + std::to_string(node); };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const QuantizedLayer *layer =
        nodes[i].layer < 0 ? nullptr : &layers[size_t(nodes[i].layer)];
    text += "  " + id(i) +
            " [label=" + quoted(layer ? labelOf(*layer) : nodes[i].name);
    if (layer)
      text += ", fillcolor=" + quoted(colourOf(*layer));
    text += "];\n";
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const auto &[maker, value] : nodes[i].operands)
      text += "  " + id(size_t(maker)) + " -> " + id(i) +
              " [label=" + quoted(value) + "];\n";
  return text + "}\n";
}
