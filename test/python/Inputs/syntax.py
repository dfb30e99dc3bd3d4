"""Whether every module is read by the oldest Python that the package is for."""

import ast
import pathlib
import sys

files = sorted(pathlib.Path(sys.argv[1]).glob("*.py"))
for file in files:
    ast.parse(file.read_text(encoding="utf-8"), str(file),
              feature_version=(3, 9))
sys.exit(len(files) < 8)
