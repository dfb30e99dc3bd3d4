"""Writes models that resize one tensor in every way.

  resize.py FOLDER
"""

import itertools
import pathlib
import sys

MODES = ["nearest", "linear", "cubic"]
PLACES = ["asymmetric", "half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn",
          "pytorch_half_pixel", "align_corners"]
ROUNDINGS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
SIZES = [([2, 3, 5, 6], [2, 3, 10, 12], [1.0, 1.0, 2.0, 2.0]),
         ([1, 2, 9, 7], [1, 2, 4, 15], [1.0, 1.0, 0.5, 2.2]),
         ([1, 3, 4, 5, 16], [1, 3, 8, 10, 16], [1.0, 1.0, 2.0, 2.0, 1.0]),
         ([2, 4, 6, 19], [2, 5, 9, 19], [1.0, 1.25, 1.5, 1.0]),
         ([5], [1], [0.2]),
         ([2, 3, 2, 3, 2], [3, 3, 4, 3, 5], [1.5, 1.0, 2.0, 1.0, 2.5]),
         ([3, 4], [3, 4], [1.0, 1.0])]


def tensor(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def model(shape, dims, scales):
    head = [f"glow.placeholder @x input : {tensor(shape)}"]
    body = [f"  %x = glow.read @x : {tensor(shape)}"]
    ways = itertools.product(MODES, PLACES, ROUNDINGS, ["false", "true"])
    for i, (mode, places, rounding, exclude) in enumerate(ways):
        head.append(f"glow.placeholder @y{i} output : {tensor(dims)}")
        body.append(f'  %y{i} = glow.resize %x dims {dims} scales {scales} mode "{mode}" coordinates "{places}" '
                    f'rounding "{rounding}" cubicCoefficient -0.75 excludeOutside {exclude} '
                    f": ({tensor(shape)}) -> {tensor(dims)}")
        body.append(f"  glow.save %y{i}, @y{i} : {tensor(dims)}")
    return "\n".join(head + ["glow.func @main {"] + body + ["}", ""])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
for number, sizes in enumerate(SIZES):
    (folder / f"resize{number}.mlir").write_text(model(*sizes))
