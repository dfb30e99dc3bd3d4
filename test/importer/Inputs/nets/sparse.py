# SPDX-License-Identifier: MIT
"""Cases of operators on lists of features."""

import numpy

from nets.net import Operator, case

F, H, L, W, U = numpy.float32, numpy.float16, numpy.int64, numpy.int32, numpy.uint8
random = numpy.random.RandomState(54)


def real(*shape, low=-2, high=2):
    return random.uniform(low, high, shape).astype(F)


def bags(rows, lengths, means=False):
    """The sum of the rows of each bag, or their mean."""
    result, begin = numpy.zeros((len(lengths), *rows.shape[1:]), F), 0
    for i, n in enumerate(lengths):
        result[i] = rows[begin:begin + n].sum(0) / (max(n, 1) if means else 1)
        begin += n
    return result


def rowwise(table):
    """The codes of a table in 8 bits, and a scale and an offset for each row."""
    low, high = table.min(1, keepdims=True), table.max(1, keepdims=True)
    scale = ((high - low) / 255).astype(F)
    return numpy.rint((table - low) / scale).astype(U), numpy.concatenate([scale, low], 1).astype(F)


def fused(table, bits):
    """Rows of codes, a scale and an offset; and the numbers that they stand for."""
    low, high = table.min(1, keepdims=True), table.max(1, keepdims=True)
    kind = F if bits == 8 else H
    scale, low = ((high - low) / (2 ** bits - 1)).astype(kind), low.astype(kind)
    codes = numpy.rint((table - low) / scale).clip(0, 2 ** bits - 1).astype(U)
    numbers = codes.astype(F) * scale.astype(F) + low.astype(F)
    if bits == 4:
        codes = codes[:, ::2] | codes[:, 1::2] << 4
    return numpy.concatenate([codes, scale.view(U).reshape(len(table), -1), low.view(U).reshape(len(table), -1)],
                             1), numbers


def sums(out):
    table, weights = real(6, 4), real(7)
    rows, lengths = numpy.array([5, 0, 2, 2, 1, 3, 4]), numpy.array([3, 0, 4], W)
    places = numpy.concatenate([numpy.arange(n) for n in lengths])
    position = real(4)
    picked, data = table[rows], {"i": rows, "l": lengths}
    codes, scales = rowwise(table)
    numbers = (codes.astype(F) * scales[:, :1] + scales[:, 1:])[rows]
    for means in False, True:
        word = "Mean" if means else "Sum"
        for weighted in False, True:
            kind = "SparseLengths" + ("Weighted" if weighted else "") + word
            names = "t w i l" if weighted else "t i l"
            inputs = {"w": weights, **data} if weighted else data
            factors = weights[:, None] if weighted else 1
            case(out, kind.lower(), [Operator(kind, names, "y")], inputs,
                 {"y": bags(picked * factors, lengths, means)}, {"t": table})
            case(out, kind.lower() + "8bitsrowwise", [Operator(kind + "8BitsRowwise", names + " s", "y")], inputs,
                 {"y": bags(numbers * factors, lengths, means)}, {"t": codes, "s": scales})
            for bits in 8, 4:
                packed, unpacked = fused(table, bits)
                case(out, f"{kind.lower()}fused{bits}bitrowwise",
                     [Operator(f"{kind}Fused{bits}BitRowwise", names, "y")], inputs,
                     {"y": bags(unpacked[rows] * factors, lengths, means)}, {"t": packed})
        case(out, "lengths" + word.lower(), [Operator("Lengths" + word, "x l", "y")],
             {"x": picked, "l": lengths}, {"y": bags(picked, lengths, means)})
    case(out, "sparselengthspositionalweightedsum",
         [Operator("SparseLengthsPositionalWeightedSum", "t p i l", "y")], data,
         {"y": bags(picked * position[places][:, None], lengths)}, {"t": table, "p": position})
    case(out, "lengthsweightedsum", [Operator("LengthsWeightedSum", "x w l", "y")],
         {"x": picked, "w": weights, "l": lengths}, {"y": bags(picked * weights[:, None], lengths)})


