"""Counts the instructions and the bytes of a model's code beside those of loops by hand.

Usage: counted.py CLANG FOLDER MODEL QUANTIZED

For each small processor, the digits model is run by plain.c, by its bundle and by its C,
in an emulator that counts instructions (count.c); the model in integers of 8 bits, by
plain_bytes.c. The code of Glow takes no more of them
than the loops that clang -O2 makes of plain.c, which are its fastest, and at most one and
a half times as many bytes; the results are the same but for rounding. The C is compiled
with -Os: -O2 would copy its loops once more. Code for size has fewer bytes still, and no
more instructions than plain.c with -Os.
"""

import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import numpy_helper

here = pathlib.Path(__file__).parent
clang, folder = sys.argv[1], pathlib.Path(sys.argv[2])
models = {"plain": pathlib.Path(sys.argv[3]), "plain_bytes": pathlib.Path(sys.argv[4])}

# Name, clang's flags, glow's, flags of a processor with floats, and what runs it: floats
# of a processor without a unit are functions, which floats.c has.
processors = [
    ("m4", "--target=thumbv7em-none-eabihf -mcpu=cortex-m4",
     "--target=thumbv7em-none-eabihf --cpu=cortex-m4", "", "qemu-arm -cpu cortex-a7"),
    ("m0plus", "--target=thumbv6m-none-eabi -mcpu=cortex-m0plus",
     "--target=thumbv6m-none-eabi --cpu=cortex-m0plus",
     "--target=thumbv7em-none-eabi -mcpu=cortex-m4 -mfloat-abi=softfp",
     "qemu-arm -cpu cortex-a7"),
    ("riscv32", "--target=riscv32-unknown-elf -march=rv32i -mabi=ilp32",
     "--target=riscv32-unknown-elf",
     "--target=riscv32-unknown-elf -march=rv32imfc -mabi=ilp32", "qemu-riscv32 -cpu rv32"),
]
wasm = [("wasm", "--target=wasm32", "--target=wasm32-unknown-unknown")]


def run(*words, **options):
    arguments = [part for word in words
                 for part in (word.split() if isinstance(word, str) else [word])]
    return subprocess.run([str(one) for one in arguments], check=True, **options)


def plugin():
    """The plug-in for the interface of the qemu that is here."""
    made = folder / "count.so"
    for version in (1, 2):
        run(f"cc -shared -fPIC -fvisibility=hidden -Wall -Wextra -DVERSION={version}",
            here / "count.c", "-o", made)
        probe = subprocess.run(["qemu-arm", "-plugin", f"{made},out={folder}/none", "none"],
                               capture_output=True, text=True)
        if "plugin" not in probe.stderr:
            return made
    sys.exit(f"no interface of qemu's plug-ins is known: {probe.stderr}")


