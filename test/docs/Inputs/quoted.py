"""What a page quotes is in the sources:

    quoted.py SOURCES PAGE...

The lines of a `td` block are in a file of records, and the messages of a paragraph
that begins with "Error" are in ClassGen, where each `…` stands for a part.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"```td\n(.*?)```", re.DOTALL)
ERRORS = re.compile(r"^Errors?: .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
UNREAD = re.compile(r"^\s*//.*$|'\"'", re.MULTILINE)


def words(text: str) -> str:
    return " ".join(text.split())


def without_breaks(text: str) -> str:
    """Lines of records, which may be broken elsewhere, also within a text."""
    return "".join(re.sub(r'(?<=[^\\])"\s*\n\s*"(?=[^"])', "", text).split())


def read(sources: pathlib.Path, folders: tuple, ending: str):
    for folder in folders:
        for path in sorted((sources / folder).rglob(f"*{ending}")):
            yield path.read_text(encoding="utf-8")


def main() -> None:
    sources, *pages = map(pathlib.Path, sys.argv[1:])
    records = "\n".join(read(sources, ("defs", "backends", "docs/examples"), ".td"))
    records = without_breaks(records)
    # A message is made of several literals, with names between them.
    messages = "\n".join("".join(LITERAL.findall(UNREAD.sub("", code))).replace('\\"', '"')
                         for code in read(sources, ("gen",), ".cpp"))
    missing, count = [], 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.findall(text):
            count += 1
            if without_breaks(block) not in records:
                missing.append(f"{page.name}: no record has these lines:\n{block}")
        for paragraph in ERRORS.findall(text):
            for message in re.findall(r"`([^`]+)`", words(paragraph)):
                count += 1
                missing += [f"{page.name}: no message has '{part.strip()}'"
                            for part in message.split("…") if part.strip() not in messages]
    if missing or count < 20:
        sys.exit("\n".join(missing) or f"only {count} quotations")


if __name__ == "__main__":
    main()
