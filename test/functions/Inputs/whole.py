# SPDX-License-Identifier: MIT
"""whole.py FILE BODY writes a program of C++ that prints y[0] after a body."""

import sys

with open(sys.argv[1], "w") as file:
    file.write("#include <cstdio>\n#include <glow/glow.hpp>\nint main() {\n"
               + sys.argv[2] + '\nstd::printf("%g\\n", y[0]);\n}\n')
