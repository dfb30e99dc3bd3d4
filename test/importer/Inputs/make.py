#!/usr/bin/env python3
"""Writes the models of these tests: make.py CASE FILE.

A case is a function of a module in `models`. Models are small, so that a test
shows one thing. Python's checker is not asked: most of these it would refuse.
"""

import sys

from models import files, functions, graphs, operators, right, tensors


def main():
    case, path = sys.argv[1:]
    module, = (m for m in (files, functions, graphs, operators, right, tensors)
               if case in vars(m) and vars(m)[case].__module__ == m.__name__)
    made = vars(module)[case]()
    with open(path, "wb") as file:
        file.write(made if isinstance(made, bytes)
                   else made.SerializeToString())


main()
