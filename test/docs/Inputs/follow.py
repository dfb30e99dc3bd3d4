"""Does what a page says, as a reader would, in a folder: follow.py PAGE FOLDER

A block after a line that ends in "`name`:" is a file of that name; if the line
says "add to", it goes to the end of the file. A block of `shell` is run, with
what earlier blocks exported, and a block of `text` after it holds lines that it
must print, in this order; `...` stands for anything. A block of `sh` takes too
long for a test, or needs what is not there: the scripts that it names by their
paths must be. No other block may be on a page.
"""

import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n?```(?P<kind>\w+)\n(?P<text>.*?)```",
                   re.DOTALL)
FILE = re.compile(r"`([^`]+)`:$")


def write(name: str, more: bool, text: str, folder: pathlib.Path) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a" if more else "w", encoding="utf-8") as file:
        file.write(("\n" if more else "") + text)


def run(text: str, folder: pathlib.Path) -> str:
    """Runs one block; exports go from block to block through a file."""
    exports = folder / ".exports"
    script = f". {exports}\nset -eu -o pipefail\n{text}\nexport -p >{exports}\n"
    exports.touch()
    done = subprocess.run(["bash", "-c", script], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode:
        sys.exit(f"exit status {done.returncode} of\n{text}\n{done.stdout}")
    return done.stdout


def expect(wanted: str, printed: str) -> None:
    rest = printed.splitlines()
    for line in wanted.splitlines():
        parts = [re.escape(part.strip()) for part in line.split("...")]
        pattern = re.compile(r"\s*" + ".*".join(parts) + r"\s*$")
        while rest and not pattern.match(rest[0]):
            rest.pop(0)
        if not rest:
            sys.exit(f"nothing prints '{line}' in\n{printed}")
        rest.pop(0)


def check_scripts(text: str, folder: pathlib.Path) -> None:
    for line in text.splitlines():
        name = line.split()[0]
        if "/" not in name:
            continue
        if not os.access(folder / name, os.X_OK):
            sys.exit(f"there is no program {name}")
        if name.endswith(".sh"):
            subprocess.run(["bash", "-n", folder / name], check=True)


def follow(page: str, folder: pathlib.Path) -> int:
    printed, steps = "", 0
    for block in BLOCK.finditer(page):
        kind, text = block["kind"], block["text"]
        named = FILE.search(block["before"])
        if named:
            write(named[1], "add to" in block["before"].lower(), text, folder)
        elif kind == "shell":
            printed = run(text, folder)
        elif kind == "text":
            expect(text, printed)
        elif kind == "sh":
            check_scripts(text, folder)
        else:
            sys.exit(f"nothing is done with this block of {kind}:\n{text}")
        steps += 1
    if steps != page.count("```") // 2:
        sys.exit(f"{page.count('```') // 2} blocks, but {steps} were done")
    return steps


def main() -> None:
    folder = pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    with open(sys.argv[1], encoding="utf-8") as page:
        steps = follow(page.read(), folder)
    print(f"{steps} blocks done")


if __name__ == "__main__":
    main()
