#!/usr/bin/env python3
"""Measures the copies that hide, against a bound: overlap.py COMMAND

COMMAND is glow-opt with the chip's plug-in. Two blocks of MobileNetV2 are cut into
tiles of three shapes, for memories of five sizes; the whole network is cut by the
chip's record, for its memory. Copies hide if fewer cycles are waited for them than they
take: `in_order` less `total`. The bound is that of any order
in which the computing steps stay as they are:

- A copy hides only beside computation. A box that comes in is in the memory from then
  on until its step, so beside the step just before that; a box that goes out is there
  until it has gone, so beside the step just after. A copy whose box has no room there,
  beside the operands of that step, is waited for. Where one step has room for the box
  of the next step or for that of the step before, and not for both, one of the two
  copies is waited for. Waits for both engines between two steps go on at once.
- From the end of one node's last step to that of the next one's, the reader brings all
  that this node reads, except boxes that were there before; the writer takes away all
  that it makes, except boxes that are there afterwards. These have at most the bytes
  of the memory.

So a node takes at least the cycles of its computation and of these waits, and at least
those of each engine less one memory's worth.
"""

import itertools
import math
import re
import subprocess
import sys

from make import Network, mobilenet

SHAPES = [(4, 96), (7, 32), (2, 16)]  # rows and channels of a tile
KIBIBYTES = [64, 80, 96, 128, 192]
SHARE = 0.8
BANDWIDTH, LATENCY, RUN, ALIGNMENT = 16, 30, 2, 64


def network():
    blocks = Network("f16", (1, 28, 28, 32))
    value = "x", blocks.image
    for _ in range(2):
        value = blocks.conv(blocks.apart(blocks.conv(value, 96), 1), 32)
    return blocks.text(value)


def with_tiles(text, rows, channels):
    """Each node in tiles of this shape, or of all its channels."""
    def add(node):
        some = min(channels, int(node[2]))
        return f"{node[1]} {{glow.tile = {{channels = {some} : i64, rows = {rows} : i64}}}} : {node[0].split(' : ')[1]}"
    return re.sub(r"(%v\w+ = glow\.\w+_last [^\n]*?) : \([^\n]*x(\d+)xf16>$", add, text, flags=re.M)


