# SPDX-License-Identifier: MIT
"""Branches and loops of each kind, as modules with a loss in f64.

Each function gives a module. The values of its inputs are those that the gradients
are compared for.
"""

import numpy as np

from module_text import NUMBER, TRUTH, Module, tensor

ROW = tensor(3)


def drawn(*shape):
    return np.random.default_rng(sum(shape)).uniform(-1, 1, shape)


def choice(is_then):
    """Each function needs a value that the other one has not; one reads a value twice."""
    m = Module()
    c = m.input("c", np.array(is_then), TRUTH)
    u, v, w = (m.weight(name, drawn(3) + place) for place, name in enumerate("uvw"))
    then, other = m.function("then"), m.function("other")
    a, b, d = (then.take(ROW) for _ in range(3))
    e = then.same("tanh", then.same("mul", a, b))
    then.give(then.same("mul", e, d), then.sum(e))
    a, b = other.take(ROW), other.take(ROW)
    e = other.same("mul", other.same("exp", a), b)
    other.give(e, other.sum(a))
    y, s = m.main.branch(c, then, [u, v, u], other, [w, u], [ROW, tensor()])
    m.loss(m.main.same("mul", m.main.sum(m.main.same("mul", y, v)), s))
    return m


def step_of(m, name="step"):
    """A step of two carried values, a slice and a weight, which stacks two tensors; the
    number of the trip and a carried integer are factors."""
    f = m.function(name)
    trip, h, count, row, w = (f.take(one) for one in (NUMBER, ROW, NUMBER, ROW, ROW))
    number = f.node("cast", [trip], tensor(), "kind f64")
    part = f.node("broadcast", [number], ROW, "dims [3] axis -1")
    s = f.same("add", f.same("mul", h, w), f.same("mul", row, part))
    t = f.same("tanh", s)
    factor = f.node("cast", [count], tensor(), "kind f64")
    return f, (t, f.same("add", count, f.splat(2, NUMBER)), f.same("mul", t, row),
               f.same("mul", f.sum(s), factor))


def done_slices(f, stack, trips, count, row):
    """The slices of trips that were done, or zeros; others are undefined."""
    every = tensor(count, kind="i64")
    place = f.add("iota", [], every, f"start 0.0 step 1.0 axis 0 dims [{count}] kind i64")
    limit = f.node("broadcast", [trips], every, f"dims [{count}] axis -1")
    is_done = f.node("less", [place, limit], tensor(count, kind="i1"))
    shape = [count, *row]
    column = f.node("reshape", [is_done], tensor(count, *[1 for _ in row], kind="i1"),
                    f"dims {[count, *[1 for _ in row]]}")
    mask = f.node("broadcast", [column], tensor(*shape, kind="i1"), f"dims {shape} axis -1")
    return f.node("select", [mask, stack, f.splat(0, tensor(*shape))], tensor(*shape))


def counted(trips, backwards):
    """As many trips as a run says, of at most 5; the slices of others are undefined."""
    m = Module()
    n = m.input("n", np.array(trips), NUMBER)
    h, w, xs = (m.weight(name, drawn(*shape))
                for name, shape in (("h", (3,)), ("w", (3,)), ("xs", (5, 3))))
    f, results = step_of(m)
    f.give(*results)
    zero = m.main.splat(0, NUMBER)
    y, _, ys, sums, done = m.main.loop(
        f, [h, zero], [xs], [w], [ROW, NUMBER, tensor(5, 3), tensor(5)], trips=n, count=5,
        backwards=backwards)
    main = m.main
    total = main.sum(main.same("mul", y, w))
    for stack, row in ((ys, [3]), (sums, [])):
        part = done_slices(main, stack, done, 5, row)
        total = main.same("add", total, main.sum(main.same("mul", part, part)))
    m.loss(total)
    return m


def growth(m, limit, stacks=False):
    """Weights, and a body that adds to a carried value until its sum is above the limit; `stacks`
    gives a slice of each trip."""
    most = m.input("limit", np.array(limit), tensor())
    h, w, xs = (m.weight(name, np.abs(drawn(*shape)))
                for name, shape in (("h", (3,)), ("w", (3,)), ("xs", (8, 3))))
    f = m.function("grow")
    _, a, row, b, end = (f.take(one) for one in (NUMBER, ROW, ROW, ROW, tensor()))
    grown = f.same("add", a, f.same("mul", f.same("exp", b), row))
    slices = [f.same("sin", grown)] if stacks else []
    f.give(f.less(f.sum(grown), end), grown, *slices)
    return most, h, w, xs, f


