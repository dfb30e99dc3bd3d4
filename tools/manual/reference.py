# SPDX-License-Identifier: MIT
"""Completes the pages of the reference that the records make:

    reference.py RECORDS TESTS SAMPLES GLOW_OPT PAGES

RECORDS is the folder of those pages, SAMPLES what `glow ops --samples --json`
prints. Before the operands of a node or an instruction stands a sample of it as
text, and at the end of a pass the first case of its test, of the folder TESTS,
before and after: so neither can be something that is not so.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

HEADING = re.compile(r"^#{1,4} .*$", re.MULTILINE)
CHECK = re.compile(r"\s*// ?[A-Z][A-Z0-9_-]*:")
EXPECTED = re.compile(r"^\s*// expected-(error|note)", re.MULTILINE)
STORAGE = re.compile(r"glow\.(?:placeholder|constant) @(\w+)")


def sections(page: str):
    """A page in pieces, each from one heading to the next."""
    starts = [0] + [heading.start() for heading in HEADING.finditer(page)]
    return [page[start:end] for start, end in zip(starts, starts[1:] + [None])]


def samples_of(path: str) -> dict:
    """The texts of nodes and instructions, by their names."""
    texts = {}
    with open(path, encoding="utf-8") as file:
        for sample in json.load(file):
            texts[sample["node"]] = sample["text"]
            for line in sample["instructions"]:
                texts.setdefault(line.split("= ", 1)[-1].split()[0], line)
    return texts


def with_samples(page: str, texts: dict) -> str:
    """Puts each sample before the table of its section."""
    done = []
    for section in sections(page):
        named = re.match(r"### `([\w.]+)`", section)
        table = section.find("\n| | name")
        if named and named[1] in texts and table >= 0:
            block = f"\n```mlir\n{texts[named[1]]}\n```\n"
            section = section[:table] + block + section[table:]
        done.append(section)
    return "".join(done)


def test_of(flag: str, tests: pathlib.Path):
    """The test of a pass is called as it is, or as it is in its backend's folder."""
    name = flag.replace("-", "_")
    for path in sorted(tests.glob("*/*.mlir")):
        if path.stem == name or f"{path.parent.name}_{path.stem}" == name:
            return path
    return None


def first_case(text: str, refused: bool) -> str:
    """The first function of a test with all that it calls, or the first case that is refused,
    without comments for the test's tools, and without storage that nothing in it names."""
    cases = text.split("// -----\n")
    if refused:
        case = next(case for case in cases if EXPECTED.search(case))
    elif " takes [" in cases[0]:
        case = cases[0]
    else:
        case = re.match(r".*?func.*?\n}\n", cases[0], re.DOTALL)[0]
    lines = [line for line in case.splitlines()
             if not CHECK.match(line) and not EXPECTED.match(line)]
    storage = [line for line in lines if STORAGE.match(line)]
    rest = "\n".join(line for line in lines if line not in storage)
    used = [line for line in storage
            if re.search(rf"@{STORAGE.match(line)[1]}\b", rest)]
    return "\n".join(line for line in lines
                     if line not in storage or line in used).strip() + "\n"


def command_of(text: str):
    """The flags of the first RUN line, and whether it expects to be refused."""
    line = re.search(r"// RUN: glow-opt (.*)", text)[1].split("|")[0]
    flags = shlex.split(line)
    refused = "--verify-diagnostics" in flags and bool(EXPECTED.search(text))
    for own in ("%s", "--verify-diagnostics", "--split-input-file"):
        if own in flags:
            flags.remove(own)
    return flags, refused


def unwrapped(module: str) -> str:
    """What is in a module, without the words around it."""
    inside = re.fullmatch(r"\s*module \{\n(.*)\n\}\s*", module, re.DOTALL)
    if not inside:
        return module.strip()
    return re.sub(r"^  ", "", inside[1], flags=re.MULTILINE)


def example_of(test: pathlib.Path, glow_opt: str) -> str:
    text = test.read_text(encoding="utf-8")
    flags, refused = command_of(text)
    case = first_case(text, refused)
    ran = subprocess.run([glow_opt, *flags, "-"], input=case, text=True,
                         capture_output=True, check=False)
    command = shlex.join(["glow-opt", *flags])
    if bool(ran.returncode) != refused:
        sys.exit(f"{test}: exit status {ran.returncode} of {command} on\n{case}"
                 f"{ran.stderr}")
    block = f"```mlir\n{case}```\n\n"
    if not refused:
        return (f"{block}`{command}` makes of it\n\n```mlir\n"
                f"{unwrapped(ran.stdout)}\n```\n")
    said = re.findall(r"error: .*", ran.stderr)
    return f"{block}`{command}` says\n\n```\n" + "\n".join(said) + "\n```\n"


def with_examples(page: str, tests: pathlib.Path, glow_opt: str) -> str:
    """Puts an example at the end of each pass whose test shows one."""
    done, example = [], ""
    for section in sections(page):
        named = re.match(r"### `-([\w-]+)`", section)
        if named or not section.startswith("####"):
            done.append(example)
            test = test_of(named[1], tests) if named else None
            example = example_of(test, glow_opt) if test else ""
        done.append(section.rstrip("\n") + "\n")
    return "\n".join(text for text in done + [example] if text)


def main() -> None:
    records, tests, samples, glow_opt, pages = sys.argv[1:]
    texts = samples_of(samples)
    for path in sorted(pathlib.Path(records).glob("*.md")):
        page = path.read_text(encoding="utf-8")
        if path.stem == "Passes":
            page = "# Passes\n\n" + with_examples(page, pathlib.Path(tests), glow_opt)
        else:
            page = with_samples(page, texts)
        (pathlib.Path(pages) / path.name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
