"""Trains tokenizers with PyPI's tokenizers and writes them, lines, and what they become.

Usage: train.py FOLDER LINES; FOLDER gets NAME.json, NAME.ids, NAME.text for each
configuration, and lines.txt."""

import os
import struct
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers import processors, trainers

from texts import lines

GPT4 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
        r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
         r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
         r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|"
         r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def bpe(trainer={}, **model):
    return Tokenizer(models.BPE(**model)), trainers.BpeTrainer(
        vocab_size=1500, show_progress=False, **trainer)


def unigram(trainer={}, **model):
    return Tokenizer(models.Unigram()), trainers.UnigramTrainer(
        vocab_size=1500, unk_token="<unk>", show_progress=False, **trainer)


def byte_level(split=None, **options):
    """GPT-2; with a regular expression, Llama 3 and its like."""
    tokenizer, trainer = bpe({"initial_alphabet": pre_tokenizers.ByteLevel.alphabet(),
                              "special_tokens": ["<|end|>"]}, **options)
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not split)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(split), "isolated"), level]) if split else level
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, trainer


def byte_fallback():
    """Llama 2: normalized blanks, and bytes for unknown characters."""
    tokenizer, trainer = bpe({"special_tokens": ["<unk>", "<s>", "</s>"] + BYTES,
                              "limit_alphabet": 200},
                             unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)])
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(),
                                           decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return tokenizer, trainer


def suffixes():
    """CLIP's predecessor: words that end with a mark, in lower case."""
    tokenizer, trainer = bpe({"special_tokens": ["<unk>"], "end_of_word_suffix": "</w>",
                              "limit_alphabet": 150}, unk_token="<unk>", end_of_word_suffix="</w>")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.BPEDecoder()
    return tokenizer, trainer


def prefixes():
    tokenizer, trainer = bpe({"special_tokens": ["<unk>"], "continuing_subword_prefix": "##",
                              "limit_alphabet": 150}, unk_token="<unk>", continuing_subword_prefix="##")
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKD(), normalizers.StripAccents(), normalizers.Strip()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation("contiguous"),
         pre_tokenizers.Digits(individual_digits=True)])
    return tokenizer, trainer


def metaspace():
    """T5 and its like, with tokens that are added."""
    tokenizer, trainer = unigram({"special_tokens": ["<unk>", "<s>", "</s>"]})
    tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(),
                                                 normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)])
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer, trainer


def first_metaspace():
    tokenizer, trainer = unigram({"special_tokens": ["<unk>", "<s>", "</s>"] + BYTES})
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.post_processor = processors.Sequence(
        [processors.RobertaProcessing(("</s>", 2), ("<s>", 1))])
    tokenizer.decoder = decoders.Sequence(
        [decoders.ByteFallback(), decoders.Metaspace(prepend_scheme="first"), decoders.Fuse()])
    return tokenizer, trainer


def charsmap(rules):
    """SentencePiece's table of replacements: a trie in a double array, and the texts."""
    texts, units, used = b"", [0], {0}

    def add(node, keys):
        nonlocal texts
        labels = sorted({key[0] if key else 0 for key in keys})
        offset = 1
        while any(node ^ offset ^ label in used for label in labels):
            offset += 1
        places = {label: node ^ offset ^ label for label in labels}
        used.update(places.values())
        units.extend([0] * (max(places.values()) + 1 - len(units)))
        units[node] |= offset << 10
        for label, place in places.items():
            if label == 0:
                units[node] |= 1 << 8
                units[place] = 1 << 31 | len(texts)
                texts += keys[b""].encode() + b"\0"
            else:
                units[place] = label
                add(place, {key[1:]: text for key, text in keys.items() if key[:1] == bytes([label])})

    add(0, {key.encode(): text for key, text in rules.items()})
    return struct.pack(f"<{len(units) + 1}I", 4 * len(units), *units) + texts


def charsmapped():
    tokenizer, trainer = unigram({"special_tokens": ["<unk>"]})
    rules = {"\u2003": " ", "½": "1/2", "é": "e", "e\u0301": "E", "a\u0308": "ä", "\u200b": "", "日": "ni",
             "日本": "nihon", "A": "a", "\r": " ", "ﬁ": "fi", "👍": "up", "각": "gak", "x": "xx"}
    tokenizer.normalizer = normalizers.Precompiled(charsmap(rules))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer, trainer


def splits():
    """Unigrams on words that several patterns make."""
    tokenizer, trainer = unigram({"special_tokens": ["<unk>"]})
    tokenizer.normalizer = normalizers.NFD()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(r"\d{1,2}|\b\w"), "merged_with_previous"),
        pre_tokenizers.Split(Regex(r"\s+|,"), "removed"),
        pre_tokenizers.Split("e", "merged_with_next"),
        pre_tokenizers.Split(Regex(r"\p{Han}|\W"), "contiguous"),
        pre_tokenizers.Split(Regex(r"[a-m]+"), "isolated", invert=True)])
    return tokenizer, trainer


CONFIGURATIONS = {
    "gpt2": byte_level, "gpt4": lambda: byte_level(GPT4), "gpt4o": lambda: byte_level(GPT4O, ignore_merges=True),
    "byte_fallback": byte_fallback, "suffixes": suffixes, "prefixes": prefixes,
    "metaspace": metaspace, "first_metaspace": first_metaspace, "splits": splits, "charsmapped": charsmapped,
}
ADDED = [AddedToken("<|end|>", special=True), AddedToken("<s>", special=True),
         AddedToken("hello world", normalized=True), AddedToken("many", single_word=True, normalized=False),
         AddedToken("Time", lstrip=True, rstrip=True), AddedToken("▁wide"), AddedToken("thi", lstrip=True)]


def main(folder, count):
    os.makedirs(folder, exist_ok=True)
    texts = lines(count)
    with open(f"{folder}/lines.txt", "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in texts)
    for name, make in CONFIGURATIONS.items():
        tokenizer, trainer = make()
        tokenizer.train_from_iterator(lines(2000, seed=2), trainer)
        if name != "gpt4":
            tokenizer.add_tokens(ADDED)
        if name == "first_metaspace":
            state = tokenizer.to_str().replace('"byte_fallback":false', '"byte_fallback":true')
            tokenizer = Tokenizer.from_str(state)
        tokenizer.save(f"{folder}/{name}.json")
        encoded = [one.ids for one in tokenizer.encode_batch(texts)]
        decoded = tokenizer.decode_batch(encoded)
        with open(f"{folder}/{name}.ids", "w", encoding="utf-8") as file:
            file.writelines(" ".join(map(str, ids)) + "\n" for ids in encoded)
        with open(f"{folder}/{name}.text", "w", encoding="utf-8", newline="\n") as file:
            file.writelines(text + "\n" for text in decoded)


main(sys.argv[1], int(sys.argv[2]))
