//===- Slices.h - parts of tensors, and tensors of parts --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_HOSTOPERATORS_SLICES_H
#define GLOW_LIB_HOSTOPERATORS_SLICES_H

#include "glow/Values/HostValue.h"

namespace glow {

/// The layout of a tensor around an axis: `outer` times `size` times `inner`
/// bytes.
struct AxisView {
  int64_t outer = 1, size = 1;
  uint64_t inner = 0;
};

/// Resolves an axis, which may be negative. Fails when the shape has no such
/// axis.
Result<int64_t> resolveAxis(int64_t axis, int64_t rank);
AxisView aroundAxis(const TensorType &type, int64_t axis);

/// Fails when an axis is longer than a list of its indices may be, as an empty
/// tensor may have any size. Fails too if the MemoryBudget does not allow a few
/// such lists.
Status checkPlaces(int64_t size);

/// `count` slices from `start` along an axis, which must exist; without the
/// axis unless `keep`, if `count` is 1.
Result<Tensor> sliceOf(const Tensor &tensor, int64_t axis, int64_t start,
                       int64_t count, bool keep);

/// The slices at any indices along an axis.
Result<Tensor> slicesAt(TensorView tensor, int64_t axis, const Ints &places);

/// Concatenates tensors of one kind whose shapes differ at most along the axis.
Result<Tensor> concatenated(const HostValue::Sequence &values, int64_t axis);

/// Stacks tensors of one type along a new axis. Without tensors, the result is
/// f32[0].
Result<Tensor> stacked(const HostValue::Sequence &values, int64_t axis);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_SLICES_H
