# SPDX-License-Identifier: MIT
"""Models in notebooks: a table of inputs and outputs, and a drawing of the steps."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence

from ._errors import Error

if TYPE_CHECKING:
    from ._model import Model

# Sizes of the drawing in pixels.
_ROW, _WIDTH, _MOST_STEPS = 26, 560, 24


def _table(model: "Model") -> str:
    rows: List[str] = []
    for role, infos in (("input", model._known), ("output", model.outputs)):
        for info in infos:
            cells = (role, info.name, info.kind, model.sizes_text(info))
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>"
                                         for cell in cells) + "</tr>")
    head = "".join(f"<th>{word}</th>" for word in ("", "name", "kind", "shape"))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return (f'<text x="{x:g}" y="{y:g}" font-family="monospace" font-size="12" '
            f'fill="currentColor"{more}>{escape(text)}</text>')


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most - 1] + "\u2026"


def _step(row: int, layer: Mapping[str, Any], share: float) -> str:
    """A box with the layer, an arrow from the step before, a bar of its time."""
    y = row * _ROW + 2
    arrow = ("" if row == 0 else
             f'<path d="M 20 {y - 4} v 4" stroke="currentColor"/>')
    return (arrow + f'<rect x="1" y="{y}" width="378" height="{_ROW - 6}" rx="3" '
            'fill="none" stroke="currentColor"/>'
            + _text(8, y + 14, _short(str(layer["layer"]), 25))
            + _text(200, y + 14, _short(str(layer["instruction"]), 24))
            + f'<rect x="390" y="{y + 2}" width="{max(1, 110 * share):.1f}" '
            f'height="{_ROW - 10}" fill="steelblue"/>'
            + _text(_WIDTH - 4, y + 14, f"{share:.0%}", ' text-anchor="end"'))


def _drawing(layers: Sequence[Mapping[str, Any]]) -> str:
    cycles = [float(layer.get("predicted_cycles") or 0) for layer in layers]
    whole = sum(cycles) or 1.0
    shown = [_step(row, layer, cycles[row] / whole)
             for row, layer in enumerate(layers[:_MOST_STEPS])]
    if len(layers) > _MOST_STEPS:
        rest = sum(cycles[_MOST_STEPS:]) / whole
        shown.append(_text(8, _MOST_STEPS * _ROW + 16,
                           f"{len(layers) - _MOST_STEPS} more steps, {rest:.0%}"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" '
            f'height="{len(shown) * _ROW + 4}">{"".join(shown)}</svg>')


def html_of(model: "Model") -> str:
    """The table, and below it the steps in their order with the share of the
    time that is predicted for each."""
    title = f"<b>{escape(model.name)}</b> on {escape(model.backend)}"
    try:
        explained: Dict[str, Any] = model.explain(as_json=True)
    except Error as reason:
        first = str(reason).partition("\n")[0]
        return f"{title}{_table(model)}<i>not drawn: {escape(first)}</i>"
    layers = explained.get("layers") or []
    return title + _table(model) + (_drawing(layers) if layers else
                                    "<i>not drawn: it runs in stages</i>")
