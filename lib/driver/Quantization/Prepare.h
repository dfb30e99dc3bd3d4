//===- Prepare.h - a model that is easier to quantize -----------*- C++ -*-===//

#ifndef GLOW_LIB_QUANTIZATION_PREPARE_H
#define GLOW_LIB_QUANTIZATION_PREPARE_H

#include "Insert.h"

namespace glow {

/// Gives the node of a layer another constant for an operand. What others read
/// too stays.
void setConstant(Source &source, const Layer &layer, Operand &operand,
                 const Ints &shape, const std::vector<float> &values);

/// Multiplies the weights of a layer by a factor for each index of an axis.
void scaleWeights(Source &source, Layer &layer, int64_t axis,
                  const std::function<float(size_t)> &factor);

/// The axis of the weights along which there is a slice for each channel of the
/// result; -1 if they have none.
int64_t outAxis(const Source &source, const Layer &layer);

/// The channels of the result if each has a slice of the weights, and a number
/// of the bias or there is none; else 0.
size_t channelsOf(const Source &source, const Layer &layer);

/// Folds what multiplies channels by constants and moves them into the weights
/// and the bias of the product before: (x * w + b) * f + o is x * (w * f) +
/// (b * f + o). The product then gives the value of the node that is gone.
Status foldAffine(Source &source, const QuantizationRun &run);

/// Writes the model in a newer opset: `wanted`, or else the newest from `least`
/// on in which import records give all nodes the same meaning. Without one the
/// model stays as it is, and the result names a node for which there is none.
std::string raiseOpset(ModelEdit &model, int64_t least, int64_t wanted);

/// The opset from which the operator of the layer may read bf16; 0: none.
int64_t bf16From(const Source &source, const Layer &layer);

/// Leaves in floats layers that have no weights, and are not asked to be
/// integers, where an operand does not come from integers, or no integers read
/// the result. Returns how many.
size_t keepBetween(Source &source);

/// Makes the channels between two products alike: where only what lets positive
/// factors through is between them, channel c of the first is divided by s[c],
/// and the weights of the second that read it are multiplied. With s[c] =
/// sqrt(r1[c] / r2[c]), for ranges r1 and r2 of the weights, both are equal
/// (Nagel et al., Data-free quantization, 2019). Returns how many pairs it
/// found.
size_t equalize(Source &source);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_PREPARE_H
