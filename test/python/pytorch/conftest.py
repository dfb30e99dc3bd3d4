# SPDX-License-Identifier: MIT
"""Ten modules, and a backend that keeps the graphs that it compiles."""

import pytest
import torch
from torch import nn

import glow.torch


@pytest.fixture(autouse=True)
def seeded():
    """Each test has weights of its own, and compiles anew."""
    torch.manual_seed(1)
    torch._dynamo.reset()
    with torch.no_grad():
        yield


class Graphs(list):
    """The graphs that a backend has compiled."""

    def __call__(self, module, examples, **options):
        self.append(glow.torch.backend(module, examples,
                                       options={"threads": 1, **options}))
        return self[-1]

    def all_run_in_glow(self):
        return all(graph._model is not None for graph in self)


@pytest.fixture
def graphs():
    return Graphs()


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.cell = kind(6, 8, batch_first=True)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.cell(x)[0][:, -1])


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, ids):
        return self.head(self.words(ids).mean(1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 48)

    def forward(self, x):
        q, k, v = (one.unflatten(-1, (4, 4)).transpose(1, 2)
                   for one in self.project(x).chunk(3, -1))
        return nn.functional.scaled_dot_product_attention(
            q, k, v, is_causal=True).transpose(1, 2).flatten(2)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(8)
        self.second = nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        return torch.relu(x + self.second(torch.relu(self.norm(self.first(x)))))


class Broken(nn.Module):
    """Python looks at a value, at which dynamo ends the graph."""

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(5, 7), nn.Linear(7, 2)

    def forward(self, x):
        x = torch.tanh(self.one(x))
        if x.sum().item() > 1e9:
            return x
        return self.other(x)


def batch_norm():
    module = nn.Sequential(nn.Conv1d(3, 6, 3), nn.BatchNorm1d(6), nn.GELU())
    with torch.no_grad():
        module[1].running_mean.normal_()
        module[1].running_var.uniform_(0.5, 2)
    return module


def floats(*shape):
    return lambda n: torch.randn(n, *shape)


#: A module, and its input for a batch.
MODULES = {
    "mlp": (lambda: nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4),
                                  nn.Softmax(-1)), floats(10)),
    "cnn": (lambda: nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(),
                                  nn.MaxPool2d(2), nn.Conv2d(8, 16, 3),
                                  nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                                  nn.Linear(16, 5)), floats(3, 16, 16)),
    "lstm": (lambda: Recurrent(nn.LSTM), floats(7, 6)),
    "gru": (lambda: Recurrent(nn.GRU), floats(7, 6)),
    "transformer": (lambda: nn.TransformerEncoderLayer(16, 4, 32,
                                                       batch_first=True),
                    floats(6, 16)),
    "embedding": (Embedding, lambda n: torch.randint(0, 50, (n, 9))),
    "attention": (Attention, floats(6, 16)),
    "batch_norm": (batch_norm, floats(3, 12)),
    "residual": (Residual, floats(8, 10, 10)),
    "depthwise": (lambda: nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=8),
                                        nn.Conv2d(8, 12, 1), nn.Hardswish()),
                  floats(8, 9, 9)),
    "broken": (Broken, floats(5)),
}
