# SPDX-License-Identifier: MIT
"""The classes that trained nets give: learned.py DIR glow|onnxruntime.

The losses must fall, most classes must be right, and ONNX Runtime must give the scores
that Glow has written into DIR.
"""

import json
import sys

import numpy as np


def scores_of(path, rows, engine):
    if engine == "glow":
        import glow  # pylint: disable=import-outside-toplevel
        return glow.load(path).run({"x": rows})["scores"]
    import onnxruntime  # pylint: disable=import-outside-toplevel,import-error
    return onnxruntime.InferenceSession(path).run(["scores"], {"x": rows})[0]


def main():
    folder, engine = sys.argv[1:]
    rows, labels = (np.load(f"{folder}/{name}.npy") for name in ("x", "labels"))
    first = []
    for form in ("scan", "loop"):
        with open(f"{folder}/{form}.json", encoding="utf-8") as file:
            losses = [epoch["loss"] for epoch in json.load(file)["epochs"]]
        scores = scores_of(f"{folder}/{form}.trained.onnx", rows, engine)
        right = (scores.argmax(axis=1) == labels).mean()
        if losses[-1] > losses[0] / 2 or right < 0.9:
            sys.exit(f"{form}: losses {losses}, {right} right")
        first.append(losses[0])
        if engine == "glow":
            np.save(f"{folder}/{form}.scores.npy", scores)
        else:
            np.testing.assert_allclose(scores, np.load(f"{folder}/{form}.scores.npy"),
                                       rtol=1e-3, atol=1e-4)
        print(f"{form}: learned")
    if abs(first[0] - first[1]) > 1e-3 * first[0]:
        sys.exit(f"the first losses are {first}")


main()
