#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the digit classifier of this folder, and everything beside it.

Renders digits with installed fonts, trains a small convolutional network on
them in plain numpy, measures it on unseen digits of unseen fonts, and writes
`digits.onnx`, `labels.txt`, `images/` and `test_data_set_0/`.

The same seed, fonts and libraries give the same bytes.

Arrays of images and activations are float32 [N, C, H, W]; a pixel is 0 for
black to 255 for white.
"""

import argparse
import functools
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple, NoReturn

# More threads would change the order of sums, and with it the weights. The
# linear algebra library reads these once, when numpy is imported.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

try:
    import numpy as np
    import onnx
    from numpy.lib.stride_tricks import sliding_window_view
    from onnx import TensorProto, helper, numpy_helper
    from PIL import Image, ImageDraw, ImageFilter, ImageFont
except ImportError as missing:
    sys.exit(f"train.py: error: no python module '{missing.name}': install "
             "python3-numpy python3-onnx python3-pil")

FONT_FOLDER = Path("/usr/share/fonts")
FONT_PACKAGES = ("fonts-dejavu-core fonts-dejavu-extra fonts-freefont-ttf "
                 "fonts-liberation fonts-open-sans")
# Families are named, not taken as found: other fonts of a machine may have no
# digits, and would change the result. Each side has ones with and without a
# foot, and zeros with and without a dot: what no training font shows cannot
# be learnt.
TRAINING_FAMILIES = ("DejaVuSans", "DejaVuSansMono", "DejaVuSerif", "FreeMono",
                     "FreeSans", "LiberationSans", "LiberationSerif")
UNSEEN_FAMILIES = ("FreeSerif", "LiberationMono", "OpenSans")
FONTS_IN_FAMILY = 4      # at least: upright and slanted, each plain and bold

CLASSES = 10
SIZE = 28                # of an image, in pixels
OVERSAMPLING = 4         # a glyph is drawn this much larger, then averaged
CANVAS = SIZE * OVERSAMPLING
GLYPH_SIZE = 100         # of the font on the canvas, in pixels

BATCH = 64
UNSEEN_COUNT = 1000
REQUIRED_ACCURACY = 0.97
SCALE = np.float32(1 / 255)

# The uses of random generators. Each use has its own generator, so that a
# change to one leaves the others as they are.
WEIGHTS, TRAINING, UNSEEN, EXAMPLES = range(4)

Array = np.ndarray
Parameters = dict[str, Array]
Family = list[Path]


def fail(message: str) -> NoReturn:
    """Ends the program with a line about what the user can change."""
    sys.exit(f"train.py: error: {message}")


# Rendering


def find_fonts(names: tuple[str, ...]) -> list[Family]:
    """The installed fonts of each family: those whose file name begins so."""
    fonts = sorted(FONT_FOLDER.glob("**/*.ttf"), key=lambda path: path.name)
    families = [[path for path in fonts if path.name.startswith(name)]
                for name in names]
    for name, family in zip(names, families):
        if len(family) < FONTS_IN_FAMILY:
            fail(f"{FONT_FOLDER} has {len(family)} {name} fonts, at least "
                 f"{FONTS_IN_FAMILY} are needed: install {FONT_PACKAGES}")
    return families


@functools.lru_cache(maxsize=None)
def glyph(font: Path, digit: int, stroke: int) -> Image.Image:
    """A digit in white amid a black canvas, `stroke` canvas pixels bolder."""
    canvas = Image.new("L", (CANVAS, CANVAS))
    face = ImageFont.truetype(str(font), GLYPH_SIZE)
    left, top, right, bottom = face.getbbox(str(digit), stroke_width=stroke)
    corner = ((CANVAS - left - right) / 2, (CANVAS - top - bottom) / 2)
    ImageDraw.Draw(canvas).text(corner, str(digit), fill=255, font=face,
                                stroke_width=stroke)
    return canvas


def placement(random: np.random.Generator) -> tuple[float, ...]:
    """A random map from an image's pixel to its glyph's, both on the canvas.

    Six numbers, as PIL takes them: x' = ax + by + c, y' = dx + ey + f.
    """
    height = random.uniform(0.72, 1.15)
    width = height * random.uniform(0.8, 1.15)
    angle = np.radians(random.uniform(-12, 12))
    shear = random.uniform(-0.15, 0.15)
    shift = random.uniform(-3, 3, size=2) * OVERSAMPLING
    turn = np.array([[np.cos(angle), -np.sin(angle)],
                     [np.sin(angle), np.cos(angle)]])
    forward = turn @ np.array([[1, shear], [0, 1]]) @ np.diag([width, height])
    inverse = np.linalg.inv(forward)
    centre = np.full(2, CANVAS / 2)
    offset = centre - inverse @ (centre + shift)
    return (*inverse[0], offset[0], *inverse[1], offset[1])


def render(font: Path, digit: int, random: np.random.Generator) -> Array:
    """A distorted, blurred and noisy image of a digit, uint8 [28, 28]."""
    source = glyph(font, digit, int(random.integers(0, 4)))
    image = source.transform((CANVAS, CANVAS), Image.Transform.AFFINE,
                             placement(random), Image.Resampling.BILINEAR)
    image = image.reduce(OVERSAMPLING)
    image = image.filter(ImageFilter.GaussianBlur(random.uniform(0, 0.8)))
    black = random.uniform(0, 30)
    white = random.uniform(140, 255)
    noise = random.normal(0, random.uniform(0, 16), size=(SIZE, SIZE))
    pixels = black + np.asarray(image) / 255 * (white - black) + noise
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)


def render_set(families: list[Family], count: int,
               random: np.random.Generator) -> tuple[Array, Array]:
    """Images float32 [count, 1, 28, 28] and their digits int64 [count].

    Digits take turns, so each is as frequent as any other; so, but for
    chance, are the families.
    """
    digits = np.arange(count) % CLASSES
    images = []
    for digit in digits:
        family = families[random.integers(len(families))]
        font = family[random.integers(len(family))]
        images.append(render(font, int(digit), random))
    return np.stack(images)[:, None].astype(np.float32), digits


# The network


class Trace(NamedTuple):
    """What a forward pass leaves for the backward pass."""

    columns: list[Array]     # of each convolution
    relus: list[Array]       # of each convolution
    pools: list[Array]       # of each convolution
    hidden: Array            # [N, hidden], after its relu
    probabilities: Array     # [N, 10]


def initial_parameters(random: np.random.Generator) -> Parameters:
    """Kaiming initialisation; convolutions [O, C, 3, 3], dense [O, I]."""
    shapes = {"conv1": (8, 1, 3, 3), "conv2": (16, 8, 3, 3),
              "dense1": (64, 16 * 7 * 7), "dense2": (CLASSES, 64)}
    parameters = {}
    for layer, shape in shapes.items():
        deviation = np.sqrt(2 / np.prod(shape[1:]))
        weight = random.normal(0, deviation, size=shape)
        parameters[f"{layer}_weight"] = weight.astype(np.float32)
        parameters[f"{layer}_bias"] = np.zeros(shape[0], np.float32)
    return parameters


def to_columns(x: Array) -> Array:
    """The 3x3 window around every pixel: [N, C, H, W] to [N, C * 9, H * W]."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (3, 3), axis=(2, 3))
    return windows.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * 9, h * w)


