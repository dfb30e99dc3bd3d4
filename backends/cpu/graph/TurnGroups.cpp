//===- TurnGroups.cpp - transposed convolutions in groups -----------------===//
// SPDX-License-Identifier: MIT

#include "TurnGroups.h"
#include "Algorithm.h"
#include "glow/Base/Functions.h"
#include "glow/Generated/CpuNodes.h"
#include "glow/Graph/Build.h"

using namespace mlir;
using namespace glow;
using namespace glow::cpu;

namespace {

/// Makes a convolution of a transposed one in groups, as the gradient of an
/// image is: the image, with zeros between its pixels where there are strides,
/// times the turned filter.
struct TurnGroups : OpRewritePattern<ConvTranspose> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvTranspose conv,
                                PatternRewriter &rewriter) const override {
    const Sizes image = shapeOf(conv.getIn());
    auto unpack = conv.getIn().getDefiningOp<CpuUnpack>();
    if (conv.getGroup() == 1 || !hasVectors(conv) || !unpack ||
        !kindOfElements(conv.getIn()).isF32() ||
        !llvm::all_of(image, [](const Size &size) { return size.isFixed(); }))
      return failure();
    const Ints filter = shapeOf(conv.getFilter()), strides(conv.getStrides()),
               dilations(conv.getDilations()), added(conv.getOutputPadding());
    const int64_t axes = expr::size(strides);
    Ints pads(conv.getPads());
    for (int64_t i = 0; i < 2 * axes; ++i) {
      const int64_t axis = i % axes;
      pads[i] = (filter[axis + 2] - 1) * dilations[axis] - pads[i];
      // Behind the last pixel, spreading has left zeros.
      if (i >= axes)
        pads[i] += added[axis] - (strides[axis] - 1);
      if (pads[i] < 0)
        return failure();
    }
    Location location = conv.getLoc();
    auto turned = createConv(
        rewriter, location, spread(rewriter, unpack, strides),
        turnedFilter(rewriter, location, conv.getFilter(), conv.getGroup()),
        conv.getBias(), Ints(size_t(axes), 1), Sizes(pads), dilations,
        conv.getGroup());
    if (!hasCode(turned)) {
      rewriter.eraseOp(turned);
      return failure();
    }
    rewriter.replaceOp(conv, turned);
    return success();
  }

private:
  /// The image with zeros behind each pixel, along axes with strides.
  static Value spread(OpBuilder &builder, CpuUnpack unpack,
                      const Ints &strides) {
    if (llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
      return unpack;
    Location location = unpack.getLoc();
    const Ints packed = shapeOf(unpack.getIn());
    // Between: each pixel with an axis of its own for the zeros behind it.
    Ints between = {packed[0], packed[1]}, after(2, 0), wide = between;
    for (size_t i = 0; i < strides.size(); ++i) {
      between.insert(between.end(), {packed[i + 2], 1});
      after.insert(after.end(), {0, strides[i] - 1});
      wide.push_back(packed[i + 2] * strides[i]);
    }
    between.push_back(packed.back()), after.push_back(0);
    wide.push_back(packed.back());
    Value image = createReshape(builder, location, unpack.getIn(), between);
    image =
        createPad(builder, location, image, Ints(after.size(), 0), after, 0);
    image = createReshape(builder, location, image, wide);
    return createCpuUnpack(builder, location, image, unpack.getChannels());
  }

  /// The filter [group * in, out, ...] as [group * out, in, ...], with its taps
  /// in reverse.
  static Value turnedFilter(OpBuilder &builder, Location location, Value filter,
                            int64_t group) {
    const Ints shape = shapeOf(filter);
    const Ints window = expr::drop(shape, 2);
    Ints groups = {group, shape[0] / group, shape[1]};
    llvm::append_range(groups, window);
    Ints order = expr::range(0, expr::size(groups));
    std::swap(order[1], order[2]);
    Ints turned = {group * shape[1], shape[0] / group};
    llvm::append_range(turned, window);
    Ints starts(2, 0), steps(2, 1);
    for (int64_t taps : window)
      starts.push_back(taps - 1), steps.push_back(-1);
    filter = createReshape(builder, location, filter, groups);
    filter = createTranspose(builder, location, filter, order);
    filter = createReshape(builder, location, filter, turned);
    return createSlice(builder, location, filter, starts, steps, turned);
  }
};

} // namespace

void cpu::addTurnedGroups(RewritePatternSet &patterns) {
  patterns.add<TurnGroups>(patterns.getContext());
}
