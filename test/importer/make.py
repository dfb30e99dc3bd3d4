#!/usr/bin/env python3
"""Writes the models of these tests: make.py CASE FILE.

A case is a function below. Models are small, so that a test shows one thing.
Python's checker is not asked: most of these it would refuse. The file is long as
there are many cases; none needs another.
"""

import os
import sys

import numpy
from onnx import AttributeProto, TensorProto, helper, numpy_helper

F32, I64 = TensorProto.FLOAT, TensorProto.INT64


def value(name, shape=(2, 3), kind=F32):
    return helper.make_tensor_value_info(name, kind, shape)


def node(op, inputs, outputs, **attributes):
    attributes.setdefault("name", f"the_{op.lower()}")
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def array(name, values, kind=numpy.float32):
    return numpy_helper.from_array(numpy.array(values, kind), name)


def model(nodes, inputs=None, outputs=None, weights=(), opset=13, **more):
    graph = helper.make_graph(
        nodes, "graph",
        [value("x")] if inputs is None else inputs,
        [value("y")] if outputs is None else outputs, list(weights))
    imports = more.pop("imports", [("", opset)])
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid(*i) for i in imports], **more)


def tensor(name, kind, dims, **fields):
    """A TensorProto with nothing but what is said."""
    return TensorProto(name=name, data_type=kind, dims=dims, **fields)


def outside(location, **entries):
    """A tensor of 2x3 floats whose numbers are in another file."""
    result = tensor("w", F32, [2, 3], data_location=TensorProto.EXTERNAL)
    for key, text in dict(location=location, **entries).items():
        result.external_data.add(key=key, value=str(text))
    return result


def wider_bits():
    return model([node("BitCast", "x", "y", to=I64)], opset=26)


def add_weight(weight, **more):
    return model([node("Add", "x w", "y")], weights=[weight], **more)


ADD = [array("w", [[1, 2, 3], [4, 5, 6]])]


# --- models that are right --------------------------------------------------

def relu():
    return model([node("Relu", "x", "y")])


def unsorted():
    return model([node("Relu", "b", "y", name="third"),
                  node("Relu", "a", "b", name="second"),
                  node("Relu", "x", "a", name="first")])


def unneeded():
    return model([node("Relu", "x", "unused", name="unneeded"),
                  node("Relu", "x", "y", name="needed")], weights=ADD)


def initializer_as_input():
    return add_weight(ADD[0], inputs=[value("x"), value("w")])


def domain_by_name():
    return model([node("Relu", "x", "a", domain="ai.onnx"),
                  node("Relu", "a", "y", name="again")],
                 imports=[("ai.onnx", 13)])


def future_ir_version():
    return model([node("Relu", "x", "y")], ir_version=1 << 40)


def unnamed_node():
    return model([node("Relu", "x", "y", name="")])


def symbolic():
    return model([node("Add", "a b", "y")],
                 [value("a", ["N", 3]), value("b", ["N", None])],
                 [value("y", ["N", 3])])


def network():
    return model([node("Relu", "x", "a"), node("Softmax", "a", "b", axis=1),
                  node("Add", "a b", "y")])


def odd_names():
    """Names that mean something to whoever writes them into a text."""
    result = model(
        [helper.make_node("Add", ['in "x"', "back\\slash"], ["a"],
                          name="the } ] add"),
         helper.make_node("Relu", ["a"], ["y\ny"], name="two\nlines")],
        [value('in "x"')], [value("y\ny")],
        [array("back\\slash", [[1, 2, 3], [4, 5, 6]])])
    return result


def two_inputs():
    return model([node("Add", "a b", "y")], [value("a"), value("b")])


def symbolic_batch():
    return model([node("Relu", "x", "y")], [value("x", ["N", 3])],
                 [value("y", ["N", 3])])


def picture():
    """Takes pixels as they are, and gives them back."""
    pixels = TensorProto.UINT8
    return model([node("Max", "x", "y")], [value("x", [2, 3, 1], pixels)],
                 [value("y", [2, 3, 1], pixels)])


def unranked():
    """The model says of x that it has floats, and not how many dimensions."""
    return model([node("Relu", "x", "y")], [value("x", None)],
                 [value("y", None)])


def passed_through():
    return model([], outputs=[value("x"), value("w")], weights=ADD)


def wrong_declaration():
    return model([node("Relu", "x", "y")], outputs=[value("y", [2, "M", 7])])