def from_columns(columns: Array, shape: tuple[int, ...]) -> Array:
    """Adds windows back to their pixels: the transpose of `to_columns`."""
    n, c, h, w = shape
    windows = columns.reshape(n, c, 3, 3, h, w)
    padded = np.zeros((n, c, h + 2, w + 2), np.float32)
    for i in range(3):
        for j in range(3):
            padded[:, :, i:i + h, j:j + w] += windows[:, :, i, j]
    return padded[:, :, 1:-1, 1:-1]


def pool_windows(x: Array) -> Array:
    """A view [N, C, H / 2, 2, W / 2, 2] of [N, C, H, W]."""
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2)


def forward(parameters: Parameters, images: Array) -> Trace:
    """Runs the network on images [N, 1, 28, 28] of pixels 0 to 255."""
    columns, relus, pools = [], [], []
    x = images * SCALE
    for layer in ("conv1", "conv2"):
        n, _, h, w = x.shape
        weight = parameters[f"{layer}_weight"]
        bias = parameters[f"{layer}_bias"]
        columns.append(to_columns(x))
        y = weight.reshape(len(weight), -1) @ columns[-1] + bias[:, None]
        relus.append(np.maximum(y, 0).reshape(n, -1, h, w))
        x = pool_windows(relus[-1]).max(axis=(3, 5))
        pools.append(x)
    hidden = x.reshape(len(x), -1) @ parameters["dense1_weight"].T
    hidden = np.maximum(hidden + parameters["dense1_bias"], 0)
    logits = hidden @ parameters["dense2_weight"].T + parameters["dense2_bias"]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = powers / powers.sum(axis=1, keepdims=True)
    return Trace(columns, relus, pools, hidden, probabilities)


