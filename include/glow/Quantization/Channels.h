//===- Channels.h - arithmetic on channels of products ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_CHANNELS_H
#define GLOW_QUANTIZATION_CHANNELS_H

#include "glow/Quantization/Weights.h"

namespace glow {

/// The channel of the product's input that each element of its weights reads.
/// `axis` has a slice of the weights for each channel of the result: axis 0 or
/// 1, or the last axis of a stack of matrices. Empty if the sizes do not
/// determine the channels.
std::vector<size_t> channelsRead(const Ints &shape, int64_t axis,
                                 size_t channels);

/// The factors by which the channels between two products are divided, so that
/// the ranges of both weights become equal (Nagel et al., Data-free
/// quantization, 2019): sqrt(r1[c] / r2[c]), for the ranges r1 and r2 of the
/// weights of channel c. `walk` has the channel of an element of the first
/// weights, `read` that of an element of the second.
std::vector<float> balancingFactors(std::span<const float> first,
                                    const AxisWalk &walk,
                                    std::span<const float> second,
                                    std::span<const size_t> read);

/// Divides the channels of a value by factors; only ranges of channels follow
/// them. A value without known channels takes those of `other`.
void divideChannels(ValueProfile &value, std::span<const float> factors,
                    const std::vector<ChannelRange> &other);

/// Subtracts from an addend the error that rounded weights add to the result of
/// a product for average inputs (Nagel et al., Data-free quantization, 2019).
/// Pads around an image are no average inputs, but few. Returns the addend
/// unchanged if the sizes do not determine the channels.
std::vector<float> correctedAddend(std::vector<float> addend,
                                   std::span<const float> weights,
                                   std::span<const float> rounded,
                                   const Ints &shape, int64_t axis,
                                   const ValueProfile &input);

} // namespace glow

#endif // GLOW_QUANTIZATION_CHANNELS_H