def lists(out):
    lengths = numpy.array([2, 0, 3], W)
    case(out, "lengthstoranges", [Operator("LengthsToRanges", "l", "y")], {"l": lengths},
         {"y": numpy.array([[0, 2], [2, 0], [2, 3]], W)})
    case(out, "lengthsrangefill", [Operator("LengthsRangeFill", "l", "y")], {"l": lengths},
         {"y": numpy.array([0, 1, 0, 1, 2], W)})
    data = real(6)
    ranges = numpy.array([[[0, 1], [2, 2]], [[4, 1], [5, 1]]], W)
    case(out, "gatherranges", [Operator("GatherRanges", "x r", "y l")], {"x": data, "r": ranges},
         {"y": data[[0, 2, 3, 4, 5]], "l": numpy.array([3, 2], W)})
    case(out, "clipranges", [Operator("ClipRanges", "r", "y", max_length=1)], {"r": ranges},
         {"y": numpy.minimum(ranges, [99, 1]).astype(W)})
    values, like = real(3, 2), real(5, 1)
    dense = numpy.zeros((5, 2), F)
    dense[[1, 3]] = values[0] + values[2], values[1]
    where = numpy.array([1, 3, 1])
    case(out, "sparsetodense", [Operator("SparseToDense", "i v l", "y")], {"i": where, "v": values, "l": like},
         {"y": dense})
    case(out, "sparsetodense_largest", [Operator("SparseToDense", "i v", "y")], {"v": values}, {"y": dense[:4]},
         {"i": where})
    features = numpy.array([4, 9, 2, 4, 2])
    numbers, missing = real(5), real(1)[0]
    table = numpy.full((3, 3), missing, F)
    table[0, 0], table[2, 1], table[2, 0] = numbers[0], numbers[4], numbers[3]
    case(out, "sparsetodensemask", [Operator("SparseToDenseMask", "i v d l", "y", mask=[4, 2, 7])],
         {"i": features, "v": numbers, "d": missing, "l": lengths}, {"y": table})
    one = numpy.full(3, missing, F)
    one[0], one[1] = numbers[0], numbers[2]
    case(out, "sparsetodensemask_one", [Operator("SparseToDenseMask", "i v d", "y", mask=[4, 2, 7])],
         {"i": features[:3], "v": numbers[:3], "d": missing}, {"y": one})
    columns, known = numpy.array([[3, 1], [5, 2]]), numpy.array([3, 4, 5, 1, 2])
    case(out, "batchonehot", [Operator("BatchOneHot", "x l v", "y")],
         {"x": columns, "l": numpy.array([3, 2], W), "v": known},
         {"y": (columns.repeat([3, 2], 1) == known).astype(L)})
    case(out, "onehot", [Operator("OneHot", "i n", "y")], {"i": numpy.array([2, 0])},
         {"y": numpy.eye(4)[[2, 0]] != 0}, {"n": numpy.array([4])})
    lengths, where = numpy.array([2, 3, 1]), numpy.array([0, 4, 2, 3, 1, 5])
    numbers = real(6)
    dense = numpy.full((3, 6), 0.5, F)
    dense[[0, 0, 1, 1, 1, 2], where] = numbers
    case(out, "batchsparsetodense",
         [Operator("BatchSparseToDense", "l i v", "y", dense_last_dim=6, default_value=0.5)],
         {"l": lengths, "i": where, "v": numbers}, {"y": dense})
    case(out, "batchsparsetodense_like", [Operator("BatchSparseToDense", "l i v s", "y", default_value=0.5)],
         {"l": lengths, "i": where, "v": numbers, "s": real(3, 6)}, {"y": dense})


    data, on = real(2, 3), numpy.array([0, 1, 0, 1], W)
    filled = numpy.zeros((4, 3), F)
    filled[[1, 3]] = data
    case(out, "fillexampleswithindicator", [Operator("FillExamplesWithIndicator", "x i", "y")],
         {"x": data, "i": on}, {"y": filled})


def write(out):
    sums(out)
    lists(out)
