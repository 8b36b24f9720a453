"""A counterexample, drawn: arrays as squares with their numbers, those that are wrong ringed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..sentences import in_html
from .answers import number_text

MOST = 24  # squares of one array, which are read at a glance
SQUARE = "border:1px solid #8886;padding:.1em .5em;text-align:right"
WRONG = "border:2px solid #b3261e;padding:.1em .5em;text-align:right;font-weight:bold"


def squares(arrays: Mapping[str, np.ndarray], wrong: Mapping[str, np.ndarray]) -> str:
    """Return HTML with a row for each array, its name before it; "" where one has too many numbers
    or axes. `wrong`: which numbers of an array are wrong.
    """
    if any(array.ndim > 2 or array.size > MOST for array in arrays.values()):
        return ""
    rows = (
        f'<tr><th scope="row" style="text-align:right">{in_html(name)}</th>'
        f'<td style="text-align:left">{_grid(array, wrong.get(name))}</td></tr>'
        for name, array in arrays.items()
    )
    return f'<table style="margin:.4em 0">{"".join(rows)}</table>'


def _grid(array: np.ndarray, wrong: np.ndarray | None) -> str:
    table = np.atleast_2d(array)
    ringed = np.zeros(table.shape, bool) if wrong is None else np.atleast_2d(wrong)
    cells = (
        f'<span style="{WRONG if ring else SQUARE}">{number_text(float(number))}</span>'
        for number, ring in zip(table.ravel(), ringed.ravel())
    )
    columns = f"grid-template-columns:repeat({table.shape[1]},auto)"
    return f'<span style="display:inline-grid;gap:2px;{columns}">{"".join(cells)}</span>'
