# SPDX-License-Identifier: MIT
"""Cases of units of one step, and of nets that run for each step of a sequence."""

import numpy

from nets.net import Net, Operator, case

F, W = numpy.float32, numpy.int32
random = numpy.random.RandomState(55)


def real(*shape, low=-1, high=1):
    return random.uniform(low, high, shape).astype(F)


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def kept(new, old, lengths, step, drop=False):
    """The new state of sequences that have not ended."""
    if lengths is None:
        return new
    return numpy.where((step < lengths)[:, None], new, 0 if drop else old)


def lstm_unit(hidden, cell, gates, lengths, step, bias=0, drop=False):
    i, f, o, g = numpy.split(gates, 4, -1)
    c = sigmoid(f + bias) * cell + sigmoid(i) * numpy.tanh(g)
    return kept(sigmoid(o) * numpy.tanh(c), hidden, lengths, step, drop), kept(c, cell, lengths, step, drop)


def gru_unit(hidden, gates, lengths, step, drop=False):
    _, update, output = numpy.split(gates, 3, -1)
    update = sigmoid(update)
    return kept(hidden * update + numpy.tanh(output) * (1 - update), hidden, lengths, step, drop)


def units(out):
    hidden, cell, gates = real(1, 3, 2), real(1, 3, 2), real(1, 3, 8)
    lengths, step = numpy.array([1, 4, 2], W), numpy.array([2], W)
    for name, bias, drop in ("lstmunit", 0, 0), ("lstmunit_bias", 0.5, 0), ("lstmunit_drop", 0, 1):
        h, c = lstm_unit(hidden, cell, gates, lengths, step, bias, drop)
        case(out, name, [Operator("LSTMUnit", "h c g l t", "y z", forget_bias=bias, drop_states=drop)],
             {"h": hidden, "c": cell, "g": gates, "l": lengths}, {"y": h, "z": c}, {"t": step})
    h, c = lstm_unit(hidden, cell, gates, None, step)
    case(out, "lstmunit_whole", [Operator("LSTMUnit", "h c g t", "y z", sequence_lengths=0)],
         {"h": hidden, "c": cell, "g": gates}, {"y": h, "z": c}, {"t": step})
    for drop in 0, 1:
        case(out, f"gruunit_{drop}", [Operator("GRUUnit", "h g l t", "y", drop_states=drop)],
             {"h": hidden, "g": gates[..., :6], "l": lengths},
             {"y": gru_unit(hidden, gates[..., :6], lengths, step, drop)}, {"t": step})
    case(out, "gruunit_whole", [Operator("GRUUnit", "h g t", "y", sequence_lengths=0)],
         {"h": hidden, "g": gates[..., :6]}, {"y": gru_unit(hidden, gates[..., :6], None, step)}, {"t": step})


def recurrent_net(step, sequence, first, links, references, as_text=False, **more):
    """The operator that Caffe2's function of this name adds: `first` has the blob of each state before
    the first step, and `links` the blob of the net with its next value."""
    inputs = [sequence, *first.values(), *references]
    states = {before: before + "_states" for before in first}
    internal = [blob for before in first for blob in (before, links[before])] + ["input_t"]
    external = [state for before in first for state in [states[before]] * 2] + [sequence]
    results = [links[before] + end for before in first for end in ("_all", "_last")]
    return Operator(
        "RecurrentNetwork", " ".join(inputs), " ".join(results + ["step_workspaces"]),
        param=[], alias_src=[state for before in first for state in [states[before]] * 2], alias_dst=results,
        alias_offset=[1, -1] * len(first), recurrent_states=list(states.values()),
        initial_recurrent_state_ids=[inputs.index(blob) for blob in first.values()],
        link_internal=internal, link_external=external, link_offset=[0, 1] * len(first) + [0],
        timestep="timestep", enable_rnn_executor=1, step_net=step.text() if as_text else step, **more)


def lstm(out, name, steps, as_text=False, flat=False):
    n, d = 2, 3
    x, weights, bias = real(steps, n, 4 * d), real(4 * d, d), real(4 * d)
    lengths = numpy.array([steps, max(steps - 2, 0)], W)
    first, cell = (real(d), real(d)) if flat else (real(1, n, d), real(1, n, d))
    step = Net("lstm_cell", [
        Operator("FC", "hidden_prev w b", "gates", axis=2), Operator("Sum", "gates input_t", "gates"),
        Operator("LSTMUnit", "hidden_prev cell_prev gates l timestep", "hidden cell")],
        "input_t timestep cell_prev hidden_prev w b l", "hidden cell")
    net = recurrent_net(step, "x", {"hidden_prev": "h0", "cell_prev": "c0"},
                        {"hidden_prev": "hidden", "cell_prev": "cell"}, ["w", "b", "l"], as_text)
    h, c, all_h, all_c = (numpy.broadcast_to(first, (1, n, d)), numpy.broadcast_to(cell, (1, n, d)), [], [])
    for t in range(steps):
        h, c = lstm_unit(h, c, h @ weights.T + bias + x[t], lengths, t)
        all_h.append(h[0]), all_c.append(c[0])
    stack = lambda states: numpy.array(states).reshape(steps, n, d)
    case(out, name, [net, Operator("Relu", "hidden_all", "y")], {"x": x, "l": lengths},
         {"y": numpy.maximum(stack(all_h), 0), "hidden_last": h, "cell_all": stack(all_c), "cell_last": c},
         {"w": weights, "b": bias, "h0": first, "c0": cell}, as_text=as_text)