class Program:
    """Steps and copies of a program, in the order of the records."""

    def __init__(self, text):
        self.element = 2 if "float16" in text else 4
        self.shapes = {name: [int(size) for size in re.findall(r"\d+", shape)]
                       for name, shape in re.findall(r"%(\w+) = (?:alloc|binding) float(?:16)?<([^>,]*)", text)}
        self.steps = []  # of each: node, cycles, operands in the pad
        self.loads, self.stores = {}, {}  # of each box: cycles
        for name, mnemonic, rest in re.findall(r"%(\w+) = stream_(\w+) (.*)", text):
            operands = re.findall(r"@\w+ %(\w+)", rest)
            if mnemonic == "load":
                self.loads[operands[0]] = self.copy(operands[2], rest)
            elif mnemonic == "store":
                self.stores[operands[2]] = self.copy(operands[0], rest)
            elif mnemonic != "wait":
                self.steps.append((name.split("_")[0], self.cycles(mnemonic, operands), operands))
        self.goes = [operands[0] for _, _, operands in self.steps]
        self.comes, seen = [], set()  # boxes that come for each step
        for _, _, operands in self.steps:
            self.comes.append([box for box in operands[1:] if box not in seen])
            seen.update(operands)

    def bytes(self, box):
        return math.ceil(self.element * math.prod(self.shapes[box]) / ALIGNMENT) * ALIGNMENT

    def copy(self, tensor, rest):
        sizes = [int(size) for size in re.findall(r"sizes = \[([^]]*)", rest)[0].split(",")]
        count, whole, runs = self.element * math.prod(sizes), list(self.shapes[tensor]), list(sizes)
        while runs and runs[-1] == whole.pop():
            runs.pop()
        return LATENCY + math.ceil(count / BANDWIDTH) + RUN * math.prod(runs[:-1])

    def cycles(self, mnemonic, operands):
        _, rows, columns, channels = self.shapes[operands[0]]
        if mnemonic == "sum":
            return math.prod(self.shapes[operands[0]]) // 16 + 20
        filters = self.shapes[operands[2]]
        if mnemonic == "apart":
            return rows * columns * math.prod(filters[:2]) * math.ceil(channels / 32) + 20
        return rows * columns * math.prod(filters[:2]) * math.ceil(filters[2] / 16) * math.ceil(channels / 16) + 20

    def in_order(self):
        return sum(cycles for _, cycles, _ in self.steps) + sum(self.loads.values()) + sum(self.stores.values())

    def fits(self, memory, number, *boxes):
        """Whether the step has room for these boxes beside its operands."""
        return sum(map(self.bytes, (*boxes, *self.steps[number][2]))) <= memory

    def waits(self, memory, first, last):
        """The least cycles for copies between the steps from `first` to `last`."""
        least = {False: 0}  # by whether the wait before is for all of what goes out
        for number in range(first, last + 1):
            comes = sorted(self.comes[number], key=self.loads.get)
            goes = self.goes[number - 1] if number else None
            alone = [box for box in comes if number == 0 or not self.fits(memory, number - 1, box)]
            outside = goes and not self.fits(memory, number, goes)
            either = number > first and comes and number > 1 and \
                not self.fits(memory, number - 1, comes[-1], self.goes[number - 2])
            after = {}
            for waits_in, waits_out, before in itertools.product((False, True), (False, True), least):
                if (either and not waits_in and not before) or (outside and not waits_out):
                    continue
                reads = sum(self.loads[box] for box in comes if box in alone or (waits_in and box == comes[-1]))
                writes = self.stores[goes] if goes and waits_out else 0
                cycles = least[before] + max(reads, writes)
                after[waits_out] = min(after.get(waits_out, cycles), cycles)
            least = after
        return min(least.values())

    def least(self, memory):
        """No order takes fewer cycles."""
        total = self.stores[self.goes[-1]]
        for _, numbers in itertools.groupby(range(len(self.steps)), lambda number: self.steps[number][0]):
            numbers = list(numbers)
            computes = sum(self.steps[number][1] for number in numbers)
            engines = [({box: self.loads[box] for number in numbers for box in self.comes[number]}),
                       ({self.goes[number]: self.stores[self.goes[number]] for number in numbers})]
            total += max(computes + self.waits(memory, numbers[0], numbers[-1]),
                         *(sum(boxes.values()) - memory * max(cycles / self.bytes(box) for box, cycles in boxes.items())
                           for boxes in engines))
        return total


def run(command, *passes, text):
    return subprocess.run([*command, "-", *passes], input=text, text=True, check=True, stdout=subprocess.PIPE).stdout


def measure(command, title, text, sizes):
    """Prints a line for each size of the memory; returns the least share."""
    text = run(command, "--backend=stream", "--stop-after=irgen", "--eliminate-copies", "--shrink-lifetimes", text=text)
    program, shares = Program(text), []
    for kibibytes in sizes:
        memory = 1024 * kibibytes
        engine = f"1:{BANDWIDTH}:{LATENCY}:{RUN}"
        places = f"memories=pad:{memory}:{ALIGNMENT}:128"
        ordered = run(command, f"--overlap-copies={places} engines=reader:{engine},writer:{engine} bandwidth={2 * BANDWIDTH}",
                      "--verify-order", f"--place-buffers={places}", f"--verify-placement={places}", text=text)
        cycles = {name: int(count) for name, count in re.findall(r"(\w+) = (\d+)", re.search(r"cycles = {(.*?)}", ordered)[1])}
        assert cycles["in_order"] == program.in_order(), (cycles, program.in_order())
        hidden, most = cycles["in_order"] - cycles["total"], cycles["in_order"] - program.least(memory)
        print(f"{title} in {kibibytes} KiB: {hidden} cycles of {cycles['in_order'] - cycles['computing']} hide, "
              f"{100 * hidden / most:.1f} % of {most:.0f}")
        shares.append(hidden / most)
    return min(shares)


def main(*command):
    shares = [measure(command, f"tiles of {rows} rows, {channels} channels", with_tiles(network(), rows, channels), KIBIBYTES)
              for rows, channels in SHAPES]
    shares += [measure(command, f"MobileNetV2 of {kind}", mobilenet(kind), [128]) for kind in ("f16", "f32")]
    print("enough" if min(shares) >= SHARE else f"less than {100 * SHARE:.0f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
