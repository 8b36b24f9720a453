"""From what a watch has seen to the cells of a picture: few columns, and for each cell one letter
that says what is drawn.

A letter is a height from "0" to "8", where "4" is as large as the reference and each step is ten
times as much; "z" stands for exactly 0, "x" for numbers that are not finite, "." where nothing was
measured. Of a share, "8" is all of it. Page and still picture draw these letters, so there is one
place that judges a size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Number = float | int | None
# the step where it begins; its first look, and the one after its last: the same where nobody looked
Column = tuple[int, int, int]

SIZES, SHARES = ("adjoint", "value", "update"), ("dead", "saturated")
MEASURES = (*SIZES, *SHARES)
MOST = 120  # columns
# the sizes that values, and updates beside their weights, have where all is well
ONE, TYPICAL_UPDATE = 1.0, 1e-3
MIDDLE, HIGHEST = 4, 8
ZERO, BAD, NONE = "z", "x", "."


def columns(looked: Sequence[int], steps: int, most: int = MOST) -> list[Column]:
    """Returns columns, each about the `most`th part of all steps wide: it begins with a look and
    holds those that follow in its width. Where none follows for as long again, a column without
    looks begins. There are fewer than two times `most`.
    """
    width, result = max(1, steps // most), list[Column]()
    for index, step in enumerate(looked):
        if result and step < result[-1][0] + width:
            result[-1] = (result[-1][0], result[-1][1], index + 1)
        else:
            result.append((step, index, index + 1))
    nobody = [
        (begin + width, after, after)
        for (begin, _, after), (end, _, _) in zip(
            [(-width, 0, 0), *result], [*result, (steps, 0, 0)]
        )
        if result and end - begin >= 2 * width
    ]
    return sorted(result + nobody)


def together(numbers: Sequence[Number], share: bool) -> Number:
    """Returns one number for several: of shares the mean, of sizes the geometric one, 0 where all
    are 0, None where there is none.
    """
    known = [n for n in numbers if isinstance(n, int | float)]
    if not known or share:
        return sum(known) / len(known) if known else None
    above = [math.log(n) for n in known if n > 0]
    return math.exp(sum(above) / len(above)) if above else 0.0


def size_letter(size: Number, reference: Number) -> str:
    """Returns the letter of a size beside its reference."""
    if size is None or not reference:
        return NONE if size is None else ZERO if size == 0 else str(MIDDLE)
    if size == 0:
        return ZERO
    return str(max(0, min(HIGHEST, MIDDLE + round(math.log10(size) - math.log10(reference)))))


def share_letter(share: Number) -> str:
    """Returns the letter of a share: "0" for next to none, "8" for next to all, and neither for
    what lies between.
    """
    if share is None:
        return NONE
    if share <= 0.005 or share >= 0.995:
        return str(HIGHEST if share > 0.5 else 0)
    return str(max(1, min(HIGHEST - 1, round(share * HIGHEST))))


def short(number: Number, digits: int = 3) -> Number:
    """Returns a number in the digits in which it travels."""
    return None if number is None else float(f"{number:.{digits}g}")


def grid(data: dict[str, Any], most: int = MOST) -> dict[str, Any]:
    """Returns the cells of a watch's data: `looked`, the steps of the looks; `at`, those where
    columns begin; per measure `letters` and `numbers`, a row per layer.

    Adjoints stand beside that of the last layer at the same step, which the loss decides; values
    beside 1; updates beside a thousandth of the weights.
    """
    cuts, layers = columns(data["looked"], data["steps"], most), data["layers"]
    bad = [
        [
            any(layer.get("bad", {})[k] for k in range(a, b)) if layer.get("bad") else False
            for _, a, b in cuts
        ]
        for layer in layers
    ]
    measures: dict[str, Any] = {}
    for name in MEASURES:
        rows = [
            [
                together(layer[name][a:b], name in SHARES) if name in layer else None
                for _, a, b in cuts
            ]
            for layer in layers
        ]
        if name in SHARES and all(n is None for row in rows for n in row):
            continue
        if name == "adjoint":
            references: list[Number] = [
                next((row[k] for row in reversed(rows) if row[k]), None) for k in range(len(cuts))
            ]
        else:
            references = [ONE if name == "value" else TYPICAL_UPDATE] * len(cuts)
        letters = [
            "".join(
                BAD
                if wrong and name in SIZES
                else share_letter(n)
                if name in SHARES
                else size_letter(n, references[k])
                for k, (n, wrong) in enumerate(zip(row, bad[r]))
            )
            for r, row in enumerate(rows)
        ]
        measures[name] = {"letters": letters, "numbers": [[short(n) for n in row] for row in rows]}
    return {
        "looked": data["looked"],
        "at": [step for step, _, _ in cuts],
        "measures": measures,
    }


def losses(data: dict[str, Any], most: int = 2 * MOST) -> dict[str, Any]:
    """Returns the loss in at most so many points: `each` steps, with their mean, the lowest and the
    highest.
    """
    given = data["losses"]
    many = -(-len(given["mean"]) // most) or 1

    def of(name: str, join: Any) -> list[Number]:
        pieces = (
            [n for n in given[name][k : k + many] if isinstance(n, int | float)]
            for k in range(0, len(given[name]), many)
        )
        return [short(join(piece), 6) if piece else None for piece in pieces]

    return {
        "each": many * given["each"],
        "mean": of("mean", lambda piece: sum(piece) / len(piece)),
        "low": of("low", min),
        "high": of("high", max),
    }


def runs(letters: str) -> list[tuple[str, int, int]]:
    """Returns neighbours with the same letter as one: (letter, first column, the one after the
    last).
    """
    result: list[tuple[str, int, int]] = []
    for k, letter in enumerate(letters):
        if result and result[-1][0] == letter:
            result[-1] = (letter, result[-1][1], k + 1)
        else:
            result.append((letter, k, k + 1))
    return result
