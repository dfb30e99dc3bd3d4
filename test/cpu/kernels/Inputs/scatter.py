"""Models of ScatterND with each reduction, on single elements and on slices
longer than a vector, and indices that repeat or count from the end:
scatter.py FOLDER."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

KINDS = {"f": np.float32, "d": np.float64, "e": np.float16, "i": np.int32,
         "b": np.int8, "q": np.int64}
SHAPES = {"elements": ([50], 1), "deep": ([5, 7], 2), "slices": ([9, 37], 1),
          "thin": ([6, 4, 3], 2)}
random = np.random.RandomState(0)
os.makedirs(sys.argv[1])
names = []
for reduction in ("none", "add", "mul", "max", "min"):
    for kind, dtype in KINDS.items():
        for form, (shape, depth) in SHAPES.items():
            name = f"{reduction}-{kind}-{form}"
            names.append(name)
            rows = 40
            places = np.stack([random.randint(-size, size, rows)
                               for size in shape[:depth]], axis=-1)
            arrays = {"x": random.randint(-9, 9, shape).astype(dtype),
                      "at": places.astype(np.int64),
                      "u": random.randint(-2, 3, [rows, *shape[depth:]])
                      .astype(dtype)}
            if kind == "f":
                arrays["u"][::7] = np.nan
            number = numpy_helper.from_array(arrays["x"]).data_type
            numbers = {"x": number, "at": TensorProto.INT64, "u": number}
            graph = helper.make_graph(
                [helper.make_node("ScatterND", list(arrays), ["y"],
                                  reduction=reduction)], "g",
                [helper.make_tensor_value_info(key, numbers[key], value.shape)
                 for key, value in arrays.items()],
                [helper.make_tensor_value_info("y", number, shape)])
            model = helper.make_model(
                graph, opset_imports=[helper.make_opsetid("", 18)])
            model.ir_version = 8
            path = os.path.join(sys.argv[1], name)
            save(model, path + ".onnx")
            np.savez(path + ".npz", **arrays)
print(*names)
