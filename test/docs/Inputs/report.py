"""What the checks of this folder have in common."""

import pathlib
import sys


def lines(root: pathlib.Path, files, suffixes):
    """Each line of the files of these suffixes: path in the tree, number, text."""
    for file in files:
        if file.suffix in suffixes and file.is_file():
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            for number, line in enumerate(text.splitlines(), 1):
                yield path, number, line


def below(root: pathlib.Path, folders):
    """All files of these folders, in order."""
    for folder in folders:
        yield from sorted((root / folder).rglob("*"))


def main(*checks):
    """Prints what the checks find in the folders that the command names; its exit
    status is 1 when they find anything."""
    folders = [pathlib.Path(argument) for argument in sys.argv[1:]]
    found = [mistake for check in checks for mistake in check(*folders)]
    if found:
        print("\n".join(found))
    sys.exit(1 if found else 0)