def shape_arithmetic():
    """Reshape x to [dimension 0 of x, 4] as exporters spell it."""
    return model(
        [node("Shape", "x", "shape"),
         node("Gather", "shape zero", "first", axis=0),
         node("Concat", "first four", "both", axis=0),
         node("Reshape", "x both", "y")],
        [value("x", ["N", 2, 2])], [value("y", ["N", 4])],
        weights=[array("zero", [0], numpy.int64),
                 array("four", [4], numpy.int64)])


def external(location="weights.bin", offset=4, length=24, fill=28):
    """The numbers are beside the model, not where a float would begin."""
    folder = os.path.dirname(os.path.abspath(sys.argv[2]))
    numbers = numpy.arange(6, dtype=numpy.float32).tobytes()
    with open(os.path.join(folder, "weights.bin"), "wb") as file:
        file.write((b"\0" * 4 + numbers)[:fill])
    return add_weight(outside(location, offset=offset, length=length))


def typed_data():
    """A tensor of every kind, in the field that the kind has for its numbers."""
    half = numpy.array([1.5, -2], numpy.float16).view(numpy.uint16)
    weights = [
        tensor("f32", F32, [2], float_data=[1.5, -2]),
        tensor("f64", TensorProto.DOUBLE, [2], double_data=[1.5, -2]),
        tensor("f16", TensorProto.FLOAT16, [2], int32_data=half.tolist()),
        tensor("bf16", TensorProto.BFLOAT16, [2], int32_data=[0x3fc0, 0xc000]),
        tensor("bool", TensorProto.BOOL, [2], int32_data=[0, 1]),
        tensor("i8", TensorProto.INT8, [2], int32_data=[7, -8]),
        tensor("u8", TensorProto.UINT8, [2], int32_data=[7, 200]),
        tensor("i16", TensorProto.INT16, [2], int32_data=[7, -300]),
        tensor("u16", TensorProto.UINT16, [2], int32_data=[7, 60000]),
        tensor("i32", TensorProto.INT32, [2], int32_data=[7, -70000]),
        tensor("u32", TensorProto.UINT32, [2], uint64_data=[7, 4000000000]),
        tensor("i64", I64, [2], int64_data=[7, -(1 << 40)]),
        tensor("u64", TensorProto.UINT64, [2], uint64_data=[7, 1 << 63]),
        tensor("raw_bool", TensorProto.BOOL, [2], raw_data=b"\0\7"),
        tensor("none", F32, [0, 3]),
        tensor("scalar", F32, [], float_data=[3]),
    ]
    outputs = [value(w.name, list(w.dims), w.data_type) for w in weights]
    return model([], [], outputs, weights)


def branch(op, source, result):
    return helper.make_graph([node(op, source, result, name=f"inner_{op}")],
                             "branch", [], [value(result)])


def if_known(op="Relu", condition=True):
    """The branch reads `a`, which is a value of the graph around it."""
    return model(
        [node("Relu", "x", "a"),
         node("If", "condition", "y", then_branch=branch(op, "a", "t"),
              else_branch=branch("Unheard", "a", "e"))],
        weights=[array("condition", condition, bool)])


# --- models that are wrong --------------------------------------------------

def cycle():
    return model([node("Add", "x c", "a", name="first"),
                  node("Relu", "a", "b", name="second"),
                  node("Relu", "b", "c", name="third"),
                  node("Relu", "c", "y", name="after")])


def missing_initializer():
    return model([node("Add", "x w", "y")])


def undefined_in_branch():
    return model(
        [node("If", "condition", "y", then_branch=branch("Relu", "q", "t"),
              else_branch=branch("Relu", "x", "e"))],
        weights=[array("condition", True, bool)])


def undefined_output():
    return model([node("Relu", "x", "z")])


def defined_twice():
    return model([node("Relu", "x", "y", name="first"),
                  node("Relu", "x", "y", name="second")])


def initialized_twice():
    return model([node("Add", "x w", "y")], weights=ADD + ADD)


def listed_twice():
    return model([node("Relu", "x", "y")], outputs=[value("y"), value("y")])


def short_data():
    return add_weight(tensor("w", F32, [2, 3], raw_data=b"\0" * 20))


def few_numbers():
    return add_weight(tensor("w", I64, [2, 3], int64_data=[1, 2, 300, 4, 5]))


def no_data():
    return add_weight(tensor("w", F32, [2, 3]))


def short_attribute():
    return model([node("ConstantOfShape", "x", "y",
                       value=tensor("v", F32, [9], float_data=[1]))],
                 inputs=[value("x", [1], I64)])


def negative_size():
    return add_weight(tensor("w", F32, [2, -3], raw_data=b"\0" * 24))


