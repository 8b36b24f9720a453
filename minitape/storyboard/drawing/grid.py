"""The room that a small array takes where it is drawn with its numbers, as the page draws it."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from minitape.storyboard.text.summary import grid_of

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Size
    from minitape.storyboard.text.aliases import Data

ROW = 16  # the height of a cell, in pixels
LETTER, AROUND = 8.54, 7  # the width of a letter, and what stands beside the longest number
BESIDE = 40  # what a box has beside the numbers of an array and of its adjoint


def grid_size(summary: Data) -> Size | None:
    """Returns (width, height) of the grid of a small array, in pixels; None of any other value."""
    rows = grid_of(summary)
    if rows is None:
        return None
    widest = max(len(text) for row in rows for text in row)
    return ceil((widest * LETTER + AROUND) * len(rows[0])), ROW * len(rows)
