"""Writes models whose weights are of 2, 4 or 8 bits, in blocks.

Usage: block_weights.py FOLDER
       block_weights.py one FILE ROWS K N BITS BLOCK
       block_weights.py rows FILE          a small, a large, and an infinite row
       block_weights.py proportional FILE  checks what a product makes of them
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, mapping, numpy_helper

RANDOM = np.random.default_rng(5)
UINT4, INT4, INT8 = 21, 22, TensorProto.INT8


def packed(codes, bits):
    """Codes of the last axis in bytes, the first in the lowest bits."""
    each = 8 // bits
    codes = np.pad(codes, [(0, 0)] * (codes.ndim - 1) + [(0, -codes.shape[-1] % each)])
    parts = codes.reshape(*codes.shape[:-1], -1, each).astype(np.uint8)
    return np.bitwise_or.reduce(parts << (np.arange(each) * bits).astype(np.uint8), axis=-1)


def save(file, node, inputs, constants, out, opset):
    graph = helper.make_graph(
        node if isinstance(node, list) else [node], "blocks",
        [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs],
        [helper.make_tensor_value_info("y", out, None)],
        [value if isinstance(value, TensorProto) else numpy_helper.from_array(value, name)
         for name, value in constants.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset),
                                                      helper.make_opsetid("com.microsoft", 1)],
                                ir_version=10), file)


def product(file, rows, k, n, bits, block, zeros=None, real=np.float32, bias=False, groups=False):
    """A product; `zeros` is None, or the kind of zero points."""
    blocks = -(-k // block)
    codes = RANDOM.integers(0, 1 << bits, (n, blocks, block))
    constants = {"b": packed(codes, bits),
                 "s": RANDOM.uniform(0.01, 0.05, (n, blocks)).astype(real)}
    names = ["x", "b", "s"]
    if zeros is not None:
        points = RANDOM.integers(0, 1 << bits, (n, blocks))
        constants["z"] = packed(points, bits) if zeros is np.uint8 else (points + 0.5).astype(zeros)
    names.append("z" if zeros is not None else "")
    if groups:
        constants["g"] = RANDOM.integers(0, blocks, k).astype(np.int32)
    names.append("g" if groups else "")
    if bias:
        constants["c"] = RANDOM.normal(0, 1, n).astype(real)
        names.append("c")
    kind = mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(real)]
    node = helper.make_node("MatMulNBits", names, ["y"], "product", domain="com.microsoft", K=k, N=n,
                            bits=bits, block_size=block)
    save(file, node, [("x", kind, [*rows, k])], constants, kind, 17)


def dequantized(file, kind, k, n, block, transposed):
    """A product with a matrix that stands in floats in the model."""
    def integers(name, shape):
        bits = 8 if kind == INT8 else 4
        low = 0 if kind == UINT4 else -(1 << bits - 1)
        values = RANDOM.integers(low, low + (1 << bits), shape).ravel() & (1 << bits) - 1
        return TensorProto(name=name, data_type=kind, dims=shape, raw_data=packed(values, bits).tobytes())

    shape, axis = ((n, k), 1) if transposed else ((k, n), 0)
    few = tuple(-(-size // block) if i == axis else size for i, size in enumerate(shape))
    w, z = integers("w", shape), integers("z", few)
    constants = {"w": w, "z": z, "s": RANDOM.uniform(0.01, 0.05, few).astype(np.float32)}
    nodes = [helper.make_node("DequantizeLinear", ["w", "s", "z"], ["m"], "weights", axis=axis, block_size=block)]
    if transposed:
        nodes.append(helper.make_node("Gemm", ["x", "m"], ["y"], "product", transB=1))
    else:
        nodes.append(helper.make_node("MatMul", ["x", "m"], ["y"], "product"))
    save(file, nodes, [("x", TensorProto.FLOAT, [3, k])], constants, TensorProto.FLOAT, 21)


def all_models(folder):
    folder.mkdir(parents=True)
    for bits in (2, 4, 8):
        # Blocks fill words, columns fill no vector, and the last block is not whole.
        product(folder / f"middle_{bits}.onnx", [1], 160, 33, bits, 16)
        product(folder / f"zeros_{bits}.onnx", [2, 7], 150, 48, bits, 32, np.uint8)
        product(folder / f"reals_{bits}.onnx", [13], 200, 20, bits, 64, np.float32, bias=True)
        # Blocks larger than those of sums, and than the row.
        product(folder / f"large_{bits}.onnx", [29], 1100, 40, bits, 512, np.uint8)
        product(folder / f"single_{bits}.onnx", [3], 20, 16, bits, 128)
    # Enough rows for tiles of a processor, and some more; the last panel of columns is alone.
    product(folder / "tiles_2.onnx", [5, 11], 480, 520, 2, 16)
    product(folder / "tiles_4.onnx", [70], 500, 529, 4, 32, np.uint8)
    product(folder / "tiles_8.onnx", [64], 512, 512, 8, 128, np.float32, bias=True)
    product(folder / "halves.onnx", [4], 96, 35, 4, 32, np.uint8, np.float16)
    product(folder / "groups.onnx", [2], 96, 35, 4, 32, np.uint8, groups=True)
    for name, kind in (("u4", UINT4), ("i4", INT4), ("i8", INT8)):
        for transposed in (False, True):
            dequantized(folder / f"dequantized_{name}{'_rows' * transposed}.onnx", kind, 72, 37, 16, transposed)


def check_rows(small, large, infinite):
    """The first two differ by a factor; the bound is that of a row."""
    difference = np.abs(small * np.float64(1e50) - large).max()
    assert difference < 1e-4 * np.abs(large).max() < np.inf, (small, large)
    assert np.isnan(infinite).all(), infinite


if __name__ == "__main__":
    if sys.argv[1] == "rows":
        row = RANDOM.normal(0, 1, 20)
        infinite = np.where(np.arange(20) == 7, np.inf, row)
        np.save(sys.argv[2], np.array([row * 1e-25, row * 1e25, infinite], np.float32))
    elif sys.argv[1] == "proportional":
        check_rows(*np.load(sys.argv[2]))
    elif sys.argv[1] == "one":
        rows, k, n, bits, block = map(int, sys.argv[3:])
        product(sys.argv[2], [rows], k, n, bits, block)
    else:
        all_models(pathlib.Path(sys.argv[1]))
