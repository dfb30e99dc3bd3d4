//===- Reference.cpp - what this backend's nodes mean ---------------------===//
//
// The interpreter's kernels of nodes with a formula: every call of it by the
// kernel of its own instruction, on tensors of the whole shape.
//
//===----------------------------------------------------------------------===//

#include "FormulaRunner.h"
#include "common/ConvShape.h"
#include "glow/Generated/CpuCalls.h"
#include "interpreter/device/KernelSupport.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::kernels;

using Views = std::span<const TensorView>;

//===----------------------------------------------------------------------===//
// Chains and products
//===----------------------------------------------------------------------===//

Status kernels::cpuFusedElementwise(const CpuFusedElementwiseCall &call) {
  FormulaRunner runner(call.out.type->kind, call.out.type->shape);
  return inOrder([&] { return runner.addInputs(call.ins); },
                 [&] { return runner.run(call.formula, call.out); });
}

Status kernels::cpuMatMul(const CpuMatMulCall &call) {
  const TensorView &out = call.out;
  return inOrder(
      [&] {
        return run(MatMulCall{.out = out, .lhs = call.lhs, .rhs = call.rhs});
      },
      [&] {
        return call.bias ? finish(out, "add(x0, x1)", {call.bias, 1})
                         : Status();
      },
      [&] { return finish(out, call.epilogue, call.extras); });
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The plain image of one in blocks.
static Status unblock(const TensorView &in, const TensorView &image) {
  if (in.type->shape.back() != 1)
    return run(CpuUnpackCall{
        .out = image, .in = in, .channels = image.type->shape[1]});
  // Blocks of one channel are the channels.
  glow::TensorType planes = *in.type;
  planes.shape.pop_back();
  // From [channels, images, ...] to [images, channels, ...].
  Ints order = expr::range(0, expr::size(planes.shape));
  std::swap(order[0], order[1]);
  return run(TransposeCall{
      .out = image, .in = {in.data, &planes}, .permutation = order});
}

/// By way of the convolution of plain images: `plain` makes one of another.
template <typename Call, typename Plain>
static Status convolve(const Call &call, const TensorView &out,
                       int64_t channelsIn, int64_t channelsOut, Plain plain) {
  const TensorView &in = call.in;
  // Shapes of the plain images: without the 16 lanes, and with images before
  // channels.
  // Shapes of the plain images: without the 16 lanes, and with images before
  // channels.
  Ints plainIn = in.type->shape, plainOut = out.type->shape;
  plainIn.pop_back(), plainOut.pop_back();
  plainIn[0] = plainOut[0] = plainIn[1];
  plainIn[1] = channelsIn, plainOut[1] = channelsOut;
  Result<Tensor> image = Tensor::zeros({in.type->kind, plainIn});
  Result<Tensor> result = Tensor::zeros({out.type->kind, plainOut});
  if (!image || !result)
    return (!image ? image : result).status();
  return inOrder(
      [&] { return unblock(in, image->view()); },
      [&] { return plain(result->view(), image->view()); },
      [&] { return run(CpuPackCall{.out = out, .in = result->view()}); },
      [&] { return finish(out, call.epilogue, call.extras); });
}

/// Without what is pooled.
static Status convolveTo(const TensorView &out, const CpuConvCall &call) {
  const Ints &filter = call.filter.type->shape;
  return convolve(call, out, filter[1] * call.group, filter[0],
                  [&](const TensorView &result, const TensorView &image) {
                    return run(ConvCall{.out = result,
                                        .in = image,
                                        .filter = call.filter,
                                        .bias = call.bias,
                                        .strides = call.strides,
                                        .pads = call.pads,
                                        .dilations = call.dilations,
                                        .group = call.group});
                  });
}

Status kernels::cpuConv(const CpuConvCall &call) {
  Ints window = call.pool;
  window.push_back(1);
  Ints none(2 * window.size(), 0), ones(window.size(), 1);
  if (window == ones)
    return convolveTo(call.out, call);
  Ints shape = convolvedShape(call.out.type->shape, call.in.type->shape,
                              call.filter.type->shape, call.strides, call.pads,
                              call.dilations);
  Result<Tensor> whole = Tensor::zeros({call.out.type->kind, shape});
  if (!whole)
    return whole.status();
  return inOrder([&] { return convolveTo(whole->view(), call); },
                 [&] {
                   return run(MaxPoolCall{.out = call.out,
                                          .in = whole->view(),
                                          .window = window,
                                          .strides = window,
                                          .pads = none,
                                          .dilations = ones});
                 });
}

Status kernels::cpuConvTranspose(const CpuConvTransposeCall &call) {
  const Ints &filter = call.filter.type->shape;
  return convolve(call, call.out, filter[0], filter[1],
                  [&](const TensorView &result, const TensorView &image) {
                    return run(
                        ConvTransposeCall{.out = result,
                                          .in = image,
                                          .filter = call.filter,
                                          .bias = call.bias,
                                          .strides = call.strides,
                                          .pads = call.pads,
                                          .dilations = call.dilations,
                                          .outputPadding = call.outputPadding,
                                          .group = call.group});
                  });
}

/// Of windows of one element.
static Status mixChannels(const TensorView &out, const TensorView &in,
                          const TensorView &filter, const TensorView *bias,
                          const std::string &epilogue, Views extras = {}) {
  return run(CpuConvCall{.out = out,
                         .in = in,
                         .filter = filter,
                         .bias = bias,
                         .extras = extras,
                         .strides = {1, 1},
                         .pads = {0, 0, 0, 0},
                         .dilations = {1, 1},
                         .group = 1,
                         .epilogue = epilogue,
                         .pool = {1, 1}});
}

/// By way of the three convolutions. Windows are those of the second one.
Status kernels::cpuBottleneck(const CpuBottleneckCall &call) {
  const TensorView &in = call.in, &out = call.out;
  Ints expanded = in.type->shape, filtered = out.type->shape;
  expanded[0] = filtered[0] = (call.expand.type->shape[0] + 15) / 16;
  Result<Tensor> first = Tensor::zeros({in.type->kind, expanded});
  Result<Tensor> second = Tensor::zeros({in.type->kind, filtered});
  if (!first || !second)
    return (!first ? first : second).status();
  return inOrder(
      [&] {
        return mixChannels(first->view(), in, call.expand, call.expandBias,
                           call.expandEpilogue);
      },
      [&] {
        return run(CpuConvCall{.out = second->view(),
                               .in = first->view(),
                               .filter = call.depthwise,
                               .bias = call.depthwiseBias,
                               .strides = call.strides,
                               .pads = call.pads,
                               .dilations = {1, 1},
                               .group = call.depthwise.type->shape[0],
                               .epilogue = call.depthwiseEpilogue,
                               .pool = {1, 1}});
      },
      [&] {
        return mixChannels(out, second->view(), call.project, call.bias,
                           call.epilogue, call.extras);
      });
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// softmax along the last axis.
static Status softmaxRows(const TensorView &tensor) {
  Ints one = tensor.type->shape;
  one.back() = 1;
  Ints axes = {int64_t(one.size()) - 1};
  Result<Tensor> made = Tensor::zeros({tensor.type->kind, one});
  if (!made)
    return made.status();
  TensorView row = made->view();
  return inOrder(
      [&] {
        return run(ReduceMaxCall{
            .out = row, .in = tensor, .axes = axes, .keepDims = true});
      },
      [&] {
        return finish(tensor, "sub(x0, x1); exp(t0)", {&row, 1});
      },
      [&] {
        return run(ReduceSumCall{
            .out = row, .in = tensor, .axes = axes, .keepDims = true});
      },
      [&] {
        return finish(tensor, "div(x0, x1)", {&row, 1});
      });
}

/// `columns` of each head, from column `first` on, as a tensor of the axes
/// [batch, rows, heads, columns] in another order.
static Result<Tensor> headsOf(const TensorView &from, int64_t first,
                              int64_t heads, int64_t columns,
                              const Ints &order) {
  const Ints &shape = from.type->shape;
  Ints split = {shape[0], shape[1], heads, columns};
  ElementKind kind = from.type->kind;
  Result<Tensor> part =
      Tensor::zeros({kind, {shape[0], shape[1], heads * columns}});
  Result<Tensor> result = Tensor::zeros({kind, expr::pick(split, order)});
  if (!part || !result)
    return part ? result.status() : part.status();
  Status status = inOrder(
      [&] {
        return run(SliceCall{.out = part->view(),
                             .in = from,
                             .starts = {0, 0, first},
                             .steps = {1, 1, 1},
                             .sizes = part->type().shape});
      },
      [&] { return part->reshape(split); },
      [&] {
        return run(TransposeCall{
            .out = result->view(), .in = part->view(), .permutation = order});
      });
  if (!status.ok())
    return status;
  return result;
}

/// Head by head, by the kernels of products and of the formula.
Status kernels::cpuAttention(const CpuAttentionCall &call) {
  const TensorView &out = call.out;
  const int64_t heads = call.heads, width = call.width;
  ElementKind kind = out.type->kind;
  int64_t batch = call.q.type->shape[0], rows = call.q.type->shape[1],
          keys = call.k.type->shape[1];
  Result<Tensor> queries =
      headsOf(call.q, call.first[0], heads, call.depth, {0, 2, 1, 3});
  Result<Tensor> columns =
      headsOf(call.k, call.first[1], heads, call.depth, {0, 2, 3, 1});
  Result<Tensor> values =
      headsOf(call.v, call.first[2], heads, width, {0, 2, 1, 3});
  Result<Tensor> scores = Tensor::zeros({kind, {batch, heads, rows, keys}});
  Result<Tensor> result = Tensor::zeros({kind, {batch, heads, rows, width}});
  for (auto *tensor : {&queries, &columns, &values, &scores, &result})
    if (!*tensor)
      return tensor->status();
  glow::TensorType split{kind, {batch, rows, heads, width}};
  return inOrder(
      [&] {
        return run(MatMulCall{.out = scores->view(),
                              .lhs = queries->view(),
                              .rhs = columns->view()});
      },
      [&] { return finish(scores->view(), call.scoreFormula, call.extras); },
      [&] { return softmaxRows(scores->view()); },
      [&] {
        return run(MatMulCall{.out = result->view(),
                              .lhs = scores->view(),
                              .rhs = values->view()});
      },
      [&] {
        return run(TransposeCall{.out = {out.data, &split},
                                 .in = result->view(),
                                 .permutation = {0, 2, 1, 3}});
      });
}
