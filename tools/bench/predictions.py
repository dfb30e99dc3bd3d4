#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Says how well `glow explain` predicts the layers of the benchmark's models:
the median of |predicted - measured| / measured, of each model and of all."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import host
from models import MODELS, Files, make

HEAD = ("| model | layers | predicted, ms | measured, ms | median error | of "
        "the time |\n| --- | ---: | ---: | ---: | ---: | ---: |")


def explained(glow, model, flags):
    """What glow explain measures of a model."""
    command = [glow, "explain", model, "--measure", "--json", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"predictions: {model}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def errors(explanation):
    return [abs(layer["ratio"] - 1) for layer in explanation["layers"]
            if "ratio" in layer]


def row(name, explanation):
    known = explanation["accuracy"]
    return (f"| {name} | {len(errors(explanation))} | "
            f"{known['predicted_ms']:.3g} | {known['measured_ms']:.3g} | "
            f"{known['median_error']:.0%} | "
            f"{known['median_error_of_time']:.0%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL",
                        help="default: all of the benchmark")
    parser.add_argument("--glow", default="build/tools/glow/glow",
                        metavar="FILE", help="default: %(default)s")
    parser.add_argument("--shipped", action="store_true",
                        help="by the numbers that glow has, in place of those "
                        "that were measured of this host")
    options = parser.parse_args()
    unknown = [name for name in options.models if name not in MODELS]
    if unknown:
        parser.error(f"there is no model {unknown[0]!r}; there are "
                     + ", ".join(MODELS))
    flags = ["--no-cache"] if options.shipped else []
    print(f"On {host.processor(host.described())}.\n\n{HEAD}")
    every = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.models or MODELS:
            files = Files(folder, name)
            files.write(make(name))
            explanation = explained(options.glow, files.model, flags)
            every += errors(explanation)
            print(row(name, explanation), flush=True)
            os.remove(files.model)
    print(f"\nThe median error over all {len(every)} layers is "
          f"{statistics.median(every):.1%}, predicted by the numbers of "
          f"{explanation['numbers']}.")


if __name__ == "__main__":
    main()
