# SPDX-License-Identifier: MIT
"""Cases of operators on lists whose data decides the size of a result."""

import numpy

from nets.net import Operator, case

F, L, W = numpy.float32, numpy.int64, numpy.int32
random = numpy.random.RandomState(57)


def real(*shape):
    return random.uniform(-2, 2, shape).astype(F)


def write(out):
    lengths, rows = numpy.array([2, 0, 3], W), real(5, 2)
    places = numpy.array([0, 0, 2, 2, 2])
    case(out, "lengthstile", [Operator("LengthsTile", "x l", "y")], {"x": rows[:3], "l": lengths},
         {"y": rows[:3].repeat(lengths, 0)})
    packed, mask = numpy.zeros((3, 3, 2), F), numpy.arange(3) < lengths[:, None]
    packed[mask] = rows
    case(out, "packsegments", [Operator("PackSegments", "l x", "y m", return_presence_mask=1)],
         {"l": lengths, "x": rows}, {"y": packed, "m": mask})
    lowest = packed.copy()
    lowest[~mask] = -numpy.inf
    case(out, "packsegments_lowest", [Operator("PackSegments", "l x", "y", pad_minf=1)],
         {"l": lengths, "x": rows}, {"y": lowest})
    case(out, "packsegments_most", [Operator("PackSegments", "l x", "y", max_length=2)],
         {"l": lengths, "x": rows}, {"y": packed[:, :2]})
    case(out, "unpacksegments", [Operator("UnpackSegments", "l x", "y")], {"l": lengths, "x": packed}, {"y": rows})
    keeps = numpy.array([True, False, True, True, False])
    case(out, "booleanmask", [Operator("BooleanMask", "x m", "y i")], {"x": rows, "m": keeps},
         {"y": rows[keeps], "i": numpy.where(keeps)[0]})
    labels, values = numpy.array([1, 0, 1, 1, 2]), real(5)
    case(out, "sparselabelsplit", [Operator("SparseLabelSplit", "l i v", "a b c p q r m", num_labels=3)],
         {"l": lengths, "i": labels, "v": values},
         {**{name: values[labels == i] for i, name in enumerate("abc")},
          **{name: places[labels == i].astype(W) for i, name in enumerate("pqr")},
          "m": numpy.array([0, 0, 1, 2, 0], W)})
    holes = numpy.where(rows > 0, rows, 0)
    case(out, "nonzero", [Operator("NonZero", "x", "y")], {"x": holes}, {"y": numpy.argwhere(holes)})
    numbers = numpy.array([7, -2, 7, 3, -2])
    distinct, order = numpy.unique(numbers, return_inverse=True)
    case(out, "unique", [Operator("Unique", "x", "y r")], {"x": numbers}, {"y": distinct, "r": order.astype(W)})
    # The size that an input decides goes through nodes of the next program.
    where = numpy.array([1, 3, 1])
    dense = numpy.zeros((4, 2), F)
    dense[[1, 3]] = rows[0] + rows[2], rows[1]
    case(out, "sparsetodense_by_value", [Operator("SparseToDense", "i v", "d"), Operator("Relu", "d", "y")],
         {"i": where, "v": rows[:3]}, {"y": numpy.maximum(dense, 0)})
    ranges = numpy.array([[[0, 1], [2, 2]], [[4, 1], [1, 0]]], W)
    case(out, "gatherranges_by_value", [Operator("GatherRanges", "x r", "y n")], {"x": rows, "r": ranges},
         {"y": rows[[0, 2, 3, 4]], "n": numpy.array([3, 1], W)})
