//===- Prepare.h - a model that is easier to quantize -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_INSERT_PREPARE_H
#define GLOW_LIB_QUANTIZER_INSERT_PREPARE_H

#include "Insert.h"

namespace glow {

/// Gives the node of a layer another constant for an operand. The old constant
/// stays if other nodes read it.
void setConstant(Source &source, const Layer &layer, Operand &operand,
                 const Ints &shape, const std::vector<float> &values);

/// Multiplies the weights of a layer by a factor for each index of an axis.
void scaleWeights(Source &source, Layer &layer, int64_t axis,
                  const std::function<float(size_t)> &factor);

/// The axis of the weights that has a slice for each channel of the result; -1
/// if there is none.
int64_t outAxis(const Source &source, const Layer &layer);

/// The number of the result's channels if each has a slice of the weights, and
/// a number of the bias if there is a bias; else 0.
size_t channelsOf(const Source &source, const Layer &layer);

/// Folds an affine node with constants per channel into the weights and the
/// bias of the product before: (x * w + b) * f + o is x * (w * f) + (b * f +
/// o). The product then computes the value of the removed node.
Status foldAffine(Source &source, const QuantizationRun &run);

/// Writes the model in a newer opset: `wanted`, or else the newest opset, from
/// `least` on, in which import records give all nodes the same semantics. If
/// there is none, the model stays unchanged, and the result names a node that
/// prevents it.
std::string raiseOpset(ModelEdit &model, int64_t least, int64_t wanted);

/// The opset from which the operator of the layer may read bf16; 0: none.
int64_t bf16From(const Source &source, const Layer &layer);

/// Leaves layers in floats that `besideFloats` finds, unless they are requested
/// as integers. Returns their number.
size_t keepBetween(Source &source);

/// Balances the channels between two products, if only nodes that commute with
/// positive factors are between them. Channel c of the first product is divided
/// by s[c], and the weights of the second that read the channel are multiplied.
/// With s[c] = sqrt(r1[c] / r2[c]), for ranges r1 and r2 of the weights, both
/// are equal (Nagel et al., Data-free quantization, 2019). Returns the number
/// of pairs.
size_t equalize(Source &source);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_INSERT_PREPARE_H
