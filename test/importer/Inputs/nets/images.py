# SPDX-License-Identifier: MIT
"""Cases of convolutions, pools, normalizations and regions of images."""

import itertools
import math

import numpy

from nets.net import Operator, case

F, W = numpy.float32, numpy.int32
random = numpy.random.RandomState(52)


def real(*shape, low=-2, high=2):
    return random.uniform(low, high, shape).astype(F)


def last(x):
    """An image, its channels last."""
    return numpy.moveaxis(x, 1, -1)


def windows(x, kernel, stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), fill=0.0):
    """Of each pixel of the result: its index, and the window [n, c, kh, kw]."""
    x = numpy.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])), constant_values=fill)
    sizes = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], kernel, stride, dilation)]
    for i, j in numpy.ndindex(*sizes):
        top, left = i * stride[0], j * stride[1]
        yield (i, j), sizes, x[:, :, top:top + dilation[0] * (kernel[0] - 1) + 1:dilation[0],
                               left:left + dilation[1] * (kernel[1] - 1) + 1:dilation[1]]


def convolve(x, w, b=None, group=1, **names):
    result, inside, outside = None, w.shape[1], w.shape[0] // group
    for (i, j), sizes, window in windows(x, w.shape[2:], **names):
        if result is None:
            result = numpy.zeros((x.shape[0], w.shape[0], *sizes))
        for g in range(group):
            result[:, g * outside:(g + 1) * outside, i, j] = numpy.tensordot(
                window[:, g * inside:(g + 1) * inside], w[g * outside:(g + 1) * outside], ([1, 2, 3], [1, 2, 3]))
    return (result + (0 if b is None else b[:, None, None])).astype(F)


def pool(x, kernel, function, fill=0.0, **names):
    result = None
    for (i, j), sizes, window in windows(x, kernel, fill=fill, **names):
        if result is None:
            result = numpy.zeros((*x.shape[:2], *sizes))
        result[:, :, i, j] = function(window, axis=(2, 3))
    return result.astype(F)


def highest(x, kernel, **names):
    return pool(x, kernel, numpy.max, fill=-numpy.inf, **names)


def average(x, kernel, counts=False, **names):
    sums = pool(x, kernel, numpy.sum, **names)
    return sums / (pool(numpy.ones_like(x), kernel, numpy.sum, **names) if not counts else math.prod(kernel))


def transposed(x, w, stride, adj=0, pad=0):
    size = [(n - 1) * stride + w.shape[2] + adj for n in x.shape[2:]]
    result = numpy.zeros((x.shape[0], w.shape[1], *size))
    for i, j in numpy.ndindex(*x.shape[2:]):
        result[:, :, i * stride:i * stride + w.shape[2], j * stride:j * stride + w.shape[3]] += numpy.tensordot(
            x[:, :, i, j], w, 1)
    return result[:, :, pad:size[0] - pad, pad:size[1] - pad].astype(F)


