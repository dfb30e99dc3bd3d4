"""Models for GPUs: a recurrent layer, chains and reductions, and halves."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(1)
node, FLOAT = helper.make_node, TensorProto.FLOAT


def weights(name, *shape, kind=numpy.float32):
    return numpy_helper.from_array((random.standard_normal(shape) / 4).astype(kind), name)


def save(name, nodes, inputs, outputs, constants):
    def info(entry):
        return helper.make_tensor_value_info(*entry)

    graph = helper.make_graph(nodes, name, [info(i) for i in inputs],
                              [info(o) for o in outputs], constants)
    onnx.save(helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)]), f"{name}.onnx")


# The threads of a block read at each step what others wrote at the step before.
save("recurrent", [node("RNN", ["x", "w", "r"], ["", "y"], name="cells", hidden_size=24)],
     [("x", FLOAT, [7, 3, 10])], [("y", FLOAT, [1, 3, 24])],
     [weights("w", 1, 24, 10), weights("r", 1, 24, 24)])

# A chain of functions, sums along axes, and a softmax between products.
save("chains", [
    node("MatMul", ["x", "w"], ["p"], name="product"),
    node("Erf", ["p"], ["e"], name="erf"),
    node("Tanh", ["e"], ["t"], name="tanh"),
    node("Mul", ["t", "p"], ["g"], name="gate"),
    node("Softmax", ["g"], ["s"], name="softmax", axis=-1),
    node("MatMul", ["s", "v"], ["q"], name="again"),
    node("LayerNormalization", ["q", "scale"], ["n"], name="norm"),
    node("ReduceSumSquare", ["n"], ["y"], name="sums", axes=[0], keepdims=0),
    node("ReduceMax", ["n"], ["z"], name="largest", axes=[1], keepdims=0)],
    [("x", FLOAT, [37, 19])], [("y", FLOAT, [43]), ("z", FLOAT, [37])],
    [weights("w", 19, 31), weights("v", 31, 43), weights("scale", 43)])

# Halves in memory, and products of bytes.
save("halves", [
    node("MatMul", ["x", "w"], ["p"], name="product"),
    node("Sigmoid", ["p"], ["s"], name="sigmoid"),
    node("Cast", ["s"], ["c"], name="single", to=FLOAT),
    node("DynamicQuantizeLinear", ["c"], ["b", "scale", "zero"], name="bytes"),
    node("MatMulInteger", ["b", "v", "zero"], ["y"], name="integers")],
    [("x", TensorProto.FLOAT16, [9, 20])], [("y", TensorProto.INT32, [9, 11])],
    [weights("w", 20, 33, kind=numpy.float16),
     numpy_helper.from_array(random.integers(-128, 127, (33, 11)).astype(numpy.int8), "v")])
