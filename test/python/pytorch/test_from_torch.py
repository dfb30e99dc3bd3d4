# SPDX-License-Identifier: MIT
"""glow.from_torch: modules as models."""

import numpy
import pytest
import torch
from torch import nn

import glow
from conftest import MODULES


@pytest.mark.parametrize("name", [name for name in MODULES if name != "broken"])
def test_open_batch(name):
    make, batch = MODULES[name]
    module = make().eval()
    (argument,) = ("input" if isinstance(module, nn.Sequential) else
                   "src" if name == "transformer" else
                   "ids" if name == "embedding" else "x",)
    model = glow.from_torch(module, batch(3), dynamic={argument: {0: "n"}},
                            shapes={"n": range(2, 17)}, threads=1)
    assert model.inputs[0].shape[0] == "n"
    assert "[n = 2..16," in repr(model)
    for n in (2, 16, 5):
        x = batch(n)
        numpy.testing.assert_allclose(model(x), module(x), rtol=1e-3, atol=1e-5)


def test_fixed_sizes_and_several_arguments():
    class Module(nn.Module):
        def forward(self, x, y):
            return x + y, x * y

    x, y = torch.randn(2, 3), torch.randn(3)
    model = glow.from_torch(Module(), (x, y))
    assert [info.shape for info in model.inputs] == [(2, 3), (3,)]
    total, product = model(x, y)
    numpy.testing.assert_allclose(total, x + y)
    numpy.testing.assert_allclose(product, x * y)
    with pytest.raises(glow.ShapeMismatch):
        model(torch.randn(4, 3), y)


def test_axes_of_one_name():
    class Module(nn.Module):
        def forward(self, x, y):
            return x @ y

    axes = {"x": {0: "n", 1: "k"}, "y": {0: "k"}}
    model = glow.from_torch(Module(), (torch.randn(2, 3), torch.randn(3, 4)),
                            dynamic=axes)
    assert [info.shape for info in model.inputs] == [("n", "k"), ("k", 4)]
    x, y = torch.randn(5, 6), torch.randn(6, 4)
    numpy.testing.assert_allclose(model(x, y), x @ y, rtol=1e-5, atol=1e-6)


def test_refusals():
    module, x = nn.Linear(3, 2), torch.randn(2, 3)
    for error, axes, message in (
            (glow.NotFound, {"z": {0: "n"}}, "no argument is named 'z'.*input"),
            (glow.InvalidArgument, {"input": {2: "n"}}, "axis 2 of 'input'"),
            (glow.InvalidArgument, {"input": {0: "a b"}}, "named 'a b', it should")):
        with pytest.raises(error, match=message):
            glow.from_torch(module, x, dynamic=axes)
    with pytest.raises(glow.InvalidArgument, match="argument 0 .* is int"):
        glow.from_torch(module, 3)
    with pytest.raises(glow.Unsupported, match="in place"):
        glow.from_torch(nn.BatchNorm1d(3).train(), x)
    with pytest.raises(glow.Unsupported, match="random numbers"):
        glow.from_torch(nn.Dropout().train(), x)
    with pytest.raises(glow.Unsupported, match="the exporter of PyTorch refuses"):
        class Module(nn.Module):
            def forward(self, x):
                return x if x.sum().item() > 0 else -x

        glow.from_torch(Module(), x)
    with pytest.raises(glow.Error, match="'mad'"):
        glow.from_torch(module, x, mad=1)
