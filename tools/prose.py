#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts sentences of comments and pages that are hard to read.

    prose.py PATH...               one line of counts for each path
    prose.py --list N PATH...      also the first N such sentences of each path
    prose.py --budget FILE ROOT    each folder of FILE against its numbers

Three counts, as shares of all sentences of four words or more:

  head      The sentence begins with a pronoun or preposition in the place of its noun:
            "What ...", "Those that ...", "Of these ...".
  pronouns  At least three words of ten are pronouns.
  private   A word of this project where the field has its own ("room" for a phase).

Sentences are those of `//` and `#` comments that stand on lines of their own, of `///<`
comments, and of the prose of Markdown outside of tables, headings and code blocks.

A budget (`tools/budget.txt`) has a line `FOLDER LINES HEAD PRONOUNS PRIVATE` for each
folder. A folder with more sentences of a kind fails, and so does a number above 1 % of
the sentences (head) or 0.5 % (pronouns).
"""

import argparse
import pathlib
import re
import sys

KINDS = ("head", "pronouns", "private")
SHARES = {"head": 0.01, "pronouns": 0.005}

HEAD = re.compile(
    r"(what(ever)?|those|whose|such|none|ones|wh(ich|om?)|where there|that (which|of)"
    r"|one (that|of|which)|of (these|those|them|the|what|it|all|each|which|an?|one|some|several)"
    r"|how (much|many|far|often|it|they)|as (it|they) (is|are|was|were)|it is (said|told|known)"
    r"|all (of )?(these|those|that|which)|both (of )?(these|those)"
    r"|(in|to|from|by|for|with|behind|before) (these|those|which|what|it|them))\b", re.I)

PRONOUNS = frozenset(
    "what that those which it its them they this these one ones there such whose none nothing "
    "each itself themselves whatever".split())

PRIVATE = re.compile("|".join((
    r"\b(rooms?|doors?|house|truths?|films?|meant|patrols?|hope(less)?)\b",
    r"\b(is|are) (said|told)\b", r"\bsays? (that|which|what)\b", r"\bby chance\b",
    r"\bwhat nothing comes to\b", r"\bleads? (parts|the model|them)\b", r"\bgives? back nodes?\b",
    r"\bturns of\b", r"\bplaces? (of|that) (an? |the )?(tensor|statement)", r"\bchips? that")), re.I)

MARKS = {**dict.fromkeys((".cpp", ".h", ".hpp", ".td", ".def", ".c", ".proto"), "//"),
         **dict.fromkeys((".py", ".cmake", ".sh", ".txt"), "#")}


def paragraphs_of_comments(lines, mark: str):
    """Text of each run of comment lines, and of each comment behind a member."""
    paragraph = []
    for line in map(str.strip, lines):
        text = ""
        if line.startswith(mark):
            text = re.sub(r"^(///?<?|#+)\s?", "", line)
            banner = text.startswith(("===", "---", "!", "-*-")) or re.match(r"\S+ - .*===//$", text)
            text = "" if banner or text.startswith("SPDX-") else re.sub(r"-\*-.*|={3,}.*|-{4,}.*", "", text).strip()
        elif mark == "//" and "///<" in line:
            yield line.split("///<", 1)[1]
        if text:
            paragraph.append(text)
        elif paragraph:
            yield " ".join(paragraph)
            paragraph = []
    yield " ".join(paragraph)


def paragraphs_of_page(lines):
    """Text of each paragraph and list of a Markdown page."""
    paragraph, fenced = [], False
    for line in map(str.strip, lines):
        fence = line.startswith("```")
        fenced ^= fence
        if fenced or fence or not line or line[0] in "|#<" or re.fullmatch(r"[-*]{3,}", line):
            yield " ".join(paragraph)
            paragraph = []
        else:
            paragraph.append(re.sub(r"^([-*+]|\d+\.)\s+", "", line))
    yield " ".join(paragraph)


def sentences(path: pathlib.Path):
    lines = path.read_text(encoding="utf8", errors="replace").split("\n")
    if path.suffix == ".md":
        paragraphs = paragraphs_of_page(lines)
    elif path.suffix in MARKS:
        paragraphs = paragraphs_of_comments(lines, MARKS[path.suffix])
    else:
        return
    for paragraph in paragraphs:
        for sentence in re.findall(r"[^.!?;]+[.!?;]?", re.sub(r"`[^`]*`", "CODE", paragraph)):
            sentence = sentence.strip(" *_")
            if len(re.findall(r"[A-Za-z]+", sentence)) >= 4:
                yield sentence


def kinds(sentence: str):
    words = re.findall(r"[A-Za-z']+", sentence.lower())
    if HEAD.match(sentence.strip("*_(\"' ")):
        yield "head"
    if len(words) >= 6 and sum(word in PRONOUNS for word in words) >= 0.3 * len(words):
        yield "pronouns"
    if PRIVATE.search(sentence):
        yield "private"


def files(path: pathlib.Path):
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and not any(
        part.startswith((".", "build")) for part in file.relative_to(path).parts))


def count(path: pathlib.Path):
    """Number of sentences, count of each kind, and the sentences with their kinds."""
    total, counts, listed = 0, dict.fromkeys(KINDS, 0), []
    for file in files(path):
        for sentence in sentences(file):
            total += 1
            found = list(kinds(sentence))
            for kind in found:
                counts[kind] += 1
            if found:
                listed.append(f"{file}: {'+'.join(found)}: {sentence}")
    return total, counts, listed


def report(path: pathlib.Path, limit: int) -> None:
    total, counts, listed = count(path)
    print(*listed[:limit], sep="\n", end="\n" if limit and listed else "")
    shares = (f"{kind} {number} ({100 * number / max(total, 1):.1f} %)" for kind, number in counts.items())
    print(f"{path}: {total} sentences, {', '.join(shares)}")


def judge(budget: pathlib.Path, root: pathlib.Path) -> bool:
    """Prints each number above its budget, and each budget above its share."""
    good = True
    for line in budget.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        folder, _, *numbers = line.split()
        total, counts, listed = count(root / folder)
        for kind, allowed in zip(KINDS, map(int, numbers), strict=True):
            if counts[kind] > allowed:
                print(f"{folder}: {counts[kind]} sentences of the kind '{kind}', at most {allowed} are allowed:")
                print(*(text for text in listed if kind in text.split(": ", 2)[1].split("+")), sep="\n")
                good = False
            if allowed > SHARES.get(kind, 1) * total:
                print(f"{budget}: {folder}: {allowed} of {total} sentences of the kind '{kind}' are "
                      f"more than {100 * SHARES[kind]:.1f} %")
                good = False
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=int, default=0, metavar="N")
    parser.add_argument("--budget", type=pathlib.Path, metavar="FILE")
    parser.add_argument("paths", nargs="+", type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    if options.budget:
        return not all([judge(options.budget, root) for root in options.paths])
    for path in options.paths:
        report(path, options.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
