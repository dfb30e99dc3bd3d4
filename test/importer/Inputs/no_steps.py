"""Writes models whose integers stand for nothing, or are too many: no_steps.py FOLDER."""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper

F, U, I = np.float32, np.uint8, np.int8


def write(file, operator, inputs, kinds, domain="", opset=13, **attributes):
    """Inputs are arrays, or the shape of one that a run gives."""
    node = helper.make_node(operator, list(inputs), ["y"], "layer", domain=domain, **attributes)
    given = [helper.make_tensor_value_info(name, kinds[name], value)
             for name, value in inputs.items() if isinstance(value, list)]
    constants = [numpy_helper.from_array(np.asarray(value), name)
                 for name, value in inputs.items() if not isinstance(value, list)]
    graph = helper.make_graph([node], "graph", given,
                              [helper.make_tensor_value_info("y", kinds["y"], None)], constants)
    sets = [helper.make_opsetid(domain, opset)] + ([helper.make_opsetid("", 13)] if domain else [])
    path = file.with_suffix(".onnx")
    path.write_bytes(helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString())


def main(folder: pathlib.Path):
    folder.mkdir(parents=True, exist_ok=True)
    f, u, w = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT32
    for name, scale in (("none", F(0)), ("below", F(-0.5)), ("nan", F(np.nan)), ("infinite", F(np.inf)),
                        ("one", np.array([0.5, 0, 0.25], F))):
        write(folder / name, "QuantizeLinear", {"x": [2, 3], "y_scale": scale, "z": np.zeros(scale.shape, U)},
              {"x": f, "y": u})
    write(folder / "back", "DequantizeLinear", {"x": [2, 3], "s": F(0), "z": U(3)}, {"x": u, "y": f})
    write(folder / "older", "QuantizeLinear", {"x": [2, 3], "s": F(0), "z": U(3)}, {"x": f, "y": u}, opset=10)
    write(folder / "products", "QLinearMatMul",
          {"a": [2, 3], "sa": F(0.5), "za": U(3), "b": np.ones((3, 4), I), "sb": np.array([1, 1, 0, 1], F),
           "zb": np.zeros(4, I), "sy": F(0.5), "zy": U(3)}, {"a": u, "y": u})
    write(folder / "sum", "QLinearAdd",
          {"a": [2, 3], "sa": F(0.5), "za": U(3), "b": [2, 3], "sb": F(0.5), "zb": U(3), "sc": F(np.inf), "zc": U(3)},
          {"a": u, "b": u, "y": u}, "com.microsoft", 1)
    # The zero point of integers of 8 bits is none of integers of 4, a kind of number 22.
    write(folder / "kind", "DequantizeLinear", {"x": [2, 3], "s": F(0.5), "z": I(100)},
          {"x": 22, "y": f}, opset=21)
    # 255 by 128 is what two of these are at most: 65793 products are the most that fit.
    for name, length, zero in ("fits", 65793, 0), ("long", 65794, 0), ("far", 65793, 1), ("never", 200000, 0):
        write(folder / name, "MatMulInteger",
              {"a": [1, length], "b": np.ones((length, 1), I), "za": U(0), "zb": I(zero)}, {"a": u, "y": w}, opset=10)
    write(folder / "image", "ConvInteger",
          {"x": [1, 33026, 1, 1], "w": np.ones((1, 33026, 1, 1), U), "z": U(0)}, {"x": u, "y": w}, opset=10)
    write(folder / "unknown", "MatMulInteger",
          {"a": [1, 33026], "b": np.ones((33026, 1), U), "za": [], "zb": U(0)}, {"a": u, "za": u, "y": w}, opset=10)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
