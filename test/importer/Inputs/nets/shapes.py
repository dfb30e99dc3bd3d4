# SPDX-License-Identifier: MIT
"""Cases of operators that move elements, of fills and of products."""

import numpy

from nets.net import Operator, case

F, L, W = numpy.float32, numpy.int64, numpy.int32
random = numpy.random.RandomState(53)


def real(*shape, low=-2, high=2):
    return random.uniform(low, high, shape).astype(F)


def moved(out):
    x = real(2, 3, 4)
    last = real(1, 2, 3, 4)
    for name, kind, arguments, y in [
            ("reshape", "Reshape", {"shape": [0, -1]}, x.reshape(2, 12)),
            ("flatten", "Flatten", {}, x.reshape(2, 12)), ("flattentovec", "FlattenToVec", {}, x.ravel()),
            ("prependdim", "PrependDim", {"dim_size": 2}, x.reshape(2, 1, 3, 4)),
            ("mergedim", "MergeDim", {}, x.reshape(6, 4)),
            ("expanddims", "ExpandDims", {"dims": [0, 2]}, x[None, :, None]),
            ("expand", "Expand", {"shape": [3, 1, 3, 1]}, numpy.broadcast_to(x, (3, 2, 3, 4))),
            ("transpose", "Transpose", {}, x.T), ("transpose_axes", "Transpose", {"axes": [1, 0, 2]},
                                                  x.swapaxes(0, 1)),
            ("shape", "Shape", {}, numpy.array(x.shape)), ("shape_axes", "Shape", {"axes": [2, 0]},
                                                           numpy.array([4, 2])),
            ("size", "Size", {}, numpy.array(24)),
            ("slice", "Slice", {"starts": [0, 1, 1], "ends": [-1, 3, -2]}, x[:, 1:3, 1:3]),
            ("slice_first", "Slice", {"starts": [1], "ends": [9]}, x[1:]),
            ("tile", "Tile", {"tiles": 3, "axis": 1}, numpy.tile(x, (1, 3, 1)))]:
        case(out, name, [Operator(kind, "x", "y", **arguments)], {"x": x}, {"y": y})
    case(out, "nchw2nhwc", [Operator("NCHW2NHWC", "x", "y")], {"x": last}, {"y": numpy.moveaxis(last, 1, -1)})
    case(out, "nhwc2nchw", [Operator("NHWC2NCHW", "x", "y")], {"x": last}, {"y": numpy.moveaxis(last, -1, 1)})
    case(out, "reshape_input", [Operator("Reshape", "x s", "y o")], {"x": x},
         {"y": x.reshape(4, 6), "o": numpy.array([2, 3, 4])}, {"s": numpy.array([4, -1])})
    case(out, "squeeze", [Operator("Squeeze", "x", "y", dims=[0])], {"x": last}, {"y": last[0]})
    like = real(4, 6)
    case(out, "resizelike", [Operator("ResizeLike", "x l", "y")], {"x": x, "l": like}, {"y": x.reshape(4, 6)})
    image = real(1, 6, 2, 2)
    shuffled = image.reshape(1, 3, 2, 2, 2).swapaxes(1, 2).reshape(image.shape)
    case(out, "channelshuffle", [Operator("ChannelShuffle", "x", "y", group=3)], {"x": image}, {"y": shuffled})
    case(out, "channelshuffle_last", [Operator("ChannelShuffle", "x", "y", group=3, order="NHWC")],
         {"x": numpy.moveaxis(image, 1, -1)}, {"y": numpy.moveaxis(shuffled, 1, -1)})
    other = real(2, 5, 4)
    case(out, "concat", [Operator("Concat", "x o", "y s")], {"x": x, "o": other},
         {"y": numpy.concatenate([x, other], 1), "s": numpy.array([3, 5], W)})
    case(out, "concat_added", [Operator("Concat", "x o", "y", axis=0, add_axis=1)], {"x": x, "o": -x},
         {"y": numpy.stack([x, -x])})
    case(out, "depthconcat", [Operator("DepthConcat", "x o", "y")], {"x": x, "o": other},
         {"y": numpy.concatenate([x, other], 1)})
    case(out, "split", [Operator("Split", "x", "a b", axis=2)], {"x": x}, {"a": x[..., :2], "b": x[..., 2:]})
    case(out, "split_sizes", [Operator("Split", "x s", "a b")], {"x": x}, {"a": x[:, :1], "b": x[:, 1:]},
         {"s": numpy.array([1, 2], W)})
    case(out, "split_removed", [Operator("Split", "x", "a b", axis=0, add_axis=1)], {"x": x},
         {"a": x[0], "b": x[1]})
    case(out, "slice_inputs", [Operator("Slice", "x b e", "y")], {"x": x}, {"y": x[:1, 1:, :3]},
         {"b": numpy.array([0, 1, 0], W), "e": numpy.array([1, -1, 3], W)})
    case(out, "tile_inputs", [Operator("Tile", "x n a", "y")], {"x": x}, {"y": numpy.tile(x, (1, 1, 2))},
         {"n": numpy.array([2], W), "a": numpy.array([2], W)})
    rows = numpy.array([[2, 0], [1, 1]])
    case(out, "gather", [Operator("Gather", "x i", "y", axis=1)], {"x": x, "i": rows}, {"y": x[:, rows]})
    case(out, "batchgather", [Operator("BatchGather", "x i", "y")], {"x": x, "i": rows[0]}, {"y": x[:, rows[0]]})
    case(out, "gathernd", [Operator("GatherND", "x i", "y")], {"x": x, "i": rows % 2}, {"y": x[[0, 1], [0, 1]]})
    case(out, "free", [Operator("Transpose", "x", "t"), Operator("Flatten", "t", "y"), Operator("Free", "t", "t")],
         {"x": x}, {"y": x.T.reshape(4, 6)})
    table, new = real(5, 2), real(2, 2)
    after = table.copy()
    after[[3, 1]] = new
    case(out, "scatterassign", [Operator("ScatterAssign", "t i n", "t")],
         {"t": table, "i": numpy.array([3, 1]), "n": new}, {"t": after})


