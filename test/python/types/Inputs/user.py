"""What a program of a user looks like, for mypy --strict."""

import asyncio
from typing import Any, Dict, List

import numpy

import glow


def sizes(path: str) -> List[object]:
    model: glow.Model = glow.load(path, threads=2, shapes={"n": range(1, 17)})
    return [size for info in model.inputs for size in info.shape]


def classes(path: str, image: "numpy.ndarray[Any, Any]") -> int:
    session = glow.InferenceSession(path, glow.SessionOptions(),
                                    providers=["CPUExecutionProvider"])
    binding: glow.IOBinding = session.io_binding()
    binding.bind_cpu_input(session.get_inputs()[0].name, image)
    binding.bind_output("y")
    session.run_with_iobinding(binding)
    value: glow.OrtValue = binding.get_outputs()[0]
    meta: glow.ModelMetadata = session.get_modelmeta()
    return len(value.shape()) + meta.version


async def later(model: glow.Model, feed: Dict[str, Any]) -> Dict[str, Any]:
    try:
        return await model.run_async(feed)
    except glow.Cancelled as reason:
        print(reason)
        raise


def main() -> None:
    print(glow.version(), glow.options()[0].help)
    print(asyncio.run(later(glow.load("model.onnx"), {})))