def convolutions(out):
    x, w, b = real(2, 4, 7, 6), real(6, 4, 3, 3), real(6)
    case(out, "conv", [Operator("Conv", "x w b", "y", kernel=3, pad=1, stride=2, cudnn_exhaustive_search=1)], {"x": x},
         {"y": convolve(x, w, b, pads=(1, 1, 1, 1), stride=(2, 2))}, {"w": w, "b": b})
    case(out, "conv_lists", [Operator("Conv", "x w", "y", kernels=[3, 3], pads=[0, 1, 2, 1], strides=[1, 2],
                                      dilations=[2, 1])], {"x": x},
         {"y": convolve(x, w, pads=(0, 1, 2, 1), stride=(1, 2), dilation=(2, 1))}, {"w": w})
    case(out, "conv_names", [Operator("Conv", "x w", "y", kernel_h=3, kernel_w=3, pad_t=1, pad_l=0, pad_b=0,
                                      pad_r=2, stride_h=2, stride_w=1)], {"x": x},
         {"y": convolve(x, w, pads=(1, 0, 0, 2), stride=(2, 1))}, {"w": w})
    case(out, "conv_last", [Operator("Conv", "x w b", "y", kernel=3, order="NHWC")], {"x": last(x)},
         {"y": last(convolve(x, w, b))}, {"w": last(w), "b": b})
    groups = real(4, 2, 3, 3)
    case(out, "conv_groups", [Operator("Conv", "x w", "y", kernel=3, group=2)], {"x": x},
         {"y": convolve(x, groups, group=2)}, {"w": groups})
    same = real(1, 2, 5, 5)
    one = real(3, 2, 3, 3)
    case(out, "conv_same", [Operator("Conv", "x w", "y", kernel=3, stride=2, legacy_pad=2)], {"x": same},
         {"y": convolve(same, one, pads=(1, 1, 1, 1), stride=(2, 2))}, {"w": one})
    case(out, "convrelu", [Operator("ConvRelu", "x w b", "y", kernel=3)], {"x": x},
         {"y": numpy.maximum(convolve(x, w, b), 0)}, {"w": w, "b": b})
    x, w, b = real(1, 3, 3, 4), real(3, 2, 3, 3), real(2)
    case(out, "convtranspose", [Operator("ConvTranspose", "x w b", "y", kernel=3, stride=2, adj=1, pad=1)],
         {"x": x}, {"y": transposed(x, w, 2, 1, 1) + b[:, None, None]}, {"w": w, "b": b})
    case(out, "convtranspose_last", [Operator("ConvTranspose", "x w", "y", kernel=3, order="NHWC")],
         {"x": last(x)}, {"y": last(transposed(x, w, 1))}, {"w": last(w)})


def pools(out):
    x = real(1, 2, 6, 5)
    for kind, function in ("MaxPool", highest), ("AveragePool", average):
        name = kind.lower()
        case(out, name, [Operator(kind, "x", "y", kernel=2, stride=2)], {"x": x},
             {"y": function(x, (2, 2), stride=(2, 2))})
        case(out, name + "_pads", [Operator(kind, "x", "y", kernel=3, stride=2, pad=1)], {"x": x},
             {"y": function(x, (3, 3), stride=(2, 2), pads=(1, 1, 1, 1))})
        case(out, name + "_global", [Operator(kind, "x", "y", global_pooling=1, order="NHWC")], {"x": last(x)},
             {"y": last(function(x, (6, 5)))})
        # Caffe's windows begin inside of the image; the last one may lead out of it.
        case(out, name + "_caffe", [Operator(kind, "x", "y", kernel=3, stride=2, legacy_pad=3)], {"x": x},
             {"y": function(x, (3, 3), stride=(2, 2), pads=(0, 0, 1, 0))})
    case(out, "averagepool_counts", [Operator("AveragePool", "x", "y", kernel=3, pad=1, count_include_pad=1)],
         {"x": x}, {"y": average(x, (3, 3), counts=True, pads=(1, 1, 1, 1))})


def channels(values):
    return values[:, None, None]


