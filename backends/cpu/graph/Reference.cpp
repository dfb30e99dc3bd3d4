//===- Reference.cpp - reference kernels of the CPU's nodes ---------------===//
// SPDX-License-Identifier: MIT
//
// The interpreter's kernels of nodes with a formula. The kernel of its own
// instruction runs each call of the formula, on tensors of the whole shape.
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

Status kernels::cpuFusedLoops(const CpuFusedLoopsCall &call) {
  const Ints &shape = call.out.type->shape;
  Result<Tensor> reals = Tensor::zeros({ElementKind::F32, shape});
  if (!reals)
    return reals.status();
  FormulaRunner runner(ElementKind::F32, shape);
  runner.addInputs(call.ins);
  runner.addInputs(call.others);
  return inOrder([&] { return runner.run(call.formula, reals->view()); },
                 [&] {
                   return run(CastCall{.out = call.out,
                                       .in = reals->view(),
                                       .kind = call.kind});
                 });
}

template <typename Call>
static Status multiply(const Call &call, const TensorView &rhs) {
  const TensorView &out = call.out;
  return inOrder(
      [&] { return run(MatMulCall{.out = out, .lhs = call.lhs, .rhs = rhs}); },
      [&] {
        return call.bias ? finish(out, "add(x0, x1)", {call.bias, 1})
                         : Status();
      },
      [&] { return finish(out, call.epilogue, call.extras); });
}

Status kernels::cpuMatMul(const CpuMatMulCall &call) {
  return multiply(call, call.rhs);
}

