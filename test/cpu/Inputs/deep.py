"""Models of many layers, and how much longer more of them take to compile.

  deep.py make conv|dense|wide LAYERS MODEL
  deep.py grows MOST MODEL MODEL COMMAND...

`grows` runs the command with each model behind it, some times in turns, and
fails when the second takes more than MOST times the processor time of the first
in the median turn. A core may have another speed in another turn, as other
guests of its machine begin and end.
"""

import resource
import statistics
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

TURNS = 5
# The image, the weights of a layer, and the attributes of its operator.
KINDS = {"conv": ([1, 16, 8, 8], [16, 16, 3, 3], "Conv", {"pads": [1] * 4}),
         "dense": ([1, 64], [64, 64], "Gemm", {}),
         "wide": ([1, 1024], [1024, 1024], "Gemm", {"transB": 1})}


def make(kind, layers):
    random = numpy.random.default_rng(0)
    image, shape, operator, more = KINDS[kind]
    nodes, constants, last = [], [], "x"
    for i in range(layers):
        # This scale keeps the magnitude of images through the layers.
        scale = numpy.float32((2 / numpy.prod(shape[1:])) ** 0.5)
        for name, sizes in ("w", shape), ("b", shape[:1]):
            values = random.standard_normal(sizes, dtype="float32") * scale
            constants.append(numpy_helper.from_array(values, f"{name}{i}"))
        nodes.append(helper.make_node(operator, [last, f"w{i}", f"b{i}"],
                                      [f"sum{i}"], name=f"layer{i}", **more))
        nodes.append(helper.make_node("Relu", [f"sum{i}"], [f"y{i}"]))
        last = f"y{i}"
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, kind, [value("x", TensorProto.FLOAT, image)],
                              [value(last, TensorProto.FLOAT, image)], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                             ir_version=8)


def seconds(command):
    """Processor time: other programs lengthen it little."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return used() - before


def main():
    if sys.argv[1] == "make":
        onnx.save(make(sys.argv[2], int(sys.argv[3])), sys.argv[4])
        return 0
    most, models, command = float(sys.argv[2]), sys.argv[3:5], sys.argv[5:]
    runs = [[seconds([*command, model]) for model in models]
            for _ in range(TURNS)]
    ratios = [second / first for first, second in runs]
    print(f"{statistics.median(ratios):.2f} times as long: "
          + ", ".join(f"{first:.2f} s and {second:.2f} s" for first, second in runs))
    return 0 if statistics.median(ratios) <= most else 1


if __name__ == "__main__":
    sys.exit(main())
