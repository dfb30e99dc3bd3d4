# SPDX-License-Identifier: MIT
"""cached_steps.py MODEL

Steps of a session, with rollbacks between them, and runs that copy caches from
outputs to inputs."""

import sys

import glow
import numpy

model = glow.load(sys.argv[1], shapes={"P": range(0, 257), "S": range(1, 33)},
                  threads=1)
session = model.session()
caches = {info.name: numpy.zeros((1, 4, 0, 8), "f")
          for info in model.inputs[1:]}
random = numpy.random.default_rng(1)
steps, equal = 0, True
while session.state("past_key_values.0.key").length < 224:
    count = int(random.integers(1, 4))
    ids = random.integers(3, 500, (1, count))
    # Tokens that are taken back leave nothing.
    session.run({"input_ids": random.integers(3, 500, (1, 5))})
    session.rollback(5)
    logits = session.run({"input_ids": ids})["logits"]
    expected = model.run({"input_ids": ids, **caches})
    caches = {name: expected[name.replace("past_key_values", "present")]
              for name in caches}
    difference = abs(logits - expected["logits"]).max()
    equal &= bool(difference <= 1e-4 * abs(expected["logits"]).max())
    steps += 1
equal &= all(abs(session[name] - cache.transpose(2, 0, 1, 3)).max() < 1e-3
             for name, cache in caches.items())
print(f"{len(session.states)} states, {steps} steps are "
      f"{'equal' if equal else 'NOT equal'}")
