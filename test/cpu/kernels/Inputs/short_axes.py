"""Models that move and combine elements along short axes: short_axes.py FOLDER

moves.onnx has results of single elements, pools.onnx means and maxima of windows,
chains.onnx long formulas, and outside.onnx an index that a run brings.
"""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F32, F16, I64, U8 = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64,
                     TensorProto.UINT8)


class Model:
    def __init__(self):
        self.nodes, self.inputs, self.outputs, self.constants = [], [], [], []

    def bring(self, shape, kind=F32):
        self.inputs.append(helper.make_tensor_value_info(
            f"x{len(self.inputs)}", kind, shape))
        return self.inputs[-1].name

    def constant(self, array):
        self.constants.append(numpy_helper.from_array(
            array, f"c{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, operator, inputs, kinds=(F32,), keep=True, **attributes):
        names = [f"n{len(self.nodes)}_{i}" for i in range(len(kinds))]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        if keep:
            self.outputs += [helper.make_tensor_value_info(name, kind, None)
                             for name, kind in zip(names, kinds)]
        return names[0]

    def write(self, name):
        graph = helper.make_graph(self.nodes, name, self.inputs, self.outputs,
                                  self.constants)
        model = helper.make_model(graph,
                                  opset_imports=[helper.make_opsetid("", 19)])
        model.ir_version = 8
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(model.SerializeToString())


def moves():
    model = Model()
    for kind in (F32, F16, I64, U8):
        for shape, order in [
                ([1, 37, 41, 3], [0, 3, 1, 2]), ([2, 3, 37, 41], [0, 2, 3, 1]),
                ([301, 2], [1, 0]), ([2, 301], [1, 0]), ([77, 4], [1, 0]),
                ([4, 77], [1, 0]), ([50, 33, 4], [1, 0, 2]),
                ([50, 33, 3], [1, 0, 2]), ([13, 8, 5, 3], [3, 2, 1, 0]),
                ([3, 40, 5, 7], [2, 1, 0, 3]), ([40, 7, 19], [1, 0, 2]),
                ([70, 5], [1, 0]), ([6, 100], [1, 0]), ([9, 2, 2, 33], [0, 2, 3, 1]),
                ([5, 3, 2, 50], [0, 3, 2, 1]), ([12, 5, 3, 2], [1, 0, 3, 2]),
                ([3, 4, 300], [1, 0, 2])]:
            model.node("Transpose", [model.bring(shape, kind)], (kind,), perm=order)
        model.node("Concat", [model.bring([60, 3], kind), model.bring([60, 2], kind)],
                   (kind,), axis=1)
        model.node("Split", [model.bring([60, 9], kind)], (kind,) * 3, axis=1,
                   num_outputs=3)
        for axis, shape, picked in [(1, [30, 50], [3, -1, 0, 49, -50, 7, 7]),
                                    (2, [4, 9, 20], [[0, 19], [5, -3]]),
                                    (1, [8, 20, 3], [1, 1, 19, -20, 4])]:
            model.node("Gather", [model.bring(shape, kind),
                                  model.constant(np.array(picked))], (kind,),
                       axis=axis)
    for kind in (F32, I64):
        for shape, k, axis in [([7, 64], 64, 1), ([5, 40], 7, 1), ([3, 200], 150, 1),
                               ([40, 6, 5], 9, 0), ([9, 1], 1, 1), ([4, 255], 3, 1),
                               ([2, 300], 300, 1)]:
            x = model.bring(shape)
            # Elements repeat, so that their places decide.
            x = model.node("Floor", [model.node(
                "Mul", [x, model.constant(np.float32(3))], keep=False)], keep=False)
            if kind == I64:
                x = model.node("Cast", [x], (I64,), keep=False, to=I64)
            for largest in (0, 1):
                model.node("TopK", [x, model.constant(np.array([k]))], (kind, I64),
                           axis=axis, largest=largest)
    model.write("moves.onnx")


def pools():
    model = Model()
    for height, width in [(37, 41), (16, 16), (5, 5), (8, 100)]:
        x = model.bring([2, 3, height, width])
        for window, stride, pad, dilation in [
                (3, 1, 1, 1), (3, 2, 1, 1), (3, 2, 0, 1), (2, 2, 0, 1), (2, 1, 0, 1),
                (3, 3, 0, 1), (4, 4, 1, 1), (5, 5, 2, 1), (3, 5, 1, 1), (2, 1, 1, 3),
                (5, 2, 2, 1), (1, 1, 0, 1)]:
            window_of = {"kernel_shape": [window] * 2, "strides": [stride] * 2,
                         "pads": [pad] * 4, "dilations": [dilation] * 2}
            model.node("MaxPool", [x], **window_of)
            for included in (0, 1):
                model.node("AveragePool", [x], count_include_pad=included, **window_of)
    model.write("pools.onnx")


def chains():
    model = Model()
    for shape in [[3, 1037], [40, 129], [2000], [7, 3]]:
        x = model.bring(shape)
        y = x
        for operator in ("Tanh", "Sigmoid", "Erf", "Tanh", "Exp", "Neg", "Tanh"):
            y = model.node(operator, [model.node("Mul", [y, x], keep=False)], keep=False)
        model.node("Add", [y, x])
        kept, y = [], x
        for i in range(9):
            y = model.node("Tanh", [model.node("Add", [
                y, model.constant(np.float32(i / 8))], keep=False)], keep=False)
            kept.append(y)
        for value in kept:
            y = model.node("Sub", [y, model.node("Mul", [value, x], keep=False)],
                           keep=False)
        model.node("Add", [y, x])
    model.write("chains.onnx")


def outside():
    model = Model()
    x, at = model.bring([6, 20]), model.bring([3], I64)
    model.node("Gather", [x, at], axis=1)
    model.write("outside.onnx")
    np.savez(os.path.join(sys.argv[1], "outside.npz"),
             x0=np.zeros((6, 20), np.float32), x1=np.array([0, 20, 1]))


os.makedirs(sys.argv[1], exist_ok=True)
moves()
pools()
chains()
outside()