def codeBytes(file):
    text = run("llvm-size -A", file, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return sum(int(row[1]) for row in rows
               if len(row) == 3 and ("text" in row[0] or row[0] == "CODE"))


def constants(model):
    return {one.name: numpy_helper.to_array(one) for one in onnx.load(model).graph.initializer}


def floats():
    """The weights of plain.c."""
    weights = constants(models["plain"])
    order = ["scale_factor"] + [f"{layer}_{part}" for layer in ("conv1", "conv2", "dense1", "dense2")
                                for part in ("weight", "bias")]
    return np.concatenate([weights[name].ravel() for name in order]).astype("<f4").tobytes()


def integers():
    """The weights of plain_bytes.c: sums become values by a factor and an addend."""
    weights = constants(models["plain_bytes"])
    reals = [weights["scale_factor"] / weights["scale_scale"]]
    kernels = []
    for layer, result in (("conv1", "relu1"), ("conv2", "relu2"), ("dense1", "relu3"), ("dense2", None)):
        step = weights[f"{layer}_bias_scale"] / (weights[f"{result}_scale"] if result else 1)
        reals += [step, step * weights[f"{layer}_bias_quantized"]]
        kernels.append(weights[f"{layer}_weight_quantized"].tobytes())
    return np.concatenate([part.ravel() for part in reals]).astype("<f4").tobytes() + b"".join(kernels)


def prepare():
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plain.weights").write_bytes(floats())
    (folder / "plain_bytes.weights").write_bytes(integers())
    np.random.default_rng(1).uniform(0, 255, 784).astype("<f4").tofile(folder / "image.raw")
    text = (here / "small.c").read_text().replace("kernels", "digits").replace("KERNELS", "DIGITS")
    text = text.replace("DIGITS_x", "DIGITS_image").replace("DIGITS_y", "DIGITS_probabilities")
    (folder / "digits.c").write_text(text)


class Processor:
    def __init__(self, name, flags, glow, floats, emulator, counter):
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        self.flags, self.glow, self.emulator, self.counter = flags, glow, emulator, counter
        self.common = [self.compile(here / "bare.c", "-O1"),
                       self.compile(here / "bytes.c", "-O1", floats or flags)]
        if floats:
            self.common.append(self.compile(here / "floats.c", "-O2", floats))

    def compile(self, source, options, flags=None):
        made = self.folder / f"{source.stem}{options.split()[0]}.o"
        # Of Glow's C, functions as fabs are instructions.
        free = "" if source.parent.parent == self.folder else "-ffreestanding"
        run(clang, flags or self.flags, free, "-fno-math-errno -std=c99", options, "-c", source, "-o", made)
        return made

    def count(self, name, objects, weights):
        """Instructions of a run, and its result."""
        program, result, count = (self.folder / f"{name}{end}" for end in (".elf", ".raw", ".count"))
        run("ld.lld", *self.common, *objects, "-o", program)
        run(self.emulator, "-plugin", f"{self.counter},out={count}", program, weights,
            folder / "image.raw", result)
        return int(count.read_text()), np.fromfile(result, "<f4")

    def plain(self, hand, level):
        made = self.compile(here / f"{hand}.c", level)
        return *self.count(hand + level, [made], folder / f"{hand}.weights"), codeBytes(made)

    def bundle(self, hand, aim):
        place = self.folder / (hand + aim)
        run(f"glow compile --emit=bundle --name=digits --optimize={aim}", self.glow, models[hand],
            "-o", place, stdout=subprocess.DEVNULL)
        user = self.compile(folder / "digits.c", f"-O1 -I {place}")
        made = place / "digits.o"
        return *self.count(hand + aim, [user, made], place / "digits.weights"), codeBytes(made)

    def source(self, hand):
        place = self.folder / (hand + "C")
        run("glow compile --emit=c --name=digits", models[hand], "-o", place, stdout=subprocess.DEVNULL)
        user = self.compile(folder / "digits.c", f"-O1 -I {place}")
        made = self.compile(place / "digits.c", f"-Os -I {place}")
        return *self.count(hand + "C", [user, made], place / "digits.weights"), codeBytes(made)


def check(name, kind, mine, plain):
    """Whether the code is as short, and runs as few instructions."""
    (count, result, size), (plainCount, plainResult, plainSize) = mine, plain
    same = np.allclose(result, plainResult, atol=1e-5)
    print(f"{name} {kind}: {count} instructions, {size} bytes; by hand {plainCount}, {plainSize}"
          + ("" if same else f"; another result, by {np.abs(result - plainResult).max()}"))
    return same and count <= plainCount and size <= 1.5 * plainSize


def main():
    prepare()
    counter = plugin()
    fine = True
    for name, *words in processors:
        processor = Processor(name, *words, counter)
        for hand in models:
            plain, short = processor.plain(hand, "-O2"), processor.plain(hand, "-Os")
            fast, small = processor.bundle(hand, "speed"), processor.bundle(hand, "size")
            fine &= check(name, f"{hand} bundle", fast, plain)
            # Of bytes beside the same option: sums of two columns are for any processor.
            level = plain if hand == "plain" else (short[0], short[1], plain[2])
            fine &= check(name, f"{hand} C", processor.source(hand), level)
            fine &= check(name, f"{hand} for size", small, (short[0], short[1], plain[2]))
            fine &= small[2] < fast[2]
    for name, flags, words in wasm:
        for hand, model in models.items():
            place = folder / (name + hand)
            run("glow compile --emit=bundle --name=digits", words, model, "-o", place, stdout=subprocess.DEVNULL)
            run(clang, flags, "-ffreestanding -std=c99 -O2 -c", here / f"{hand}.c", "-o", place / "plain.o")
            sizes = [codeBytes(place / file) for file in ("digits.o", "plain.o")]
            print(f"{name} {hand} bundle: {sizes[0]} bytes; by hand {sizes[1]}")
            fine &= sizes[0] <= 1.5 * sizes[1]
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
