"""The room that a small array takes where it is drawn with its numbers, as the page draws it."""

from __future__ import annotations

from math import ceil, prod
from typing import TYPE_CHECKING

from minitape.storyboard.text.summary import cell_text

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Size
    from minitape.storyboard.text.aliases import Data

MOST = 12  # numbers
ROW = 16  # the height of a cell, in pixels
LETTER, AROUND = 8.54, 7  # the width of a letter, and what stands beside the longest number
BESIDE = 40  # what a box has beside the numbers of an array and of its adjoint


def grid_of(summary: Data) -> list[list[str]] | None:
    """Returns the rows of an array of at most a dozen numbers, as texts; None of any other value."""
    if not summary["shape"] or not summary.get("cells") or prod(summary["shape"]) > MOST:
        return None
    return [[cell_text(cell, summary["dtype"]) for cell in row] for row in summary["cells"]]


def grid_size(summary: Data) -> Size | None:
    """Returns (width, height) of the grid of a small array, in pixels; None of any other value."""
    rows = grid_of(summary)
    if rows is None:
        return None
    widest = max(len(text) for row in rows for text in row)
    return ceil((widest * LETTER + AROUND) * len(rows[0])), ROW * len(rows)
