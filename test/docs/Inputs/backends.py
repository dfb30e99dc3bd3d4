"""Checks that nothing outside of backends/ names a backend: backends.py ROOT

Prints each line of the compiler, the runtime, the tools and the records that
has the name of a backend as a text, a flag or a target, or a file of its
folder. A comment may say what it likes.
"""

import pathlib
import re

import report

FOLDERS = ("defs", "gen", "include", "lib", "runtime", "tools", "cmake")
CODE = (".cpp", ".h", ".td", ".txt", ".cmake", ".in", ".inc", ".def")
# The reference's kernels include its header, in the tree and installed.
KERNELS = re.compile(r"GLOW_KERNEL_INCLUDE_DIR")
COMMENT = re.compile(r"(//|^ *\*|^ */\*).*|^ *# .*")


def naming(root: pathlib.Path) -> re.Pattern:
    alternatives = []
    for file in sorted((root / "backends").glob("*/CMakeLists.txt")):
        name = file.parent.name
        stems = [record.stem for record in file.parent.glob("*.td")
                 if record.stem.lower() == name.replace("_", "")]
        alternatives += [f'"{name}"', rf"=\s*{name}\b", rf"backends/{name}\b"]
        alternatives += [rf"\bGlow{stem}(?![a-z])" for stem in stems]
        alternatives += [rf"\b{stem}\.td\b" for stem in stems]
    return re.compile("|".join(alternatives))


def mistakes(root: pathlib.Path):
    named = naming(root)
    files = [root / "CMakeLists.txt", *report.below(root, FOLDERS)]
    for path, number, line in report.lines(root, files, CODE):
        found = named.search(COMMENT.sub("", line))
        if found and not KERNELS.search(line):
            yield f"{path}:{number}: names a backend: {found.group(0)}"


if __name__ == "__main__":
    report.main(mistakes)
