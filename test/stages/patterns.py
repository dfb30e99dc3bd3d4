#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cases of regular expressions in texts: patterns.py FOLDER.

`wrong` below the folder are those that are refused.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper
from make import TEXT, graph, node, save, value

BOOL = TensorProto.BOOL


def texts(*words):
    return numpy.array(words, object)


def write(folder, op, given, found, **attributes):
    attributes["domain"] = "com.microsoft" if op == "Tokenizer" else ""
    kind = BOOL if found.dtype == bool else TEXT
    made = graph([node(op, "x", "y", **attributes)], [value("x", given.shape, TEXT)], [value("y", None, kind)])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    save(folder, helper.make_model(made, opset_imports=opsets), {"x": given}, {"y": found})


def matches():
    """Words, a pattern and which of them it is, all of each."""
    words = texts("www.google.com", "www.facebook.com", "www.bbc.co.uk", "")
    yield "site", words, r"www\.[\w.-]+\.\bcom\b", [True, True, False, False]
    yield "letters", texts("Ähre", "ähre2", "x\n"), r"\p{L}+", [True, False, False]
    yield "anything", words.reshape(2, 2), "(?s).*", [[True, True], [True, True]]
    yield "nothing", words, "", [False, False, False, True]
    # A matcher that backtracks would never end here.
    yield "going_back", texts("a" * 5000 + "!", "a" * 5000), "(a*)*(a|aa)+", [False, True]
    yield "long", texts("ab" * 100000), "(ab)*", [True]


def tokens():
    rows = texts("Hello World", "I love  it", "")
    split = dict(separators=[" "], mincharnum=1, pad_value="#")
    table = numpy.array([["Hello", "World", "#"], ["I", "love", "it"], ["#"] * 3], object)
    yield "split", rows, table, dict(split, mark=0)
    marked = [["\x02", "Hello", "World", "\x03", "#"], ["\x02", "I", "love", "it", "\x03"], ["\x02", "\x03"] + ["#"] * 3]
    yield "mark", rows, numpy.array(marked, object), dict(split, mark=1)
    yield "batch", rows.reshape(1, 3), table[None], dict(split, mark=0)
    yield "few", rows, numpy.array([["Hello", "World"], ["love", "#"], ["#"] * 2], object), dict(split, mark=0, mincharnum=3)
    # One separator after the other, the longest match of each.
    yield "rounds", texts("a1,b22c"), texts("a", ",b", "c")[None], dict(split, mark=0, separators=["[0-9]|[0-9]+"])
    yield "two_rounds", texts("a1,b22c"), texts("a", "b", "c")[None], dict(split, mark=0, separators=["[0-9]+", ","])
    yield "characters", texts("añ😀", "b"), numpy.array([["a", "ñ", "😀"], ["b", "-", "-"]], object), dict(
        separators=[""], mincharnum=1, pad_value="-", mark=0)
    yield "expression", texts("a1 bcd22,e"), texts("a", "bcd", "e")[None], dict(
        tokenexp="[a-z]+", mincharnum=1, pad_value="", mark=0)
    yield "longest", texts("aab aaab"), texts("aab", "aaab")[None], dict(tokenexp="a|aa|a+b", mincharnum=1, pad_value="", mark=0)
    yield "only_separators", texts("  ", " "), numpy.zeros((2, 0), object), dict(split, mark=1)
    yield "no_texts", texts(), texts(), dict(split, mark=0)
    # An empty match is passed over with the character behind it.
    yield "empty_match", texts("abc"), texts("abc")[None][:, :0], dict(tokenexp="x*", mincharnum=1, pad_value="", mark=0)


def wrong():
    yield "match_brackets", "RegexFullMatch", dict(pattern="(" * 50000)
    yield "match_open", "RegexFullMatch", dict(pattern="a)")
    yield "match_repeats", "RegexFullMatch", dict(pattern="((a{100}){100}){100}")
    split = dict(mark=0, mincharnum=1, pad_value="")
    yield "tokens_pattern", "Tokenizer", dict(split, separators=[" ", "["])
    yield "tokens_both", "Tokenizer", dict(split, separators=[" "], tokenexp="a")
    yield "tokens_none", "Tokenizer", split
    yield "tokens_characters", "Tokenizer", dict(split, separators=[""], mincharnum=2)
    yield "tokens_pad", "Tokenizer", dict(mark=0, mincharnum=1, separators=[" "])


def main(folder):
    for name, given, pattern, found in matches():
        write(os.path.join(folder, "match_" + name), "RegexFullMatch", given, numpy.array(found), pattern=pattern)
    for name, given, found, attributes in tokens():
        write(os.path.join(folder, "tokens_" + name), "Tokenizer", given, found, **attributes)
    for name, op, attributes in wrong():
        write(os.path.join(folder, "wrong", name), op, texts("a"), texts("a"), **attributes)


if __name__ == "__main__":
    main(sys.argv[1])
