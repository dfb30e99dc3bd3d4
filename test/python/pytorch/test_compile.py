# SPDX-License-Identifier: MIT
"""torch.compile(module, backend="glow") against PyTorch itself."""

import threading

import pytest
import torch
from torch import nn

import glow
from conftest import MODULES


def close(found, wanted):
    torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("name", MODULES)
def test_all_batches_are_one_program(name, graphs):
    make, batch = MODULES[name]
    module = make().eval()
    with torch._dynamo.config.patch(allow_rnn=True):
        fast = torch.compile(module, backend=graphs)
        for n in (3, 2, 11, 64, 5):
            x = batch(n)
            torch._dynamo.mark_dynamic(x, 0)
            close(fast(x), module(x))
    # PyTorch chooses an algorithm of a convolution by the size, with a graph each.
    # The graph behind a break is compiled for the first batch, and then for all.
    assert len(graphs) == (3 if name == "broken" else 1) or "Conv" in str(module)
    assert graphs.all_run_in_glow()
    for graph in graphs:
        assert graph._model._only is not None and not graph._model._programs
    assert any(graph._ends for graph in graphs)


def test_entry(recwarn):
    module = MODULES["mlp"][0]().eval()
    fast = torch.compile(module, backend="glow", options={"math": "strict"})
    x = torch.randn(2, 10)
    close(fast(x), module(x))
    assert not recwarn.list
    with pytest.raises(Exception, match="no option is named 'mad'; there are"):
        torch.compile(module, backend="glow", options={"mad": 1})(x)


def test_batches_become_dynamic(graphs):
    """Dynamo leaves a size open when it changes. Larger sizes than the range
    has are a second program, in place of the first."""
    module = MODULES["mlp"][0]().eval()
    fast = torch.compile(module, backend=graphs)
    for n in (3, 5, 9, 200, 7):
        x = torch.randn(n, 10)
        close(fast(x), module(x))
    assert len(graphs) == 2 and graphs.all_run_in_glow()
    assert "3" in repr(graphs[0]._model)
    assert graphs[1]._ends == [(graphs[1]._graph.inputs[0], 0, 1024)]


def test_two_open_sizes(graphs):
    module = MODULES["attention"][0]().eval()
    fast = torch.compile(module, backend=graphs, dynamic=True)
    for n, length in ((3, 6), (5, 6), (2, 9)):
        x = torch.randn(n, length, 16)
        close(fast(x), module(x))
    assert graphs.all_run_in_glow()


def test_weights_are_those_of_the_run(graphs):
    module = nn.Linear(4, 2)
    fast = torch.compile(module, backend=graphs)
    x = torch.randn(3, 4)
    close(fast(x), module(x))
    module.weight.mul_(2)
    close(fast(x), module(x))
    module.load_state_dict(nn.Linear(4, 2).state_dict())
    close(fast(x), module(x))
    assert len(graphs) == 1 and graphs.all_run_in_glow()
    with pytest.warns(UserWarning, match="its weights changed 5 times"):
        for _ in range(4):
            module.bias.add_(1)
            close(fast(x), module(x))


def test_modules_of_one_class(graphs):
    """Dynamo may give the weights of one to the graph of the other."""
    for module in (nn.Linear(4, 2), nn.Linear(4, 2)):
        fast = torch.compile(module, backend=graphs)
        x = torch.randn(3, 4)
        close(fast(x), module(x))


def test_gradients_are_of_pytorch(graphs):
    module = nn.Linear(4, 2)
    fast = torch.compile(module, backend=graphs)
    x = torch.randn(3, 4)
    with torch.enable_grad(), pytest.warns(
            UserWarning, match=r"a graph of Linear: PyTorch runs this graph, not "
            r"Glow: it is to have a gradient; call it in torch.no_grad\(\)"):
        fast(x).sum().backward()
    assert module.weight.grad is not None


def refused(graphs, module, x, reason):
    """A graph that PyTorch runs, of which one warning has the reason."""
    fast = torch.compile(module, backend=graphs)
    with pytest.warns(UserWarning, match=f"not Glow: .*{reason}") as warnings:
        for _ in range(3):
            found, wanted = fast(x), module(x)
    assert len([one for one in warnings if "Glow" in str(one.message)]) == 1
    return found, wanted


def test_changes_in_place(graphs):
    module = nn.BatchNorm1d(3).train()
    refused(graphs, module, torch.randn(4, 3), "it changes .*running_mean.* in place")
    assert int(module.num_batches_tracked) == 6  # of three runs of both


def test_random_numbers(graphs):
    refused(graphs, nn.Dropout().train(), torch.randn(4, 3), "random numbers")


def test_what_the_exporter_refuses(graphs):
    class Module(nn.Module):
        def forward(self, x):
            return torch.linalg.eigvals(x).real

    found, wanted = refused(graphs, Module(), torch.eye(3), "refuses it")
    close(found, wanted)


def test_kinds_of_elements(graphs):
    """Of each the result has the same kind; an int64 is no float."""
    class Module(nn.Module):
        def forward(self, x, y, flags):
            return x * 2, y + 1, flags.logical_not(), None, 3

    fast = torch.compile(Module(), backend=graphs)
    for kind in (torch.float64, torch.float16, torch.bfloat16):
        x, y = torch.randn(3, 2).to(kind), torch.arange(4)
        flags = torch.tensor([True, False])
        found, wanted = fast(x, y, flags), Module()(x, y, flags)
        assert found[3:] == (None, 3)
        for one, other in zip(found[:3], wanted):
            torch.testing.assert_close(one, other)
    assert graphs.all_run_in_glow()


def test_tensors_that_are_not_dense(graphs):
    module = MODULES["mlp"][0]().eval()
    fast = torch.compile(module, backend=graphs)
    x = torch.randn(10, 3).t()
    close(fast(x), module(x))
    y = torch.randn(6, 10)[::2]
    close(fast(y), module(y))


def test_inference_mode(graphs):
    module = MODULES["mlp"][0]().eval()
    fast = torch.compile(module, backend=graphs)
    with torch.inference_mode():
        x = torch.randn(3, 10)
        close(fast(x), module(x))
    assert graphs.all_run_in_glow()


def test_threads(graphs):
    module = MODULES["cnn"][0]().eval()
    fast = torch.compile(module, backend=graphs)
    inputs = [torch.randn(2, 3, 16, 16) for _ in range(8)]
    fast(inputs[0])
    wanted, wrong = [module(x) for x in inputs], []

    def run(number):
        with torch.no_grad():
            for turn in range(10):
                k = (number + turn) % len(inputs)
                if not torch.allclose(fast(inputs[k]), wanted[k], atol=1e-4):
                    wrong.append((number, turn))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_weights_are_written_once(tmp_path, monkeypatch):
    """The file that Glow maps has each weight once, and goes with the graph."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    shared = nn.Linear(300, 300, bias=False)
    module = nn.Sequential(shared, nn.ReLU(), shared).eval()
    model = glow.from_torch(module, torch.randn(2, 300))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert 1 <= sum(path.stat().st_size for path in files) / (4 * 300 * 300) < 1.2
    x = torch.randn(2, 300)
    close(torch.from_numpy(model(x)), module(x))
    del model
    assert not list(tmp_path.iterdir())
