#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the wheels of an installed tree (cmake --install BUILD --strip --prefix TREE):

  wheel.py [--platform PLATFORM] [--only runtime] TREE FOLDER

    glow_runtime-VERSION-py3-none-PLATFORM.whl   the module, and the library without a compiler
    glow_compiler-VERSION-py3-none-PLATFORM.whl  the library with it, and the commands

The second one needs the first. PLATFORM is the oldest system on which the files run, as
their symbols have it: manylinux_2_30_x86_64, or linux_x86_64 for those that need libraries
which not every system has. A given PLATFORM is checked against the files. Files have the
time SOURCE_DATE_EPOCH, so that the same tree makes the same wheels.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import re
import sys
import time
import zipfile

from needed_symbols import needs_of, version_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMANDS = ("glow", "glow-compiler", "glow-opt")
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF
DESCRIPTION = """\
# Glow

Glow compiles neural networks: ONNX in, machine code for this processor out.

```python
import glow

model = glow.load("model.onnx", threads=2)
outputs = model.run({"image": image})
```

`pip install glow-compiler` brings the module `glow`, a backend `glow` of `torch.compile`, and
the commands `glow` and `glow-opt`. `pip install glow-runtime` runs compiled programs alone.
"""


class WheelError(Exception):
    """A tree or a platform of which no wheel is made."""


def only(tree: pathlib.Path, pattern: str) -> pathlib.Path:
    """The file of a tree, without links to it."""
    found = sorted(path for path in tree.glob(pattern) if not path.is_symlink())
    if len(found) != 1:
        raise WheelError(f"{tree} has {len(found)} files {pattern}, it should have one: "
                         "cmake --install BUILD --strip --prefix TREE makes a tree")
    return found[0]


def soname(library: pathlib.Path) -> str:
    """libglow.so.0.2.0 is opened as libglow.so.0."""
    return re.sub(r"(\.so\.\d+)\..*", r"\1", library.name)


def machine_of(path: pathlib.Path) -> str:
    with open(path, "rb") as file:
        header = file.read(20)
    if header[:4] != b"\x7fELF":
        raise WheelError(f"{path} is no program")
    return MACHINES.get(int.from_bytes(header[18:20], "little"), "unknown")


def own_platform(programs):
    """The platform of programs, and the reason for it."""
    machine = machine_of(programs[0])
    newest, last, reasons = (2, 5), "", []
    for path in programs:
        needs, others = needs_of(path)
        if others:
            reasons.append(f"{path.name} needs {', '.join(sorted(others))}")
        for version, symbol in needs:
            if version_of(version) > newest:
                newest, last = version_of(version), f"{path.name} needs {symbol} of {version}"
    if reasons:
        return f"linux_{machine}", "; ".join(reasons)
    return f"manylinux_{newest[0]}_{newest[1]}_{machine}", last


def check_platform(wanted: str, own: str, reason: str) -> None:
    """A system that is later than the files need is right, an earlier one is not."""
    form = r"manylinux_(\d+)_(\d+)_(\w+)|linux_(\w+)"
    given, least = re.fullmatch(form, wanted), re.fullmatch(form, own)
    if given is None:
        raise WheelError(f"platform '{wanted}' should be as manylinux_2_31_x86_64")
    if given[4]:
        fits = given[4] in (least[3], least[4])
    else:
        fits = (given[3] == least[3]
                and (int(given[1]), int(given[2])) >= (int(least[1]), int(least[2])))
    if not fits:
        raise WheelError(f"the files are for {own}, not for {wanted}: {reason}; "
                         "tools/package.sh --wheel makes files for any Linux")