def overflowing_size():
    return add_weight(tensor("w", F32, [1 << 40, 1 << 40], raw_data=b"\0"))


def text_tensor():
    return add_weight(tensor("w", TensorProto.STRING, [1], string_data=[b"a"]))


def complex_tensor():
    return add_weight(tensor("w", TensorProto.COMPLEX64, [1], raw_data=b"12345678"))


def unknown_data_type():
    return add_weight(tensor("w", 99, [1], raw_data=b"1"))


def sequence_input():
    return model([node("Relu", "x", "y")],
                 [helper.make_tensor_sequence_value_info("x", F32, [2])])


def sparse_initializer():
    result = model([node("Add", "x w", "y")])
    result.graph.sparse_initializer.append(helper.make_sparse_tensor(
        array("w", [1]), array("", [0], numpy.int64), [2, 3]))
    return result


def external_above():
    return external("../weights.bin")


def external_absolute():
    return external("/etc/passwd")


def external_link():
    link = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "link.bin")
    if not os.path.islink(link):
        os.symlink("/etc/passwd", link)
    return external("link.bin")


def external_within():
    return external("../" + os.path.basename(
        os.path.dirname(os.path.abspath(sys.argv[2]))) + "/weights.bin")


def external_missing():
    return external("nowhere.bin")


def external_short():
    return external(fill=20)


def external_negative_offset():
    return external(offset=-4)


def external_far_offset():
    return external(offset=(1 << 64) - 4)


def no_opset():
    return model([node("Relu", "x", "y")], imports=[("com.example", 1)])


def old_opset():
    return model([node("Relu", "x", "y")], opset=5)


def no_outputs():
    return model([node("Relu", "x", "y")], outputs=[])


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


def decoder():
    return model([node("ImageDecoder", "x", "y")], inputs=[value("x", (9,), TensorProto.UINT8)],
                 outputs=[value("y", (1, 1, 3), TensorProto.UINT8)], opset=20)


def strangers():
    """Operators that nobody knows, one in a branch, with all kinds of attributes."""
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


def with_functions(*functions, call="F"):
    """Functions are pairs: a name, and nodes from 'a' to 'b'."""
    result = model([node(call, "x", "y", domain="mine", name="call")],
                   imports=[("", 13), ("mine", 1)])
    for name, nodes in functions:
        result.functions.append(helper.make_function(
            "mine", name, ["a"], ["b"], nodes,
            [helper.make_opsetid("", 13), helper.make_opsetid("mine", 1)]))
    return result


def called(function, source, target, **more):
    return node(function, source, target, domain="mine", **more)


def function_names():
    return with_functions(("F", [called("G", "a", "t", name="inner"), node("Neg", "t", "b")]),
                          ("G", [node("Exp", "a", "t"), node("Relu", "t", "b")]))


def function_unknown():
    return with_functions(("F", [node("Frobnicate", "a", "b")]))


def function_recursive():
    return with_functions(("F", [called("G", "a", "b", name="there")]), ("G", [called("F", "a", "b", name="back")]))


def function_attribute():
    reader = node("LeakyRelu", "a", "b")
    reader.attribute.append(AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT))
    return with_functions(("F", [reader]))


def function_undefined():
    return with_functions(("F", [node("Add", "a x", "b")]))


def function_without_result():
    return with_functions(("F", [node("Neg", "a", "t")]))


def function_twice():
    return with_functions(("F", [node("Neg", "a", "b"), node("Exp", "a", "b")]))


def function_inputs():
    return with_functions(("F", [node("Neg", "a", "t"), called("G", "t a", "b", name="inner")]),
                          ("G", [node("Neg", "a", "b")]))


def function_outputs():
    return with_functions(("F", [called("G", "a", "b t", name="inner")]), ("G", [node("Neg", "a", "b")]))


def function_deep():
    return with_functions(("F", [called("F1", "a", "b")]),
                          *((f"F{i}", [called(f"F{i + 1}", "a", "b")]) for i in range(1, 100)),
                          ("F100", [node("Neg", "a", "b")]))


def function_exponential():
    return with_functions(("F", [called("F1", "a", "b")]),
                          *((f"F{i}", [called(f"F{i + 1}", "a", "t"), called(f"F{i + 1}", "t", "b", name="again")])
                            for i in range(1, 40)),
                          ("F40", [node("Neg", "a", "b")]))


def newest_opset():
    return model([node("Relu", "x", "y")], opset=28)


def future_opset():
    return model([node("Relu", "x", "y")], opset=29)


def attribute_type():
    return model([node("Gather", "x i", "y", axis="first")],
                 weights=[array("i", [0], numpy.int64)])


