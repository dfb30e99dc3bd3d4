#!/usr/bin/env python3
"""Writes cases of recurrent networks: recurrent.py FOLDER.

What they must give is computed here, step by step, from ONNX's equations.
"""

import os
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"],
            "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
FUNCTIONS = {  # of x, alpha and beta; how many of these; their defaults
    "Relu": (lambda x, a, b: numpy.maximum(x, 0), 0, ()),
    "Tanh": (lambda x, a, b: numpy.tanh(x), 0, ()),
    "Sigmoid": (lambda x, a, b: 1 / (1 + numpy.exp(-x)), 0, ()),
    "Affine": (lambda x, a, b: a * x + b, 2, (1, 0)),
    "LeakyRelu": (lambda x, a, b: numpy.where(x < 0, a * x, x), 1, (0.01,)),
    "ThresholdedRelu": (lambda x, a, b: numpy.where(x > a, x, 0), 1, (1,)),
    "ScaledTanh": (lambda x, a, b: a * numpy.tanh(b * x), 2, (1, 1)),
    "HardSigmoid": (lambda x, a, b: numpy.clip(a * x + b, 0, 1), 2, (0.2, 0.5)),
    "Elu": (lambda x, a, b: numpy.where(x < 0, a * (numpy.exp(x) - 1), x), 1, (1,)),
    "Softsign": (lambda x, a, b: x / (1 + abs(x)), 0, ()),
    "Softplus": (lambda x, a, b: numpy.log(1 + numpy.exp(x)), 0, ()),
}


def functions(case, directions):
    """One function of x for each activation, of clipped sums but for an LSTM's state."""
    names = case.get("activations", DEFAULTS[case["op"]] * directions)
    alphas = list(case.get("activation_alpha", []))
    betas = list(case.get("activation_beta", []))
    clip = case.get("clip", numpy.inf)
    made = []
    for i, name in enumerate(names):
        ofState = case["op"] == "LSTM" and i % 3 == 2
        limit = numpy.inf if ofState else clip
        function, count, defaults = FUNCTIONS[name]
        a = (alphas.pop(0) if alphas else defaults[0]) if count > 0 else 0
        b = (betas.pop(0) if betas else defaults[1]) if count > 1 else 0
        made.append(lambda x, f=function, a=a, b=b, c=limit: f(numpy.clip(x, -c, c), a, b))
    return made


def step(case, f, x, h, c, w, r, wb, rb, p):
    """The next h and c of one item."""
    gates = GATES[case["op"]]
    W, R = numpy.split(w, gates), numpy.split(r, gates)
    WB, RB = numpy.split(wb, gates), numpy.split(rb, gates)
    see = lambda i: x @ W[i].T + WB[i] + h @ R[i].T + RB[i]
    if case["op"] == "RNN":
        return f[0](see(0)), c
    if case["op"] == "GRU":
        z, reset = f[0](see(0)), f[0](see(1))
        if case.get("linear_before_reset"):
            state = reset * (h @ R[2].T + RB[2])
        else:
            state = (reset * h) @ R[2].T + RB[2]
        return (1 - z) * f[1](x @ W[2].T + WB[2] + state) + z * h, c
    P = numpy.split(p, 3)
    i = f[0](see(0) + P[0] * c)
    forget = 1 - i if case.get("input_forget") else f[0](see(2) + P[2] * c)
    c = forget * c + i * f[1](see(3))
    return f[0](see(1) + P[1] * c) * f[2](c), c


def compute(case, X, W, R, B, lengths, h0, c0, P):
    """Y, Y_h, Y_c with the steps first."""
    steps, batch, directions, hidden = *X.shape[:2], *R.shape[::2]
    Y = numpy.zeros((steps, directions, batch, hidden))
    H, C = h0.copy(), c0.copy()
    all_functions = functions(case, directions)
    each = len(all_functions) // directions
    for d in range(directions):
        wb, rb = numpy.split(B[d], 2)
        for n in range(batch):
            order = range(lengths[n])
            if d == 1 or case.get("direction") == "reverse":
                order = reversed(order)
            for t in order:
                H[d, n], C[d, n] = step(
                    case, all_functions[d * each:][:each], X[t, n], H[d, n],
                    C[d, n], W[d], R[d], wb, rb, P[d])
                Y[t, d, n] = H[d, n]
    return Y, H, C


def draw(case, random):
    """The inputs and what they must give."""
    gates = GATES[case["op"]]
    steps, batch, inputs, hidden = case.get("sizes", (5, 2, 3, 4))
    directions = 2 if case.get("direction") == "bidirectional" else 1
    some = lambda *shape: random.uniform(-1, 1, shape).astype(numpy.float32)
    given = case.get("given", "")
    scale = numpy.float32(2 / hidden ** 0.5)
    arrays = {
        "X": some(steps, batch, inputs),
        "W": some(directions, gates * hidden, inputs),
        "R": some(directions, gates * hidden, hidden) * scale,
        "B": some(directions, 2 * gates * hidden) * ("B" in given),
        "L": numpy.array([random.randint(1, steps + 1) if "L" in given else steps
                          for _ in range(batch)], numpy.int32),
        "H": some(directions, batch, hidden) * ("H" in given),
        "C": some(directions, batch, hidden) * ("C" in given),
        "P": some(directions, 3 * hidden) * ("P" in given),
    }
    exact = {name: array.astype(numpy.float64) for name, array in arrays.items()}
    exact["L"] = arrays["L"]
    return arrays, compute(case, *(exact[name] for name in "XWRBLHCP"))


