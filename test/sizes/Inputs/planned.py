# SPDX-License-Identifier: MIT
"""The memory limit of a run, in a folder with the models of models.py: sizes that fit run before
and after sizes that do not. Least sizes that do not fit are refused."""

import numpy
import pytest

import glow

LIMIT = "3M"


def load(backend, **sizes):
    return glow.load("image.onnx", shapes=sizes, threads=1, backend=backend, memory_limit=LIMIT,
                     cache_dir="")


def images(count, size):
    return {"x": numpy.ones((count, 3, size, size), "f")}


for kind in ("cpu", "interpreter"):
    model = load(kind, N=range(1, 3), H=range(16, 1201), W=range(16, 1201))
    for _ in range(2):
        small = model.run(images(1, 20))["y"]
        with pytest.raises(glow.OutOfMemory, match="sizes N = 1, H = 1000, W = 1000: .* MiB are "
                           "needed, .* the limit is 3.0 MiB: give another memory-limit"):
            model.run(images(1, 1000))
        assert (model.run(images(1, 20))["y"] == small).all()
with pytest.raises(glow.InvalidArgument, match="the limit is 3.0 MiB"):
    load("cpu", N=1, H=range(1000, 1201), W=range(1000, 1201))

warnings = []
glow.log_to("warning", lambda _, text: warnings.append(text))
chosen = glow.load("batch.onnx", shapes={"N": ...}, memory_limit="100k", cache_dir="")
chosen.run({"x": numpy.ones((3, 20), "f")})
assert any("N = 0..512" in text or "N = 1..512" in text for text in warnings), warnings
print("as it should be")
