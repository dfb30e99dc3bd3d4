# SPDX-License-Identifier: MIT
"""expected_text.py expected_greedy.json FOLDER

Writes the prompt as ids.txt, and the ids and the text that follow it as `ids`
and `text`."""

import json
import pathlib
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    expected = json.load(file)
folder = pathlib.Path(sys.argv[2])
prompt = expected["prompt_ids"]
rest = expected["greedy_ids"][len(prompt):]
text = expected["greedy_text"]
assert text.startswith(expected["prompt"])
(folder / "ids.txt").write_text(" ".join(map(str, prompt)))
(folder / "ids").write_text(" ".join(map(str, rest)) + "\n")
(folder / "text").write_text(text[len(expected["prompt"]):] + "\n")
