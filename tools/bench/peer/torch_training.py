# SPDX-License-Identifier: MIT
"""Training by PyTorch on one thread, eagerly and by torch.compile."""

import copy
import time

import torch

from peer.torch_models import MODELS


class Peer:
    """A network with random weights, which is also written as an ONNX file."""

    def __init__(self, name, path):
        torch.manual_seed(1)
        torch.set_num_threads(1)
        make, shape = MODELS[name]
        self.module, x = make().train(), torch.randn(*shape)
        # As it trains: without a fold of its normalizations.
        torch.onnx.export(
            copy.deepcopy(self.module), (x,), path, dynamo=False, input_names=["x"],
            output_names=["y"], opset_version=17, do_constant_folding=False,
            training=torch.onnx.TrainingMode.TRAINING)
        with torch.no_grad():
            classes = copy.deepcopy(self.module)(x).shape[1]
        labels = torch.arange(shape[0]) % classes
        self.batch, self.labels = x.numpy(), labels.numpy()
        self.arguments = x, labels
        self.eager, self.compiled = self.stepper(False), self.stepper(True)

    def stepper(self, compiles):
        """A function of a step, whose weights are a copy."""
        module = copy.deepcopy(self.module)
        optimizer = torch.optim.SGD(module.parameters(), 0.01, momentum=0.9)
        loss_of = torch.nn.functional.cross_entropy
        forward = torch.compile(module) if compiles else module

        def step():
            optimizer.zero_grad(set_to_none=True)
            loss = loss_of(forward(self.arguments[0]), self.arguments[1])
            loss.backward()
            optimizer.step()
            return float(loss)

        return step

    def losses(self, steps):
        step = self.stepper(False)
        return [step() for _ in range(steps)]

    @staticmethod
    def processor_ms(step, seconds=2.0):
        """The mean of processor time of a step, behind some that warm up."""
        for _ in range(4):
            step()
        count, start, end = 0, time.process_time(), time.perf_counter() + seconds
        while count < 3 or time.perf_counter() < end:
            step()
            count += 1
        return (time.process_time() - start) * 1e3 / count

    def eager_ms(self):
        return self.processor_ms(self.eager)

    def compiled_ms(self):
        return self.processor_ms(self.compiled)
