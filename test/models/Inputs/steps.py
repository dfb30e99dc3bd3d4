# SPDX-License-Identifier: MIT
"""steps.py MODEL [DIMENSION=SIZE | state:INPUT=OUTPUT]...

Five steps of a session equal the runs that feed outputs back by hand.
"""

import sys

import glow
import numpy

path, *words = sys.argv[1:]
states = [word[6:] for word in words if word.startswith("state:")]
sizes = [word.split("=") for word in words if not word.startswith("state:")]
model = glow.load(path, shapes={name: int(size) for name, size in sizes},
                  state=",".join(states), threads=1)
session = model.session()
random = numpy.random.default_rng(1)


def some(info):
    if info.kind == "i64":
        return numpy.full(info.shape, 16000, info.dtype)
    return random.standard_normal(info.shape).astype(info.dtype)


by_hand = {state.input: numpy.zeros(state.shape, state.dtype)
           for state in session.states}
equal = True
for _ in range(5):
    inputs = {info.name: some(info) for info in session.inputs}
    expected = model.run({**inputs, **by_hand})
    results = session.run(inputs)
    for state in session.states:
        by_hand[state.input] = expected[state.output]
        equal &= bool(numpy.any(expected[state.output]))
        equal &= session[state.input].tobytes() == \
            expected[state.output].tobytes()
    equal &= all(results[name].tobytes() == expected[name].tobytes()
                 for name in results)
print(" ".join(f"{state.input}={state.output}" for state in session.states)
      + f": 5 steps are {'equal' if equal else 'NOT equal'}")
