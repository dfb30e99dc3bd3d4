"""Writes tensors and what is none into a folder: tensors.py FOLDER."""

import os
import sys

import numpy
from onnx import numpy_helper
from PIL import Image

folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


values = numpy.arange(-3, 3, dtype=numpy.float32).reshape(2, 3)
numpy.save(path("f32_2x3.npy"), values)
numpy.save(path("f32_3x2.npy"), values.reshape(3, 2))
numpy.save(path("i64_2x3.npy"), values.astype(numpy.int64))
numpy.savez(path("x.npz"), x=values)
numpy.savez(path("both.npz"), a=values, b=10 * numpy.ones((2, 3), numpy.float32))
values.tofile(path("raw_24"))
values.tofile(path("x.bin"))
with open(path("raw_20"), "wb") as file:
    file.write(values.tobytes()[:20])
with open(path("x.pb"), "wb") as file:
    file.write(numpy_helper.from_array(values, "x").SerializeToString())
with open(path("y.pb"), "wb") as file:
    relu = numpy.maximum(values, 0)
    file.write(numpy_helper.from_array(relu, "y").SerializeToString())
with open(path("f32_2x3.npy"), "rb") as whole, \
        open(path("short.npy"), "wb") as file:
    file.write(whole.read()[:-5])
with open(path("f32_2x3.npy"), "rb") as whole, \
        open(path("untyped.npy"), "wb") as file:
    file.write(whole.read().replace(b"'<f4'", b"''   "))
picture = Image.fromarray(numpy.full((2, 3), 7, numpy.uint8))
picture.save(path("seven.png"))
picture.save(path("seven.jpg"), quality=100)
with open(path("seven.png"), "rb") as whole, \
        open(path("broken.png"), "wb") as file:
    file.write(whole.read()[:40])
