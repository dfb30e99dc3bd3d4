"""Three mistakes."""

from typing import List

import glow

model = glow.load("model.onnx", shapes=3)
width = model.widht
lines: List[int] = glow.version()
