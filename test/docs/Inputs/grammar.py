"""Reads the texts of records by the grammar on a page:

    grammar.py PAGE RECORDS

RECORDS is what `llvm-tblgen --dump-json` prints. Every text must follow the rule for its
field, and none of the wrong texts below may. Rules are tried from left to right, and a
choice takes the first alternative that fits.
"""

import json
import re
import sys

TOKEN = re.compile(r"""\s+|//[^\n]*|(?P<STRING>"[^"]*")|(?P<WORD>(?:arg)?(?:max|min)=|(?:mean|or|and)=)(?![=>])
    |(?P<NAME>[A-Za-z_](?:\w|\.(?=[A-Za-z]))*)|(?P<NUMBER>\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d*)?)
    |(?P<SIGN>\.\.\.|\.\.|[+*=!<>]=|=>|&&|\|\||[^\s\w])""", re.VERBOSE)
PART = re.compile(r'"[^"]*"|[A-Za-z]+|[][{}()|;=]')
# The rule for each field, by the class that declares it.
FIELDS = {
    "Node": {"inputs": "signature", "outputs": "signature", "scratch": "signature",
             "formula": "expression", "compute": "notation", "lowering": "body",
             "gradient": "body", "irgen": "body", "permuted": "body", "sampleValues": "values"},
    "Instr": {"shapes": "signature", "cost": "expression"},
    "Scratch": {"signature": "signature"},
    "Require": {"condition": "expression"},
    "Sample": {"operands": "operands", "attributes": "values"},
    "Lowering": {"body": "body", "condition": "expression"},
    "Rewrite": {"equation": "equation", "condition": "expression", "operands": "operands",
                "values": "values"},
    "PatternSample": {"body": "body", "operands": "operands"},
    "Gradient": {"body": "body"},
    "OnnxImport": {"body": "body", "written": "expression"},
    "Let": {"body": "function"},
    "ScalarFunction": {"derivatives": "expression"},
    "Legal": {"condition": "expression"},
    "CodeFor": {"condition": "expression"},
    "Tiling": {"cost": "expression"},
    "Need": {"bytes": "expression"},
    "Cut": {"size": "expression"},
}
WRONG = [("expression", text) for text in
         ("", "a +", "a b", "f(", "[a,", "f(x:)", "*a", "a => b", "[x for x]", "1..2")]
WRONG += [("signature", text) for text in ("T", "T[n", "T[n]?...", "T[*x:1..]", "[n]")]
WRONG += [("notation", text) for text in
          ("out[n]", "out[n] += a[n] over", "out[n] = a[n] where n", "a[n], b[n] = c[n]",
           "scan t { out[t] = a[t]; }", "scan t from 1 { out[t] = a[t]; }",
           "scan t from 0 { scan s from 0 { out[t] = a[t]; } }", "for i in x { out[i] = 0; }")]
WRONG += [("body", text) for text in
          ("a += b", "a[i] = b", "a = b c = d", "for x in { a = x; }", "a", "a = b else c")]
WRONG += [("operands", text) for text in ("f32", "f32[n]", "f32[2] in 1", "f32[2] f32[2]")]
WRONG += [("equation", "a"), ("values", "a"), ("values", "a, b = c")]


def rules_of(page: str) -> dict:
    """Each rule as nested lists: a choice of sequences."""
    rules = {}
    for block in re.findall(r"```ebnf\n(.*?)```", page, re.DOTALL):
        parts = PART.findall(block)
        while parts:
            name, _ = parts.pop(0), parts.pop(0)
            rules[name] = choice(parts)
            if parts.pop(0) != ";":
                sys.exit(f"rule '{name}' has no end")
    return rules


def choice(parts: list) -> tuple:
    sequences = [[]]
    while parts[0] not in "])};":
        part = parts.pop(0)
        if part == "|":
            sequences.append([])
        elif part in "[({":
            sequences[-1].append((part, choice(parts)))
            parts.pop(0)
        else:
            sequences[-1].append(part)
    return tuple(map(tuple, sequences))


class Reader:
    """One text; `match` gives the number of the token behind a part, or None."""

    def __init__(self, rules: dict, text: str):
        self.rules, self.known = rules, {}
        self.tokens = [(found.lastgroup, found[0])
                       for found in TOKEN.finditer(text) if found.lastgroup]

    def fits(self, rule: str) -> bool:
        return any(self.sequence(one, 0) == len(self.tokens) for one in self.rules[rule])

    def sequence(self, parts: tuple, at):
        for part in parts:
            at = self.match(part, at)
            if at is None:
                return None
        return at

    def choose(self, sequences: tuple, at: int):
        for one in sequences:
            end = self.sequence(one, at)
            if end is not None:
                return end
        return None

    def match(self, part, at: int):
        if isinstance(part, tuple):
            return self.group(part, at)
        if part in self.rules:
            if (part, at) not in self.known:
                self.known[part, at] = self.choose(self.rules[part], at)
            return self.known[part, at]
        if at == len(self.tokens):
            return None
        kind, token = self.tokens[at]
        if part == "INTEGER":
            fits = token.isdigit()
        else:
            fits = part in (kind, f'"{token}"')
        return at + 1 if fits else None

    def group(self, part: tuple, at: int):
        kind, sequences = part
        end = self.choose(sequences, at)
        if kind == "(":
            return end
        while kind == "{" and end is not None:
            at, end = end, self.choose(sequences, end)
        return at if end is None else end


def texts_of(records: dict):
    """The rule and the text of each field that has one, with a name for messages."""
    for name, record in records.items():
        for of in record.get("!superclasses", ()) if isinstance(record, dict) else ():
            for field, rule in FIELDS.get(of, {}).items():
                value = record[field]
                if isinstance(value, dict):
                    value = [argument[0] for argument in value["args"]]
                for text in value if isinstance(value, list) else [value]:
                    # An operand of a Pointwise record may be a kind alone.
                    if text and text.strip() and not (rule == "signature" and "[" not in text):
                        yield rule, text, f"{field} of {name}"


def main() -> None:
    sys.setrecursionlimit(20000)
    with open(sys.argv[1], encoding="utf-8") as page:
        rules = rules_of(page.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        texts = list(texts_of(json.load(file)))
    wrong = [f"{where} is not read as '{rule}': {text}" for rule, text, where in texts
             if not Reader(rules, text).fits(rule)]
    wrong += [f"'{text}' is read as '{rule}'" for rule, text in WRONG
              if Reader(rules, text).fits(rule)]
    unread = {rule for fields in FIELDS.values() for rule in fields.values()}
    unread -= {rule for rule, _, _ in texts}
    if wrong or unread:
        sys.exit("\n".join(wrong + [f"no text is a {rule}" for rule in sorted(unread)]))
    print(f"{len(texts)} texts follow {len(rules)} rules")


if __name__ == "__main__":
    main()
