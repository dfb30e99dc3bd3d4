# SPDX-License-Identifier: MIT
"""stories_tokenizer.py tok512.bin tokenizer.json

The tokenizer of stories260k as byte pairs: a piece with a higher score is
joined before others, from any two pieces."""

import json
import struct
import sys

source, target = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
pieces, at = [], 4  # behind the length of the longest piece
while at < len(data):
    score, size = struct.unpack_from("<fi", data, at)
    piece = data[at + 8:at + 8 + size].decode()
    pieces.append((piece.replace(" ", "▁"), score))
    at += 8 + size
names = [piece.strip("\n") if piece in ("\n<s>\n", "\n</s>\n") else piece
         for piece, _ in pieces]
vocab = {name: index for index, name in enumerate(names)}
merges = [[name[:cut], name[cut:]]
          for name, _ in sorted(zip(names, (score for _, score in pieces)),
                                key=lambda one: -one[1])
          if not name.startswith("<") for cut in range(1, len(name))
          if name[:cut] in vocab and name[cut:] in vocab]


def special(index):
    return {"id": index, "content": names[index], "single_word": False,
            "lstrip": False, "rstrip": False, "normalized": False,
            "special": True}


with open(target, "w", encoding="utf-8") as file:
    json.dump({
        "version": "1.0", "added_tokens": [special(0), special(1), special(2)],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [], "special_tokens": {
                "<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
        "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True,
                  "byte_fallback": True, "vocab": vocab, "merges": merges}},
        file)
