"""Puts folders, pipes and devices where files are read: input_files.py GLOW FOLDER CLASSIFIER

The folder has a model m.onnx.
"""

import os
import pathlib
import subprocess
import sys

glow, classifier = sys.argv[1], sys.argv[3]
folder = pathlib.Path(sys.argv[2])
model = folder / "m.onnx"


def run(path):
    return [glow, "run", model, "--input", f"x={path}"]


readers = {f"in.{ending}": run for ending in ("npy", "npz", "pb", "raw", "png", "jpg")}
readers["label"] = lambda path: [glow, "classify", model, "--model", classifier, "--labels", path]
readers["image"] = lambda path: [glow, "classify", path, "--model", classifier]
readers["set"] = lambda path: [glow, "run", model, "--data-set", path.parent]
for ending in ("onnx", "mlir", "mlirbc", "so"):
    readers[f"model.{ending}"] = lambda path: [glow, "run", path, "--random"]
readers["stub"] = lambda path: [glow, "explain", "--stub", path]
readers["backend"] = lambda path: [glow, "--load-backend", path, "run", model, "--random"]
readers["entry"] = lambda path: [glow, "compile", model, "--emit=bundle", "-o", folder / "bundle", "--entry", f"two={path}"]
for name, command in readers.items():
    for kind in ("folder", "pipe", "device"):
        place = folder / kind
        place.mkdir(exist_ok=True)
        path = place / ("input_0.pb" if name == "set" else name)
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to("/dev/zero")
        result = subprocess.run(command(path), capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        path.rmdir() if kind == "folder" else path.unlink()
        lines = result.stderr.splitlines()
        if result.returncode != 1 or len(lines) != 1 or path.name not in lines[0]:
            sys.exit(f"{name}, {kind}: status {result.returncode}: {result.stderr}")
        if "folder" not in lines[0] and "pipe" not in lines[0] and "regular" not in lines[0]:
            sys.exit(f"{name}, {kind}: {result.stderr}")
print("no folder, pipe or device is read in place of", *readers)
