"""Makes the packages of a build, twice, and lives with them: packages.py BUILD FOLDER.

They are installed below a folder, used there, upgraded, and purged.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

build, folder = sys.argv[1], pathlib.Path(sys.argv[2])
root = folder / "root"
state = root / "var/lib/dpkg"
# The others are as large as LLVM.
USED = "tools;runtime;development;documentation;python"
SMALL = "runtime;development;documentation;python"
# Files belong to root, or seem to.
AS_ROOT = [] if os.geteuid() == 0 else ["fakeroot"]


def run(*command, **more):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def pack(name, *settings):
    place = folder / name
    flags = [word for setting in settings for word in ("-D", setting)]
    run("cpack", "-G", "DEB", "-B", place, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", *flags,
        cwd=build, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    shutil.rmtree(place / "_CPack_Packages")
    return {file.name.split("_")[0]: file for file in sorted(place.glob("*.deb"))}


def dpkg(*arguments):
    return run(*AS_ROOT, "dpkg", f"--root={root}", "--force-not-root", "--force-depends",
               "--force-script-chrootless", *arguments)


def versions():
    text = run("dpkg-query", f"--admindir={state}", "-W",
               "-f=${Package} ${Version} ${db:Status-Status}\\n")
    return {tuple(line.split()) for line in text.splitlines()}


def sums(files):
    return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()}


for part in ("info", "updates", "triggers", "parts"):
    (state / part).mkdir(parents=True)
(state / "status").touch()

first = pack("first", f"CPACK_COMPONENTS_ALL={USED}")
print("packages:", *sorted(first))
again = pack("again", f"CPACK_COMPONENTS_ALL={SMALL}")
print("the same again:", all(sums(first)[name] == value for name, value in sums(again).items()))
if shutil.which("lintian"):
    found = subprocess.run(["lintian", "--fail-on=error", "--allow-root", *again.values()],
                           text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("lintian:", found.stdout if found.returncode else "no errors")

dpkg("--install", *first.values())
print("installed:", len(versions()))
glow = root / "usr/bin/glow"
print(run(glow, "--version").strip())
print(run(glow, "classify", *sys.argv[4:], "--model", sys.argv[3], "--top", "1").strip())
print(run("/usr/bin/python3", "-B", "-c", "import glow; print(glow.__name__)",
          env={**os.environ, "PYTHONPATH": str(root / "usr/lib/python3/dist-packages"),
               "LD_LIBRARY_PATH": str(root / "usr/lib")}).strip())
later = pack("later", f"CPACK_COMPONENTS_ALL={SMALL}", "CPACK_PACKAGE_VERSION=9.0.0")
dpkg("--install", later["libglow-runtime0"])
print("upgraded:", ("libglow-runtime0", "9.0.0", "installed") in versions())
dpkg("--purge", *sorted(name for name, _, _ in versions()))
print("left:", *(str(file) for file in (root / "usr").rglob("*") if not file.is_dir()))
