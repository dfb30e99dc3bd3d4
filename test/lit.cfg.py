# SPDX-License-Identifier: MIT
"""The lit suite. Paths come from lit.site.cfg.py, which CMake writes."""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "Glow"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".loops", ".mlir", ".td", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.build_test_dir

tools = [os.path.join(config.build_dir, "tools"),
         os.path.join(config.build_dir, "tools", "glow"),
         os.path.join(config.build_dir, "gen"),
         config.llvm_tools_dir]
config.environment["PATH"] = os.pathsep.join(
    tools + [config.environment.get("PATH", "")])

# Tests compile without a cache, unless they set GLOW_CACHE_DIR.
config.environment["GLOW_CACHE_DIR"] = ""
# Plug-ins that tests build are the same ones each time.
if shutil.which("ccache"):
    config.environment["CMAKE_C_COMPILER_LAUNCHER"] = "ccache"
    config.environment["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    config.environment["CCACHE_BASEDIR"] = config.source_dir
    config.environment["CCACHE_NOHASHDIR"] = "1"
# See tools/check.sh.
config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"

records = os.path.join(config.build_dir, "records")
glow_python = (f"GLOW_LIBRARY={config.build_dir}/tools/libglow/libglow.so "
               f"PYTHONPATH={config.build_dir}/python "
               "PYTHONDONTWRITEBYTECODE=1")
installed = os.path.join(config.test_exec_root, "installed")
config.substitutions += [
    ("%mlir", config.mlir_include_dir),
    # Records of the library are given as known, and are not checked again.
    ("%library", f"-library={records}/glow"),
    ("%classgen", f"glow-classgen -I {records} -I {config.mlir_include_dir}"),
    ("%python", "/usr/bin/python3"),
    ("%{glow-python}", glow_python),
    ("%pytest", f"env {glow_python} /usr/bin/python3 -m pytest -q "
                "-p no:cacheprovider"),
    ("%clang", os.path.join(config.llvm_tools_dir, "clang")),
    ("%build", config.build_dir),
    # Tests that want an installed Glow share one, which each brings up to date.
    ("%install-glow", f"/usr/bin/python3 {config.test_source_root}/install.py "
                      f"{config.build_dir} {installed}"),
    ("%installed", installed),
    ("%importer", os.path.join(config.test_source_root, "importer/Inputs")),
    ("%source", config.source_dir),
]

# C programs for another processor, built and run in an emulator.
if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc"):
    config.available_features.add("aarch64")
else:
    lit_config.note("no qemu-aarch64 or no aarch64-linux-gnu-gcc: code for "
                    "aarch64 is not run")

# Programs for any Linux are linked where they can be.
if (os.path.isfile(os.path.join(config.build_test_dir, "portable",
                                "glow-portable")) and not config.sanitized):
    config.available_features.add("portable")

# Code with addresses of 32 bits, for what runs it.
if shutil.which("node") and os.path.exists(
        os.path.join(config.llvm_tools_dir, "wasm-ld")):
    config.available_features.add("wasm")
if shutil.which("qemu-arm") and os.path.exists(
        os.path.join(config.llvm_tools_dir, "ld.lld")):
    config.available_features.add("arm")

# Devices in other processes, where gRPC was found when this was built.
if os.path.isfile(os.path.join(config.build_dir, "lib", "libglow-grpc.so")):
    config.available_features.add("grpc")
if os.path.isfile(os.path.join(config.build_dir, "lib", "libglow-mpi.so")):
    config.available_features.add("mpi")

# Kernels for OpenCL, where its headers were found when this was built, and a driver is installed.
if (os.path.isdir(os.path.join(config.build_dir, "backends", "opencl", "CMakeFiles", "GlowOpencl.dir"))
        and os.path.isfile("/etc/OpenCL/vendors/pocl.icd") and not config.sanitized):
    config.available_features.add("opencl")
    oclgrind = shutil.which("oclgrind-kernel")
    library = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
    if oclgrind and os.path.isfile(library):
        config.available_features.add("oclgrind")
        config.substitutions.append(("%oclgrind", library))
    else:
        lit_config.note("no oclgrind: kernels are not checked for races")
else:
    lit_config.note("no OpenCL headers or no PoCL: kernels for OpenCL are not run")

# Kernels for GPUs of NVIDIA, by an emulated driver.
emulated = os.path.join(config.build_dir, "test", "cuda", "emulator")
if os.path.isfile(os.path.join(emulated, "libcuda.so.1")) and not config.sanitized:
    config.available_features.add("cuda")
    config.substitutions.append(("%gpu", f"env LD_LIBRARY_PATH={emulated}"))
    # NVIDIA's assembler checks kernels, where there is one.
    ptxas = os.environ.get("GLOW_PTXAS") or shutil.which("ptxas")
    if ptxas:
        config.available_features.add("ptxas")
        config.substitutions.append(("%ptxas", ptxas))
    else:
        lit_config.note("no ptxas: NVIDIA's assembler checks no kernels; GLOW_PTXAS names one")
else:
    lit_config.note("no backend cuda: kernels for GPUs of NVIDIA are not run")

# Folders that a process sees alone, where the system lets a user have some.
if subprocess.run(["unshare", "-rm", "true"], stdout=subprocess.DEVNULL,
                  stderr=subprocess.DEVNULL, check=False).returncode == 0:
    config.available_features.add("own-mounts")

# Packages of Debian are made and looked into with its own tools.
if (all(map(shutil.which, ("cpack", "dpkg", "dpkg-shlibdeps", "fakeroot")))
        and not config.sanitized):
    config.available_features.add("packages")

# Pages of the manual for browsers, where there was what makes them.
if os.path.isfile(os.path.join(config.build_dir, "docs", "html", "index.html")):
    config.available_features.add("manual")
if shutil.which("node"):
    config.available_features.add("node")

for tool in ("clang-format", "clang-tidy"):
    if shutil.which(f"{tool}-22"):
        config.available_features.add(tool)
if shutil.which("gdb"):
    config.available_features.add("gdb")

# Code for fewer features than the host's runs here, code for more does not.
with open("/proc/cpuinfo") as cpus:
    flags = cpus.read()
for level, flag in (("x86-64-v3", " avx2 "), ("x86-64-v4", " avx512bw ")):
    if flag in flags:
        config.available_features.add(level)

# The emulator would give all of a sanitizer's shadow real memory.
if (shutil.which("qemu-x86_64") and os.uname().machine == "x86_64"
        and not config.sanitized):
    config.available_features.add("emulated-x86-64")

# A sanitizer takes memory of its own for the program's memory.
if config.sanitized:
    config.available_features.add("sanitized")
# Programs that link a library of a sanitized build link the sanitizer.
config.substitutions.append(("%sanitize", config.sanitize))

# Real models lie beside the project on some machines; without them their tests
# are skipped.
shared = os.path.join(config.source_dir, "..", "shared", "data")
if os.path.isdir(shared):
    config.available_features.add("shared-data")
    config.substitutions.append(("%shared", os.path.abspath(shared)))
# A Python that has ONNX Runtime, PyTorch and others, which are no packages of the distribution.
peer = os.environ.get("GLOW_PEER_PYTHON") or sys.executable
config.substitutions.append(("%peer", peer))
packages = ("onnxruntime", "onnx", "pytest", "tokenizers", "torch", "onnxscript", "skl2onnx",
            "onnxmltools", "lightgbm", "xgboost", "mypy", "auditwheel", "abi3audit")
find = "import importlib.util as u; print(*(name for name in %r if u.find_spec(name)))" % (packages,)
found = subprocess.run([peer, "-c", find], text=True, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, check=False).stdout.split()
config.available_features.update("peer" if name == "onnxruntime" else f"peer-{name}"
                                 for name in found)
if set(found) != set(packages):
    lit_config.note(f"{peer} has no {', '.join(sorted(set(packages) - set(found)))}: tests that "
                    "need them do not run; GLOW_PEER_PYTHON names another Python")
# The C library of PyPI's ONNX Runtime, which newer packages have, and npm's package.
found = subprocess.run([peer, "-c", "import glob, onnxruntime as o; print(*glob.glob("
                        "o.__path__[0] + '/capi/libonnxruntime.so.*'))"],
                       capture_output=True, text=True, check=False).stdout.split()
if found:
    config.available_features.add("peer-library")
    config.substitutions.append(("%{peer-library}", found[0]))
node = os.path.join(os.environ.get("GLOW_PEER_NODE", ""), "node_modules")
if shutil.which("node") and os.path.isdir(os.path.join(node, "onnxruntime-node")):
    config.available_features.add("peer-node")
    config.substitutions.append(("%{peer-node}", os.path.abspath(node)))
else:
    lit_config.note("no onnxruntime-node of npm: Glow does not run in its place; "
                    "GLOW_PEER_NODE names the folder above node_modules")
onnx_tests = "/usr/share/libonnx-testdata/data"
if os.path.isdir(onnx_tests):
    config.available_features.add("onnx-testdata")
    config.substitutions.append(("%onnx-testdata", onnx_tests))
