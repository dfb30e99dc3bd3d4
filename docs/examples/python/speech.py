# SPDX-License-Identifier: MIT
"""When is there speech in a sound?

    speech.py silero-vad/model.onnx speech_16k_mono.wav

The model hears 32 ms of sound at a time. A session keeps its state between
them. Needs numpy.
"""

import sys
import wave

import numpy

import glow

RATE, WINDOW, CONTEXT = 16000, 512, 64

model = glow.load(sys.argv[1],
                  shapes={"batch": 1, "sequence": CONTEXT + WINDOW})
print(model)

with wave.open(sys.argv[2]) as file:
    assert (file.getframerate(), file.getnchannels()) == (RATE, 1)
    sound = numpy.frombuffer(file.readframes(file.getnframes()), "int16")
sound = sound.astype("float32") / 32768

# A window begins with the end of the previous window.
session = model.session()
heard = numpy.zeros(CONTEXT, "float32")
seconds = {}
for start in range(0, len(sound) - WINDOW + 1, WINDOW):
    window = numpy.concatenate([heard, sound[start:start + WINDOW]])
    results = session.run({"input": window[None], "sr": numpy.array(RATE)})
    heard = window[-CONTEXT:]
    seconds.setdefault(start // RATE, []).append(results["output"].item())

for second, speech in seconds.items():
    share = numpy.mean([probability > 0.5 for probability in speech])
    print(f"second {second}: {'#' * round(20 * share):20} {share:4.0%} speech")
