# SPDX-License-Identifier: MIT
"""The networks of the benchmark of training, as modules of PyTorch."""

import torch
from torch import nn


def conv(inputs, outputs, size, stride=1, groups=1):
    return nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.body = nn.Sequential(
            conv(inputs, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(),
            conv(width, width, 3), nn.BatchNorm2d(width))
        self.shortcut = nn.Identity()
        if stride > 1 or inputs != width:
            self.shortcut = nn.Sequential(conv(inputs, width, 1, stride), nn.BatchNorm2d(width))

    def forward(self, x):
        return torch.relu(self.body(x) + self.shortcut(x))


def resnet18():
    layers = [conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage in range(4):
        for block in range(2):
            width = 64 << stage
            layers.append(BasicBlock(inputs, width, 2 if stage and not block else 1))
            inputs = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


class Bottleneck(nn.Module):
    def __init__(self, inputs, outputs, expand, stride):
        super().__init__()
        width = inputs * expand
        first = [conv(inputs, width, 1), nn.BatchNorm2d(width), nn.ReLU6()] if expand > 1 else []
        self.body = nn.Sequential(
            *first, conv(width, width, 3, stride, width), nn.BatchNorm2d(width), nn.ReLU6(),
            conv(width, outputs, 1), nn.BatchNorm2d(outputs))
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, x):
        return x + self.body(x) if self.is_residual else self.body(x)


def mobilenet_v2():
    layers = [conv(3, 32, 3, 2), nn.BatchNorm2d(32), nn.ReLU6()]
    inputs = 32
    for expand, outputs, count, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2),
                                           (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                                           (6, 320, 1, 1)]:
        for block in range(count):
            layers.append(Bottleneck(inputs, outputs, expand, stride if not block else 1))
            inputs = outputs
    return nn.Sequential(*layers, conv(320, 1280, 1), nn.BatchNorm2d(1280), nn.ReLU6(),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1280, 1000))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.columns, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.columns(x).reshape(batch, tokens, 3, self.heads, self.depth)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = torch.softmax(q @ k.transpose(-1, -2) * self.depth ** -0.5, -1)
        return self.out((scores @ v).transpose(1, 2).reshape(batch, tokens, width))


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.dense = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                   nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.dense(self.norm2(x))


class Transformer(nn.Module):
    """Four layers of width 256 on 128 tokens, of which the mean is classified."""

    def __init__(self, width=256, classes=100):
        super().__init__()
        self.layers = nn.Sequential(*[Layer(width, 4) for _ in range(4)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.norm(self.layers(x)).mean(1))


class Recurrent(nn.Module):
    """512 cells over 64 steps, of which the last one is classified."""

    def __init__(self, cells, classes=100):
        super().__init__()
        self.cells, self.head = cells(512, 512), nn.Linear(512, classes)

    def forward(self, x):
        # The first axis has the rows of the batch.
        return self.head(self.cells(x.transpose(0, 1))[0][-1])


def digits():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(1568, 64), nn.ReLU(), nn.Linear(64, 10))


# The module, and the sizes of its input.
MODELS = {
    "resnet18": (resnet18, [8, 3, 224, 224]),
    "mobilenet_v2": (mobilenet_v2, [8, 3, 224, 224]),
    "transformer": (Transformer, [8, 128, 256]),
    "lstm": (lambda: Recurrent(nn.LSTM), [8, 64, 512]),
    "gru": (lambda: Recurrent(nn.GRU), [8, 64, 512]),
    "digits": (digits, [64, 1, 28, 28]),
}
