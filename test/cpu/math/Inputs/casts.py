"""Writes a model of every conversion between two element kinds, and its input.

  casts.py FOLDER

Numbers go from f64 to one kind, to another one, and back. The input has small
numbers, powers of two with those next to them, and what is no number.
"""

import pathlib
import sys

import numpy

KINDS = ["f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64", "ui8", "ui16",
         "ui32", "ui64", "i1", "i4", "ui4", "i2", "ui2", "f8E4M3FN", "f8E4M3FNUZ",
         "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN"]
PARTS = 5


def numbers():
    exponents = [*range(-30, 66, 3), -149, -1074, 7, 8, 15, 16, 31, 32, 63, 64, 127,
                 128, 1000]
    near = [2.0 ** e * f for e in exponents
            for f in (1, 1 + 2 ** -12, 1 - 2 ** -40, 1.3125)]
    some = near + [i / 8 for i in range(80)] + [448, 464, 57344, 61440, 65519.99, 65520]
    signed = numpy.concatenate([some, numpy.negative(some), [numpy.nan, numpy.inf, -numpy.inf]])
    return numpy.append(signed, signed[:(3 - len(signed)) % 16])


def model(kinds, count):
    """From these kinds to each other one."""
    head = [f"glow.placeholder @x input : tensor<{count}xf64>"]
    body = [f"  %x = glow.read @x : tensor<{count}xf64>"]

    def cast(name, value, source, kind):
        body.append(f"  %{name} = glow.cast %{value} kind {kind} "
                    f": (tensor<{count}x{source}>) -> tensor<{count}x{kind}>")
    for source in kinds:
        cast(f"from_{source}", "x", "f64", source)
        for to in KINDS:
            name = f"{source}_{to}"
            head.append(f"glow.placeholder @{name} output : tensor<{count}xf64>")
            cast(f"to_{name}", f"from_{source}", source, to)
            cast(name, f"to_{name}", to, "f64")
            body.append(f"  glow.save %{name}, @{name} : tensor<{count}xf64>")
    return "\n".join([*head, "glow.func @main {", *body, "}", ""])


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
numpy.save(folder / "x.npy", numbers())
for part in range(PARTS):
    text = model(KINDS[part::PARTS], len(numbers()))
    (folder / f"casts{part}.mlir").write_text(text)
