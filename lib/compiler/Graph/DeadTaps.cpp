//===- DeadTaps.cpp - filters without taps that read padding alone --------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Parts.h"
#include "glow/Graph/Verify.h"

using namespace mlir;
using namespace glow;

namespace {

/// The taps along one axis that read the image for some pixel of the result:
/// `count` of them from `first` on. `before` and `after` are the padding that
/// remains.
struct LiveTaps {
  int64_t first, count, before, after;
};

} // namespace

/// The live taps of one axis. Tap t of pixel o reads element o * stride + t *
/// dilation - before.
static LiveTaps liveTaps(int64_t image, int64_t window, int64_t stride,
                         int64_t dilation, int64_t before, int64_t result) {
  const int64_t span = (result - 1) * stride;
  LiveTaps live;
  // Each tap dropped takes `dilation` off the padding before the image, which
  // must not become negative.
  live.first = std::min(
      std::max<int64_t>(llvm::divideCeilSigned(before - span, dilation), 0),
      before / dilation);
  const int64_t last = std::min((image - 1 + before) / dilation, window - 1);
  live.count = last - live.first + 1;
  live.before = before - live.first * dilation;
  live.after = std::max<int64_t>(
      span + (live.count - 1) * dilation + 1 - image - live.before, 0);
  return live;
}

/// The live taps of each spatial axis; empty where the filter stays as it is.
static SmallVector<LiveTaps> liveTapsOf(Conv conv) {
  if (takesLengths(conv))
    return {};
  const Ints image = expr::drop(shapeOf(conv.getIn()), 2),
             window = expr::drop(shapeOf(conv.getFilter()), 2),
             result = expr::drop(shapeOf(conv.getOut()), 2);
  if (!isConstant(conv.getFilter()) || expr::prod(result) == 0)
    return {};
  SmallVector<LiveTaps> all;
  bool isSmaller = false;
  for (size_t i = 0; i < image.size(); ++i) {
    const int64_t stride = conv.getStrides()[i],
                  dilation = conv.getDilations()[i];
    LiveTaps live = liveTaps(image[i], window[i], stride, dilation,
                             conv.getPads()[i], result[i]);
    if (live.count < 1 ||
        (image[i] + live.before + live.after - dilation * (live.count - 1) -
         1) / stride +
                1 !=
            result[i])
      return {};
    isSmaller |= live.count < window[i];
    all.push_back(live);
  }
  return isSmaller ? all : SmallVector<LiveTaps>();
}

bool glow::hasDeadTaps(Value conv) {
  return !liveTapsOf(conv.getDefiningOp<Conv>()).empty();
}

Value glow::withoutDeadTaps(OpBuilder &builder, Location location,
                            Value value) {
  auto conv = value.getDefiningOp<Conv>();
  Ints sizes = expr::take(shapeOf(conv.getFilter()), 2), starts{0, 0}, before,
       after;
  for (const LiveTaps &live : liveTapsOf(conv)) {
    starts.push_back(live.first);
    sizes.push_back(live.count);
    before.push_back(live.before);
    after.push_back(live.after);
  }
  Value filter = createSlice(builder, location, conv.getFilter(), starts,
                             Ints(sizes.size(), 1), sizes);
  before.insert(before.end(), after.begin(), after.end());
  return createConv(builder, location, conv.getIn(), filter, conv.getBias(),
                    Ints(conv.getStrides()), before, Ints(conv.getDilations()),
                    conv.getGroup());
}
