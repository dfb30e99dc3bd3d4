"""Checks that no folder holds many source files: folders.py SOURCES MOST [EXCEPTION...].

Prints each folder with more than MOST source files. The exception FOLDER=NUMBER allows
NUMBER of them; a NUMBER above the count is a mistake, so that it falls with the files.
"""

import collections
import pathlib

import report

TOPS = ("backends", "cmake", "defs", "docs", "gen", "include", "lib", "python", "runtime",
        "test", "tools")
SOURCES = (".c", ".cc", ".cpp", ".def", ".h", ".hpp", ".in", ".inc", ".loops", ".mlir",
           ".proto", ".py", ".sh", ".td", ".test")


def counted(root: pathlib.Path):
    """The number of source files of each folder, without those of its sub-folders."""
    return collections.Counter(
        file.parent.relative_to(root).as_posix() for file in report.below(root, TOPS)
        if file.suffix in SOURCES and file.is_file())


def wrong_exceptions(counts, most: int, exceptions):
    for folder, number in exceptions.items():
        count = counts[folder]
        if count <= most:
            yield f"{folder}: {count} source files need no exception: remove it"
        elif count != int(number):
            change = "divide it" if count > int(number) else "write the smaller number"
            yield f"{folder}: {count} source files, and {number} are allowed: {change}"


def mistakes(root: pathlib.Path, most: pathlib.Path, *words: pathlib.Path):
    counts, limit = counted(root), int(most.name)
    exceptions = dict(word.as_posix().rsplit("=", 1) for word in words)
    if not counts:
        yield f"there are no source files in {root}"
    for folder, count in sorted(counts.items()):
        if count > limit and folder not in exceptions:
            yield (f"{folder}: {count} source files, but should have at most {limit}: "
                   "divide it into sub-folders")
    yield from wrong_exceptions(counts, limit, exceptions)


if __name__ == "__main__":
    report.main(mistakes)
