# SPDX-License-Identifier: MIT
"""Sequences with a class each, and nets as Scan and Loop: recurrent_data.py DIR."""

import sys

import numpy as np

from recurrent_models import classifier


def main():
    folder = sys.argv[1]
    random = np.random.default_rng(4)
    # The class is the sign of the sum of the first numbers of all steps, less the second ones.
    rows = random.uniform(-1, 1, (400, 12, 2)).astype(np.float32)
    np.save(f"{folder}/x.npy", rows)
    np.save(f"{folder}/labels.npy",
            ((rows[:, :, 0] - rows[:, :, 1]).sum(axis=1) > 0).astype(np.int64))
    for form in ("scan", "loop", "trips"):
        classifier(form, f"{folder}/{form}.onnx")


main()
