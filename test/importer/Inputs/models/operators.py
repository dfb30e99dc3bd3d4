# SPDX-License-Identifier: MIT
"""Models with operators that are unknown, or that refuse what they are given."""

import numpy
from onnx import TensorProto, helper

from .build import F32, I64, array, model, node, value


def unknown_operators():
    """Four nodes fail for three reasons; `after` and `y` only wait for them."""
    return model(
        [node("Frobnicate", "x", "a", name="one"),
         node("Frobnicate", "x", "b", name="two"),
         node("Relu", "a", "c", name="after"),
         node("Mish", "c", "d", domain="com.example", name="vendor"),
         node("Relu", "x", "e", name="bent", slope=0.5),
         node("Add", "b d", "f"), node("Add", "f e", "y", name="sum")],
        imports=[("", 13), ("com.example", 2)])


def misspelled():
    return model(
        [node("Leakyrelu", "x", "a"), node("Softmax", "x", "b", axes=1),
         node("Gelu", "x", "c", domain="com.elsewhere"),
         node("Add", "a b", "d"), node("Add", "c d", "y")],
        imports=[("", 13), ("com.elsewhere", 1)])


def wider_bits():
    """Bits of an element that is larger."""
    return model([node("BitCast", "x", "y", to=I64)], opset=26)


def strangers():
    """Unknown operators, one in a branch, with all kinds of attributes."""
    table = array("table", [1, 2])
    then = helper.make_graph([node("Inner", "x", "t", domain="com.strange", weight=0.5)], "then", [], [value("t")])
    other = helper.make_graph([node("Identity", "x", "o")], "else", [], [value("o")])
    return model(
        [node("Frob", "x", "a", domain="com.strange", axis=1, name="one\n\"#include"),
         helper.make_node("Frob", ["a", "", "a"], ["b", "c"], domain="com.strange", axis=2, sizes=[1, 2], word="yes",
                          table=table, name="two"),
         node("If", "x", "d", then_branch=then, else_branch=other),
         node("Source", "", "e", domain="com.strange", body=other, **{"odd name": 1}),
         node("Relu", "b", "f"), node("Sum", "c d e f", "y")],
        imports=[("", 13), ("com.strange", 3)])


def adagrad(inputs="r t x1 x2 g1 g2 h1 h2"):
    """A step for two weights; each operand comes for both before the next."""
    names = inputs.split()
    values = [value("r", []), value("t", [], I64)]
    values += [value(name, [int(name[1])]) for name in names[2:]]
    step = node("Adagrad", inputs, "y1 y2 k1 k2", epsilon=0.5,
                domain="ai.onnx.preview.training")
    return model([step], values,
                 [value(name, [int(name[1])]) for name in ["y1", "y2", "k2"]],
                 imports=[("", 13), ("ai.onnx.preview.training", 1)])


def adagrad_uneven():
    return adagrad("r t x1 x2 g1 g2 h1")


def recurrent(op="LSTM", x=(5, 2, 3), b=(1, 32), **attributes):
    return model([node(op, "x w r b", "y", **attributes)], inputs=[value("x", x)],
                 weights=[array(name, numpy.zeros(shape)) for name, shape in
                          (("w", (1, 16, 3)), ("r", (1, 16, 4)), ("b", b))])


def recurrent_rank():
    return recurrent(x=(5, 3))


def recurrent_bias():
    return recurrent(b=(1, 16))


def recurrent_inputs():
    return recurrent(x=(5, 2, 7))


def recurrent_gates():
    return recurrent("GRU")


def recurrent_directions():
    return recurrent(direction="bidirectional")


def recurrent_activations():
    return recurrent(activations=["Sigmoid", "Tanh", "Step"])


def recurrent_activation_count():
    return recurrent(activations=["Sigmoid", "Tanh"])


def recurrent_text():
    return recurrent(activations="Sigmoid")


def quantized(op, names, opset=13, domain="", shapes=(), x=(2, 3), kind=F32, **attributes):
    """Scales are reals of 1, zero points and factors bytes of 0."""
    weights = [array(name, numpy.full(dict(shapes).get(name, ()), name[0] == "s"),
                     numpy.float32 if name[0] == "s" else numpy.uint8)
               for name in names.split()[1:]]
    return model([node(op, names, "y", domain=domain, **attributes)],
                 inputs=[value("x", x, kind)], weights=weights, imports=[(domain, opset)])


def quantized_axis():
    return quantized("QuantizeLinear", "x s z", shapes={"s": [4], "z": [4]})


def quantized_blocks():
    return quantized("DequantizeLinear", "x s z", opset=21, shapes={"s": [2, 1], "z": [2, 2]},
                     kind=TensorProto.UINT8, block_size=2)


def quantized_kind():
    return quantized("QuantizeLinear", "x s", opset=21, output_dtype=14)


def quantized_real():
    return quantized("DequantizeLinear", "x s z")


def quantized_rows():
    return quantized("MatMulInteger", "x w z", shapes={"w": [3, 4], "z": [3]}, kind=TensorProto.UINT8)


