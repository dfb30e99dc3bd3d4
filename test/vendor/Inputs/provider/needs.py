"""Checks that a folder has all libraries that its libraries need: needs.py FOLDER

Libraries of C and C++ may be the system's. Opens the scope, and so the plug-in, behind the
provider, and checks where the loader has found all files.
"""

import ctypes
import os
import pathlib
import re
import subprocess
import sys

SYSTEM = re.compile(r"ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so\.\d+")


def loaded():
    """The folders of all libraries of this process, by their names."""
    with open("/proc/self/maps") as maps:
        return {name: place for place, name in re.findall(r"(/\S*)/([^/\s]+\.so[^/\s]*)", maps.read())}


folder = pathlib.Path(sys.argv[1]).resolve()
files = {file.name: file for file in folder.iterdir()}
for file in files.values():
    text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
        assert name in files or SYSTEM.fullmatch(name), (file.name, name)

before = loaded()  # Python's own
(scope,) = folder.glob("*-scope.so")
provider = ctypes.CDLL(str(scope).replace("-scope", ""), mode=os.RTLD_LOCAL)
ctypes.CDLL(str(scope), mode=os.RTLD_LOCAL)
assert provider.CreateEpFactories and provider.ReleaseEpFactory
after = loaded()
for name in files:
    if not any(other.startswith(name) for other in before):
        assert after.get(name) == str(folder), (name, after.get(name))
print(len(files), "libraries")
