# SPDX-License-Identifier: MIT
"""ONNX Runtime by its module for Python: inputs and outputs are bound once, and
a run is one call."""

import time

import onnxruntime


class Session:
    """Has the runs of measure.Program; `model` is a file's bytes, or its path."""

    def __init__(self, model, feeds, threads=1):
        onnxruntime.set_default_logger_severity(4)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = threads
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        # The binding holds addresses alone.
        self.values = [onnxruntime.OrtValue.ortvalue_from_numpy(array)
                       for array in feeds.values()]
        for name, value in zip(feeds, self.values):
            self.binding.bind_ortvalue_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)

    def __call__(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return self.binding.copy_outputs_to_cpu()

    def run(self, milliseconds):
        """Times of single runs, in milliseconds; at least one."""
        self()  # finds the caches as the other program left them
        times, end = [], time.perf_counter() + milliseconds / 1e3
        while not times or time.perf_counter() < end:
            start = time.perf_counter()
            self()
            times.append((time.perf_counter() - start) * 1e3)
        return times
