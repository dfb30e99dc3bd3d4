#!/usr/bin/env python3
"""Runs every operator on every kind of element that ONNX allows it: kinds.py FOLDER
TESTDATA.

A case of TESTDATA with one node is taken for each operator, and for each variable of
its types, each kind that the schema lists for it takes the place of the case's. Says
which pairs of operator and kind are refused, and fails where these are not those of
REFUSED. What comes out is not looked at: other tests do that.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, numpy_helper

import versions

KINDS = {"float": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9,
         "float16": 10, "double": 11, "uint32": 12, "uint64": 13, "bfloat16": 16}
NAMES = {number: name for name, number in KINDS.items()} | {
    17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2", 20: "float8e5m2fnuz", 21: "uint4", 22: "int4",
    23: "float4e2m1", 24: "float8e8m0", 25: "uint2", 26: "int2", 27: "float6e2m3", 28: "float6e3m2"}
WIDTHS = {21: 4, 22: 4, 23: 4, 25: 2, 26: 2, 27: 6, 28: 6}
# Since when the operators of versions.FEW_BITS have them; a power of two is no result.
FEW_BITS = {21: (17, 18, 19, 20, 21, 22), 23: (23,), 24: (24,), 25: (25, 26)}
POWER, QUANTIZING, SIX_BITS = 24, ("QuantizeLinear", "DequantizeLinear"), (27, 28)

# Operator and kind: why not.
BETWEEN = "between two strings there is none"
REFUSED = {("GridSample", "string"): BETWEEN, ("Resize", "string"): BETWEEN, ("Upsample", "string"): BETWEEN}


def kind_of(text):
    """The number of "tensor(float)", if it is one that there is."""
    found = re.fullmatch(r"tensor\((\w+)\)", text)
    return KINDS.get(found[1]) if found else None


def converted(tensor, kind):
    """The same numbers as another kind."""
    array = numpy_helper.to_array(tensor) if tensor.data_type != TensorProto.STRING else None
    result = TensorProto(name=tensor.name, data_type=kind, dims=tensor.dims)
    count = int(numpy.prod(tensor.dims, dtype=int))
    if kind == TensorProto.STRING:
        result.string_data.extend(str(i).encode() for i in range(count))
        return result
    if kind > TensorProto.BFLOAT16:
        bits = sum((i & 1) << WIDTHS.get(kind, 8) * i for i in range(count))
        result.raw_data = bits.to_bytes((WIDTHS.get(kind, 8) * count + 7) // 8, "little")
        return result
    numbers = numpy.arange(count).reshape(tensor.dims) if array is None else array
    if kind == TensorProto.BFLOAT16:
        result.raw_data = (numbers.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16).tobytes()
    else:
        with numpy.errstate(all="ignore"):
            result.raw_data = numpy.asarray(numbers).astype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[kind]).tobytes()
    return result


class Case:
    """A model of one node, and what it is given."""

    def __init__(self, folder):
        self.model = onnx.load(str(folder / "model.onnx"))
        graph = self.model.graph
        self.ok = len(graph.node) == 1 and not graph.initializer and self.model.opset_import[0].domain == ""
        if not self.ok:
            return
        self.node = graph.node[0]
        self.opset = self.model.opset_import[0].version
        self.ok = onnx.defs.has(self.node.op_type, self.node.domain) and self.node.domain == "" and not any(
            attribute.HasField("g") for attribute in self.node.attribute)
        if not self.ok:
            return
        self.schema = onnx.defs.get_schema(self.node.op_type, self.opset, "")
        self.data = []
        for i, port in enumerate(graph.input):
            tensor = TensorProto()
            self.ok &= port.type.HasField("tensor_type")
            if self.ok:
                tensor.ParseFromString((folder / "test_data_set_0" / f"input_{i}.pb").read_bytes())
            self.data.append(tensor)
        self.ok &= not self.schema.deprecated

    def variables(self):
        """By name in the node: the variable of its type."""
        found = {}
        for formal, names in ((self.schema.inputs, self.node.input), (self.schema.outputs, self.node.output)):
            for i, name in enumerate(names):
                found[name] = formal[min(i, len(formal) - 1)].typeStr
        return found

    def allowed(self):
        return {constraint.type_param_str: {kind for kind in map(kind_of, constraint.allowed_type_strs) if kind}
                for constraint in self.schema.type_constraints}

    def variants(self):
        """Each variable that an input has, with each kind."""
        given = {self.variables().get(port.name) for port in self.model.graph.input}
        for variable, kinds in self.allowed().items():
            if variable in given:
                yield from ((variable, kind, self.opset) for kind in sorted(kinds))
                yield from self.newer(variable, kinds)

    def newer(self, variable, kinds):
        """The same by opsets that the package does not know."""
        operator = self.node.op_type
        if operator in versions.CHANGES[22] and TensorProto.FLOAT in kinds:
            yield from ((variable, kind, 22) for kind in (TensorProto.FLOAT16, TensorProto.BFLOAT16))
        if operator not in versions.FEW_BITS.split() or TensorProto.INT8 not in kinds:
            return
        for opset, more in FEW_BITS.items():
            yield from ((variable, kind, opset) for kind in more if kind != POWER or operator not in QUANTIZING)
        if operator in QUANTIZING + ("Cast",):
            yield from ((variable, kind, 28) for kind in SIX_BITS)

    def write(self, folder, variants, opset):
        """The command that runs the case once for each of the variants, in one model."""
        os.makedirs(folder)
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        model.opset_import[0].version = opset
        for field in ("node", "input", "output", "value_info"):
            model.graph.ClearField(field)
        words = ["glow", "run", f"{folder}/model.onnx", "--backend=interpreter"]
        for i, (variable, kind) in enumerate(variants):
            self.add(model.graph, f"v{i}_", variable, kind)
            for port, tensor in zip(self.model.graph.input, self.data):
                if self.variables().get(port.name) == variable or tensor.data_type == TensorProto.STRING:
                    tensor = converted(
                        tensor, kind if self.variables().get(port.name) == variable else TensorProto.STRING)
                tensor.name = f"v{i}_{port.name}"
                with open(f"{folder}/{len(words)}.pb", "wb") as file:
                    file.write(tensor.SerializeToString())
                words += ["--input", f"{tensor.name}={folder}/{len(words)}.pb"]
        onnx.save(model, f"{folder}/model.onnx")
        return words

    def add(self, graph, prefix, variable, kind):
        """The node again, with names of its own."""
        node = graph.node.add()
        node.CopyFrom(self.node)
        node.name = prefix + node.op_type
        for names in (node.input, node.output):
            names[:] = [name and prefix + name for name in names]
        for given in (True, False):
            for old in self.model.graph.input if given else self.model.graph.output:
                port = (graph.input if given else graph.output).add()
                port.CopyFrom(old)
                port.name = prefix + port.name
                if not given:
                    port.ClearField("type") # of some, an input's variable says it
                elif self.variables().get(old.name) == variable:
                    port.type.tensor_type.elem_type = kind


def cases(testdata):
    """The smallest of each operator at its newest version."""
    found = {}
    for folder in sorted(pathlib.Path(testdata).glob("node/test_*")):
        case = Case(folder)
        if not case.ok:
            continue
        size = (-case.schema.since_version, sum(len(t.raw_data) for t in case.data) + len(case.data), folder.name)
        if case.node.op_type not in found or size < found[case.node.op_type][0]:
            found[case.node.op_type] = (size, case)
    return {name: case for name, (_, case) in sorted(found.items())}


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1]


def run_all(folder, case, variants, opset):
    """Why each variant is refused: all at once, or one by one if that fails."""
    if not run(case.write(f"{folder}_all", variants, opset)):
        return [""] * len(variants)
    return [run(case.write(f"{folder}_{variable}_{kind}", [(variable, kind)], opset)) for variable, kind in variants]


def main(folder, testdata):
    jobs, tried = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for operator, case in cases(testdata).items():
            by_opset = collections.defaultdict(list)
            for variable, kind, opset in case.variants():
                by_opset[opset].append((variable, kind))
                tried[operator] += 1
            for opset, variants in by_opset.items():
                job = pool.submit(run_all, f"{folder}/{operator}_{opset}", case, variants, opset)
                jobs.append((operator, variants, job))
    refused = {}
    for operator, variants, job in jobs:
        for (_, kind), why in zip(variants, job.result()):
            pair = (operator, NAMES[kind])
            refused[pair] = refused.get(pair) or why
    wrong = 0
    for pair, why in refused.items():
        if bool(why) != (pair in REFUSED):
            wrong += 1
            print(*pair, "is refused: " + why if why else "runs, but has a reason why it should not")
    print(f"{len(tried)} operators, {sum(tried.values())} kinds, {len(REFUSED)} refused, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
