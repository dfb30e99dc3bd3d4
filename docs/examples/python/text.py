# SPDX-License-Identifier: MIT
"""How does the story go on?

    text.py stories260k/model.onnx vocab_latin1.json 1 403 407 261 378

The numbers are what the story begins with, as places in the list of pieces;
these are "Once upon a time". Needs numpy.
"""

import json
import sys

import numpy

import glow

LENGTH = 64

# One program for texts of up to 64 pieces, in place of one for each length:
# what comes after a piece cannot change what the model says of it.
model = glow.compile(sys.argv[1], shapes={"S": LENGTH}, threads=1)
print(model)

with open(sys.argv[2], encoding="utf-8") as file:
    pieces = json.load(file)

text = [int(number) for number in sys.argv[3:]]
row = numpy.zeros((1, LENGTH), "int64")
logits = numpy.empty((1, LENGTH, len(pieces)), "float32")
while len(text) < LENGTH:
    row[0, :len(text)] = text
    # Into an array that is there already.
    model.run({"input_ids": row}, out={"logits": logits})
    text.append(int(logits[0, len(text) - 1].argmax()))

print("".join(pieces[number] for number in text[1:])
      .replace("<0x0A>", "\n").strip())
