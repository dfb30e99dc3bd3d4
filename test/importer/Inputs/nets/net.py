# SPDX-License-Identifier: MIT
"""An encoder of Caffe2 nets: a net is lists of operators, inputs and outputs."""

import json
import pathlib
import struct

import numpy
from onnx import helper, mapping, numpy_helper

# Numbers of element kinds in files of Caffe2.
KINDS = {"float32": 1, "int32": 2, "bool": 5, "uint8": 6, "int8": 7, "uint16": 8, "int16": 9, "int64": 10,
         "float16": 12, "float64": 13}
FILLS = {"float32": "GivenTensorFill", "float64": "GivenTensorDoubleFill", "float16": "GivenTensorFp16Fill",
         "int32": "GivenTensorIntFill", "int64": "GivenTensorInt64Fill", "int16": "GivenTensorInt16Fill",
         "bool": "GivenTensorBoolFill", "uint8": "GivenTensorByteStringToUInt8Fill"}


def varint(value):
    value &= (1 << 64) - 1
    data = b""
    while value > 127:
        data += bytes([value & 127 | 128])
        value >>= 7
    return data + bytes([value])


def field(number, data):
    """A text or a message."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def texts(number, values):
    return b"".join(field(number, value.encode()) for value in values)


def is_integer(value):
    return isinstance(value, (bool, int, numpy.integer))


def fields_of(value):
    """The field of an argument, and its values."""
    if isinstance(value, Net):
        return "n", [value]
    if isinstance(value, (str, bytes)):
        return "s", [value]
    if is_integer(value):
        return "i", [int(value)]
    if isinstance(value, (float, numpy.floating)):
        return "f", [float(value)]
    values = value.ravel().tolist() if isinstance(value, numpy.ndarray) else list(value)
    if all(isinstance(each, (str, bytes)) for each in values) and values:
        return "strings", values
    return ("ints", values) if all(map(is_integer, values)) else ("floats", values)


def argument(name, value):
    kind, values = fields_of(value)
    data = texts(1, [name])
    for each in values:
        if kind in ("f", "floats"):
            data += varint((2 if kind == "f" else 5) << 3 | 5) + struct.pack("<f", each)
        elif kind in ("i", "ints"):
            data += varint((3 if kind == "i" else 6) << 3) + varint(int(each))
        elif kind == "n":
            data += field(8, each.binary())
        else:
            data += field(4 if kind == "s" else 7, each.encode() if isinstance(each, str) else each)
    return data


def quoted(value):
    data = value.encode() if isinstance(value, str) else value
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else "\\%03o" % c for c in data) + '"'


def argument_text(name, value):
    kind, values = fields_of(value)
    if kind == "n":
        return "  arg { name: %s n {\n%s} }\n" % (quoted(name), value.text())
    text = [quoted(each) if kind in ("s", "strings") else repr(each) for each in values]
    return "  arg { name: %s %s }\n" % (quoted(name), " ".join(f"{kind}: {each}" for each in text))


class Operator:
    """`inputs` and `outputs` are names with spaces between."""

    kinds = set()  # of all operators

    def __init__(self, kind, inputs, outputs, name="", **arguments):
        self.kinds.add(kind)
        self.kind, self.name, self.arguments = kind, name, arguments
        self.inputs, self.outputs = inputs.split(), outputs.split()

    def binary(self):
        data = texts(1, self.inputs) + texts(2, self.outputs) + texts(3, [self.name] if self.name else [])
        data += texts(4, [self.kind] if self.kind else [])
        return data + b"".join(field(5, argument(*item)) for item in self.arguments.items())

    def text(self):
        lines = [f"  input: {quoted(each)}\n" for each in self.inputs]
        lines += [f"  output: {quoted(each)}\n" for each in self.outputs]
        lines += [f"  name: {quoted(self.name)}\n"] if self.name else []
        lines += [f"  type: {quoted(self.kind)}\n"]
        return "op {\n" + "".join(lines + [argument_text(*item) for item in self.arguments.items()]) + "}\n"


class Net:
    def __init__(self, name, operators, inputs="", outputs=""):
        self.name, self.operators = name, operators
        self.inputs, self.outputs = inputs.split(), outputs.split()

    def binary(self):
        data = texts(1, [self.name]) + b"".join(field(2, each.binary()) for each in self.operators)
        return data + texts(7, self.inputs) + texts(8, self.outputs)

    def text(self):
        lines = [f"external_input: {quoted(each)}\n" for each in self.inputs]
        lines += [f"external_output: {quoted(each)}\n" for each in self.outputs]
        return f"name: {quoted(self.name)}\n" + "".join(each.text() for each in self.operators) + "".join(lines)

    def write(self, path, as_text=False):
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        if as_text:
            path.with_suffix(".pbtxt").write_text(self.text())
        else:
            path.write_bytes(self.binary())


def fill(name, array):
    """The operator that makes a blob of an array."""
    values = array.tobytes() if array.dtype == numpy.uint8 else array
    if array.dtype in (numpy.float16, numpy.float64):
        values = [float(each) for each in array.ravel()]
    if array.dtype == numpy.uint8:
        values = [values]
    return Operator(FILLS[str(array.dtype)], "", name, shape=list(array.shape), values=values)


def init_net(weights):
    return Net("init", [fill(*item) for item in weights.items()], outputs=" ".join(weights))


def write_ports(folder, arrays):
    """The kinds and shapes of inputs, as the file that stands beside a net."""
    info = {name: [KINDS[str(array.dtype)], list(array.shape)] for name, array in arrays.items()}
    pathlib.Path(folder, "value_info.json").write_text(json.dumps(info))


class AsOnnx:
    """Writes cases as files of ONNX whose nodes are in a domain, without the operators of some names. Blobs that
    are three values, nets inside of operators and blobs with several writers have no such form."""

    domain = None  # no: as nets
    without = set()
    written = 0

    @classmethod
    def has(cls, operators, inputs):
        names = [*inputs, *(each for operator in operators for each in operator.outputs)]
        return len(set(names)) == len(names) and not any(
            operator.kind in cls.without or operator.kind.startswith("Int8") or operator.kind == "RecurrentNetwork" for operator in operators)

    @classmethod
    def write(cls, path, operators, inputs, outputs, weights):
        port = lambda name, array, shape: helper.make_tensor_value_info(
            name, mapping.NP_TYPE_TO_TENSOR_TYPE[array.dtype], shape)
        listed = lambda value: value.tolist() if isinstance(value, numpy.ndarray) else value
        nodes = []
        for each in operators:
            attributes = {name: listed(value) for name, value in each.arguments.items()
                          if not (isinstance(value, (list, numpy.ndarray)) and len(value) == 0)}
            nodes.append(helper.make_node(each.kind, each.inputs, each.outputs, domain=cls.domain, **attributes))
        graph = helper.make_graph(
            nodes, "case", [port(name, array, array.shape) for name, array in inputs.items()],
            [port(name, numpy.asarray(array), None) for name, array in outputs.items()],
            [numpy_helper.from_array(numpy.asarray(array), name) for name, array in (weights or {}).items()])
        path.parent.mkdir(parents=True, exist_ok=True)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        path.write_bytes(model.SerializeToString())
        cls.written += 1


def case(folder, name, operators, inputs, outputs, weights=None, ports=False, as_text=False,
         doubles=False):
    """A case of `glow test-onnx`; outputs are f32 unless they are `doubles` or no floats."""
    folder = pathlib.Path(folder, name)
    if not doubles:
        inputs, outputs = ({each: array.astype(numpy.float32) if array.dtype == numpy.float64 else array
                            for each, array in ((each, numpy.asarray(array)) for each, array in arrays.items())}
                           for arrays in (inputs, outputs))
    if AsOnnx.domain is not None:
        if not AsOnnx.has(operators, [*inputs, *(weights or {})]):
            return
        AsOnnx.write(folder / "model.onnx", operators, inputs, outputs, weights)
    else:
        Net(name, operators, " ".join([*inputs, *(weights or {})]), " ".join(outputs)).write(
            folder / "predict_net.pb", as_text)
        if weights:
            init_net(weights).write(folder / "init_net.pb", as_text)
        if ports:
            write_ports(folder, inputs)
    data = folder / "test_data_set_0"
    data.mkdir(exist_ok=True)
    for kind, arrays in ("input", inputs), ("output", outputs):
        for i, (each, array) in enumerate(arrays.items()):
            array = numpy.asarray(array)
            tensor = numpy_helper.from_array(numpy.ascontiguousarray(array).reshape(numpy.shape(array)), each)
            (data / f"{kind}_{i}.pb").write_bytes(tensor.SerializeToString())
