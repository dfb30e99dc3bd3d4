//===- QuantizedLayers.cpp - errors of quantized layers -------------------===//
// SPDX-License-Identifier: MIT

#include "QuantizedLayers.h"
#include "glow/Base/SortByKey.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

static std::string number(const char *format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return std::isfinite(value) ? text : "exact";
}

static std::string kindText(const LayerKind &kind) {
  if (kind.isBF16)
    return "bf16";
  return kind.bits ? std::to_string(kind.bits) + " bits" : "float";
}

static std::string outliersText(const Json &channels) {
  std::string text;
  constexpr size_t most = 4;
  for (size_t i = 0; i < std::min(most, channels.size()); ++i)
    text += (i ? " " : "") + channels[i].dump();
  return channels.size() > most
             ? text + " and " + std::to_string(channels.size() - most) + " more"
             : text;
}

static Json noiseAsJson(const Noise &noise) {
  return {{"sqnr_db", noise.decibels()},
          {"largest", noise.largest},
          {"cosine", noise.cosine()}};
}

/// A column of numbers, in text alone.
static TableColumn numbers(std::string heading, const char *format) {
  return {std::move(heading), "",
          [=](const Json &value) { return number(format, value); }, true};
}

Table tool::quantizedTable(const std::vector<QuantizedLayer> &layers) {
  Table table({{"layer", "layer"},
               {"operator", "operator"},
               {"as"},
               {"", "bits"},
               {"", "bf16"},
               {"", "work"},
               numbers("alone dB", "%.1f"),
               numbers("up to it dB", "%.1f"),
               numbers("largest", "%.3g"),
               numbers("cosine", "%.6f"),
               numbers("clipped %", "%.3g"),
               {"", "clipped"},
               {"outlier channels", "outlier_channels", outliersText},
               {"", "alone"},
               {"", "up_to"},
               {"", "predicted_error"}});
  for (const QuantizedLayer &layer : layers)
    table.add({layer.name, layer.op, kindText(layer.kind), layer.kind.bits,
               layer.kind.isBF16, layer.work, layer.alone.decibels(),
               layer.upTo.decibels(), layer.upTo.largest, layer.upTo.cosine(),
               layer.clipped * 100, layer.clipped, layer.outliers,
               noiseAsJson(layer.alone), noiseAsJson(layer.upTo),
               layer.predicted});
  return table;
}

std::vector<QuantizedLayer>
tool::worstFirst(std::vector<QuantizedLayer> layers) {
  sortGreatestFirst(layers, [](const QuantizedLayer &layer) {
    return -layer.alone.decibels();
  });
  return layers;
}

Json tool::outputsAsJson(const std::vector<OutputNoise> &outputs) {
  Json array = Json::array();
  for (const OutputNoise &output : outputs) {
    Json entry = noiseAsJson(output.noise);
    entry["output"] = output.name;
    entry["relative_error"] = output.noise.relative();
    array.push_back(std::move(entry));
  }
  return array;
}

std::string tool::decibelText(const Noise &noise) {
  const double decibels = noise.decibels();
  return number("%.1f", decibels) + (std::isfinite(decibels) ? " dB" : "");
}

double tool::integerShare(const std::vector<QuantizedLayer> &layers) {
  double all = 0, integers = 0;
  for (const QuantizedLayer &layer : layers) {
    all += layer.work;
    integers += layer.kind.bits && layer.kind.bits <= 8 ? layer.work : 0;
  }
  return all > 0 ? integers / all : 0;
}
