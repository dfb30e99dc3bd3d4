# SPDX-License-Identifier: MIT
"""Programs of sizes that come often, in sessions and calls of a decoder.

sessions.py MODEL WHEN MASKED: runs pieces of 1 and 2 tokens until both have a program, in two
sessions at once, a fork and after a rollback. Results are those of a session of the interpreter;
scores are up to 500, and differences of the states grow with each token.
"""

import sys
import time

import numpy

import glow

path, when, masked = sys.argv[1], sys.argv[2], sys.argv[3] == "masked"
CAPACITY, LONGEST = 40, 4
made, compiled = [], []


def tell(_, text):
    if ": a program for " in text:
        made.append(text.split(": a program for ")[1])
    if "compiled for" in text:
        compiled.append(text)


def load(**options):
    ranges = {"P": range(0, CAPACITY + 1), "S": range(1, LONGEST + 1)}
    if masked:
        ranges["T"] = range(1, CAPACITY + LONGEST + 1)
    return glow.load(path, shapes=ranges, cache_dir="", threads=1, **options)


glow.log_to("debug", tell)
model = load(specialize=when)
plain = load(backend="interpreter")
draw = numpy.random.default_rng(1)


class Pair:
    """A session and one of the interpreter, on the same tokens."""

    def __init__(self, mine, wanted, length=0):
        self.mine, self.wanted, self.length = mine, wanted, length

    def step(self, count):
        if self.length + count > CAPACITY:
            self.reset()
        ids = draw.integers(0, 60, (1, count))
        inputs = {"input_ids": ids}
        self.length += count
        if masked:
            inputs["attention_mask"] = numpy.ones((1, self.length), "int64")
            inputs["position_ids"] = numpy.arange(self.length - count, self.length)[None]
        mine, wanted = (one.run(inputs)["logits"] for one in (self.mine, self.wanted))
        difference = abs(mine - wanted).max()
        assert mine.shape == wanted.shape, (mine.shape, wanted.shape)
        assert difference < 1e-2 * max(abs(wanted).max(), 1), (self.length, count, difference)

    def reset(self):
        self.mine.reset(), self.wanted.reset()
        self.length = 0

    def rollback(self, count):
        self.mine.rollback(count), self.wanted.rollback(count)
        self.length -= count

    def fork(self):
        return Pair(self.mine.fork(), self.wanted.fork(), self.length)


one, two = (Pair(model.session(), plain.session()) for _ in range(2))
before = len(compiled)
if when == "lazy":
    for _ in range(15):
        one.step(1), two.step(3)
    assert not made, made
    one.reset()
end = time.monotonic() + 120
while len(made) < 2 and time.monotonic() < end:
    one.step(1), two.step(2)
assert sorted(made) == [text for text in sorted(made) if "1x1" in text or "1x2" in text], made
for _ in range(30):
    one.step(1), two.step(2)
one.reset()
for _ in range(5):
    one.step(2)
other = one.fork()
other.step(1), one.step(3), one.step(1)
one.rollback(2)
one.step(1), other.step(2)
one.mine.save(path + ".session")
again = Pair(model.session(), one.wanted.fork(), one.length)
again.mine.restore(path + ".session")
again.step(1), one.step(4)
# One compilation for each of the two sizes.
assert len(made) == 2 and len(compiled) == before + 2, (made, compiled)
print("two programs of one size")
