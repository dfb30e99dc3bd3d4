"""Writes tokenizers with one mistake each: refused.py FOLDER."""

import copy
import json
import sys

ADDED = {"id": 3, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": True}
BPE = {"version": "1.0", "added_tokens": [ADDED], "normalizer": {"type": "NFC"},
       "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False},
       "post_processor": {"type": "TemplateProcessing", "pair": [],
                          "single": [{"Sequence": {"id": "A", "type_id": 0}}],
                          "special_tokens": {"<s>": {"id": "<s>", "ids": [3], "tokens": ["<s>"]}}},
       "decoder": {"type": "ByteLevel"},
       "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}
UNIGRAM = {"version": "1.0", "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1]]}}


def split(regex):
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


CHANGES = {
    "version": (BPE, ("version",), "2.0"),
    "truncation": (BPE, ("truncation",), {"max_length": 5}),
    "padding": (BPE, ("padding",), {"strategy": "BatchLongest"}),
    "unknown_field": (BPE, ("chat_template",), "..."),
    "model_type": (BPE, ("model", "type"), "WordPiece"),
    "model_missing": (BPE, ("model",), None),
    "model_field": (BPE, ("model", "alpha"), 0.1),
    "dropout": (BPE, ("model", "dropout"), 0.1),
    "vocab": (BPE, ("model", "vocab"), ["a"]),
    "id_negative": (BPE, ("model", "vocab", "a"), -1),
    "id_large": (BPE, ("model", "vocab", "a"), 1 << 31),
    "merge_text": (BPE, ("model", "merges", 0), "a b c"),
    "merge_pair": (BPE, ("model", "merges", 0), ["a"]),
    "merge_missing": (BPE, ("model", "merges", 0), "a c"),
    "merge_whole": (BPE, ("model", "merges", 0), "b a"),
    "merge_prefix": (BPE, ("model", "continuing_subword_prefix"), "##"),
    "unknown_token": (BPE, ("model",), {"type": "BPE", "vocab": {"a": 0, "c": 1, "d": 2}, "merges": [],
                                        "unk_token": "?"}),
    "flag": (BPE, ("model", "fuse_unk"), 1),
    "score": (UNIGRAM, ("model", "vocab", 1), ["a", "-1"]),
    "unk_id": (UNIGRAM, ("model", "unk_id"), 2),
    "unigram_empty": (UNIGRAM, ("model", "vocab"), []),
    "normalizer": (BPE, ("normalizer", "type"), "BertNormalizer"),
    "normalizer_kind": (BPE, ("normalizer",), "NFC"),
    "normalizer_nested": (BPE, ("normalizer",), {"type": "Sequence", "normalizers": [{"type": "Upper"}]}),
    "replace_empty": (BPE, ("normalizer",), {"type": "Replace", "pattern": {"String": ""}, "content": "x"}),
    "replace_both": (BPE, ("normalizer",), {"type": "Replace", "pattern": {"String": "a", "Regex": "a"},
                                           "content": "x"}),
    "charsmap_base64": (BPE, ("normalizer",), {"type": "Precompiled", "precompiled_charsmap": "?"}),
    "charsmap_short": (BPE, ("normalizer",), {"type": "Precompiled", "precompiled_charsmap": "/////w=="}),
    "pre_tokenizer": (BPE, ("pre_tokenizer", "type"), "UnicodeScripts"),
    "behavior": (BPE, ("pre_tokenizer",), dict(split("a"), behavior="Merged")),
    "metaspace": (BPE, ("pre_tokenizer",), {"type": "Metaspace", "replacement": "ab"}),
    "metaspace_scheme": (BPE, ("pre_tokenizer",), {"type": "Metaspace", "replacement": "_",
                                                   "prepend_scheme": "first", "add_prefix_space": False}),
    "regex": (BPE, ("pre_tokenizer",), split("(a")),
    "regex_class": (BPE, ("pre_tokenizer",), split("[a-z&&[^b]]")),
    "regex_option": (BPE, ("pre_tokenizer",), split("a(?m).")),
    "regex_escape": (BPE, ("pre_tokenizer",), split(r"(a)\1")),
    "regex_steps": (BPE, ("pre_tokenizer",), split("(?:a|aa)+$")),
    "post_processor": (BPE, ("post_processor", "type"), "CTC"),
    "template": (BPE, ("post_processor", "single"), [{"SpecialToken": {"id": "<t>", "type_id": 0}},
                                                     {"Sequence": {"id": "A", "type_id": 0}}]),
    "template_twice": (BPE, ("post_processor", "single"), [{"Sequence": {"id": "A", "type_id": 0}}] * 2),
    "template_pair": (BPE, ("post_processor", "single", 0, "Sequence", "id"), "B"),
    "decoder": (BPE, ("decoder", "type"), "WordPiece"),
    "decoder_field": (BPE, ("decoder", "cleanup"), True),
    "decoder_strip": (BPE, ("decoder",), {"type": "Strip", "content": " ", "start": -1, "stop": 0}),
    "added_id": (BPE, ("added_tokens", 0, "id"), 9),
    "added_twice": (BPE, ("added_tokens",), [ADDED, ADDED]),
    "added_empty": (BPE, ("added_tokens", 0, "content"), ""),
    "added_field": (BPE, ("added_tokens", 0, "lstrip"), None),
}
TEXTS = {
    "text_empty": "", "text_list": "[1]", "text_end": '{"model": {', "text_twice": '{"model": 1, "model": 2}',
    "text_deep": "[" * 40 + "]" * 40, "text_surrogate": '{"version": "\\ud800"}',
    "text_bytes": '{"version": "\udcff"}', "text_number": '{"version": 1e999}',
}


def main(folder):
    for name, (base, path, value) in CHANGES.items():
        file = copy.deepcopy(base)
        at = file
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        with open(f"{folder}/{name}.json", "w", encoding="utf-8") as out:
            json.dump(file, out)
    for name, text in TEXTS.items():
        with open(f"{folder}/{name}.json", "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(text)


main(sys.argv[1])
