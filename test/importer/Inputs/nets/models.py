# SPDX-License-Identifier: MIT
"""Whole models as Caffe2 nets, and the same models as ONNX: FOLDER/NAME/{predict_net.pb,model.onnx}."""

import pathlib

import numpy
from onnx import TensorProto, helper, numpy_helper

from nets.net import Net, Operator, init_net

F, L, W = numpy.float32, numpy.int64, numpy.int32


class Model:
    """Each method adds a layer to both forms, and returns the name of its result."""

    def __init__(self, name):
        self.name, self.operators, self.nodes, self.weights, self.count = name, [], [], {}, 0
        self.blobs = {}  # of results whose operators overwrite an input
        self.random = numpy.random.RandomState(len(name))

    def weight(self, *shape, low=-0.5, high=0.5):
        name = f"w{len(self.weights)}"
        self.weights[name] = self.random.uniform(low, high, shape).astype(F)
        return name

    def both(self, kind, inputs, node, names=None, domain="", in_place=False, **arguments):
        self.count += 1
        result = f"x{self.count}"
        blobs = [self.blobs.get(each, each) for each in inputs]
        self.blobs[result] = blobs[0] if in_place else result
        self.operators.append(Operator(kind, " ".join(blobs), self.blobs[result], **arguments))
        self.nodes.append(helper.make_node(node, names and names(inputs) or inputs, [result], domain=domain))
        return result

    def attributes(self, **attributes):
        """Of the ONNX form of the last layer."""
        self.nodes[-1].attribute.extend(helper.make_attribute(*item) for item in attributes.items())

    def conv(self, x, inside, outside, kernel=1, stride=1, pad=0, bias=False):
        more = [self.weight(outside)] if bias else []
        y = self.both("Conv", [x, self.weight(outside, inside, kernel, kernel), *more], "Conv", kernel=kernel,
                      stride=stride, pad=pad)
        self.attributes(kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        return y

    def norm(self, x, width):
        more = [self.weight(width), self.weight(width), self.weight(width), self.weight(width, low=0.5, high=2)]
        y = self.both("SpatialBN", [x, *more], "BatchNormalization", in_place=True, is_test=1,
                      epsilon=1e-5)
        self.attributes(epsilon=1e-5)
        return y

    def relu(self, x):
        return self.both("Relu", [x], "Relu", in_place=x.startswith("x"))

    def pool(self, x, kind, kernel, stride, pad=0):
        y = self.both(kind, [x], kind, kernel=kernel, stride=stride, pad=pad)
        self.attributes(kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        return y

    def concat(self, *xs):
        y = self.both("Concat", list(xs), "Concat", axis=1)
        self.attributes(axis=1)
        return y

    def layer(self, x, inside, outside):
        y = self.both("FC", [x, self.weight(outside, inside), self.weight(outside)], "Gemm")
        self.attributes(transB=1)
        return y

    def flat(self, x):
        return self.both("Flatten", [x], "Flatten")

    def softmax(self, x):
        y = self.both("Softmax", [x], "Softmax")
        self.attributes(axis=1)
        return y

    def write(self, folder, inputs, result):
        folder = pathlib.Path(folder, self.name)
        weights, blob = list(self.weights), self.blobs[result]
        Net(self.name, self.operators, " ".join([*inputs, *weights]), blob).write(folder / "predict_net.pb")
        Net(self.name, self.operators, " ".join([*inputs, *weights]), blob).write(folder / "text.pb", True)
        init_net(self.weights).write(folder / "init_net.pb")
        value = helper.make_tensor_value_info
        kinds = {F: TensorProto.FLOAT, L: TensorProto.INT64, W: TensorProto.INT32}
        ports = [value(name, kinds[array.dtype.type], array.shape) for name, array in inputs.items()]
        graph = helper.make_graph(
            self.nodes, self.name, ports, [value(result, TensorProto.FLOAT, None)],
            [numpy_helper.from_array(array, name) for name, array in self.weights.items()])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        for node in model.graph.node:  # as exporters wrote them that did not know the domain
            node.domain = ""
        weight = model.graph.initializer.pop(0)
        values = numpy_helper.to_array(weight)
        model.graph.node.insert(0, helper.make_node("GivenTensorFill", [], [weight.name], shape=values.shape,
                                                    values=values.ravel().tolist()))
        (folder / "default.onnx").write_bytes(model.SerializeToString())
        for name, array in inputs.items():
            numpy.save(folder / f"{name}.npy", array)


def image(size):
    return {"data": numpy.random.RandomState(3).uniform(-1, 1, (1, 3, size, size)).astype(F)}


def resnet(folder):
    """ResNet-50, with an eighth of its channels."""
    m = Model("resnet50")
    x = m.pool(m.relu(m.norm(m.conv("data", 3, 8, 7, 2, 3), 8)), "MaxPool", 3, 2, 1)
    width = 8
    for stage, blocks in enumerate([3, 4, 6, 3]):
        inside, outside = 8 << stage, 32 << stage
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            y = m.relu(m.norm(m.conv(x, width, inside), inside))
            y = m.relu(m.norm(m.conv(y, inside, inside, 3, stride, 1), inside))
            y = m.norm(m.conv(y, inside, outside), outside)
            if not block:
                x = m.norm(m.conv(x, width, outside, 1, stride), outside)
            x, width = m.relu(m.both("Sum", [y, x], "Add", in_place=True)), outside
    x = m.pool(x, "AveragePool", 2, 1)
    m.write(folder, image(64), m.softmax(m.layer(m.flat(x), width, 10)))


def squeezenet(folder):
    m = Model("squeezenet")

    def fire(x, inside, squeezed, half):
        x = m.relu(m.conv(x, inside, squeezed, bias=True))
        return m.concat(m.relu(m.conv(x, squeezed, half, bias=True)),
                        m.relu(m.conv(x, squeezed, half, 3, 1, 1, bias=True)))

    x = m.pool(m.relu(m.conv("data", 3, 16, 3, 2, bias=True)), "MaxPool", 3, 2)
    x = fire(fire(x, 16, 4, 16), 32, 4, 16)
    x = fire(m.pool(x, "MaxPool", 3, 2), 32, 8, 32)
    x = m.both("Dropout", [fire(x, 64, 12, 48)], "Identity", is_test=1)
    x = m.relu(m.conv(x, 96, 10, bias=True))
    x = m.both("AveragePool", [x], "GlobalAveragePool", global_pooling=1)
    m.write(folder, image(48), m.softmax(m.flat(x)))


def dlrm(folder):
    """Dense features, bags of sparse features, their products, and a click. The ONNX form has
    bags of Caffe2's domain."""
    m = Model("dlrm")
    rows, inputs = numpy.random.RandomState(5), {"dense": image(4)["data"].reshape(4, 12)}
    x = m.relu(m.layer(m.relu(m.layer("dense", 12, 16)), 16, 8))
    features = [x]
    for i, lengths in enumerate([[2, 0, 1, 4], [1, 1, 1, 1], [0, 3, 3, 2]]):
        inputs[f"lengths{i}"] = numpy.array(lengths, W)
        inputs[f"rows{i}"] = rows.randint(0, 20, sum(lengths))
        features.append(m.both("SparseLengthsSum", [m.weight(20, 8), f"rows{i}", f"lengths{i}"],
                               "SparseLengthsSum", domain="org.pytorch._caffe2"))
    stacked = [m.both("ExpandDims", [each], "Unsqueeze", lambda names: names + ["axis"], dims=[1])
               for each in features]
    every = m.concat(*stacked)
    products = m.both("BatchMatMul", [every, every], "MatMul", lambda names: [names[0], "turned"], trans_b=1)
    m.nodes.insert(-1, helper.make_node("Transpose", [every], ["turned"], perm=[0, 2, 1]))
    x = m.layer(m.concat(x, m.flat(products)), 24, 1)
    result = m.both("Sigmoid", [x], "Sigmoid")
    m.nodes.insert(0, helper.make_node("Constant", [], ["axis"],
                                       value=numpy_helper.from_array(numpy.array([1], L))))
    m.write(folder, inputs, result)


def write(folder):
    resnet(folder)
    squeezenet(folder)
    dlrm(folder)
