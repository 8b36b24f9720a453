"""What a picture shows of a number or an array.

A storyboard never carries whole arrays. It carries a *summary*: a short text, dtype and shape, and
for arrays the smallest, largest and mean value, how many entries are NaN, infinite or exactly zero,
and a grid of at most 16 x 16 cells to draw as heat tiles. The same value is stored once, however
often it is shown: `Values` hands out an index.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Array
from minitape.storyboard.text.aliases import Data

DIGITS = 6  # significant digits in texts and statistics: what a learner compares by eye
CELL_DIGITS = 4  # a tile needs fewer
MOST = 12  # numbers of an array that are written
STRING_LENGTH = 40  # a string is shown up to here


def number_text(number: Any, digits: int = DIGITS) -> str:
    """Returns a short decimal text: "36.0", "0.333333", "1e-07", "nan", "inf"; a zero has no sign."""
    text = f"{float(number):z.{digits}g}"
    return text if "." in text or "e" in text or "n" in text else text + ".0"


def json_number(number: Any, digits: int | None = None) -> Any:
    """Returns a number that JSON can hold: an int, a float, or one of the strings "nan", "inf",
    "-inf".
    """
    if isinstance(number, (bool, np.bool_, int, np.integer)):
        return int(number)
    if digits is None:  # float32(0.1) is written 0.1, as its own repr does
        wide = float(number)
        number = (
            wide
            if isinstance(number, (float, np.float64)) or not math.isfinite(wide)
            else float(str(number))
        )
    else:
        number = (
            float(f"{float(number):.{digits}g}") if math.isfinite(float(number)) else float(number)
        )
    return number if math.isfinite(number) else str(number)


@functools.cache
# NumPy makes the name anew each time, and a tape has thousands of numbers
def _name_of(dtype: np.dtype) -> str:
    return "string" if dtype.kind in "OSU" else dtype.name


def _scalar(value: Array, dtype: str) -> Data:
    kind = value.dtype.kind if isinstance(value, np.generic) else "O"
    if kind == "f" or kind == "V":  # V: bfloat16 and its like, where NumPy knows no kind
        return _number(value, dtype)
    if kind in "iub":
        return {"text": str(value), "dtype": dtype, "shape": [], "number": int(value)}
    if kind == "c":
        real, imaginary = number_text(value.real), str(number_text(value.imag))
        text = f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}j"
        return {"text": text, "dtype": dtype, "shape": [], "number": None}
    item = value.item() if isinstance(value, np.generic) else value
    text = repr(item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item))
    text = text if len(text) <= STRING_LENGTH else text[: STRING_LENGTH - 1] + "…"
    return {"text": text, "dtype": dtype, "shape": [], "number": None}


def _number(value: Any, dtype: str) -> Data:
    """What `number_text` and `json_number` say of one floating-point number, in one go."""
    wide = float(value)
    if not math.isfinite(wide):
        text = number = str(wide)
    else:
        text = f"{wide:z.{DIGITS}g}"
        number = wide if isinstance(value, float) else float(str(value))
        if "." not in text and "e" not in text:
            text += ".0"
    return {"text": text, "dtype": dtype, "shape": [], "number": number}


def shape_text(shape: Sequence[int]) -> str:
    """Returns "[3×2]" for a matrix, in brackets, so that it never looks like a value."""
    return f"[{'×'.join(map(str, shape))}]"


def short_text(row: Data) -> str:
    """Returns the text of a summary where there is little room: its numbers where they are written
    out, else its shape.
    """
    if not row["shape"]:
        return row["text"]
    shape = shape_text(row["shape"])
    return shape if row["text"].startswith(shape) else row["text"]


def grid_of(row: Data) -> list[list[str]] | None:
    """Returns the rows of an array of at most a dozen numbers, as texts; None of any other value."""
    if not row["shape"] or not row.get("cells") or math.prod(row["shape"]) > MOST:
        return None
    return [[cell_text(cell, row["dtype"]) for cell in cells] for cells in row["cells"]]


def sentence_text(row: Data) -> str:
    """Returns the text of a summary in a sentence: up to twelve numbers, else shape and range."""
    rows = grid_of(row)
    if not rows or len(row["shape"]) > 2 or short_text(row) == row["text"]:
        return row["text"]
    texts = [f"[{' '.join(cells)}]" for cells in rows]
    return f"[{' '.join(texts)}]" if len(row["shape"]) > 1 else texts[0]


def _array_text(array: Array, row: Data) -> str:
    """Writes "[20×8], -0.23 … 0.61" and, before these, how many numbers are none: the same in every
    language.
    """
    if "min" not in row and "nan" not in row:
        return f"{shape_text(array.shape)}, {_name_of(array.dtype)}"
    bad = [f"{row[name]} {name}" for name in ("nan", "inf") if row[name]]
    ends = [
        str(row[name]) if isinstance(row[name], int) else number_text(row[name], CELL_DIGITS)
        for name in ("min", "max")
        if name in row
    ]
    return ", ".join(
        [shape_text(array.shape), *bad, *([" … ".join(dict.fromkeys(ends))] if ends else [])]
    )


def _written(cells: Any) -> str:
    """Writes a small array as NumPy would, without its padding: [[1. 2.5] [0. -3.]]."""
    if isinstance(cells, list):
        return f"[{' '.join(map(_written, cells))}]"
    return _float_text(cells) if isinstance(cells, float) else str(cells)


def _float_text(number: float) -> str:
    text = number_text(number, CELL_DIGITS)
    return text[:-1] if text.endswith(".0") else text


def cell_text(cell: Any, dtype: str) -> str:
    """Returns the text of one cell of a summary, as in a small array that is written out."""
    if isinstance(cell, str) or "int" in dtype:
        return str(cell)
    return str(bool(cell)) if dtype == "bool" else _float_text(cell)


def _cells(array: Array, most: int) -> tuple[Any, bool]:
    """Returns (rows of numbers, whether rows or columns were left out); the last axis runs along a
    row.
    """
    table = array.reshape(1, -1) if array.ndim == 1 else array.reshape(-1, array.shape[-1])
    steps = [max(1, -(-size // most)) for size in table.shape]
    grid = table[:: steps[0], :: steps[1]]
    return [[json_number(cell, CELL_DIGITS) for cell in row.tolist()] for row in grid], steps != [
        1,
        1,
    ]


def summary(value: Array, max_cells: int = 16) -> Data:
    """Returns the summary of an array or NumPy scalar as plain JSON data; see the storyboard
    contract.

    Statistics are over the finite entries; they are absent where there is no order (strings,
    complex numbers) or no entry.
    """
    if isinstance(value, np.floating):  # nearly all of a long tape: straight to its text
        return _number(value, _name_of(value.dtype))
    array = np.asarray(value)
    dtype = _name_of(array.dtype)
    if array.ndim == 0:
        return _scalar(array[()] if array.dtype.kind != "O" else array.item(), dtype)
    result: Data = {"text": "", "dtype": dtype, "shape": list(array.shape)}
    if array.size and array.dtype.kind not in "OSUc":
        numbers = (
            array
            if array.dtype.kind in "fiub" and array.dtype.itemsize >= 4
            else array.astype(np.float64)
        )
        finite = np.isfinite(numbers)
        good = numbers if finite.all() else numbers[finite]
        if good.size:
            with np.errstate(all="ignore"):
                statistics = (
                    ("min", good.min()),
                    ("max", good.max()),
                    ("mean", good.mean(dtype=np.float64)),
                )
            result.update((name, json_number(statistic, DIGITS)) for name, statistic in statistics)
        bad_counts = (
            (np.isnan(numbers).sum(), np.isinf(numbers).sum())
            if good.size < numbers.size
            else (0, 0)
        )
        result.update(
            nan=int(bad_counts[0]),
            inf=int(bad_counts[1]),
            zero=int(numbers.size - np.count_nonzero(numbers)),
        )
        result["cells"], strided = _cells(numbers, max_cells)
        if strided:
            result["strided"] = True
    # a few numbers are written out; of more, a picture shows the shape, tiles and a little statistics
    few = 0 < array.size <= 6 and array.ndim <= 2 and array.dtype.kind in "fiub"
    result["text"] = _written(array.tolist()) if few else _array_text(array, result)
    result["bytes"] = int(array.nbytes)
    return result


class Values:
    """The list of summaries of one storyboard; `add` returns the index of a value, the same for
    equal values.
    """

    def __init__(self, max_cells: int = 16) -> None:
        self.max_cells = max_cells
        self.summaries: list[Data] = []
        self._index: dict[Any, int] = {}
        # bits of a number, or id of an array, which is held -> index
        self._known: dict[Any, tuple[Array, int]] = {}

    def add(self, value: Array) -> int:
        one = (type(value), value.tobytes()) if isinstance(value, np.floating) else id(value)
        known = self._known.get(one)
        if known is not None:
            return known[1]
        made = summary(value, self.max_cells)
        key = (
            (made["text"], made["dtype"], repr(made["number"]))
            if "number" in made
            else json.dumps(made)
        )
        index = self._index.setdefault(key, len(self.summaries))
        if index == len(self.summaries):
            self.summaries.append(made)
        self._known[one] = (value, index)
        return index
