"""Raw tensors for C programs.

  raw.py make FILE COUNT           writes COUNT floats between 0 and 1
  raw.py same FILE NPY [ABSOLUTE]  checks that FILE has the elements of NPY
"""

import sys

import numpy


def main() -> int:
    command, path, argument = sys.argv[1:4]
    if command == "make":
        numpy.random.default_rng(7).random(int(argument), "f").tofile(path)
        return 0
    expected = numpy.load(argument)
    actual = numpy.fromfile(path, expected.dtype)
    allowed = float(sys.argv[4]) if len(sys.argv) > 4 else 1e-5
    if actual.size != expected.size:
        print(f"{path} has {actual.size} elements, not {expected.size}")
        return 1
    difference = numpy.abs(actual - expected.ravel()).max()
    print(f"largest difference {difference:.3g} of values up to "
          f"{numpy.abs(expected).max():.3g}")
    return 0 if difference <= allowed and numpy.abs(expected).max() > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
