# SPDX-License-Identifier: MIT
"""Another compiler or runtime, measured as `glow bench --slices` is: it runs a model once, prints
how long that took, and then obeys lines of stdin.

    engine.py NAME MODEL.onnx THREADS INPUT=FILE.npy...

NAME is a key of ENGINES. Each has its best setting for one item on so many threads, in f32."""

import json
import os
import sys
import time

import numpy as np


def ends_of(model):
    """The names of a model's inputs and of its outputs, in order."""
    import onnx
    graph = onnx.load(model, load_external_data=False).graph
    weights = {weight.name for weight in graph.initializer}
    return ([value.name for value in graph.input if value.name not in weights],
            [value.name for value in graph.output])


class OnnxRuntime:
    package = "onnxruntime"

    def __init__(self, model, threads, feeds):
        from session import Session
        self.session = Session(model, feeds, threads)

    def run(self):
        self.session()

    def outputs(self):
        names = [output.name for output in self.session.session.get_outputs()]
        return dict(zip(names, self.session.outputs()))


class OpenVino:
    package = "openvino"

    def __init__(self, model, threads, feeds):
        import openvino
        compiled = openvino.Core().compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads,
            "INFERENCE_PRECISION_HINT": "f32"})
        self.names = ends_of(model)[1]
        self.request = compiled.create_infer_request()
        for name, array in feeds.items():
            self.request.set_tensor(name, openvino.Tensor(array))

    def run(self):
        self.request.infer()

    def outputs(self):
        return {name: np.array(self.request.get_output_tensor(i).data)
                for i, name in enumerate(self.names)}


class Torch:
    """`torch.compile` of the modules that onnx2torch makes of the nodes."""
    package = "torch"

    def __init__(self, model, threads, feeds):
        import onnx2torch
        import torch
        self.torch = torch
        torch.set_num_threads(threads)
        inputs, self.names = ends_of(model)
        self.feeds = [torch.from_numpy(feeds[name]) for name in inputs]
        with torch.inference_mode():
            self.module = torch.compile(onnx2torch.convert(model).eval(), mode="max-autotune")

    def run(self):
        with self.torch.inference_mode():
            self.results = self.module(*self.feeds)

    def outputs(self):
        one = isinstance(self.results, self.torch.Tensor)
        results = [self.results] if one else self.results
        return {name: result.numpy() for name, result in zip(self.names, results)}


class Iree:
    package = "iree-base-compiler"

    def __init__(self, model, threads, feeds):
        import subprocess
        import tempfile

        import iree.compiler
        import iree.runtime
        import onnx
        with tempfile.TemporaryDirectory() as folder:
            text = os.path.join(folder, "model.mlir")
            importer = os.path.join(os.path.dirname(sys.executable), "iree-import-onnx")
            subprocess.run([importer, model, "-o", text, "--opset-version=17"], check=True)
            code = iree.compiler.compile_file(
                text, input_type="onnx", target_backends=["llvm-cpu"],
                extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
        driver = "local-sync"
        if threads > 1:
            driver = "local-task"
            iree.runtime.flags.parse_flag(f"--task_topology_group_count={threads}")
        self.device = iree.runtime.get_device(driver)
        config = iree.runtime.Config(device=self.device)
        module = iree.runtime.load_vm_modules(
            iree.runtime.VmModule.copy_buffer(config.vm_instance, code), config=config)[-1]
        self.function = module[onnx.load(model, load_external_data=False).graph.name]
        inputs, self.names = ends_of(model)
        self.feeds = [iree.runtime.asdevicearray(self.device, feeds[name]) for name in inputs]

    def run(self):
        self.results = self.function(*self.feeds)

    def outputs(self):
        results = self.results if isinstance(self.results, (list, tuple)) else [self.results]
        return {name: np.asarray(result.to_host()) for name, result in zip(self.names, results)}


ENGINES = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "torch": Torch, "iree": Iree}


def peak_bytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


def times_of(engine, milliseconds):
    """Times of single runs, in milliseconds; at least one."""
    engine.run()  # finds the caches as the other program left them
    times, end = [], time.perf_counter() + milliseconds / 1e3
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        engine.run()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def write_outputs(folder, outputs):
    os.makedirs(folder, exist_ok=True)
    for name, array in outputs.items():
        np.save(os.path.join(folder, name + ".npy"), array)


def main(name, model, threads, *pairs):
    # Libraries print as they like: answers have a descriptor of their own.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def answer(value):
        answers.write(json.dumps(value) + "\n")

    feeds = {}
    for pair in pairs:
        key, _, file = pair.partition("=")
        feeds[key] = np.load(file)
    idle, start = peak_bytes(), time.perf_counter()
    engine = ENGINES[name](model, int(threads), feeds)
    loaded = time.perf_counter()
    engine.run()
    answer({"first_result_ms": (time.perf_counter() - start) * 1e3,
            "load_ms": (loaded - start) * 1e3, "idle_bytes": idle})
    for line in sys.stdin:
        command, _, operand = line.strip().partition(" ")
        if command == "run":
            answer({"times_ms": times_of(engine, float(operand))})
        elif command == "write":
            write_outputs(operand, engine.outputs())
            answer({"written": operand})
        else:
            sys.exit(f"engine: error: line '{line.strip()}' should be 'run MILLISECONDS' or "
                     "'write DIR'")


if __name__ == "__main__":
    main(*sys.argv[1:])
