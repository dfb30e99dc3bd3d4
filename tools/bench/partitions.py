# SPDX-License-Identifier: MIT
"""How good the partitions of models are, by the bound that glow partition prints.

  partitions.py [--glow GLOW] [--mode MODE] [--threads N,M...] MODEL...

Cuts each model for devices of the host's processor with so many threads, two
unequal ones if nothing is said, and prints a row of a table for each: nothing is
run, so that other programs of the machine change nothing.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time


def devices(threads: str) -> str:
    return json.dumps({"devices": [
        {"name": f"device{index}", "backend": "cpu", "threads": int(count)}
        for index, count in enumerate(threads.split(","))]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--glow", default="glow")
    parser.add_argument("--mode", default="pipeline")
    parser.add_argument("--threads", default="1,2")
    arguments = parser.parse_args()
    print("| model | parts | best device alone, ms | cut, ms | bound, ms | gap | search, s |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(devices(arguments.threads))
        file.flush()
        for model in arguments.models:
            begin = time.monotonic()
            run = subprocess.run(
                [arguments.glow, "partition", model, "--devices", file.name,
                 "--mode", arguments.mode, "--json", "-"],
                capture_output=True, text=True, check=True)
            seconds = time.monotonic() - begin
            found = json.loads(run.stdout)
            print(f"| {model.stem} | {len(found['parts'])} | {found['alone_ms']:.3g} "
                  f"| {found['ms']:.3g} | {found['bound_ms']:.3g} "
                  f"| {found['gap'] * 100:.1f} % | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