def pool_backward(d_pool: Array, pool: Array, relu: Array) -> Array:
    """The gradient before relu and pooling, [N, C, H * W], from that after.

    It goes to the largest pixel of each window, if that is above zero; equal
    ones share it.
    """
    n, c, _, _ = relu.shape
    largest = pool_windows(relu) == pool[:, :, :, None, :, None]
    share = d_pool * (pool > 0) / largest.sum(axis=(3, 5), dtype=np.float32)
    return (largest * share[:, :, :, None, :, None]).reshape(n, c, -1)


def backward(parameters: Parameters, trace: Trace, digits: Array) -> Parameters:
    """The gradient of the mean cross entropy, shaped like the parameters."""
    gradient = {}
    d_logits = trace.probabilities - np.eye(CLASSES, dtype=np.float32)[digits]
    d_logits /= len(digits)
    gradient["dense2_weight"] = d_logits.T @ trace.hidden
    gradient["dense2_bias"] = d_logits.sum(axis=0)
    d_hidden = d_logits @ parameters["dense2_weight"] * (trace.hidden > 0)
    features = trace.pools[1].reshape(len(digits), -1)
    gradient["dense1_weight"] = d_hidden.T @ features
    gradient["dense1_bias"] = d_hidden.sum(axis=0)
    d_features = d_hidden @ parameters["dense1_weight"]
    d_pool = d_features.reshape(trace.pools[1].shape)
    for index, layer in ((1, "conv2"), (0, "conv1")):
        weight = parameters[f"{layer}_weight"]
        d_y = pool_backward(d_pool, trace.pools[index], trace.relus[index])
        by_image = d_y @ trace.columns[index].transpose(0, 2, 1)
        gradient[f"{layer}_weight"] = by_image.sum(axis=0).reshape(weight.shape)
        gradient[f"{layer}_bias"] = d_y.sum(axis=(0, 2))
        if layer == "conv2":
            d_columns = weight.reshape(len(weight), -1).T @ d_y
            d_pool = from_columns(d_columns, trace.pools[0].shape)
    return gradient


class Adam:
    """Adam's descent, with the usual decays of its two moments."""

    def __init__(self, parameters: Parameters) -> None:
        self.mean = {k: np.zeros_like(v) for k, v in parameters.items()}
        self.square = {k: np.zeros_like(v) for k, v in parameters.items()}
        self.steps = 0

    def step(self, parameters: Parameters, gradient: Parameters,
             rate: float) -> None:
        """Moves the parameters in place, each by about `rate`."""
        self.steps += 1
        correction = np.sqrt(1 - 0.999 ** self.steps) / (1 - 0.9 ** self.steps)
        for name, slope in gradient.items():
            self.mean[name] += 0.1 * (slope - self.mean[name])
            self.square[name] += 0.001 * (slope**2 - self.square[name])
            root = np.sqrt(self.square[name]) + 1e-8
            parameters[name] -= np.float32(rate * correction) \
                * self.mean[name] / root


def train(parameters: Parameters, families: list[Family], epochs: int,
          batches: int, random: np.random.Generator) -> None:
    """Fits the parameters in place; the rate falls from 0.002 to 0.

    Every epoch renders its own images, so that no image is seen twice: a
    network this small would learn a fixed set by heart.
    """
    adam = Adam(parameters)
    for epoch in range(epochs):
        images, digits = render_set(families, batches * BATCH, random)
        order = random.permutation(len(images)).reshape(batches, BATCH)
        loss = 0.0
        for batch, chosen in enumerate(order):
            trace = forward(parameters, images[chosen])
            gradient = backward(parameters, trace, digits[chosen])
            done = (epoch + batch / batches) / epochs
            adam.step(parameters, gradient, 0.001 * (1 + np.cos(np.pi * done)))
            right = trace.probabilities[np.arange(BATCH), digits[chosen]]
            loss -= float(np.log(right + 1e-12).mean()) / batches
        print(f"epoch {epoch + 1} of {epochs}: loss {loss:.4f}", flush=True)


# Files


