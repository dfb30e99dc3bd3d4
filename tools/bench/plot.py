# SPDX-License-Identifier: MIT
"""A bar chart of ratios as SVG."""

import math
from xml.sax.saxutils import escape

COLOURS = ["#2a6fb0", "#e0802b", "#3a9a5b", "#8b5bb5"]
WIDTH, BAR, GAP, TOP = 560, 14, 10, 50  # in pixels
# Width of a letter in a font of 12 pixels without serifs; a mean of a few words is less.
LETTER = 7.5


def ticks(largest):
    """Numbers on the axis, from 0 past the largest ratio, at most 10."""
    step = next(s for s in (0.5, 1, 2, 5, 10, 50, 100, 1000)
                if largest / s <= 8 or s == 1000)
    return [i * step for i in range(math.ceil(largest / step) + 1)]


class Drawing:
    """`left` is where bars begin: names stand before them."""

    def __init__(self, names):
        self.parts = []
        self.left = max(120, 16 + LETTER * max(map(len, names)))

    def text(self, x, y, text, anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" '
                          f'text-anchor="{anchor}">{escape(text)}</text>')

    def line(self, x, top, bottom, style):
        self.parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" '
                          f'y2="{bottom}" {style}/>')

    def box(self, x, y, width, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" '
                          f'height="{BAR}" fill="{colour}"/>')

    def svg(self, width, height):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
                f'height="{height}" viewBox="0 0 {width} {height}" '
                'font-family="sans-serif" font-size="12" fill="#222">\n'
                f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def draw_axis(drawing, axis, bottom):
    for value in axis:
        x = drawing.left + value / axis[-1] * WIDTH
        same = value == 1
        drawing.line(x, TOP, bottom,
                     'stroke="#222"' if same else 'stroke="#ddd"')
        drawing.text(x, bottom + 16, f"{value:g}", "middle")
    drawing.text(drawing.left + WIDTH / 2, bottom + 34,
                 "time of ONNX Runtime / our time; a mark is a target",
                 "middle")


def draw_model(drawing, results, y, scale, colours):
    """A bar for each mode that has the model."""
    drawing.text(drawing.left - 8, y + len(results) * BAR / 2 + 4,
                 results[0][1]["model"], "end")
    for mode, result in results:
        width = result["ratio"]["median"] * scale
        drawing.box(drawing.left, y, width, colours[mode])
        drawing.text(drawing.left + WIDTH + 8, y + BAR - 3,
                     f"{result['ratio']['median']:.2f}")
        if result["target"] is not None:
            drawing.line(drawing.left + result["target"] * scale, y - 3,
                         y + BAR + 3, 'stroke="#c00" stroke-width="2"')
        y += BAR
    return y + GAP


def bars(modes, mode_text):
    """`modes` maps modes to results; `mode_text` names one."""
    by_model = {}
    for mode, results in modes.items():
        for result in results:
            by_model.setdefault(result["model"], []).append((mode, result))
    colours = dict(zip(modes, COLOURS * len(modes)))
    everything = [result for group in modes.values() for result in group]
    axis = ticks(max(max(r["ratio"]["median"], r["target"] or 0, 1)
                     for r in everything))
    bottom = TOP + GAP + sum(len(results) * BAR + GAP
                             for results in by_model.values())
    drawing = Drawing(by_model)
    draw_axis(drawing, axis, bottom)
    x = drawing.left
    for mode in modes:
        drawing.box(x, 20, BAR, colours[mode])
        drawing.text(x + BAR + 6, 20 + BAR - 3, mode_text(mode))
        x += BAR + 22 + LETTER * len(mode_text(mode))
    y = TOP + GAP
    for results in by_model.values():
        y = draw_model(drawing, results, y, WIDTH / axis[-1], colours)
    return drawing.svg(math.ceil(max(drawing.left + WIDTH + 60, x)), bottom + 50)
