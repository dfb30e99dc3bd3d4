"""Checks the pages themselves: checked.py SOURCES.

Every page with code blocks is followed by a test, no link or path on a page leads
nowhere, the glossary is in alphabetical order, and the changelog begins with the version
that is built and has a section for each version that the page on versions names.
"""

import pathlib
import re

import report

# Paths that the build makes, and placeholder names.
ELSEWHERE = re.compile(r"^build/|[A-Z]{4,}|\*|(^|/)(bell|chip|pass|mychip)\b")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def pages(root: pathlib.Path):
    yield from sorted(root.glob("*.md"))
    for folder in ("docs", "backends"):
        yield from sorted((root / folder).rglob("*.md"))


def exists(root: pathlib.Path, page: pathlib.Path, name: str) -> bool:
    return any((base / name).exists() for base in
               (root, page.parent, root / "include", root / "backends"))


def mistakes(root: pathlib.Path):
    tests = "\n".join(test.read_text() for test in
                      (root / "test").rglob("*.test"))
    for page in pages(root):
        text, name = page.read_text(), page.relative_to(root).as_posix()
        if "```" in text and f"%source/{name}" not in tests:
            yield f"{name}: has code that no test follows"
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for path in PATH.findall(prose) + LINK.findall(prose):
            if not ELSEWHERE.search(path) and not exists(root, page, path):
                yield f"{name}: there is no {path}"
    rows = re.findall(r"^\| (.+?) \|", (root / "docs/Glossary.md").read_text(),
                      re.MULTILINE)[1:]
    if rows != sorted(rows, key=str.lower):
        yield "docs/Glossary.md: is not in alphabetical order"
    yield from versions(root)


def versions(root: pathlib.Path):
    sections = re.findall(r"^## (\d+\.\d+)\.\d+$", (root / "CHANGELOG.md").read_text(),
                          re.MULTILINE)
    built = re.search(r"project\(Glow VERSION (\d+\.\d+)",
                      (root / "CMakeLists.txt").read_text()).group(1)
    if sections[:1] != [built]:
        yield f"CHANGELOG.md: begins with {sections[:1]}, and {built} is built"
    named = re.findall(r"\| from (\d+\.\d+) on \|", (root / "docs/Versions.md").read_text())
    for version in named:
        if version not in sections:
            yield f"CHANGELOG.md: has no section for {version}, which docs/Versions.md names"


if __name__ == "__main__":
    report.main(mistakes)