def norms(out):
    x = real(2, 4, 3, 3)
    scale, bias, mean, var = real(4), real(4), real(4), real(4, low=0.1)
    def normal(x, axes, epsilon=1e-5):
        centred = x - x.mean(axes, keepdims=True)
        return centred / numpy.sqrt(numpy.square(centred).mean(axes, keepdims=True) + epsilon)
    batch = (x - channels(mean)) / numpy.sqrt(channels(var) + 1e-3) * channels(scale) + channels(bias)
    weights = {"s": scale, "b": bias, "m": mean, "v": var}
    case(out, "spatialbn", [Operator("SpatialBN", "x s b m v", "y", is_test=1, epsilon=1e-3)], {"x": x},
         {"y": batch.astype(F)}, weights)
    case(out, "spatialbn_last", [Operator("SpatialBN", "x s b m v", "y", is_test=1, epsilon=1e-3, order="NHWC")],
         {"x": last(x)}, {"y": last(batch.astype(F))}, weights)
    case(out, "affinechannel", [Operator("AffineChannel", "x s b", "y")], {"x": x},
         {"y": x * channels(scale) + channels(bias)}, {"s": scale, "b": bias})
    around = numpy.pad(x * x, ((0, 0), (1, 1), (0, 0), (0, 0)))
    squares = sum(around[:, i:i + 4] for i in range(3))
    case(out, "lrn", [Operator("LRN", "x", "y", size=3, alpha=0.3, beta=0.75, bias=2.0)], {"x": x},
         {"y": (x / (2 + 0.1 * squares) ** 0.75).astype(F)})
    case(out, "instancenorm", [Operator("InstanceNorm", "x s b", "y")], {"x": x},
         {"y": (normal(x, (2, 3)) * channels(scale) + channels(bias)).astype(F)}, {"s": scale, "b": bias})
    groups = normal(x.reshape(2, 2, 2, 3, 3), (2, 3, 4)).reshape(x.shape)
    case(out, "groupnorm", [Operator("GroupNorm", "x s b", "y", group=2)], {"x": x},
         {"y": (groups * channels(scale) + channels(bias)).astype(F)}, {"s": scale, "b": bias})
    rows, gamma, beta = real(2, 3, 4), real(4), real(4)
    deviation = numpy.sqrt(rows.reshape(2, -1).var(-1) + F(1e-5))
    case(out, "layernorm", [Operator("LayerNorm", "x", "y m d")], {"x": rows},
         {"y": normal(rows, (1, 2)).astype(F), "m": rows.reshape(2, -1).mean(-1).reshape(2, 1),
          "d": deviation.reshape(2, 1).astype(F)})
    case(out, "layernorm_affine", [Operator("LayerNorm", "x g b", "y", axis=2, elementwise_affine=1)],
         {"x": rows}, {"y": (normal(rows, 2) * gamma + beta).astype(F)}, {"g": gamma, "b": beta})
    rrms = 1 / numpy.sqrt(numpy.square(rows).mean(-1) + F(0.1))
    case(out, "rmsnorm", [Operator("RMSNorm", "x g b", "y r", axis=2, eps=0.1)], {"x": rows},
         {"y": (rows * rrms[..., None] * gamma + beta).astype(F), "r": rrms.astype(F)}, {"g": gamma, "b": beta})
    case(out, "normalize", [Operator("Normalize", "x", "y", axis=1)], {"x": rows},
         {"y": rows / numpy.sqrt(numpy.square(rows).sum(1, keepdims=True))})
    case(out, "normalizel1", [Operator("NormalizeL1", "x", "y")], {"x": rows},
         {"y": rows / abs(rows).sum(-1, keepdims=True)})
    case(out, "dropout", [Operator("Dropout", "x", "y m", is_test=1, ratio=0.5)], {"x": rows}, {"y": rows})
    power = numpy.exp(rows.reshape(2, -1))
    softmax = power / power.sum(-1, keepdims=True)
    case(out, "softmax", [Operator("Softmax", "x", "y")], {"x": rows}, {"y": softmax.reshape(rows.shape)})
    case(out, "logsoftmax", [Operator("LogSoftmax", "x", "y")], {"x": rows},
         {"y": numpy.log(softmax).reshape(rows.shape)})
    labels = numpy.array([3, 1], W)
    picked = numpy.array([softmax[0, 3], softmax[1, 1]])
    case(out, "labelcrossentropy", [Operator("LabelCrossEntropy", "x l", "y")], {"x": softmax, "l": labels},
         {"y": -numpy.log(picked)})
    case(out, "softmaxwithloss", [Operator("SoftmaxWithLoss", "x l", "p y", scale=2.0)],
         {"x": rows.reshape(2, -1), "l": labels}, {"p": softmax, "y": -2 * numpy.log(picked).mean()})
    targets = real(2, 3, 4, low=0, high=1)
    case(out, "sigmoidcrossentropywithlogits", [Operator("SigmoidCrossEntropyWithLogits", "x t", "y")],
         {"x": rows, "t": targets},
         {"y": (numpy.maximum(rows, 0) - rows * targets + numpy.log1p(numpy.exp(-abs(rows)))).mean(-1)})


