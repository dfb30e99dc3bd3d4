# SPDX-License-Identifier: MIT
"""How far outputs are apart, and how far they may be."""

import json
import os

import numpy as np

# The bounds for the same model in f32, where only the order of sums differs.
LARGEST_DIFFERENCE = {"strict": 1e-3, "default": 1e-3, "fast": 2e-2}


def pairs_of(ours, peer):
    """Outputs by name, or None where names or shapes differ or a value is no
    number."""
    if sorted(os.listdir(ours)) != sorted(os.listdir(peer)):
        return None
    pairs = {}
    for file in os.listdir(peer):
        a, b = (np.load(os.path.join(folder, file)).astype(np.float64)
                for folder in (ours, peer))
        if a.shape != b.shape or not np.isfinite(a - b).all():
            return None
        pairs[file.removesuffix(".npy")] = a, b
    return pairs


def difference(ours, peer):
    """The largest one of any element, relative to the largest element of its
    tensor; infinite where there is nothing to compare."""
    pairs = pairs_of(ours, peer)
    if pairs is None:
        return float("inf")
    tiny = np.finfo(np.float32).tiny
    return max((np.abs(a - b).max(initial=0)
                / max(np.abs(b).max(initial=0), tiny)
                for a, b in pairs.values()), default=0.0)


def steps_apart(ours, peer, steps):
    """The largest difference in steps of the outputs that `steps` names: of
    their numbers of 8 bits, or, where that is None, of the peer's range in 8
    bits. None if it names none."""
    pairs = pairs_of(ours, peer)
    if not steps or pairs is None:
        return None
    largest = 0.0
    for name, step in steps.items():
        a, b = pairs[name]
        if step is None:
            step = (b.max() - b.min()) / 255
        largest = max(largest, np.abs(a - b).max(initial=0) / step)
    return largest


def read_steps(path):
    """What the model's writer left there; nothing for a model of floats."""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def wrong(result):
    """Why the outputs of a measured model are wrong, or None. Two roundings to
    8 bits may differ by one, or by what the peer differs from itself without
    its optimizations."""
    limit = LARGEST_DIFFERENCE[result["math"]]
    steps = result.get("steps")
    most = max(1.0, result.get("own_steps") or 0.0)
    # A step is written with 7 digits.
    if result["difference"] <= limit or (steps is not None
                                         and steps <= most * (1 + 1e-4)):
        return None
    apart, allowed = "", ""
    if steps is not None:
        apart = f", {steps:.1f} output steps"
        allowed = f" or {most:.1f} steps"
    return (f"{result['model']}: outputs differ by "
            f"{result['difference']:.1e} of the largest element{apart}; "
            f"{limit:.0e}{allowed} is allowed")
