//===- NodeSource.h - a module that is quantized ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_NODESOURCE_H
#define GLOW_LIB_QUANTIZATION_NODES_NODESOURCE_H

#include "ConstantMaker.h"
#include "NodeLayers.h"
#include "ValueNames.h"
#include "WeightRoot.h"
#include "glow/Quantization/GraphQuantization.h"

namespace glow {

/// A module and its layers, while they are prepared and quantized.
struct NodeSource {
  NodeSource(mlir::ModuleOp module, GraphQuantization &request)
      : module(module), request(request), values(request.values), names(module),
        known(module) {}

  mlir::ModuleOp module;
  GraphQuantization &request;
  std::map<std::string, ValueProfile> values; ///< ranges of this run
  ValueNames names;
  KnownValues known;
  ConstantMaker constants;
  std::vector<NodeLayer> layers;

  /// The profile of a value; null if there is none.
  ValueProfile *profileOf(mlir::Value value);

  std::string nameOf(mlir::Value value) const { return names.of(value).str(); }

  /// The size of the axis of a layer's weights that has a slice for each
  /// channel of its result; 0 if there is none.
  size_t channelsOf(const NodeLayer &layer) const;

  /// The elements of the layer's addend, one for each channel. Zeros if there
  /// is none, and nothing if the addend has another form.
  std::optional<std::vector<float>> addendOf(const NodeLayer &layer,
                                             size_t channels);

  /// Gives the layer another addend: the bias, or the constant that is added to
  /// the product. A layer without both gets one. False, without a change, if
  /// the node has no bias and its channels are not on the last axis.
  bool setAddend(NodeLayer &layer, std::span<const float> values);

  /// A constant in the place of another one, repeated as that one is.
  mlir::Value repeatedAs(mlir::OpBuilder &builder, mlir::Value before,
                         mlir::Value constant);

  /// Gives the name of a value to the value that is there in its place.
  void replaceName(mlir::Value old, mlir::Value made);

  /// Gives the layer other weights: the numbers of the constant at their root.
  void setWeights(NodeLayer &layer, const WeightRoot &root,
                  std::span<const float> values);
};

/// Folds an affine node with constants per channel into the weights and the
/// addend of the product before: (x * w + b) * f + o is x * (w * f) + (b * f +
/// o). The product then computes the value of the removed node.
void foldAffine(NodeSource &source);

/// Balances the channels between two products, if only nodes that commute with
/// positive factors are between them. Channel c of the first product is divided
/// by s[c], and the weights of the second that read the channel are multiplied.
/// With s[c] = sqrt(r1[c] / r2[c]), for ranges r1 and r2 of the weights, both
/// are equal (Nagel et al., Data-free quantization, 2019). Returns the number
/// of pairs.
size_t equalize(NodeSource &source);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_NODESOURCE_H
