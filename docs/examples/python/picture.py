# SPDX-License-Identifier: MIT
"""Which digit is in a picture?

    picture.py docs/models/digits/digits.onnx docs/models/digits/images/*.png

Needs numpy and PIL.
"""

import sys

import numpy
from PIL import Image

import glow

# A model is compiled when it is loaded, as all of its sizes are known.
model = glow.load(sys.argv[1], threads=1)
print(model)

# The model has the shape of its input: here one grey image of 28 x 28.
_, _, rows, columns = model.inputs[0].shape

for path in sys.argv[2:]:
    picture = Image.open(path).convert("L").resize((columns, rows))
    image = numpy.asarray(picture, "float32").reshape(1, 1, rows, columns)
    probabilities = model(image)[0]
    digit = probabilities.argmax()
    print(f"{path}: {digit}, probability {probabilities[digit]:.3f}")

# Where the time of a run goes.
print(model.profile(image, runs=20))