def until(limit, condition=True):
    """The body ends the loop; its condition at first may be false."""
    m = Module()
    c = m.input("c", np.array(condition), TRUTH)
    most, h, w, xs, f = growth(m, limit)
    y, _ = m.main.loop(f, [h], [xs], [w, most], [ROW], condition=c, count=8)
    m.loss(m.main.sum(m.main.same("mul", y, y)))
    return m


def until_backwards(trips):
    """The body ends a loop with slices that begin at the end of the trips that are allowed, so
    that the first slices are undefined."""
    m = Module()
    n = m.input("n", np.array(trips), NUMBER)
    most, h, w, xs, f = growth(m, 9.0, stacks=True)
    main = m.main
    y, ys, done = main.loop(f, [h], [xs], [w, most], [ROW, tensor(8, 3)], trips=n, count=8,
                            backwards=[1, 1])
    # The slices of the trips that are allowed, in the order of the trips.
    limit = main.same("min", n, main.splat(8, NUMBER))
    every = tensor(8, kind="i64")
    place = main.add("iota", [], every, "start 0.0 step 1.0 axis 0 dims [8] kind i64")
    last = main.node("broadcast", [main.same("sub", limit, main.splat(1, NUMBER))], every,
                     "dims [8] axis -1")
    order = main.same("max", main.same("sub", last, place), main.splat(0, every))
    turned = main.node("gather", [ys, order], tensor(8, 3), "axis 0")
    part = done_slices(main, turned, done, 8, [3])
    total = main.sum(main.same("mul", part, part))
    m.loss(main.same("add", total, main.sum(main.same("mul", y, y))))
    return m


def stacked_until(limit):
    """The slices of the trips that were done before the body ended the loop, as a tensor of as
    many rows."""
    m = Module()
    most, h, w, xs, f = growth(m, limit, stacks=True)
    main = m.main
    y, ys, done = main.loop(f, [h], [xs], [w, most], [ROW, tensor(8, 3)], count=8)
    part = main.node("prefix", [ys, done],
                     'tensor<8x3xf64, #glow.lengths<"[done, 3], done = 0..8">>',
                     'length "[done], done = 0..8"')
    total = main.sum(main.same("mul", part, part))
    m.loss(main.same("add", total, main.sum(main.same("mul", y, y))))
    return m


def exchanged():
    """Carried values change places, so that a gradient comes after two trips."""
    m = Module()
    a, b, w = (m.weight(name, drawn(3) + place) for place, name in enumerate("abw"))
    f = m.function("swap")
    _, p, q, r, s = (f.take(one) for one in (NUMBER, ROW, ROW, ROW, ROW))
    f.give(q, r, f.same("sin", f.same("mul", p, s)))
    y = m.main.loop(f, [a, b, w], [], [w], [ROW, ROW, ROW], count=4)
    m.loss(m.main.sum(m.main.same("mul", y[0], y[0])))
    return m


def scanned(backwards, count=4):
    """All trips are done, in each direction of what is sliced and stacked."""
    m = Module()
    h, w = m.weight("h", drawn(3)), m.weight("w", drawn(3))
    xs = m.weight("xs", drawn(count, 3))
    f, results = step_of(m)
    f.give(*results)
    y, _, ys, sums, _ = m.main.loop(
        f, [h, m.main.splat(0, NUMBER)], [xs], [w],
        [ROW, NUMBER, tensor(count, 3), tensor(count)], count=count, backwards=backwards)
    main = m.main
    total = main.sum(main.same("mul", main.same("mul", ys, ys), xs))
    total = main.same("add", total, main.sum(main.same("sin", sums)))
    m.loss(main.same("add", total, main.sum(y)))
    return m


def mapped():
    """A loop without carried values, and one that carries a value without a weight."""
    m = Module()
    w, xs = m.weight("w", drawn(3)), m.weight("xs", drawn(4, 3))
    h = m.input("h", drawn(3), ROW)
    f, g = m.function("map"), m.function("weigh")
    _, row, b = (f.take(one) for one in (NUMBER, ROW, ROW))
    f.give(f.same("sin", f.same("mul", row, b)))
    _, a, row = (g.take(one) for one in (NUMBER, ROW, ROW))
    g.give(g.same("sin", a), g.same("mul", a, row))
    ys = m.main.loop(f, [], [xs], [w], [tensor(4, 3)], count=4)[0]
    zs = m.main.loop(g, [h], [ys], [], [ROW, tensor(4, 3)], count=4)[1]
    m.loss(m.main.sum(m.main.same("mul", zs, zs)))
    return m


