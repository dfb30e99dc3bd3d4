"""Runs a model as a shared library and as an object, beside the interpreter.

Usage: as_files.py MODEL FOLDER [OPTION...]

All elements must be the same. The options are those of `glow compile`.
"""

import ctypes
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import mapping

model, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
RANDOM = np.random.default_rng(5)


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stdout=subprocess.DEVNULL)


feeds = {}
for value in onnx.load(model).graph.input:
    tensor = value.type.tensor_type
    kind = mapping.TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type]
    shape = [size.dim_value for size in tensor.shape.dim]
    low, high = (0, 255) if kind == np.uint8 else (-4, 4)
    feeds[value.name] = RANDOM.uniform(low, high, shape).astype(kind)
    np.save(folder / f"{value.name}.npy", feeds[value.name])
inputs = [part for name in feeds for part in ("--input", f"{name}={folder / name}.npy")]

expected = folder / "expected"
run("glow", "run", model, "--backend=interpreter", *inputs, "--output-dir", expected)

# As a library.
run("glow", "compile", model, "--emit=so", "-o", folder / "model.so", *options)
run("glow", "run", folder / "model.so", *inputs, "--output-dir", folder / "so")
names = sorted(path.name for path in expected.glob("*.npy"))
wrong = [f"so: {name}" for name in names
         if (folder / "so" / name).read_bytes() != (expected / name).read_bytes()]


class Symbol(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("offset", ctypes.c_size_t), ("size", ctypes.c_size_t),
                ("kind", ctypes.c_char)]


class Config(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("constants", "mutable", "activations", "alignment", "count")]
    _fields_ += [("symbols", ctypes.POINTER(Symbol))]


def region(size):
    """Memory at a multiple of 64 bytes, with a pattern behind its end."""
    memory = np.full(size + 128, 0xa5, np.uint8)
    return memory[-memory.ctypes.data % 64:][:size + 64]


# As an object, which a library of the system's compiler is made of.
stem = pathlib.Path(model).stem
run("glow", "compile", model, "--emit=bundle", "-o", folder, "--bundle-api=dynamic",
    "--bundle-weights=embedded", *options)
run("cc", "-shared", folder / f"{stem}.o", "-lm", "-o", folder / "object.so")
library = ctypes.CDLL(str(folder.resolve() / "object.so"))
config = Config.in_dll(library, f"{stem}_config")
places = {config.symbols[i].name.decode(): config.symbols[i].offset for i in range(config.count)}
tensors, arena = region(config.mutable), region(config.activations)
for name, array in feeds.items():
    tensors[places[name]:][:array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
constants = ctypes.addressof(ctypes.c_uint8.in_dll(library, f"{stem}_weights"))
entry = getattr(library, stem)
entry.argtypes = [ctypes.c_void_p] * 3
assert entry(constants, tensors.ctypes.data, arena.ctypes.data) == 0
for name in names:
    data = np.load(expected / name).tobytes()
    if tensors[places[name[:-len(".npy")]]:][:len(data)].tobytes() != data:
        wrong.append(f"object: {name}")
for memory, size in ((tensors, config.mutable), (arena, config.activations)):
    if (memory[size:] != 0xa5).any():
        wrong.append("object: writes behind its memory")
print(*wrong, sep="\n")
if not wrong:
    print("2 files are right")
sys.exit(bool(wrong))
