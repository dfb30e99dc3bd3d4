//===- Layout.cpp - images in blocks of channels --------------------------===//
// SPDX-License-Identifier: MIT
//
// Only convolutions have special nodes for this layout. Pools, reductions,
// concatenations and element-wise nodes run on packed images as on any tensor,
// with one more dimension. So packing is pushed down from convolution to
// convolution, and cancels with its inverse. Blocks come before images: with
// images first, a concatenation would copy the parts of each image of a batch.
// With a batch of 8 SqueezeNet and U-Net take 0.96 of the time, DenseNet-121
// 0.94.
//
//===----------------------------------------------------------------------===//

#include "Algorithm.h"
#include "Fusion.h"
#include "Passes.h"
#include "TurnGroups.h"
#include "glow/Base/Functions.h"
#include "glow/Generated/CpuNodes.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/Lowering/Rules.h"
#include "glow/Optimizer/Rewrites.h"

using namespace mlir;

namespace glow::cpu {

#define GEN_PASS_DEF_CPUASSIGNLAYOUT
#include "glow/Cpu/Passes.h.inc"

namespace {

/// Packs an image. An image of few channels gets blocks of a single channel.
Value blocksOf(OpBuilder &builder, Location location, Value image) {
  Sizes shape = shapeOf(image);
  if (shape[1].extent() >= 16)
    return createCpuPack(builder, location, image);
  Ints order = expr::range(0, expr::size(shape));
  std::swap(order[0], order[1]);
  if (!expr::keepsOrder(shape, Sizes(order)))
    image = createTranspose(builder, location, image, order);
  std::swap(shape[0], shape[1]);
  shape.push_back(1);
  return createReshape(builder, location, image, shape);
}

/// The bias that a packed convolution takes: a constant, which is padded when
/// the program is compiled.
Value packedBias(Value bias) {
  return bias && isConstant(bias) ? bias : Value();
}

/// The result of a packed convolution as it was before, with a bias that the
/// convolution did not take.
Value unpacked(OpBuilder &builder, Location location, Value packed,
               int64_t channels, Value bias) {
  Value image = createCpuUnpack(builder, location, packed, channels);
  if (!bias || packedBias(bias))
    return image;
  Value all = createBroadcast(builder, location, bias, shapeOf(image), 1);
  return createAdd(builder, location, image, all);
}

/// Whether only images, heights and widths differ between runs, as the code of
/// blocks requires.
template <typename Node> bool hasFixedFilter(Node conv) {
  const Sizes in = shapeOf(conv.getIn());
  bool isFixed = shapeOf(conv.getFilter()).areFixed();
  if constexpr (requires { conv.getBias(); })
    isFixed = isFixed && shapeOf(conv.getBias()).areFixed();
  return isFixed && in[1].isFixed() && (in.size() < 5 || in[2].isFixed());
}

struct PackConv : OpRewritePattern<Conv> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Conv conv,
                                PatternRewriter &rewriter) const override {
    if (!hasCode(conv) || !hasFixedFilter(conv))
      return failure();
    Location location = conv.getLoc();
    auto packed = createCpuConv(
        rewriter, location, blocksOf(rewriter, location, conv.getIn()),
        conv.getFilter(), packedBias(conv.getBias()), {},
        Ints(conv.getStrides()), sizesOf(conv.getPadsAttr()),
        Ints(conv.getDilations()), conv.getGroup(), "",
        Ints(conv.getStrides().size(), 1));
    keepMark(conv, packed);
    rewriter.replaceOp(conv,
                       unpacked(rewriter, location, packed,
                                shapeOf(conv.getFilter())[0], conv.getBias()));
    return success();
  }
};

struct PackConvTranspose : OpRewritePattern<ConvTranspose> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvTranspose conv,
                                PatternRewriter &rewriter) const override {
    if (!hasCode(conv) || !hasFixedFilter(conv))
      return failure();
    Ints filter = shapeOf(conv.getFilter());
    Location location = conv.getLoc();
    auto packed = createCpuConvTranspose(
        rewriter, location, createCpuPack(rewriter, location, conv.getIn()),
        conv.getFilter(), packedBias(conv.getBias()), {},
        Ints(conv.getStrides()), Ints(conv.getPads()),
        Ints(conv.getDilations()), Ints(conv.getOutputPadding()), 1, "");
    rewriter.replaceOp(
        conv, unpacked(rewriter, location, packed, filter[1], conv.getBias()));
    return success();
  }
};

