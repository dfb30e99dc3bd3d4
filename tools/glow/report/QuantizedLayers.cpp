//===- QuantizedLayers.cpp - errors of quantized layers -------------------===//
// SPDX-License-Identifier: MIT

#include "QuantizedLayers.h"
#include "glow/Base/TextTable.h"
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

static std::string outliersText(const std::vector<int64_t> &channels) {
  std::string text;
  constexpr size_t most = 4;
  for (size_t i = 0; i < std::min(most, channels.size()); ++i)
    text += (i ? " " : "") + std::to_string(channels[i]);
  return channels.size() > most
             ? text + " and " + std::to_string(channels.size() - most) + " more"
             : text;
}

std::string tool::quantizedAsText(const std::vector<QuantizedLayer> &layers) {
  std::vector<const QuantizedLayer *> order;
  for (const QuantizedLayer &layer : layers)
    order.push_back(&layer);
  std::ranges::sort(order, [](const auto *a, const auto *b) {
    return std::pair(a->alone.decibels(), a) <
           std::pair(b->alone.decibels(), b);
  });
  TextTable table({"layer", "operator", "as", "alone dB", "up to it dB",
                   "largest", "cosine", "clipped %", "outlier channels"});
  for (const QuantizedLayer *layer : order)
    table.add({oneLine(layer->name), layer->op, kindText(layer->kind),
               number("%.1f", layer->alone.decibels()),
               number("%.1f", layer->upTo.decibels()),
               number("%.3g", layer->upTo.largest),
               number("%.6f", layer->upTo.cosine()),
               number("%.3g", layer->clipped * 100),
               outliersText(layer->outliers)});
  return table.text();
}

static Json noiseAsJson(const Noise &noise) {
  return {{"sqnr_db", noise.decibels()},
          {"largest", noise.largest},
          {"cosine", noise.cosine()}};
}

Json tool::quantizedAsJson(const std::vector<QuantizedLayer> &layers) {
  Json array = Json::array();
  for (const QuantizedLayer &layer : layers)
    array.push_back({{"layer", layer.name},
                     {"operator", layer.op},
                     {"bits", layer.kind.bits},
                     {"bf16", layer.kind.isBF16},
                     {"work", layer.work},
                     {"clipped", layer.clipped},
                     {"outlier_channels", layer.outliers},
                     {"alone", noiseAsJson(layer.alone)},
                     {"up_to", noiseAsJson(layer.upTo)},
                     {"predicted_error", layer.predicted}});
  return array;
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
