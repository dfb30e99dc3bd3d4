# SPDX-License-Identifier: MIT
"""Files that are no models, or not whole."""

import numpy

from .build import add_weight, array
from .right import relu


def truncated():
    """Ends in the shape of the input, as a broken download may."""
    return relu().SerializeToString()[:60]


def truncated_weight():
    return add_weight(array("w", range(1000))).SerializeToString()[:1500]


def longer_than_its_message():
    """A graph of three bytes, in which a node says that it has a hundred."""
    return b"\x3a\x03\x0a\x64\x0a" + b"\x08\x08" * 60


def random_bytes():
    return numpy.random.RandomState(7).bytes(5000)


def too_deep():
    """A graph in an attribute of a node of a graph, and so on."""
    def field(number, content):
        length = len(content)
        size = b""
        while length > 127:
            size += bytes([length & 127 | 128])
            length >>= 7
        return bytes([number << 3 | 2]) + size + bytes([length]) + content

    graph = b""
    for _ in range(200):
        graph = field(1, field(5, field(6, graph)))
    return field(7, graph)


def empty():
    return b""


def text():
    return b"<html><body>no model here</body></html>"


def pointer():
    return b"version https://git-lfs.github.com/spec/v1\n"


def no_graph():
    return b"\x08\x08"