class Wheel:
    """A wheel that is written: files, then their list."""

    def __init__(self, folder, name, version, platform):
        self.info = f"{name}-{version}.dist-info"
        self.scripts = f"{name}-{version}.data/scripts"
        self.path = folder / f"{name}-{version}-py3-none-{platform}.whl"
        self.platform, self.record = platform, []
        # zip has no time before 1980.
        seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800)
        self.time = time.gmtime(seconds)[:6]
        self.zip = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED)

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name, self.time)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}\n")

    def finish(self, metadata, entry_points, licence):
        self.add(f"{self.info}/METADATA", metadata.encode())
        self.add(f"{self.info}/WHEEL", (
            "Wheel-Version: 1.0\nGenerator: glow-wheel (1)\nRoot-Is-Purelib: false\n"
            f"Tag: py3-none-{self.platform}\n").encode())
        if entry_points:
            self.add(f"{self.info}/entry_points.txt", entry_points.encode())
        self.add(f"{self.info}/licenses/LICENSE", licence)
        record = f"{self.info}/RECORD"
        self.add(record, ("".join(self.record) + f"{record},,\n").encode())
        self.zip.close()


def metadata(name, version, summary, needs):
    fields = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}",
              f"Summary: {summary}", "License-Expression: MIT", "License-File: LICENSE",
              "Requires-Python: >=3.9", *(f"Requires-Dist: {need}" for need in needs),
              "Classifier: Operating System :: POSIX :: Linux",
              "Classifier: Programming Language :: Python :: 3",
              "Classifier: Typing :: Typed", "Description-Content-Type: text/markdown"]
    return "\n".join(fields) + "\n\n" + DESCRIPTION


def licence_of(tree: pathlib.Path) -> bytes:
    """The licences of all parts, where the tree has them (tools/package.sh)."""
    own = tree / "share" / "doc" / "glow" / "copyright"
    return (own if own.exists() else ROOT / "LICENSE").read_bytes()


def platform_of(programs, wanted):
    """The platform of a wheel with these programs: theirs, or a given one that fits."""
    own, reason = own_platform(programs)
    if wanted:
        check_platform(wanted, own, reason)
    elif own.startswith("linux"):
        print(f"wheel.py: the wheel is for this system alone: {reason}")
    return wanted or own


def make_runtime(tree: pathlib.Path, folder: pathlib.Path, wanted) -> pathlib.Path:
    library = only(tree, "lib/**/libglow-runtime.so.*.*.*")
    module = only(tree, "lib/**/glow/__init__.py").parent
    version = library.name.split(".so.")[1]
    fast = sorted(module.glob("*.abi3.so"))  # where Python's headers were there
    wheel = Wheel(folder, "glow_runtime", version, platform_of([library, *fast], wanted))
    for source in sorted(module.rglob("*")):
        if source.suffix in (".py", ".pyi") or source.name == "py.typed":
            wheel.add(f"glow/{source.relative_to(module).as_posix()}", source.read_bytes())
    for program in (library, *fast):
        wheel.add(f"glow/{soname(program)}", program.read_bytes(), 0o755)
    wheel.finish(metadata("glow-runtime", version, "runs neural networks that Glow compiled",
                          ["numpy"]), "", licence_of(tree))
    return wheel.path


def make_compiler(tree: pathlib.Path, folder: pathlib.Path, wanted) -> pathlib.Path:
    library = only(tree, "lib/**/libglow.so.*.*.*")
    commands = [only(tree, f"bin/{command}") for command in COMMANDS]
    version = library.name.split(".so.")[1]
    wheel = Wheel(folder, "glow_compiler", version, platform_of([library, *commands], wanted))
    wheel.add(f"glow/{soname(library)}", library.read_bytes(), 0o755)
    for command in commands:
        wheel.add(f"{wheel.scripts}/{command.name}", command.read_bytes(), 0o755)
    wheel.finish(metadata("glow-compiler", version, "compiles and runs neural networks",
                          [f"glow-runtime=={version}"]),
                 "[torch_dynamo_backends]\nglow = glow.torch:backend\n", licence_of(tree))
    return wheel.path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--platform", help="refuse files that do not run on all of it")
    parser.add_argument("--only", choices=["runtime"], help="make no other wheel")
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        for make in [make_runtime, make_compiler][:1 if options.only else 2]:
            path = make(options.tree, options.folder, options.platform)
            print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    except WheelError as reason:
        print(f"wheel.py: error: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