def fills(out):
    x = real(2, 3)
    ones = numpy.ones((2, 3), F)
    case(out, "constantfill", [Operator("ConstantFill", "", "c", shape=[2, 3], value=1.5),
                               Operator("Add", "x c", "y")], {"x": x}, {"y": x + 1.5 * ones})
    case(out, "constantfill_like", [Operator("ConstantFill", "x", "y", value=7, dtype=10, extra_shape=[2])],
         {"x": x}, {"y": numpy.full((2, 3, 2), 7)})
    case(out, "constantfill_shape", [Operator("ConstantFill", "s", "c", value=2.0, input_as_shape=1),
                                     Operator("Add", "x c", "y")], {"x": x}, {"y": x + 2 * ones},
         {"s": numpy.array([2, 3])})
    case(out, "rangefill", [Operator("RangeFill", "", "c", shape=[2, 3]), Operator("Add", "x c", "y")], {"x": x},
         {"y": x + numpy.arange(6).reshape(2, 3)})
    for kind in "UniformFill", "GaussianFill", "XavierFill", "MSRAFill":
        # The numbers are random: x less the numbers and plus the numbers is x.
        case(out, kind.lower(), [Operator(kind, "", "c", shape=[2, 3]), Operator("Sub", "x c", "d"),
                                 Operator("Add", "d c", "y")], {"x": x}, {"y": x})
    case(out, "range", [Operator("Range", "a b c", "y")], {}, {"y": numpy.array([2, 5, 8], W)},
         {"a": numpy.array(2, W), "b": numpy.array(10, W), "c": numpy.array(3, W)})
    case(out, "range_end", [Operator("Range", "a", "y")], {}, {"y": numpy.arange(4, dtype=W)},
         {"a": numpy.array(4, W)})
    for kind in F, numpy.float64, numpy.float16, W, L, numpy.int16, numpy.bool_, numpy.uint8:
        array = numpy.array([[0, 1, 1], [1, 0, 1]]).astype(kind) if kind == numpy.bool_ else (
            numpy.array([[1, 2, 3], [250, 5, 6]]).astype(kind))
        case(out, "given_" + numpy.dtype(kind).name, [Operator("Copy", "w", "y")], {}, {"y": array}, {"w": array},
             doubles=True)


def products(out):
    x, w, b = real(2, 3, 4), real(5, 12), real(5)
    y = x.reshape(2, 12) @ w.T + b
    case(out, "fc", [Operator("FC", "x w b", "y")], {"x": x}, {"y": y}, {"w": w, "b": b})
    case(out, "fc_text", [Operator("FC", "x w b", "y")], {"x": x}, {"y": y}, {"w": w, "b": b}, as_text=True)
    case(out, "fbfcpacked", [Operator("FbFCPacked", "x w b", "y")], {"x": x}, {"y": y}, {"w": w, "b": b})
    case(out, "fctransposed", [Operator("FCTransposed", "x w b", "y")], {"x": x}, {"y": y},
         {"w": numpy.ascontiguousarray(w.T), "b": b})
    w = real(5, 4)
    case(out, "fc_axis", [Operator("FC", "x w b", "y", axis=2)], {"x": x}, {"y": x @ w.T + b}, {"w": w, "b": b})
    m, n = real(3, 4), real(5, 4)
    case(out, "matmul", [Operator("MatMul", "m n", "y", trans_b=1)], {"m": m, "n": n}, {"y": m @ n.T})
    case(out, "matmul_left", [Operator("MatMul", "m n", "y", trans_a=1)], {"m": m, "n": m}, {"y": m.T @ m})
    p, q = real(2, 3, 4), real(2, 5, 4)
    case(out, "batchmatmul", [Operator("BatchMatMul", "p q", "y", trans_b=1)], {"p": p, "q": q},
         {"y": p @ q.swapaxes(1, 2)})
    q = real(4, 5)
    case(out, "batchmatmul_broadcast", [Operator("BatchMatMul", "p q", "y", broadcast=1)], {"p": p, "q": q},
         {"y": p @ q})


def write(out):
    moved(out)
    fills(out)
    products(out)