def build_model(parameters: Parameters) -> onnx.ModelProto:
    """The network as ONNX, batch 1, with the scaling of pixels inside."""
    convolution = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    pooling = {"kernel_shape": [2, 2], "strides": [2, 2]}
    layers = [("Mul", "scale", {}),
              ("Conv", "conv1", convolution),
              ("Relu", "relu1", {}),
              ("MaxPool", "pool1", pooling),
              ("Conv", "conv2", convolution),
              ("Relu", "relu2", {}),
              ("MaxPool", "pool2", pooling),
              ("Flatten", "flatten", {"axis": 1}),
              ("Gemm", "dense1", {"transB": 1}),
              ("Relu", "relu3", {}),
              ("Gemm", "dense2", {"transB": 1}),
              ("Softmax", "softmax", {"axis": 1})]
    constants = {"scale_factor": np.array([SCALE]), **parameters}
    nodes, source = [], "image"
    for operator, name, options in layers:
        own = [key for key in constants if key.startswith(f"{name}_")]
        result = "probabilities" if name == "softmax" else name
        nodes.append(helper.make_node(operator, [source, *own], [result], name,
                                      **options))
        source = result
    tensor = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes, "digits",
        [tensor("image", TensorProto.FLOAT, [1, 1, SIZE, SIZE])],
        [tensor("probabilities", TensorProto.FLOAT, [1, CLASSES])],
        [numpy_helper.from_array(v, k) for k, v in constants.items()])
    model = helper.make_model(
        graph, ir_version=7, opset_imports=[helper.make_opsetid("", 13)],
        producer_name="glow",
        doc_string="Classifies a printed digit, white on black. image: one "
                   "grey image of 28x28 pixels, 0 for black to 255 for white. "
                   "probabilities: of the digits 0 to 9.")
    onnx.checker.check_model(model, full_check=True)
    return model


def write_files(folder: Path, parameters: Parameters, images: Array) -> None:
    """Writes the model and, from one image of each digit, its examples.

    The folder has its two folders, `images` and `test_data_set_0`.

    The data set is the image the model is least sure of: its probabilities
    are the furthest from 0 and 1, where a comparison would say little.
    """
    onnx.save(build_model(parameters), str(folder / "digits.onnx"))
    labels = [str(digit) for digit in range(CLASSES)]
    (folder / "labels.txt").write_text("\n".join(labels) + "\n")
    for label, image in zip(labels, images):
        picture = Image.fromarray(image[0].astype(np.uint8))
        picture.save(folder / "images" / f"{label}.png")
    probabilities = forward(parameters, images).probabilities
    least = int(probabilities.max(axis=1).argmin())
    for file, name, value in (("input_0", "image", images),
                              ("output_0", "probabilities", probabilities)):
        tensor = numpy_helper.from_array(value[least:least + 1], name)
        path = folder / "test_data_set_0" / f"{file}.pb"
        path.write_bytes(tensor.SerializeToString())


# The command


def positive(text: str) -> int:
    """An argument that is a whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number "
                                         "above 0")
    return int(text)


def parse_arguments() -> argparse.Namespace:
    """The command line, with what --quick stands for filled in."""
    own = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(
        description="make the digit classifier, its labels and its examples")
    parser.add_argument("--output", type=Path, metavar="DIR",
                        help="where to write (default: the script's folder)")
    parser.add_argument("--seed", type=positive, default=1,
                        help="of everything random (default: %(default)s)")
    parser.add_argument("--epochs", type=positive,
                        help="each of 20,480 new images (default: 12)")
    parser.add_argument("--quick", action="store_true",
                        help="a tiny training that shows the script works; "
                             "needs --output")
    arguments = parser.parse_args()
    if arguments.quick and not arguments.output:
        fail("--quick makes a poor model: --output must say where to put it")
    arguments.output = arguments.output or own
    arguments.epochs = arguments.epochs or (3 if arguments.quick else 12)
    return arguments


def main() -> None:
    """Renders, trains, measures, writes."""
    arguments = parse_arguments()

    def generator(purpose: int) -> np.random.Generator:
        return np.random.default_rng([arguments.seed, purpose])

    families = find_fonts(TRAINING_FAMILIES)
    unseen = find_fonts(UNSEEN_FAMILIES)
    for folder in ("images", "test_data_set_0"):  # fails now, not at the end
        (arguments.output / folder).mkdir(parents=True, exist_ok=True)

    start = time.monotonic()
    parameters = initial_parameters(generator(WEIGHTS))
    train(parameters, families, arguments.epochs,
          30 if arguments.quick else 320, generator(TRAINING))
    print(f"trained in {time.monotonic() - start:.0f} s")

    images, digits = render_set(unseen, UNSEEN_COUNT, generator(UNSEEN))
    found = forward(parameters, images).probabilities.argmax(axis=1)
    accuracy = float((found == digits).mean())
    print(f"accuracy on {UNSEEN_COUNT} unseen digits: {100 * accuracy:.1f} %")
    if accuracy < REQUIRED_ACCURACY and not arguments.quick:
        fail(f"accuracy {100 * accuracy:.1f} % is below "
             f"{100 * REQUIRED_ACCURACY:.0f} %, nothing is written: give more "
             "--epochs")

    examples, _ = render_set(unseen, CLASSES, generator(EXAMPLES))
    write_files(arguments.output, parameters, examples)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        fail(f"cannot use '{error.filename}': {str(error.strerror).lower()}")
