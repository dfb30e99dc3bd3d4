"""Gives each case of a file to ClassGen, which must refuse it as the case says.

  refusals.py CASES FILE.td CLASSGEN ARGUMENT...

A case is `# what is wrong -gen-product`, then records. Under the line that is
refused stands the caret, in its column, and the message.
"""

import pathlib
import re
import subprocess
import sys


def refusal(case: str, path: pathlib.Path, command: list[str]) -> str:
    """What is wrong with a case; "" when it is refused as it says."""
    head, *lines = case.splitlines()
    carets = [i for i, line in enumerate(lines) if line.lstrip().startswith("^")]
    if len(carets) != 1:
        return "it has no caret, or several"
    place = carets[0]
    caret, message = lines.pop(place).split("^ ")
    path.write_text("\n".join(['include "glow/Glow.td"', *lines, ""]))
    run = subprocess.run(command + [head.split()[-1], str(path)],
                         capture_output=True, text=True, check=False)
    # The first line of the file is the include.
    expected = (f"{path}:{place + 1}:{len(caret) + 1}: error: {message}\n"
                f"{lines[place - 1]}\n{caret}^\n")
    if run.returncode != 1 or not run.stderr.endswith(expected):
        return f"expected\n{expected}but found ({run.returncode})\n{run.stderr}"
    return ""


def main() -> int:
    cases = re.split(r"\n\n+(?=# )", pathlib.Path(sys.argv[1]).read_text().strip())
    failed = 0
    for case in cases:
        if problem := refusal(case, pathlib.Path(sys.argv[2]), sys.argv[3:]):
            failed += 1
            print(f"{case.splitlines()[0]}: {problem}")
    print(f"{len(cases) - failed} of {len(cases)} refused as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
