"""Writes models that take rows of a matrix of few bits: gathered_blocks.py FOLDER."""

import pathlib
import sys

import numpy as np
from block_weights import packed, save
from onnx import helper, mapping

RANDOM = np.random.default_rng(11)


def gathered(file, bits, zeros, columns=112, block=32, real=np.float32, kind=np.int64):
    """Rows that an input names; the first may be counted from the last."""
    blocks = -(-columns // block)
    constants = {"w": packed(RANDOM.integers(0, 1 << bits, (9, columns)), bits),
                 "s": RANDOM.uniform(0.01, 0.05, (9, blocks)).astype(real)}
    if zeros:
        constants["z"] = packed(RANDOM.integers(0, 1 << bits, (9, blocks)), bits)
    node = helper.make_node("GatherBlockQuantized", ["w", "x", "s", *(["z"] if zeros else [])], ["y"], "rows",
                            domain="com.microsoft", bits=bits, block_size=block)
    types = mapping.NP_TYPE_TO_TENSOR_TYPE
    save(file, node, [("x", types[np.dtype(kind)], [2, 3])], constants, types[np.dtype(real)], 17)


def main(folder: pathlib.Path):
    folder.mkdir(parents=True)
    for bits in (2, 4, 8):
        for zeros in (False, True):
            gathered(folder / f"rows_{bits}{'_zeros' * zeros}.onnx", bits, zeros)
    # Blocks that no vector fills, whose last is not whole; halves.
    gathered(folder / "small_4.onnx", 4, True, columns=38, block=16)
    gathered(folder / "small_8.onnx", 8, True, columns=37, block=16)
    gathered(folder / "halves.onnx", 4, True, real=np.float16)
    gathered(folder / "kernels.onnx", 4, True, kind=np.int32)
    np.array([[-9, 8, 0], [3, -1, 3]], np.int64).tofile(folder / "x64.raw")
    np.array([[-9, 8, 0], [3, -1, 3]], np.int32).tofile(folder / "x32.raw")
    np.array([[9, 8, 0], [3, -1, 3]], np.int64).tofile(folder / "outside.raw")


main(pathlib.Path(sys.argv[1]))