/// Whether the gradient of a filter is computed from packed images: of f32,
/// with enough output channels to fill a part of a vector, in groups of several
/// channels or of each channel alone.
bool isPacked(ConvFilterGradient node) {
  const Sizes in = shapeOf(node.getIn()), filter = shapeOf(node.getDFilter());
  auto isSome = [](const Size &size) {
    return size.isFixed() && size.extent() > 0;
  };
  if (!kindOfElements(node.getIn()).isF32() || in.size() > 4 ||
      !llvm::all_of(in, isSome) || !llvm::all_of(filter, isSome))
    return false;
  const int64_t channels = filter[0].extent(), group = node.getGroup();
  constexpr int64_t leastChannels = 8;
  if (group == 1)
    return channels >= leastChannels;
  const int64_t channelsIn = filter[1].extent(), ofGroup = channels / group;
  return channels >= 16 && (channelsIn == 1 ? ofGroup == 1 : ofGroup > 1);
}

struct PackFilterGradient : OpRewritePattern<ConvFilterGradient> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvFilterGradient node,
                                PatternRewriter &rewriter) const override {
    if (!hasVectors(node) || !isPacked(node))
      return failure();
    Location location = node.getLoc();
    const Ints filter = shapeOf(node.getDFilter());
    rewriter.replaceOp(
        node,
        createCpuConvFilterGradient(
            rewriter, location, blocksOf(rewriter, location, node.getIn()),
            createCpuPack(rewriter, location, node.getDOut()), filter[0],
            filter[1], expr::drop(filter, 2), Ints(node.getStrides()),
            Ints(node.getPads()), Ints(node.getDilations()), node.getGroup()));
    return success();
  }
};

/// A filter or columns minus their zero points, as constants: signed bytes if
/// they fit.
Value withoutZero(OpBuilder &builder, Location location, Value bytes,
                  Value zero) {
  bool isSigned = kindOf(kindOfElements(bytes)) == ElementKind::I8;
  double number = glow::numberOf(zero);
  if (isSigned && number == 0)
    return bytes;
  Value wide = createCast(builder, location, bytes, builder.getI32Type());
  int64_t size = elementsOf(zero);
  Value zeros =
      createReshape(builder, location, zero, size == 1 ? Ints() : Ints{size});
  zeros = createCast(builder, location, zeros, builder.getI32Type());
  // A zero for each filter, or for each column.
  zeros = createBroadcast(builder, location, zeros, shapeOf(bytes),
                          size == 1 || rankOf(bytes) == 2 ? -1 : 0);
  bool fits = !isSigned && number == 128;
  return createCast(builder, location,
                    createSub(builder, location, wide, zeros),
                    builder.getIntegerType(fits ? 8 : 16));
}

/// The raw sums of products of an image of bytes and constants.
Value packedSums(OpBuilder &builder, Location location, Value image,
                 Value imageZero, Value filter, const Ints &strides = {},
                 const Ints &pads = {}, const Ints &dilations = {},
                 int64_t group = 1) {
  Value zero = createReshape(builder, location, imageZero, {});
  return createCpuConvInteger(builder, location, image, zero, filter, Value(),
                              {}, {}, strides, pads, dilations, group, "",
                              builder.getI32Type());
}

/// Moves channels behind pixels, for an integer convolution.
struct PackConvInteger : OpRewritePattern<ConvInteger> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvInteger conv,
                                PatternRewriter &rewriter) const override {
    Location location = conv.getLoc();
    if (!hasCode(conv) || !hasFixedFilter(conv))
      return failure();
    Value filter =
        withoutZero(rewriter, location, conv.getFilter(), conv.getFilterZero());
    int64_t rank = rankOf(conv.getIn());
    Ints last = {0}, first = {0, rank - 1};
    for (int64_t axis = 2; axis < rank; ++axis)
      last.push_back(axis), first.push_back(axis - 1);
    last.push_back(1);
    Value image = createTranspose(rewriter, location, conv.getIn(), last);
    Value sums = packedSums(rewriter, location, image, conv.getInZero(), filter,
                            Ints(conv.getStrides()), Ints(conv.getPads()),
                            Ints(conv.getDilations()), conv.getGroup());
    rewriter.replaceOp(conv, createTranspose(rewriter, location, sums, first));
    return success();
  }
};

struct PackMatMulInteger : OpRewritePattern<MatMulInteger> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMulInteger product,
                                PatternRewriter &rewriter) const override {
    Location location = product.getLoc();
    // Two matrices of a run have code of their own, and stay as they are.
    if (!hasCode(product) || !algorithmOf(product).empty())
      return failure();
    Value columns =
        withoutZero(rewriter, location, product.getRhs(), product.getRhsZero());
    columns = createTranspose(rewriter, location, columns, {1, 0});
    rewriter.replaceOp(product, packedSums(rewriter, location, product.getLhs(),
                                           product.getLhsZero(), columns));
    return success();
  }
};