def attribute_twice():
    result = model([node("Gather", "x i", "y", axis=0)],
                   weights=[array("i", [0], numpy.int64)])
    result.graph.node[0].attribute.append(helper.make_attribute("axis", 1))
    return result


def too_many_inputs():
    return model([node("Relu", "x x", "y")])


def absent_input():
    result = model([node("Add", "x", "y")])
    result.graph.node[0].input.insert(0, "")
    return result


def extra_output():
    """Only where something reads it is it in the way."""
    return model([node("Relu", "x", "y z")])


def too_many_outputs():
    return model([node("Relu", "x", "z y")])


def wrong_shapes():
    return model([node("Add", "x w", "y")], weights=[array("w", [1, 2])])


def wrong_kinds():
    return model([node("Add", "x w", "y")],
                 weights=[array("w", [[1, 2, 3]] * 2, numpy.int64)])


def wrong_rank():
    return model([node("Conv", "x w", "y")],
                 weights=[array("w", [[1, 2, 3]] * 2)])


def shape_from_input():
    return model([node("Relu", "s", "t", name="twist"),
                  node("Reshape", "x t", "y")],
                 [value("x"), value("s", [2], I64)])


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


def shape_is_input():
    """y = relu(reshape(x, s + s)), as far as one can tell without s."""
    return model([node("Add", "s s", "t"), node("Reshape", "x t", "r"),
                  node("Relu", "r", "y")],
                 [value("x", [2, 6]), value("s", [2], I64)],
                 [value("y", ["a", "b"])])


def if_unknown():
    result = if_known()
    result.graph.initializer.pop()
    result.graph.input.append(value("condition", [], TensorProto.BOOL))
    return result


def if_fails():
    return if_known(op="Frobnicate")


def hundred_gigabytes():
    """A tensor that no file holds: 25,000,000,000 floats."""
    return model([node("ConstantOfShape", "shape", "y")], [],
                 [value("y", [25000000000])],
                 [array("shape", [25000000000], numpy.int64)])


def hundred_gigabytes_input():
    return model([node("Relu", "x", "y")], [value("x", [25000000000])])


# --- files that are no models -----------------------------------------------

def truncated():
    """Ends in the shape of the input, as a broken download may."""
    return relu().SerializeToString()[:60]


def truncated_weight():
    return add_weight(array("w", range(1000))).SerializeToString()[:1500]


def longer_than_its_message():
    """A graph of three bytes, in which a node says that it has a hundred."""
    return b"\x3a\x03\x0a\x64\x0a" + b"\x08\x08" * 60


def random_bytes():
    return numpy.random.RandomState(7).bytes(5000)


def too_deep():
    """A graph in an attribute of a node of a graph, and so on."""
    def field(number, content):
        length = len(content)
        size = b""
        while length > 127:
            size += bytes([length & 127 | 128])
            length >>= 7
        return bytes([number << 3 | 2]) + size + bytes([length]) + content

    graph = b""
    for _ in range(100):
        graph = field(1, field(5, field(6, graph)))
    return field(7, graph)


def empty():
    return b""


def text():
    return b"<html><body>no model here</body></html>"


def pointer():
    return b"version https://git-lfs.github.com/spec/v1\n"


def no_graph():
    return b"\x08\x08"


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


def recurrent_alpha():
    return recurrent(activations=["Sigmoid", "ScaledTanh", "Tanh"])


def recurrent_text():
    return recurrent(activations="Sigmoid")


def quantized(op, names, opset=13, domain="", shapes=(), x=(2, 3), kind=F32, **attributes):
    """Weights of zeros: scales are reals, zero points and factors bytes."""
    weights = [array(name, numpy.zeros(dict(shapes).get(name, ())),
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
    return quantized("QuantizeLinear", "x s", opset=21, output_dtype=21)


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


def quantized_bits():
    return quantized("MatMulNBits", "x w s", opset=1, domain="com.microsoft", x=(2, 4),
                     shapes={"w": [5, 1, 2], "s": [5]}, K=4, N=5, bits=2, block_size=16)


def quantized_heads():
    return quantized("QAttention", "x w s1 s2 s3", opset=1, domain="com.microsoft", x=(1, 2, 6),
                     kind=TensorProto.UINT8, shapes={"w": [6, 18], "s1": [18]}, num_heads=4)


def main():
    case, path = sys.argv[1:]
    made = globals()[case]()
    with open(path, "wb") as file:
        file.write(made if isinstance(made, bytes)
                   else made.SerializeToString())


main()
