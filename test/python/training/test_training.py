# SPDX-License-Identifier: MIT
"""Training from Python: by epochs, by steps, and what is refused."""

import os
import subprocess

import numpy
import pytest

import glow

FOLDER = os.environ["DIGITS"]
MODEL = os.path.join(FOLDER, "start.onnx")
HOW = {"optimizer": "adam", "rate": 0.003, "batch": 32, "seed": 3, "threads": 1}


@pytest.fixture(name="rows")
def fixture_rows():
    return [numpy.load(os.path.join(FOLDER, name)) for name in ("images.npy", "labels.npy")]


def test_trains_as_the_command(rows, tmp_path):
    curve = glow.train(MODEL, *rows, tmp_path / "a.onnx", epochs=3, validation=0.2, **HOW)
    assert [epoch.epoch for epoch in curve] == [1, 2, 3]
    assert curve[2].loss < curve[0].loss and curve[2].validation_accuracy > 0.5
    words = [f"--{name}={value}" for name, value in HOW.items()]
    subprocess.run(["glow", "-q", "train", MODEL, "--data", os.path.join(FOLDER, "images.npy"),
                    "--labels", os.path.join(FOLDER, "labels.npy"), "--epochs=3",
                    "--validation=0.2", *words, "-o", str(tmp_path / "b.onnx")], check=True)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()


def test_takes_files_and_names(rows, tmp_path):
    labels = os.path.join(FOLDER, "labels.npy")
    for data in ({"image": os.path.join(FOLDER, "images.npy")}, os.path.join(FOLDER, "images.npy")):
        curve = glow.train(MODEL, data, labels, tmp_path / "files.onnx", epochs=1, **HOW)
        assert curve[0].validation_loss is None
    glow.train(MODEL, {"image": rows[0]}, rows[1], tmp_path / "arrays.onnx", epochs=1, **HOW)
    assert (tmp_path / "files.onnx").read_bytes() == (tmp_path / "arrays.onnx").read_bytes()


def test_steps_follow_their_rows(rows, tmp_path):
    images, labels = rows
    trainer = glow.Trainer(MODEL, images, labels, **HOW)
    losses = [trainer.step(images[:32], labels[:32], 0.003) for _ in range(20)]
    assert losses[-1] < losses[0] / 2
    # Fewer rows than a batch, of another kind, and not dense.
    last = trainer.step(images[:64:4].astype("float64"), labels[:64:4].astype("int8"), 0.0)
    assert last == pytest.approx(trainer.step(images[:64:4], labels[:64:4], 0.0), rel=1e-6)
    trainer.save(tmp_path / "steps.onnx")
    model = glow.load(tmp_path / "steps.onnx")
    found = [int(model(image[None]).argmax()) for image in images[:32]]
    assert (numpy.array(found) == labels[:32]).mean() > 0.9


def test_ends_when_asked(rows):
    trainer = glow.Trainer(MODEL, *rows, epochs=5, **HOW)
    assert len(trainer.run(lambda epoch: epoch.epoch < 2)) == 2

    def fail(epoch):
        raise KeyError(epoch.epoch)

    with pytest.raises(KeyError):
        glow.Trainer(MODEL, *rows, epochs=5, **HOW).run(fail)


@pytest.mark.parametrize("how, kind, message", [
    ({"optimiser": "adam"}, glow.NotFound, "no word of a training is named 'optimiser'; there are: data"),
    ({"optimizer": "best"}, glow.InvalidArgument,
     "'optimizer' is 'best', it should be one of sgd, momentum"),
    ({"epochs": 0}, glow.InvalidArgument, "'epochs' is '0', it should be a number from 1 to"),
    ({"trainable": ["head.*"]}, glow.Error, "no constant that can be trained matches 'head.*'")])
def test_refuses_words(rows, how, kind, message):
    with pytest.raises(kind) as error:
        glow.Trainer(MODEL, *rows, **how)
    assert message in str(error.value)


def test_refuses_rows(rows, tmp_path):
    images, labels = rows
    with pytest.raises(glow.ShapeMismatch) as error:
        glow.Trainer(MODEL, images, labels[:10])
    assert "'image' has 1200 rows, and the labels 'labels' have 10" in str(error.value)
    with pytest.raises(glow.NotFound) as error:
        glow.Trainer(MODEL, {"picture": images}, labels)
    assert "the model has no input named 'picture'; there are: 'image'" in str(error.value)
    with pytest.raises(glow.InvalidArgument) as error:
        glow.Trainer(MODEL, images, os.path.join(FOLDER, "labels.npy"))
    assert "all arrays or all files" in str(error.value)
    with pytest.raises(glow.InvalidArgument) as error:
        glow.Trainer(MODEL, images.astype("complex64"), labels)
    assert "complex64" in str(error.value)
    with pytest.raises(glow.InvalidArgument) as error:
        glow.Trainer(MODEL, images, labels + 5)
    assert "is no class: those are 0 to 9" in str(error.value)
    trainer = glow.Trainer(MODEL, images, labels, batch=8)
    with pytest.raises(glow.ShapeMismatch) as error:
        trainer.step(images[:9], labels[:9], 0.1)
    assert "the step has 9 rows, and a batch at most 8" in str(error.value)
    bad = images[:8].copy()
    bad[0, 0, 0, 0] = numpy.nan
    with pytest.raises(glow.InvalidArgument) as error:
        trainer.step(bad, labels[:8], 0.1)
    assert "the loss is NaN in step 1" in str(error.value)
    with pytest.raises(glow.Error):
        trainer.save(tmp_path / "absent" / "x.onnx")
