# SPDX-License-Identifier: MIT
"""Writes Caffe2 nets, as protobuf messages and as their text."""