def quantized_columns():
    return quantized("MatMulInteger", "x w z u", shapes={"w": [3, 4], "u": [3]}, kind=TensorProto.UINT8)


def quantized_row_scales():
    return quantized("QLinearMatMul", "x s1 z1 w s2 z2 s3 z3", shapes={"w": [3, 4], "s1": [2]},
                     kind=TensorProto.UINT8)


def quantized_result_scales():
    return quantized("QLinearMatMul", "x s1 z1 w s2 z2 s3 z3", shapes={"w": [3, 4], "s3": [2]},
                     kind=TensorProto.UINT8)


def quantized_filters():
    return quantized("ConvInteger", "x w z u", x=(1, 2, 4, 4), shapes={"w": [3, 2, 3, 3], "u": [2]},
                     kind=TensorProto.UINT8)


def quantized_channels_last():
    return quantized("QLinearAveragePool", "x s1 z1 s2 z2", opset=1, domain="com.microsoft",
                     x=(1, 2, 4, 4), kind=TensorProto.UINT8, kernel_shape=[2, 2], channels_last=1)


def quantized_concat():
    return model([node("QLinearConcat", "s z x s", "y", domain="com.microsoft", axis=0)],
                 weights=[array("s", 1), array("z", 0, numpy.uint8)],
                 imports=[("com.microsoft", 1)])


def few_bits(op, names="x w s", shapes=(), **attributes):
    return quantized(op, names, opset=1, domain="com.microsoft", shapes=shapes, **attributes)


def quantized_bits():
    return few_bits("MatMulNBits", x=(2, 4), shapes={"w": [5, 1, 2], "s": [5]}, K=4, N=5, bits=3, block_size=16)


def quantized_block_size():
    return few_bits("MatMulNBits", x=(2, 48), shapes={"w": [5, 2, 12], "s": [5, 2]}, K=48, N=5, block_size=24)


def quantized_row():
    return few_bits("MatMulNBits", x=(2, 40), shapes={"w": [5, 2, 8], "s": [5, 2]}, K=32, N=5, block_size=16)


def quantized_codes():
    return few_bits("MatMulNBits", x=(2, 32), shapes={"w": [5, 2, 4], "s": [5, 2]}, K=32, N=5, block_size=16)


def quantized_code_scales():
    return few_bits("MatMulNBits", x=(2, 32), shapes={"w": [5, 2, 8], "s": [5]}, K=32, N=5, block_size=16)


def quantized_code_zeros():
    return few_bits("MatMulNBits", "x w s z", x=(2, 32), shapes={"w": [5, 2, 8], "s": [5, 2], "z": [5, 2]}, K=32, N=5,
                    block_size=16)


def quantized_groups():
    made = few_bits("MatMulNBits", "x w s", x=(2, 32), shapes={"w": [5, 2, 8], "s": [5, 2]}, K=32, N=5, block_size=16)
    made.graph.node[0].input.extend(["", "g"])
    made.graph.initializer.append(array("g", numpy.zeros(20), numpy.int32))
    return made


def gathered(codes, scales, **attributes):
    return model([node("GatherBlockQuantized", "w x s", "y", domain="com.microsoft", **attributes)],
                 inputs=[value("x", [2], I64)], imports=[("com.microsoft", 1)],
                 weights=[array("w", numpy.zeros(codes), numpy.uint8), array("s", numpy.zeros(scales))])


def gathered_block_size():
    return gathered([4, 8], [4, 1], block_size=8)


def gathered_axes():
    return gathered([4, 8], [4, 1], block_size=16, quantize_axis=0)


def gathered_bytes():
    return gathered([32, 8], [2, 16], block_size=16, gather_axis=1, quantize_axis=0)


def gathered_scales():
    return gathered([4, 16], [4, 1], block_size=16)


def quantized_heads():
    return quantized("QAttention", "x w s1 s2 s3", opset=1, domain="com.microsoft", x=(1, 2, 6),
                     kind=TensorProto.UINT8, shapes={"w": [6, 18], "s1": [18]}, num_heads=4)


def unknown_and_sizes():
    """The same, and a size that must be given."""
    made = unknown_operators()
    made.graph.input[0].type.tensor_type.shape.dim[1].dim_param = "L"
    return made


def unknown_and_kinds():
    """The same, with inputs of elements that there are not."""
    made = unknown_operators()
    made.graph.input.extend([value("z", [2], TensorProto.COMPLEX64), value("w", [2], TensorProto.COMPLEX128)])
    return made


def unknown_and_opset():
    """The same, of an opset that is not there yet."""
    made = unknown_operators()
    made.opset_import[0].version = 29
    return made


def unknown_and_branches():
    """An unknown operator and a wrong attribute in branches, behind a size."""
    then = helper.make_graph([node("Inner", "x", "t", domain="com.strange")], "then", [], [value("t")])
    other = helper.make_graph([node("Relu", "x", "o", name="bent", slope=0.5)], "else", [], [value("o")])
    return model([node("If", "c", "y", then_branch=then, else_branch=other)],
                 [value("c", [], TensorProto.BOOL), value("x", [2, "L"])], imports=[("", 13), ("com.strange", 3)])