/// The operand of an element-wise node on a packed image of shape `packed`:
/// `operand` in blocks, or repeated over them. Null if there is none.
Value packedOperand(OpBuilder &builder, Location location, Value operand,
                    const Sizes &packed) {
  if (auto splat = operand.getDefiningOp<Splat>())
    return createSplat(builder, location, splat.getValue(), packed,
                       kindOfElements(operand));
  auto repeated = operand.getDefiningOp<Broadcast>();
  if (!repeated)
    return createCpuPack(builder, location, operand);
  Value source = repeated.getIn();
  Sizes full = sizesBefore(repeated);
  if (!expr::isNumber(full[1], 1)) {
    source = createReshape(builder, location, source, full);
    source = createCpuPack(builder, location, source);
  } else {
    std::swap(full[0], full[1]);
    // One value for all channels is not packed: it is broadcast over the lanes.
    full.push_back(1);
    source = createReshape(builder, location, source, full);
  }
  return createBroadcast(builder, location, source, packed, -1);
}

bool isBool(Value value) { return expr::isBool(kindOfElements(value)); }

/// Whether a node computes one result element by element.
bool isElementwise(Operation *node) {
  const NodeInfo *info =
      node ? findNode(node->getName().getStringRef()) : nullptr;
  return info && info->kernel == NodeKernel::Formula &&
         node->getNumResults() == 1;
}

/// The node whose Booleans an operand is: elementwise, of numbers; null if the
/// operand is no such value.
Operation *conditionOf(Value operand) {
  Operation *node = operand.getDefiningOp();
  return isBool(operand) && isElementwise(node) &&
                 llvm::none_of(node->getOperands(), isBool)
             ? node
             : nullptr;
}

/// The packed image that one of the operands is; null if none is.
CpuUnpack imageAmong(ValueRange operands) {
  for (Value operand : operands)
    if (auto unpack = operand.getDefiningOp<CpuUnpack>())
      return unpack;
  return nullptr;
}

/// Rewrites node(unpack(x), ...) to unpack(node(x, ...)) for element-wise
/// nodes. Booleans are not packed: a comparison moves with the node that reads
/// it, as that of the gradient of a relu.
struct SinkThroughPointwise : RewritePattern {
  explicit SinkThroughPointwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *node,
                                PatternRewriter &rewriter) const override {
    if (!isElementwise(node) || isBool(node->getResult(0)))
      return failure();
    CpuUnpack image = imageAmong(node->getOperands());
    for (Value operand : node->getOperands())
      if (isBool(operand)) {
        Operation *condition = conditionOf(operand);
        if (!condition)
          return failure();
        if (!image)
          image = imageAmong(condition->getOperands());
      }
    if (!image)
      return failure();
    Operation *sunk = packed(rewriter, node, shapeOf(image.getIn()));
    rewriter.replaceOp(node, createCpuUnpack(rewriter, node->getLoc(),
                                             sunk->getResult(0),
                                             image.getChannels()));
    return success();
  }

private:
  /// The node on packed operands.
  static Operation *packed(OpBuilder &builder, Operation *node,
                           const Sizes &shape) {
    SmallVector<Value> operands;
    for (Value operand : node->getOperands())
      operands.push_back(
          isBool(operand)
              ? packed(builder, conditionOf(operand), shape)->getResult(0)
              : packedOperand(builder, node->getLoc(), operand, shape));
    OperationState state(
        node->getLoc(), node->getName(), operands,
        {rankedTensorOf(shape, kindOfElements(node->getResult(0)))},
        node->getAttrs());
    return builder.create(state);
  }
};

/// Turns a normalisation that was not fused into a product and a sum, so that
/// unpacking sinks through them.
struct ScaleUnpacked : OpRewritePattern<BatchNorm> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BatchNorm node,
                                PatternRewriter &rewriter) const override {
    if (!node.getIn().getDefiningOp<CpuUnpack>())
      return failure();
    Location location = node.getLoc();
    Value variance = node.getVariance();
    Value widened =
        createAdd(rewriter, location, variance,
                  splatLike(rewriter, location, node.getEpsilon(), variance));
    Value factor = createDiv(rewriter, location, node.getScale(),
                             createSqrt(rewriter, location, widened));
    Value offset =
        createSub(rewriter, location, node.getBias(),
                  createMul(rewriter, location, node.getMean(), factor));
    Sizes shape = shapeOf(node.getIn());
    auto overImage = [&](Value value) {
      return createBroadcast(rewriter, location, value, shape, 1);
    };
    Value scaled =
        createMul(rewriter, location, node.getIn(), overImage(factor));
    rewriter.replaceOp(
        node, createAdd(rewriter, location, scaled, overImage(offset)));
    return success();
  }
};