def write(folder, case, seed):
    op, given = case["op"], case.get("given", "")
    random = numpy.random.RandomState(seed)
    while True:
        arrays, results = draw(case, random)
        # A small difference of many larger terms has few right digits.
        least = 1e-6 * max(50, arrays["R"].shape[2])
        if all(abs(part[part != 0]).min() > least for part in results if part.any()):
            break
    if case.get("layout"):
        for name in "XHC":
            arrays[name] = arrays[name].swapaxes(0, 1).copy()
        results = [results[0].transpose(2, 0, 1, 3)] + [
            result.swapaxes(0, 1) for result in results[1:]]
    attributes = {key: value for key, value in case.items()
                  if key not in ("op", "sizes", "given", "outputs", "constant")}
    names = [name if name in "XWR" + given else "" for name in "XWRBLHCP"]
    if op != "LSTM":
        names = names[:6]
    wanted = case.get("outputs", "YHC" if op == "LSTM" else "YH")
    outputs = ["Y" + name if name in wanted else "" for name in "YHC"]
    if op != "LSTM":
        outputs = outputs[:2]
    node = helper.make_node(op, names, outputs, hidden_size=arrays["R"].shape[2], **attributes)
    fed = [name for name in names if name and name not in case.get("constant", "WRB")]
    info = lambda name, array: helper.make_tensor_value_info(
        name, TensorProto.INT32 if name == "L" else TensorProto.FLOAT, array.shape)
    expected = [(name, result.astype(numpy.float32))
                for name, result in zip(outputs, results) if name]
    graph = helper.make_graph(
        [node], op, [info(name, arrays[name]) for name in fed],
        [info(name, result) for name, result in expected],
        [numpy_helper.from_array(arrays[name], name)
         for name in names if name and name not in fed])
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
    open(os.path.join(folder, "model.onnx"), "wb").write(model.SerializeToString())
    tensors = [("input", i, name, arrays[name]) for i, name in enumerate(fed)]
    tensors += [("output", i, *pair) for i, pair in enumerate(expected)]
    for word, i, name, array in tensors:
        tensor = numpy_helper.from_array(numpy.ascontiguousarray(array), name)
        path = os.path.join(data, f"{word}_{i}.pb")
        open(path, "wb").write(tensor.SerializeToString())


def cases():
    both = {"direction": "bidirectional"}
    for op in GATES:
        most = "BLHCP" if op == "LSTM" else "BLH"
        plain = most.replace("L", "")
        yield f"{op}_plain", {"op": op}
        yield f"{op}_all", {"op": op, "given": plain}
        yield f"{op}_reverse", {"op": op, "given": plain, "direction": "reverse"}
        yield f"{op}_both", {"op": op, "given": plain, "sizes": (6, 1, 5, 20), **both}
        yield f"{op}_wide", {"op": op, "given": plain, "sizes": (4, 1, 8, 64)}
        yield f"{op}_batch", {"op": op, "given": plain, "sizes": (3, 9, 8, 48), **both}
        yield f"{op}_large", {"op": op, "given": plain,
                              "sizes": (3, 1, 4, 733 if op == "RNN" else 432)}
        yield f"{op}_tail", {"op": op, "given": plain, "sizes": (3, 13, 7, 37)}
        yield f"{op}_lengths", {"op": op, "given": most, **both, "sizes": (5, 4, 3, 18)}
        yield f"{op}_backward_lengths", {"op": op, "given": most, "direction": "reverse"}
        yield f"{op}_layout", {"op": op, "given": plain, "layout": 1, **both}
        yield f"{op}_clip", {"op": op, "given": plain, "clip": 0.3}
        yield f"{op}_last", {"op": op, "outputs": "H", "given": "B"}
        yield f"{op}_fed", {"op": op, "given": plain, "constant": ""}
    names = list(FUNCTIONS)
    for i, name in enumerate(names):
        yield f"RNN_{name}", {
            "op": "RNN", "given": "B", "activations": [name, "Tanh"], **both}
    # ONNX's default has two names for any direction, and files write it.
    yield "RNN_default", {"op": "RNN", "given": "B", "activations": ["Tanh", "Tanh"]}
    yield "RNN_scaled", {
        "op": "RNN", "given": "B", "activations": ["Tanh", "ScaledTanh"], **both,
        "activation_alpha": [0.7], "activation_beta": [0.4]}
    yield "GRU_activations", {
        "op": "GRU", "given": "BH", "activations": ["HardSigmoid", "Affine"],
        "activation_alpha": [0.3, 0.9], "activation_beta": [0.4, 0.1]}
    yield "LSTM_activations", {
        "op": "LSTM", "given": "BHCP", **both, "activations": [
            "Sigmoid", "LeakyRelu", "Softsign", "HardSigmoid", "Elu", "Tanh"],
        "activation_alpha": [0.3, 0.1], "sizes": (4, 3, 5, 33)}
    yield "GRU_after", {"op": "GRU", "given": "BH", "linear_before_reset": 1}
    yield "GRU_after_both", {"op": "GRU", "given": "BH", "linear_before_reset": 1,
                             "sizes": (5, 7, 6, 35), **both}
    yield "LSTM_coupled", {"op": "LSTM", "given": "BHCP", "input_forget": 1,
                           "sizes": (4, 3, 5, 18)}
    yield "LSTM_cell", {"op": "LSTM", "given": "BHC", "outputs": "C"}


if __name__ == "__main__":
    for seed, (name, case) in enumerate(cases()):
        write(os.path.join(sys.argv[1], "test_" + name), case, seed)