def nested():
    """A loop of as many trips as the outer trip's number, in a branch of an outer loop; the
    inner body and the branch read the same weight."""
    m = Module()
    h, w = m.weight("h", drawn(3)), m.weight("w", drawn(3) / 2)
    outer, then, other, inner = (m.function(name)
                                 for name in ("outer", "then", "other", "inner"))
    _, a, b = (inner.take(one) for one in (NUMBER, ROW, ROW))
    inner.give(inner.same("sin", inner.same("add", a, b)))
    n, a, b = (then.take(one) for one in (NUMBER, ROW, ROW))
    then.give(then.loop(inner, [then.same("mul", a, b)], [], [b], [ROW], trips=n,
                        count=3)[0])
    a = other.take(ROW)
    other.give(other.same("mul", a, a))
    trip, a, b = (outer.take(one) for one in (NUMBER, ROW, ROW))
    is_even = outer.node("equal", [outer.node("mod", [trip, outer.splat(2, NUMBER)], NUMBER),
                                   outer.splat(0, NUMBER)], TRUTH)
    chosen = outer.branch(is_even, then, [trip, a, b], other, [a], [ROW])[0]
    outer.give(outer.same("add", chosen, b))
    y = m.main.loop(outer, [h], [], [w], [ROW], count=5)[0]
    m.loss(m.main.sum(m.main.same("mul", y, y)))
    return m


def updated_rows():
    """Each trip replaces a row of a table, where it is."""
    m = Module()
    table, w = m.weight("table", drawn(4, 3)), m.weight("w", drawn(3))
    f = m.function("update")
    trip, a, b = f.take(NUMBER), f.take(tensor(4, 3)), f.take(ROW)
    new = f.same("sin", f.same("mul", f.node("gather", [a, trip], ROW, "axis 0"), b))
    place = f.node("reshape", [trip], tensor(1, 1, kind="i64"), "dims [1, 1]")
    f.give(f.node("scatter_nd", [a, place, f.node("reshape", [new], tensor(1, 3),
                                                  "dims [1, 3]")],
                  tensor(4, 3), 'reduction "none"'))
    y = m.main.loop(f, [table], [], [w], [tensor(4, 3)], count=3)[0]
    m.loss(m.main.sum(m.main.same("mul", y, y)))
    return m


def shared():
    """Two loops and a branch call one function, of which one call has no weight."""
    m = Module()
    w, v = m.weight("w", drawn(3)), m.weight("v", drawn(3))
    x = m.input("x", drawn(3), ROW)
    f = m.function("step")
    _, a, b = (f.take(one) for one in (NUMBER, ROW, ROW))
    f.give(f.same("sin", f.same("mul", a, b)))
    y = m.main.loop(f, [w], [], [v], [ROW], count=3)[0]
    z = m.main.loop(f, [y], [], [x], [ROW], count=2)[0]
    q = m.main.loop(f, [x], [], [x], [ROW], count=2)[0]
    m.loss(m.main.sum(m.main.same("mul", z, q)))
    return m


CASES = {
    "then": lambda: choice(True), "otherwise": lambda: choice(False),
    **{f"trips {n}": lambda n=n: counted(n, [0, 0, 1]) for n in (-1, 0, 1, 3, 5, 9)},
    **{f"backwards {n}": lambda n=n: counted(n, [1, 1, 0]) for n in (0, 2, 5)},
    "until": lambda: until(9.0), "until the count": lambda: until(1e9),
    "condition false": lambda: until(9.0, False),
    **{f"until {n} backwards": lambda n=n: until_backwards(n) for n in (-3, 0, 2, 6, 10)},
    **{f"stacked until {n}": lambda n=n: stacked_until(n) for n in (0.0, 9.0, 1e9)},
    "exchanged": exchanged,
    "scanned": lambda: scanned([0, 0, 1]), "scanned backwards": lambda: scanned([1, 1, 0]),
    "no slices": lambda: scanned([0, 1, 0], 0), "mapped": mapped, "nested": nested,
    "updated rows": updated_rows, "shared": shared}