def sample(image, y, x):
    """Between four pixels; 0 more than a pixel outside."""
    height, width = image.shape[1:]
    if not (-1 <= y <= height and -1 <= x <= width):
        return numpy.zeros(image.shape[0])
    y, x = max(y, 0), max(x, 0)
    top, left = min(int(y), height - 1), min(int(x), width - 1)
    y, x = (top, top) if top == height - 1 else (y, top + 1), (left, left) if left == width - 1 else (x, left + 1)
    (y, bottom), (x, right) = y, x
    ly, lx = y - top, x - left
    return ((1 - ly) * (1 - lx) * image[:, top, left] + (1 - ly) * lx * image[:, top, right]
            + ly * (1 - lx) * image[:, bottom, left] + ly * lx * image[:, bottom, right])


def aligned(x, rois, height, width, ratio, scale, half):
    result = numpy.zeros((len(rois), x.shape[1], height, width))
    for r, roi in enumerate(rois):
        image = x[int(roi[0])] if len(roi) == 5 else x[0]
        left, top, right, bottom = roi[-4:] * scale - (0.5 if half else 0)
        h, w = bottom - top, right - left
        if not half:
            h, w = max(h, 1), max(w, 1)
        down, across = (ratio, ratio) if ratio else (math.ceil(h / height), math.ceil(w / width))
        for i, j, a, b in itertools.product(range(height), range(width), range(down), range(across)):
            result[r, :, i, j] += sample(image, top + (i + (a + 0.5) / down) * h / height,
                                         left + (j + (b + 0.5) / across) * w / width) / (down * across)
    return result.astype(F)


def largest(x, rois, height, width, scale):
    """The largest pixel of each bin of a region; 0 for an empty one."""
    result = numpy.zeros((len(rois), x.shape[1], height, width), F)
    for r, roi in enumerate(rois):
        left, top, right, bottom = (int(math.floor(end * scale + 0.5)) for end in roi[1:])
        bins = lambda first, end, count, size: [
            [min(max(first + edge, 0), size) for edge in (
                math.floor(i * max(end - first + 1, 1) / count), math.ceil((i + 1) * max(end - first + 1, 1) / count))]
            for i in range(count)]
        for i, rows in enumerate(bins(top, bottom, height, x.shape[2])):
            for j, columns in enumerate(bins(left, right, width, x.shape[3])):
                part = x[int(roi[0]), :, slice(*rows), slice(*columns)]
                if part.size:
                    result[r, :, i, j] = part.max((1, 2))
    return result


def transformed(rois, deltas, info, weights, scales=True, plus=1):
    """Boxes of [m, 5], deltas of [m, 4 * classes]."""
    result, clip = numpy.zeros_like(deltas), math.log(1000 / 16)
    for r, roi in enumerate(rois):
        rows, columns, scale = info[int(roi[0])]
        box = roi[1:] / scale
        w, h = box[2] - box[0] + plus, box[3] - box[1] + plus
        x, y = box[0] + w / 2, box[1] + h / 2
        for k in range(0, deltas.shape[1], 4):
            dx, dy, dw, dh = deltas[r, k:k + 4] / weights
            cx, cy = dx * w + x, dy * h + y
            pw, ph = math.exp(min(dw, clip)) * w, math.exp(min(dh, clip)) * h
            width, height = int(columns / scale + 0.5), int(rows / scale + 0.5)
            corners = [cx - pw / 2, cy - ph / 2, cx + pw / 2 - plus, cy + ph / 2 - plus]
            limits = [width - plus, height - plus] * 2
            result[r, k:k + 4] = numpy.clip(corners, 0, limits) * (scale if scales else 1)
    return result


