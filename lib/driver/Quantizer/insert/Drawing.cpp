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

std::string glow::drawingOf(const Source &source,
                            const std::vector<QuantizedLayer> &layers) {
  std::map<int, const QuantizedLayer *> known;
  for (size_t i = 0; i < layers.size(); ++i)
    known[source.layers[i].node] = &layers[i];
  std::string text = "digraph model {\n"
                     "  node [shape=box, style=\"rounded,filled\", "
                     "fillcolor=white];\n";
  std::map<std::string, std::string> makers;
  for (int i = 0; i < source.model.graph().node_size(); ++i) {
    const onnx::NodeProto &node = source.model.graph().node(i);
    const std::string id = "n" + std::to_string(i);
    auto layer = known.find(i);
    text +=
        "  " + id + " [label=" +
        quoted(layer == known.end() ? nodeName(node) : labelOf(*layer->second));
    if (layer != known.end())
      text += ", fillcolor=" + quoted(colourOf(*layer->second));
    text += "];\n";
    for (const std::string &output : node.output())
      makers[output] = id;
  }
  for (int i = 0; i < source.model.graph().node_size(); ++i)
    for (const std::string &input : source.model.graph().node(i).input())
      if (auto maker = makers.find(input);
          maker != makers.end() && !input.empty())
        text += "  " + maker->second + " -> n" + std::to_string(i) +
                " [label=" + quoted(input) + "];\n";
  return text + "}\n";
}