/// Moves unpacking below a concatenation of images with whole blocks.
struct SinkThroughConcat : OpRewritePattern<Concat> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Concat node,
                                PatternRewriter &rewriter) const override {
    int64_t axis = node.getAxis();
    bool channels = axis == 1;
    SmallVector<Value> packed;
    for (Value operand : node.getIns()) {
      auto unpack = operand.getDefiningOp<CpuUnpack>();
      // Padding after the last channel would get between the channels of two
      // operands.
      if (!unpack || (channels && unpack.getChannels() % 16))
        return failure();
      packed.push_back(unpack.getIn());
    }
    if (packed.empty())
      return failure();
    int64_t count = shapeOf(node.getOut())[1];
    Value joined = createConcat(rewriter, node.getLoc(), packed,
                                // In a packed image the dimensions of channel
                                // blocks and images are swapped.
                                axis < 2 ? 1 - axis : axis);
    rewriter.replaceOp(node,
                       createCpuUnpack(rewriter, node.getLoc(), joined, count));
    return success();
  }
};

/// Moves unpacking below the gradient of a pool of planes.
struct SinkThroughPoolGradient : OpRewritePattern<MaxPoolInGradient> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxPoolInGradient node,
                                PatternRewriter &rewriter) const override {
    auto image = node.getIn().getDefiningOp<CpuUnpack>();
    if (!image || node.getWindow().size() != 2)
      return failure();
    Location location = node.getLoc();
    Value packed = createCpuMaxPoolGradient(
        rewriter, location, image.getIn(),
        createCpuPack(rewriter, location, node.getOut()),
        createCpuPack(rewriter, location, node.getDOut()),
        Ints(node.getWindow()), Ints(node.getStrides()), Ints(node.getPads()),
        Ints(node.getDilations()));
    rewriter.replaceOp(
        node, createCpuUnpack(rewriter, location, packed, image.getChannels()));
    return success();
  }
};

/// Replaces packing of a single image of one pixel by a reshape.
template <typename Node> struct ReshapePixel : OpRewritePattern<Node> {
  using OpRewritePattern<Node>::OpRewritePattern;
  LogicalResult matchAndRewrite(Node node,
                                PatternRewriter &rewriter) const override {
    Sizes from = shapeOf(node.getIn()), to = shapeOf(node.getOut());
    Sizes plain = from.size() < to.size() ? from : to;
    Sizes image = expr::drop(plain, 2);
    if (!expr::isNumber(plain[0], 1) || !plain[1].isFixed() ||
        plain[1].extent() % 16 || !expr::isNumber(expr::prod(image), 1))
      return failure();
    rewriter.replaceOp(
        node, createReshape(rewriter, node.getLoc(), node.getIn(), to));
    return success();
  }
};

/// Makes packed convolutions, and moves unpacking down to the nodes that need
/// plain images. Unpacking cancels with the packing of the next convolution.
///
/// Pinned before lowering, which would decompose pools and resizes. The pass
/// ends because a convolution is rewritten once, and unpacking only moves down.
struct CpuAssignLayout : impl::CpuAssignLayoutBase<CpuAssignLayout> {
  using CpuAssignLayoutBase::CpuAssignLayoutBase;
  void runOnOperation() override {
    ConstantTable constants(getOperation());
    if (failed(blockConvolutions()) || failed(reshapePixels()))
      signalPassFailure();
  }

private:
  LogicalResult blockConvolutions() {
    RewritePatternSet patterns(&getContext());
    patterns.add<PackConv, PackConvTranspose, PackFilterGradient,
                 PackConvInteger, PackMatMulInteger, SinkThroughPointwise,
                 SinkThroughConcat, SinkThroughPoolGradient, ScaleUnpacked>(
        &getContext());
    addTurnedGroups(patterns);
    // Its reductions are over images in blocks.
    for (const RuleInfo &rule : rulesFor(BatchNormTraining::getOperationName()))
      rule.add(patterns);
    // Transposes around integer layers cancel as they are made. If they
    // cancelled later, the regions between them would be as large as the model.
    addRewrites(patterns, {.raising = true, .runs = nodesNeeded()});
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }
  /// Runs after all other rewrites, which match the nodes that this removes.
  LogicalResult reshapePixels() {
    RewritePatternSet patterns(&getContext());
    patterns.add<ReshapePixel<CpuPack>, ReshapePixel<CpuUnpack>>(&getContext());
    addRewrites(patterns, {.raising = true});
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }
};

} // namespace
} // namespace glow::cpu