def vision(out):
    x = real(2, 3, 4, 5)
    case(out, "resizenearest", [Operator("ResizeNearest", "x", "y", height_scale=2.0, width_scale=1.6)],
         {"x": x}, {"y": x[:, :, numpy.arange(8) // 2][..., (numpy.arange(8) / 1.6).astype(int)]})
    case(out, "upsamplenearest", [Operator("UpsampleNearest", "x", "y", scale=2)], {"x": x},
         {"y": x.repeat(2, 2).repeat(2, 3)})
    rows, columns = numpy.linspace(0, 3, 8), numpy.linspace(0, 4, 10)
    tall = numpy.apply_along_axis(lambda line: numpy.interp(rows, range(4), line), 2, x)
    case(out, "upsamplebilinear", [Operator("UpsampleBilinear", "x", "y", height_scale=2.0, width_scale=2.0)],
         {"x": x}, {"y": numpy.apply_along_axis(lambda line: numpy.interp(columns, range(5), line), 3, tall)})
    sides = ((0, 0), (0, 0), (1, 0), (2, 1))
    for mode in "constant", "reflect", "edge":
        case(out, "padimage_" + mode, [Operator("PadImage", "x", "y", pad_t=1, pad_l=2, pad_b=0, pad_r=1,
                                                mode=mode)], {"x": x}, {"y": numpy.pad(x, sides, mode)})
    rois = numpy.array([[0, 0.5, 0.5, 7, 6], [1, 2, 1, 9, 7], [1, 3, 3, 3.5, 3.25]], F)
    for half in 0, 1:
        case(out, f"roialign_{half}",
             [Operator("RoIAlign", "x r", "y", pooled_h=2, pooled_w=3, sampling_ratio=2, spatial_scale=0.5,
                       aligned=half)], {"x": x, "r": rois}, {"y": aligned(x, rois, 2, 3, 2, 0.5, half)})
        case(out, f"roialign_adaptive_{half}",
             [Operator("RoIAlign", "x r", "y", pooled_h=2, pooled_w=3, spatial_scale=1.5, aligned=half)],
             {"x": x, "r": rois}, {"y": aligned(x, rois, 2, 3, 0, 1.5, half)})
    one = x[:1]
    case(out, "roialign_last",
         [Operator("RoIAlign", "x r", "y", pooled_h=2, pooled_w=2, sampling_ratio=1, spatial_scale=0.5,
                   order="NHWC")], {"x": last(one), "r": rois[:, 1:]},
         {"y": last(aligned(one, rois[:, 1:], 2, 2, 1, 0.5, False))})
    for order in "NCHW", "NHWC":
        given, pooled = x, largest(x, rois, 2, 3, 0.5)
        if order == "NHWC":
            given, pooled = last(given), last(pooled)
        case(out, "roipool_" + order.lower(),
             [Operator("RoIPool", "x r", "y", pooled_h=2, pooled_w=3, spatial_scale=0.5, is_test=1, order=order)],
             {"x": given, "r": rois}, {"y": pooled})
    info = numpy.array([[60, 80, 2], [30, 50, 1]], F)
    boxes = numpy.array([[0, 4, 6, 40, 30], [0, 10, 2, 60, 50], [1, 5, 5, 20, 25]], F)
    deltas = real(3, 8)
    weights = numpy.array([10, 10, 5, 5], F)
    case(out, "bboxtransform", [Operator("BBoxTransform", "r d i", "b n", weights=[10.0, 10.0, 5.0, 5.0])],
         {"r": boxes, "d": deltas, "i": info},
         {"b": transformed(boxes, deltas, info, weights), "n": numpy.array([2, 1], F)})
    case(out, "bboxtransform_plain",
         [Operator("BBoxTransform", "r d i", "b", apply_scale=0, legacy_plus_one=0)],
         {"r": boxes, "d": deltas, "i": info}, {"b": transformed(boxes, deltas, info, 1.0, False, 0)})
    order = numpy.array([2, 0, 1], W)
    case(out, "batchpermutation", [Operator("BatchPermutation", "x i", "y")], {"x": boxes, "i": order},
         {"y": boxes[order]})
    levels = [boxes[:2], boxes[2:], real(4, 5, low=0, high=9)]
    scores = [real(2, 1), real(1, 1), real(4, 1)]
    best = numpy.argsort(-numpy.concatenate(scores).ravel(), kind="stable")[:5]
    case(out, "collectrpnproposals",
         [Operator("CollectRpnProposals", "a b c p q r", "y", rpn_min_level=2, rpn_max_level=4,
                   rpn_post_nms_topN=5)],
         dict(zip("abcpqr", levels + scores)), {"y": numpy.concatenate(levels)[best]})


def write(out):
    convolutions(out)
    pools(out)
    norms(out)
    vision(out)
