# SPDX-License-Identifier: MIT
"""Brings one install of a build up to date, for all tests: install.py BUILD PREFIX

Tests that run at once wait for each other. What an earlier build had and this one
has not is removed, so that the folder is what a fresh install would be.
"""

import fcntl
import os
import re
import subprocess
import sys

build, prefix = sys.argv[1:]
FILE = re.compile(r"-- (?:Installing|Up-to-date): (.*)")


def install() -> set[str]:
    """Returns what belongs into the folder."""
    done = subprocess.run(["cmake", "--install", build, "--prefix", prefix], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.exit(f"cmake --install {build} failed:\n{done.stdout}")
    return {os.path.normpath(found[1]) for found in FILE.finditer(done.stdout)}


def remove_others(installed: set[str]) -> None:
    for folder, _, names in os.walk(prefix, topdown=False):
        for name in names:
            path = os.path.join(folder, name)
            if path not in installed:
                os.remove(path)
        if folder not in installed and not os.listdir(folder):
            os.rmdir(folder)


os.makedirs(os.path.dirname(prefix), exist_ok=True)
with open(prefix + ".lock", "w", encoding="utf-8") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    remove_others(install())
