# SPDX-License-Identifier: MIT
"""Builds glow, installs the peer, writes models: what a measurement needs."""

import json
import os
import shutil
import subprocess

import models
from measure import BenchError

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def command(arguments, folder, **environment):
    """Runs a tool; what it prints is shown only if it fails."""
    try:
        done = subprocess.run(
            arguments, cwd=folder, text=True, env={**os.environ,
                                                   **environment},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        raise BenchError(f"'{arguments[0]}' is not installed") from None
    if done.returncode != 0:
        raise BenchError(f"'{' '.join(arguments)}' ended with status "
                         f"{done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout.strip()


def build_glow(source):
    """The release build of a source tree; returns the path of glow."""
    binary = os.path.join(source, "build")
    environment = {}
    if shutil.which("ccache"):
        # The same sources in another folder hit the same cache.
        environment = {"CMAKE_C_COMPILER_LAUNCHER": "ccache",
                       "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
                       "CCACHE_BASEDIR": source, "CCACHE_NOHASHDIR": "1"}
    command(["cmake", "--preset", "release"], source, **environment)
    command(["cmake", "--build", binary, "--target", "glow", "--parallel",
             str(os.cpu_count())], source, **environment)
    return os.path.join(binary, "tools", "glow", "glow")


def revision(name="HEAD"):
    return command(["git", "rev-parse", "--verify", "--end-of-options",
                    name + "^{commit}"], ROOT)


def described():
    """The revision of this tree, with a mark if files differ from it."""
    return command(["git", "describe", "--always", "--dirty",
                    "--abbrev=12", "--exclude=*"], ROOT)


def build_revision(name, cache):
    """Glow of another revision, from one work tree that is kept."""
    wanted = revision(name)
    source = os.path.join(cache, "against")
    if os.path.exists(os.path.join(source, ".git")):
        command(["git", "checkout", "--quiet", "--force", "--detach", wanted],
                source)
    else:
        command(["git", "worktree", "prune"], ROOT)
        command(["git", "worktree", "add", "--quiet", "--detach", source,
                 wanted], ROOT)
    return build_glow(source)


class Peer:
    """ONNX Runtime, as its package for Node has it."""

    def __init__(self, cache):
        self.folder = os.path.join(cache, "peer")
        asked = os.path.join(HERE, "peer", "package.json")
        with open(asked) as file:
            dependencies = json.load(file)["dependencies"]
        self.version = dependencies["onnxruntime-node"]
        if self.installed() != self.version:
            os.makedirs(self.folder, exist_ok=True)
            shutil.copy(asked, self.folder)
            # Its scripts would fetch libraries for GPUs.
            command(["npm", "install", "--ignore-scripts", "--no-audit",
                     "--no-fund", "--no-package-lock"], self.folder)

    def installed(self):
        try:
            with open(os.path.join(self.folder, "node_modules",
                                   "onnxruntime-node", "package.json")) as f:
                return json.load(f)["version"]
        except FileNotFoundError:
            return None

    def command(self, files, threads):
        return ["node", os.path.join(HERE, "peer", "peer.js"), files.model,
                str(threads), *pairs(files)]

    def environment(self, optimization="all"):
        """`optimization` is "all" or "disabled"."""
        return {**os.environ, "PEER_OPTIMIZATION": optimization,
                "NODE_PATH": os.path.join(self.folder, "node_modules")}


def pairs(files):
    return [f"{name}={file}" for name, file in files.inputs().items()]


def glow_command(glow, files, mode, backend, compiled=""):
    """`compiled` is the folder that keeps what was compiled, if any."""
    inputs = [f"--input={pair}" for pair in pairs(files)]
    return [glow, "bench", files.model, "--slices", f"--backend={backend}",
            f"--threads={mode.threads}", f"--cache-dir={compiled}", *inputs,
            *([] if mode.math == "default" else [f"--math={mode.math}"])]


def model_files(name, batch, cache):
    """Writes the model, unless it is newer than what would write it."""
    files = models.Files(os.path.join(cache, "models"), name, batch)
    sources = [os.path.join(HERE, file) for file in os.listdir(HERE)
               if file in ("decoder.py", "detector.py", "graph.py", "models.py",
                           "quantized.py", "transformers.py", "vision.py")]
    newest = max(map(os.path.getmtime, sources))
    if (not os.path.exists(files.model)
            or os.path.getmtime(files.model) < newest):
        files.write(models.make(name, batch))
    return files
