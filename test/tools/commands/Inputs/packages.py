"""Makes the packages of a build and lives with them: packages.py BUILD FOLDER MODEL IMAGE.

They are made twice, and once of an older version, which is installed below a folder, used
there, upgraded to the others, used again, and purged.
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
USED = "tools;grpc;runtime;development;documentation;python"
SMALL = "runtime;development;documentation;python"
# Files belong to root, or seem to.
AS_ROOT = [] if os.geteuid() == 0 else ["fakeroot"]


def run(*command, **more):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def pack(name, components, version=None, compression="gzip"):
    place = folder / name
    settings = [f"CPACK_COMPONENTS_ALL={components}", f"CPACK_DEBIAN_COMPRESSION_TYPE={compression}"]
    if version:
        settings.append(f"CPACK_PACKAGE_VERSION={version}")
    flags = [word for setting in settings for word in ("-D", setting)]
    run("cpack", "-G", "DEB", "-B", place, *flags, cwd=build, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
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

first = pack("first", USED)
print("packages:", *sorted(first))
again = pack("again", SMALL)
print("the same again:", all(sums(first)[name] == value for name, value in sums(again).items()))
if shutil.which("lintian"):
    found = subprocess.run(["lintian", "--fail-on=error", "--allow-root", *again.values()],
                           text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("lintian:", found.stdout if found.returncode else "no errors")



def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def contents(package):
    """The files of a package, and its folders, which end in a slash."""
    return [line.split(maxsplit=5)[5].split(" -> ")[0].removeprefix("./")
            for line in run("dpkg-deb", "--contents", package).splitlines()]


def empty_folders(names):
    return [name for name in names if name.endswith("/")
            and not any(other != name and other.startswith(name) for other in names)]


print("maintainers:", *sorted({field(file, "Maintainer") for file in first.values()}))
print("homepages:", *sorted({field(file, "Homepage") for file in first.values()}))
print("lld:", *(name for name, file in first.items()
                if "lld" in field(file, "Depends") + field(file, "Recommends")))
print("empty folders:", *(folder for file in first.values() for folder in empty_folders(contents(file))))
arch = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
libraries = [name for file in first.values() for name in contents(file)
             if ".so" in name and name.startswith("usr/lib/")]
# Modules of Python have a folder of their own.
print("outside of the folder for libraries:",
      *(name for name in libraries if not name.startswith(f"usr/lib/{arch}/")
        and not name.startswith("usr/lib/python3/dist-packages/")))
print("grpc:", *(name.rpartition("/")[2] for name in contents(first["glow-grpc"]) if ".so" in name))

glow = root / "usr/bin/glow"
environment = {**os.environ, "LD_LIBRARY_PATH": str(root / "usr/lib" / arch),
               "PYTHONPATH": str(root / "usr/lib/python3/dist-packages")}
USE = """import sys, glow, numpy
model = glow.load(sys.argv[1])
image = numpy.linspace(0, 1, 784, dtype=numpy.float32).reshape(1, 1, 28, 28)
print(glow.__name__, model(image).tobytes().hex())"""


def use_program():
    """What the library for Python makes of the program that is kept."""
    return run("/usr/bin/python3", "-B", "-c", USE, program, env=environment).strip()


dpkg("--install", *pack("older", USED, "0.0.9", "none").values())
print("installed:", len(versions()), *sorted({version for _, version, _ in versions()}))
program = folder / "kept.so"
run(glow, "compile", "-q", sys.argv[3], "-o", program)
before = use_program()
(root / "usr/share/doc/glow/notes").write_text("a file of the user's\n")

far = folder / "far.json"
far.write_text('{"devices": [{"name": "far", "backend": "cpu", "address": "mpi:1"}]}')
dpkg("--install", *first.values())
print("upgraded:", {status for _, _, status in versions()} == {"installed"},
      not any(version == "0.0.9" for _, version, _ in versions()))
print(run(glow, "--version").strip())
# The first command of the README, run in the folder of the package.
print(run(glow, "classify", "images/3.png", "--model", "digits.onnx", "--labels", "labels.txt",
          "--top", "1", cwd=root / "usr/share/glow/models/digits").strip())
print("examples:", *sorted(path.name for path in (root / "usr/share/glow/examples").iterdir()))
# The module of a transport is found from the program.
print(subprocess.run([glow, "run", sys.argv[3], "--random", "--devices", far], text=True,
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr.strip())
print("the same of a program:", use_program() == before)

dpkg("--purge", *sorted(name for name, _, _ in versions()))
print("left:", *(file.name for file in (root / "usr").rglob("*") if not file.is_dir()))