Status kernels::cpuMatMulTransposed(const CpuMatMulTransposedCall &call) {
  Ints shape = call.rhs.type->shape, order = expr::range(0, expr::size(shape));
  std::iter_swap(shape.end() - 2, shape.end() - 1);
  std::iter_swap(order.end() - 2, order.end() - 1);
  Result<Tensor> rhs = Tensor::zeros({call.rhs.type->kind, shape});
  if (!rhs)
    return rhs.status();
  return inOrder(
      [&] {
        return run(TransposeCall{
            .out = rhs->view(), .in = call.rhs, .permutation = order});
      },
      [&] { return multiply(call, rhs->view()); });
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// Unpacks an image of blocks into a plain image.
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

/// Computes a packed convolution by the convolution `plain` of plain images.
template <typename Call, typename Plain>
static Status convolve(const Call &call, const TensorView &out,
                       int64_t channelsIn, int64_t channelsOut, Plain plain) {
  const TensorView &in = call.in;
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

/// Computes a convolution without its pool.
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

/// Computes a pointwise convolution.
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

/// Computes the three convolutions one after the other. The window attributes
/// are those of the second one.
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
// Integers
//===----------------------------------------------------------------------===//

/// Extends a list with an entry for each of `axes` axes to three axes.
static Ints ofThree(Ints sizes, size_t axes, size_t at, int64_t missing) {
  sizes.insert(sizes.begin() + long(at), 3 - axes, missing);
  return sizes;
}

/// The sums of a convolution of bytes, which begin with the bias.
template <typename Byte, typename Weight>
static void sumBytes(const CpuConvIntegerCall &call, int32_t *out) {
  size_t axes = call.strides.size();
  Ints in = ofThree(call.in.type->shape, axes, 1, 1),
       filter = ofThree(call.filter.type->shape, axes, 2, 1),
       result = ofThree(call.out.type->shape, axes, 1, 1),
       strides = ofThree(call.strides, axes, 0, 1),
       dilations = ofThree(call.dilations, axes, 0, 1),
       pads = ofThree(call.pads, axes, 0, 0);
  auto *image = static_cast<const Byte *>(call.in.data);
  auto *weights = static_cast<const Weight *>(call.filter.data);
  int32_t zero = *static_cast<const Byte *>(call.inZero.data);
  int64_t perGroup = filter[1], together = filter[0] / call.group;
  Ints place = {0, 0, 0}, window(filter.begin() + 2, filter.end());
  for (int64_t i = 0; i < expr::prod(result); ++i) {
    int64_t rest = i / result[4], d = i % result[4];
    for (size_t axis = 3; axis-- > 0; rest /= result[axis + 1])
      place[axis] = rest % result[axis + 1];
    // Sums wrap, as instructions' do.
    uint32_t sum =
        call.bias ? static_cast<const uint32_t *>(call.bias->data)[d] : 0;
    for (int64_t tap = 0; tap < expr::prod(window); ++tap) {
      int64_t pixel = rest, left = tap;
      bool inside = true;
      Ints at = {0, 0, 0};
      for (size_t axis = 3; axis-- > 0; left /= window[axis]) {
        at[axis] = place[axis] * strides[axis] +
                   left % window[axis] * dilations[axis] - pads[axis];
        inside &= at[axis] >= 0 && at[axis] < in[axis + 1];
      }
      if (!inside)
        continue;
      for (size_t axis = 0; axis < 3; ++axis)
        pixel = pixel * in[axis + 1] + at[axis];
      for (int64_t c = 0; c < perGroup; ++c) {
        int32_t byte = image[pixel * in[4] + d / together * perGroup + c];
        int32_t weight = weights[(d * perGroup + c) * expr::prod(window) + tap];
        sum += uint32_t((byte - zero) * weight);
      }
    }
    out[i] = int32_t(sum);
  }
}

Status kernels::cpuConvInteger(const CpuConvIntegerCall &call) {
  const Ints &shape = call.out.type->shape;
  Result<Tensor> sums = Tensor::zeros({ElementKind::I32, shape});
  Result<Tensor> reals = Tensor::zeros({ElementKind::F32, shape});
  if (!sums || !reals)
    return (!sums ? sums : reals).status();
  auto *to = static_cast<int32_t *>(sums->data());
  bool isSigned = call.in.type->kind == ElementKind::I8;
  if (call.filter.type->kind == ElementKind::I8)
    isSigned ? sumBytes<int8_t, int8_t>(call, to)
             : sumBytes<uint8_t, int8_t>(call, to);
  else
    isSigned ? sumBytes<int8_t, int16_t>(call, to)
             : sumBytes<uint8_t, int16_t>(call, to);
  auto cast = [](const TensorView &out, const TensorView &in) {
    return run(CastCall{.out = out, .in = in, .kind = out.type->kind});
  };
  if (call.kind == ElementKind::I32)
    return cast(call.out, sums->view());
  FormulaRunner runner(ElementKind::F32, shape);
  TensorView sum = reals->view();
  runner.addInputs({&sum, 1});
  runner.addInputs(call.extras);
  runner.addInputs(call.bytes);
  return inOrder([&] { return cast(sum, sums->view()); },
                 [&] { return runner.run(call.epilogue, sum); },
                 [&] { return cast(call.out, reals->view()); });
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
      [&] { return finish(tensor, "sub(x0, x1); exp(t0)", {&row, 1}); },
      [&] {
        return run(ReduceSumCall{
            .out = row, .in = tensor, .axes = axes, .keepDims = true});
      },
      [&] { return finish(tensor, "div(x0, x1)", {&row, 1}); });
}

/// `columns` columns from column `first` on.
static Result<Tensor> columnsOf(const TensorView &from, int64_t first,
                                int64_t columns) {
  const Ints sizes = {from.type->shape[0], from.type->shape[1], columns};
  Result<Tensor> part = Tensor::zeros({from.type->kind, sizes});
  if (!part)
    return part;
  Status status = run(SliceCall{
      part->view(), from, {0, 0, first}, {1, 1, 1}, part->type().shape});
  return status.ok() ? std::move(part) : Result<Tensor>(status);
}

/// `columns` of each head, from column `first` on, as a tensor of the axes
/// [batch, rows, heads, columns] in another order.
static Result<Tensor> headsOf(const TensorView &from, int64_t first,
                              int64_t heads, int64_t columns,
                              const Ints &order) {
  const Ints &shape = from.type->shape;
  Ints split = {shape[0], shape[1], heads, columns};
  ElementKind kind = from.type->kind;
  Result<Tensor> part = columnsOf(from, first, heads * columns);
  Result<Tensor> result = Tensor::zeros({kind, expr::pick(split, order)});
  if (!part || !result)
    return part ? result.status() : part.status();
  Status status = inOrder([&] { return part->reshape(split); },
                          [&] {
                            return run(TransposeCall{.out = result->view(),
                                                     .in = part->view(),
                                                     .permutation = order});
                          });
  if (!status.ok())
    return status;
  return result;
}

/// The same of a tensor with fewer heads, along its first axis or side by side,
/// each repeated for the heads of queries that share it: [batch, heads, rows,
/// columns], or with the last two axes turned.
static Result<Tensor> sharedHeadsOf(const TensorView &from, int64_t first,
                                    const Ints &shape, int64_t keyHeads,
                                    bool isTurned) {
  ElementKind kind = from.type->kind;
  const int64_t columns = shape[3];
  Ints once = {shape[0], keyHeads, 1, shape[2], columns}, each = once;
  each[2] = shape[1] / keyHeads;
  Result<Tensor> part =
      from.type->shape[0] == shape[0] * keyHeads
          ? columnsOf(from, first, columns)
          : headsOf(from, first, keyHeads, columns, {0, 2, 1, 3});
  Result<Tensor> all = Tensor::zeros({kind, each});
  if (!part || !all)
    return part ? all.status() : part.status();
  Status status = inOrder(
      [&] { return part->reshape(once); },
      [&] {
        return run(BroadcastCall{
            .out = all->view(), .in = part->view(), .dims = each, .axis = -1});
      },
      [&] { return all->reshape(shape); });
  if (!status.ok())
    return status;
  if (!isTurned)
    return all;
  const Ints order = {0, 1, 3, 2};
  Result<Tensor> turned = Tensor::zeros({kind, expr::pick(shape, order)});
  if (!turned)
    return turned;
  status = run(TransposeCall{
      .out = turned->view(), .in = all->view(), .permutation = order});
  if (!status.ok())
    return status;
  return turned;
}

/// Computes attention head by head, by the kernels of products and the formula.
Status kernels::cpuAttention(const CpuAttentionCall &call) {
  const TensorView &out = call.out;
  const int64_t heads = call.heads, width = call.width;
  ElementKind kind = out.type->kind;
  int64_t batch = call.q.type->shape[0], rows = call.q.type->shape[1],
          keys = call.k.type->shape[1];
  Result<Tensor> queries =
      headsOf(call.q, call.first[0], heads, call.depth, {0, 2, 1, 3});
  auto keysOf = [&](const TensorView &from, int64_t first, int64_t size,
                    bool isTurned) {
    if (call.keyHeads > 0)
      return sharedHeadsOf(from, first, {batch, heads, keys, size},
                           call.keyHeads, isTurned);
    return headsOf(from, first, heads, size,
                   isTurned ? Ints{0, 2, 3, 1} : Ints{0, 2, 1, 3});
  };
  Result<Tensor> columns = keysOf(call.k, call.first[1], call.depth, true);
  Result<Tensor> values = keysOf(call.v, call.first[2], width, false);
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
