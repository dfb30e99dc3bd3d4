# SPDX-License-Identifier: MIT
"""Writes a graph on quantised elements, and checks what a run made of it.

  quantized.py make FOLDER
  quantized.py check FOLDER
"""

import pathlib
import sys

import numpy

SCALES = numpy.array([0.25, 0.125])
ZEROS = numpy.array([0, 3])
X = numpy.array([[-128, 5, 127], [1, -7, 40]], numpy.int8)
W = numpy.array([[3, -9], [100, 27], [-55, 1]], numpy.int8)

TEXT = """
!x = !quant.uniform<i8:f32, 0.5:1>
!w = !quant.uniform<i8:f32:1, {{0.25, 0.125:3}}>
!y = !quant.uniform<i8:f32, 8.0:-5>
glow.placeholder @x input : tensor<2x3x!x>
glow.placeholder @y output : tensor<2x2x!y>
glow.constant @w = dense_resource<w> : tensor<3x2x!w>
glow.func @main {{
  %x = glow.read @x : tensor<2x3x!x>
  %w = glow.read @w : tensor<3x2x!w>
  %p = glow.matmul %x, %w : (tensor<2x3x!x>, tensor<3x2x!w>) -> tensor<2x2x!y>
  %y = glow.max %p, %p : (tensor<2x2x!y>, tensor<2x2x!y>) -> tensor<2x2x!y>
  glow.save %y, @y : tensor<2x2x!y>
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x01000000{data}" }} }} #-}}
"""


def expected() -> numpy.ndarray:
    real = (X - 1.0) * 0.5 @ ((W - ZEROS) * SCALES)
    return numpy.clip(numpy.rint(real / 8) - 5, -128, 127).astype(numpy.int8)


def main() -> int:
    folder = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "make":
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "graph.mlir").write_text(TEXT.format(data=W.tobytes().hex()))
        numpy.save(folder / "x.npy", X)
        return 0
    found = numpy.load(folder / "y.npy")
    print(found.tolist(), expected().tolist())
    return 0 if numpy.array_equal(found, expected()) else 1


if __name__ == "__main__":
    sys.exit(main())
