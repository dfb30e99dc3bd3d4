# SPDX-License-Identifier: MIT
"""Prints the closing line of check.sh from lit's JSON report."""

import json
import os
import sys
from collections import Counter


def main(path: str) -> int:
    if not os.path.exists(path):
        print("0 passed, 1 failed")
        return 1
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    codes = Counter(test["code"] for test in report["tests"])
    passed = codes["PASS"] + codes["XFAIL"]
    skipped = codes["UNSUPPORTED"] + codes["SKIPPED"]
    failed = sum(codes.values()) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
