"""Compares the bundle of a model for ARM, run in an emulator, with the interpreter.

Usage: emulated.py FOLDER PROCESSOR MODEL...

All elements must be the same. A model has one input, "x", and one output.
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx


def compare(model: pathlib.Path, folder: pathlib.Path, processor: str) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    graph = onnx.load(model).graph
    shape = [d.dim_value for d in graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(7).normal(0, 1, shape).astype(np.float32)
    np.save(folder / "x.npy", x)
    x.tofile(folder / "x.raw")
    kernels = folder / "kernels.onnx"  # whose name runs.c knows
    kernels.write_bytes(model.read_bytes())

    def run(*arguments):
        subprocess.run([str(argument) for argument in arguments], check=True)
    run("glow", "compile", kernels, "--emit=bundle", "-o", folder, "--target=aarch64-linux-gnu",
        f"--cpu={processor}", "--bundle-api=dynamic", "--bundle-weights=embedded",
        "--arena-limit=1G")
    run("aarch64-linux-gnu-gcc", "-static", "-std=c99", "-I", folder,
        pathlib.Path(__file__).with_name("runs.c"), folder / "kernels.o", "-o", folder / "runs")
    output = graph.output[0].name
    run("qemu-aarch64", "-cpu", "max", folder / "runs", folder / "x.raw", folder / "y.raw", "x", output)
    run("glow", "run", kernels, "--backend=interpreter", "--input", f"x={folder / 'x.npy'}",
        "--output-dir", folder)
    expected = np.load(folder / f"{output}.npy").ravel()
    wrong = np.count_nonzero(expected != np.fromfile(folder / "y.raw", expected.dtype))
    print(f"{model.stem} on {processor}: {wrong} of {expected.size} elements differ")
    return wrong + (np.unique(expected).size < 5)  # nothing but one value shows little


if __name__ == "__main__":
    folder, processor = pathlib.Path(sys.argv[1]), sys.argv[2]
    sys.exit(sum(compare(pathlib.Path(model), folder / pathlib.Path(model).stem, processor)
                 for model in sys.argv[3:]) > 0)
