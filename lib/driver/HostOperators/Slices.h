//===- Slices.h - parts of tensors, and tensors of parts --------*- C++ -*-===//

#ifndef GLOW_LIB_HOSTOPERATORS_SLICES_H
#define GLOW_LIB_HOSTOPERATORS_SLICES_H

#include "glow/Values/HostValue.h"

namespace glow {

/// How a tensor lies around an axis: `outer` times `size` times `inner` bytes.
struct AxisView {
  int64_t outer = 1, size = 1;
  uint64_t inner = 0;
};

/// `axis` may be negative. Fails when the shape has none such.
Result<int64_t> resolveAxis(int64_t axis, int64_t rank);
AxisView aroundAxis(const TensorType &type, int64_t axis);

/// Fails when an axis is longer than a list of its places should be, that of an
/// empty tensor may be of any size, or the MemoryBudget has no room for a few
/// such lists.
Status checkPlaces(int64_t size);

/// `count` slices from `start` along an axis, of which they are there; without
/// the axis unless `keep`, if `count` is 1.
Result<Tensor> sliceOf(const Tensor &tensor, int64_t axis, int64_t start,
                       int64_t count, bool keep);

/// Slices anywhere along an axis.
Result<Tensor> slicesAt(TensorView tensor, int64_t axis, const Ints &places);

/// Tensors of one kind, and but for the axis of one shape, one after the other.
Result<Tensor> concatenated(const HostValue::Sequence &values, int64_t axis);

/// Tensors of one type along a new axis. No tensors are f32[0].
Result<Tensor> stacked(const HostValue::Sequence &values, int64_t axis);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_SLICES_H
