"""Checks that no model's arena exceeds 1.10 times what lives at one time.

  bound.py DATA GLOW

Asks `glow explain` of every model of the data that Glow takes, with the sizes of
each of its data sets.
"""

import json
import pathlib
import subprocess
import sys

NAMES = """mnist-8 mnist-external-data super-resolution-10 squeezenet1-fp32
  squeezenet1-fp16 mobilenetv2-fp32 resnet20-cifar10 face-rfb320 face-yunet-dynamic
  yolox-nano picodet-s-320 ppocr2-cls bodypix-mobilenetv1-050 blazeface-front
  selfie-segmentation magika-v1 cct-op12 cct-op20 tinyvit-demo bert-toy stories260k
  stories260k-kv""".split()
BACKENDS = ["cpu", "interpreter"]


def runs(data: pathlib.Path):
    """A model and the flags that give its sizes, of each data set."""
    index = json.loads((data / "models/index.json").read_text())
    for entry in index["models"] if isinstance(index, dict) else index:
        if entry["name"] not in NAMES:
            continue
        for sizes in {json.dumps(one["inputs"]) for one in entry["data_sets"]}:
            flags = [f"--shape={name}={'x'.join(map(str, shape))}"
                     for name, shape in json.loads(sizes).items() if shape]
            yield data / "models" / entry["name"] / "model.onnx", flags
    for folder in sorted((data / "models-light").iterdir()):
        yield folder / "model.onnx", []


def main() -> int:
    failed = count = 0
    for model, flags in runs(pathlib.Path(sys.argv[1])):
        for backend in BACKENDS:
            told = subprocess.run(
                [sys.argv[2], "explain", model, f"--backend={backend}", "--json",
                 *flags], capture_output=True, text=True, check=True)
            report = json.loads(told.stdout)
            arena, live = report["arena_bytes"], report["live_bytes"]
            wrong = arena > 1.10 * live or not live
            print(f"{model.parent.name} {backend}: arena {arena}, live {live}"
                  + (", too much" if wrong else ""))
            failed += wrong
            count += 1
    print(f"{count} plans, {failed} too large")
    return 1 if failed or count < 2 * (len(NAMES) + 9) else 0


if __name__ == "__main__":
    sys.exit(main())
