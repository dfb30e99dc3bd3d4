"""Lines of all sorts: words, code, accents, CJK, emoji, control characters."""

import random
import unicodedata

WORDS = ("the of and to in that it is was for on are as with her they at be this have from or "
         "had by not word but what some we can out other were all there when up use your how "
         "said an each she which do their time if will way about many then them write would "
         "like so these her long make thing see it two has look more day could go come did "
         "number sound no most people my over know water than call first may down side been "
         "now find any new work part take get place made live where after back little only "
         "round man year came show every good me give our under name very through just form "
         "sentence great think help low line differ turn cause much mean before move right "
         "I'm we're they'll she'd can't you've isn't DON'T 'tis o'clock HELLO World").split()
ACCENTS = ("déjà vu naïve façade élève über straße Ångström smörgåsbord crème brûlée año "
           "señor ÇA İstanbul ıssız Σίσυφος ΣΑΣ Привет мир йод ёлка żółw łódź čeština "
           "tiếng Việt e\u0301te\u0301 a\u0308 n\u0303o o\u0302\u0301 ﬁ ﬂ ½ ² Ⅷ ① ㎏ ™").split()
WIDE = ["日本語", "東京都", "中文字符", "漢字かな", "カタカナ", "ｶﾞｷﾞ", "한국어", "각", "ภาษาไทย", "हिन्दी",
        "العربية", "עברית", "ไม่", "ქართული", "「引用」", "，。！", "ＡＢＣ１２３", "　"]
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧", "🇩🇪🇫🇷", "❤️", "☕", "🧑‍💻", "#️⃣", "\U0001fae0"]
CODE = ["def f(x):", "    return x+1", "for(int i=0;i<n;++i){", "}", "\t\tif a==b:", "a[i]->b::c",
        "/* ... */", "#include <x>", "https://a.b/c?d=e&f=1", "foo_bar", "camelCase", "0x1F", "3.14e-10",
        "1,234,567", "x**2", "\\n", "{\"k\": [1, 2]}", "<|end|>", "<b>bold</b>", "--flag=value", "..."]
ODD = ["\ufffd", "\ufffd\ufffd", "\x00", "\x01", "\x07", "\x1b[0m", "\x7f", "\x85", "\xa0", "\u1680", "\u180e",
       "\u2003", "\u2028", "\u2029", "\u200b", "\u200d", "\ufeff", "\r", "\t", "\x0b", "\x0c", "\u0301",
       "\u0300\u0301\u0302", "▁", "▁▁a", "Ġ", "<0x41>", "<unk>", "<s>", "</s>", "\U00010348", "\u0378",
       "\ue000", "\U0010ffff", "'s", "'S", "'ſ", "ſ", "K", "Ⓐ", "🅰", "_", "__", "‿", "٣٤", "१२", "x\u0327\u0323"]

# Libraries know different versions of Unicode, and agree on early characters.
OTHERS = [chr(code) for code in range(0x20, 0xd800)
          if unicodedata.ucd_3_2_0.category(chr(code)) != "Cn"]


def lines(count, seed=1):
    """`count` texts without line feeds; the same ones for the same seed."""
    rng = random.Random(seed)
    kinds = [WORDS] * 12 + [ACCENTS] * 2 + [WIDE, EMOJI] + [CODE] * 2 + [ODD] * 2
    result = []
    for _ in range(count):
        parts = []
        for _ in range(rng.choice((0, 1, 1, 2, 5, 10, 20))):
            parts.append(rng.choice(rng.choice(kinds)))
            parts.append(rng.choice((" ", " ", " ", " ", " ", "", "", "  ", "   ", ", ", ". ", "\t", " \r", "-")))
            if rng.random() < 0.05:
                parts.append(str(rng.randrange(10 ** rng.randrange(1, 9))))
            if rng.random() < 0.03:
                parts.append(rng.choice(OTHERS))
        result.append("".join(parts))
    return result
