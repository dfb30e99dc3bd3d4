//===- Between.cpp - layers that are integers with their neighbours -------===//
// SPDX-License-Identifier: MIT
//
// An addition, a pool or a function of elements in integers saves memory
// between products with weights. If its inputs are floats, it only adds the
// error of rounding, and saves nothing. Examples are the nodes beside
// normalizations, in the sums and in the attention of a language model.
//
//===----------------------------------------------------------------------===//

#include "Prepare.h"
#include <algorithm>

using namespace glow;

namespace {

class Neighbours {
public:
  explicit Neighbours(const Source &source);

  /// Removes layers that are not between integers, until no such layer is left.
  /// Returns the indices of the layers that stay.
  std::vector<size_t> between();

private:
  bool isFree(size_t layer) const;
  bool isKept(size_t layer) const;
  bool comesFromIntegers(const std::string &value) const;
  bool isReadByIntegers(const std::string &value) const;
  const onnx::NodeProto &node(int place) const {
    return source.model.graph().node(place);
  }

  const Source &source;
  const std::set<std::string> varying;
  std::map<std::string, int> producers;
  std::map<std::string, std::vector<int>> readers;
  std::map<int, size_t> layers; ///< by the node
  std::set<size_t> kept;
};

} // namespace

Neighbours::Neighbours(const Source &source)
    : source(source), varying(source.model.varying()) {
  for (int i = 0; i < source.model.graph().node_size(); ++i) {
    for (const std::string &output : node(i).output())
      producers[output] = i;
    for (const std::string &input : node(i).input())
      readers[input].push_back(i);
  }
  for (size_t i = 0; i < source.layers.size(); ++i)
    layers[source.layers[i].node] = i, kept.insert(i);
}

/// Whether the layer's neighbours decide its kind.
bool Neighbours::isFree(size_t layer) const {
  return !source.layers[layer].weights && !source.layers[layer].isAsked;
}

/// Whether the layer reads and computes integers. A node with integer weights
/// only does not.
bool Neighbours::isKept(size_t layer) const {
  return kept.count(layer) && !source.layers[layer].activations.empty();
}

/// Whether a layer computes the value. The value may also come through nodes
/// that are no layers and have one varying operand, such as activations.
bool Neighbours::comesFromIntegers(const std::string &value) const {
  auto producer = producers.find(value);
  if (producer == producers.end())
    return false;
  if (auto layer = layers.find(producer->second); layer != layers.end())
    return isKept(layer->second);
  const std::string *only = nullptr;
  for (const std::string &input : node(producer->second).input())
    if (varying.count(input)) {
      if (only)
        return false;
      only = &input;
    }
  return only && source.model.form(node(producer->second)).integers.empty() &&
         comesFromIntegers(*only);
}

/// Whether a layer reads the value, directly or through nodes that only move or
/// scale it.
bool Neighbours::isReadByIntegers(const std::string &value) const {
  auto found = readers.find(value);
  if (found == readers.end())
    return false;
  return std::ranges::any_of(found->second, [&](int reader) {
    if (auto layer = layers.find(reader); layer != layers.end())
      return isKept(layer->second);
    const QuantizedForm &form = source.model.form(node(reader));
    return (form.keepsRange || form.rescales) && form.integers.empty() &&
           std::ranges::any_of(node(reader).output(),
                               [&](const std::string &output) {
                                 return isReadByIntegers(output);
                               });
  });
}

std::vector<size_t> Neighbours::between() {
  const size_t count = source.layers.size();
  for (size_t before = 0; before != kept.size();) {
    before = kept.size();
    // The forward pass removes chains behind floats at once; the backward pass
    // removes chains that lead to floats.
    for (size_t i = 0; i < count; ++i)
      if (isFree(i) &&
          !std::ranges::all_of(source.layers[i].activations,
                               [&](const Operand &operand) {
                                 return comesFromIntegers(operand.value);
                               }))
        kept.erase(i);
    for (size_t i = count; i-- > 0;)
      if (isFree(i) && !isReadByIntegers(source.layers[i].result))
        kept.erase(i);
  }
  return {kept.begin(), kept.end()};
}

size_t glow::keepBetween(Source &source) {
  std::vector<Layer> left;
  for (size_t place : Neighbours(source).between())
    left.push_back(std::move(source.layers[place]));
  const size_t gone = source.layers.size() - left.size();
  source.layers = std::move(left);
  return gone;
}