def others(out):
    steps, n, d = 3, 2, 3
    x, weights, bias = real(steps, n, d), real(d, d), real(d)
    first = real(1, n, d)
    step = Net("basic_rnn", [Operator("FC", "hidden_prev w b", "sum", axis=2),
                             Operator("Sum", "sum input_t", "sum"), Operator("Tanh", "sum", "hidden")],
               "input_t timestep hidden_prev w b", "hidden")
    h, states = first, []
    for t in range(steps):
        h = numpy.tanh(h @ weights.T + bias + x[t])
        states.append(h[0])
    case(out, "basicrnn", [recurrent_net(step, "x", {"hidden_prev": "h0"}, {"hidden_prev": "hidden"}, ["w", "b"])],
         {"x": x}, {"hidden_all": numpy.array(states), "hidden_last": h}, {"w": weights, "b": bias, "h0": first})

    # The gates of the state and of the input are multiplied, and scaled and shifted.
    x, weights, bias = real(steps, n, 4 * d), real(4 * d, d), real(4 * d)
    alpha, one, two, cell = real(4 * d), real(4 * d), real(4 * d), real(1, n, d)
    lengths = numpy.array([2, 3], W)
    step = Net("milstm_cell", [
        Operator("FC", "hidden_prev w b", "gates", axis=2),
        Operator("Mul", "gates alpha", "left", broadcast=1, use_grad_hack=1),
        Operator("Add", "left one", "left", broadcast=1, use_grad_hack=1),
        Operator("Mul", "left input_t", "left"),
        Operator("Mul", "gates two", "right", broadcast=1, use_grad_hack=1),
        Operator("Add", "left right", "gates"),
        Operator("LSTMUnit", "hidden_prev cell_prev gates l timestep", "hidden cell", forget_bias=1.0)],
        "input_t timestep cell_prev hidden_prev w b alpha one two l", "hidden cell")
    h, c, states = first, cell, []
    for t in range(steps):
        gates = h @ weights.T + bias
        h, c = lstm_unit(h, c, (gates * alpha + one) * x[t] + gates * two, lengths, t, 1)
        states.append(h[0])
    case(out, "milstm", [recurrent_net(step, "x", {"hidden_prev": "h0", "cell_prev": "c0"},
                                       {"hidden_prev": "hidden", "cell_prev": "cell"},
                                       ["w", "b", "alpha", "one", "two", "l"])],
         {"x": x, "l": lengths}, {"hidden_all": numpy.array(states), "cell_last": c},
         {"w": weights, "b": bias, "h0": first, "c0": cell, "alpha": alpha, "one": one, "two": two})

    # The reset gate multiplies the state, of which the last gate is made.
    x, gate, output = real(steps, n, 3 * d), real(2 * d, d), real(d, d)
    zero = numpy.zeros(2 * d, F)
    step = Net("gru_cell", [
        Operator("FC", "hidden_prev wg zero", "gates", axis=2),
        Operator("Split", "input_t", "input_r input_u input_o", axis=2),
        Operator("Split", "gates", "reset update", axis=2),
        Operator("Add", "reset input_r", "reset"), Operator("Add", "update input_u", "update"),
        Operator("Sigmoid", "reset", "reset_on"), Operator("Mul", "hidden_prev reset_on", "taken"),
        Operator("FC", "taken wo zero_o", "output", axis=2), Operator("Add", "output input_o", "output"),
        Operator("Concat", "reset update output", "all_gates infos", axis=2),
        Operator("GRUUnit", "hidden_prev all_gates l timestep", "hidden")],
        "input_t timestep hidden_prev wg wo zero zero_o l", "hidden")
    h, states = first, []
    for t in range(steps):
        reset, update = numpy.split(h @ gate.T, 2, -1)
        r, u, o = numpy.split(x[t], 3, -1)
        made = numpy.concatenate([reset + r, update + u, (h * sigmoid(reset + r)) @ output.T + o], -1)
        h = gru_unit(h, made, lengths, t)
        states.append(h[0])
    case(out, "gru", [recurrent_net(step, "x", {"hidden_prev": "h0"}, {"hidden_prev": "hidden"},
                                    ["wg", "wo", "zero", "zero_o", "l"])],
         {"x": x, "l": lengths}, {"hidden_all": numpy.array(states), "hidden_last": h},
         {"wg": gate, "wo": output, "zero": zero, "zero_o": zero[:d], "h0": first})


def sequences(out):
    x, lengths = real(4, 3, 2), numpy.array([2, 4, 0], W)
    turned = x.copy()
    for i, n in enumerate(lengths):
        turned[:n, i] = x[:n, i][::-1]
    case(out, "reversepackedsegs", [Operator("ReversePackedSegs", "x l", "y")], {"x": x, "l": lengths}, {"y": turned})
    x = real(3, 4)
    row, column = numpy.indices(x.shape)
    case(out, "sequencemask", [Operator("SequenceMask", "x l", "y", mode="sequence", fill_val=-7.0)],
         {"x": x, "l": lengths}, {"y": numpy.where(column < lengths[:, None], x, -7)})
    for mode, keeps in {"upper": column <= row, "lower": column >= row, "upperdiag": column < row,
                        "lowerdiag": column > row}.items():
        case(out, "sequencemask_" + mode, [Operator("SequenceMask", "x", "y", mode=mode)], {"x": x},
             {"y": numpy.where(keeps, x, F(-1e9))})


def write(out):
    units(out)
    lstm(out, "lstm", 3)
    lstm(out, "lstm_flat", 2, flat=True)
    lstm(out, "lstm_as_text", 3, as_text=True)
    lstm(out, "lstm_long", 70)
    others(out)
    sequences(out)
