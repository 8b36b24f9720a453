"""What may be asked of a storyboard: every argument is looked at before a tape is played, because a
tape plays only once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minitape.engine.gradient_tape import UnconnectedGradients
from minitape.storyboard.acts.predict import QUESTIONS
from minitape.storyboard.drawing.layout import ENGINES, available

MOST_CELLS = 16


def is_whole_number(number: object) -> bool:
    """Says whether something is a whole number (True and False are not)."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check(
    *,
    title: object,
    predict: object,
    max_cells: Any,
    engine: Any,
    folded: object,
    names: object = None,
    source_names: object = None,
    executed: object = None,
    unconnected_gradients: Any = "none",
    jacobian: object = False,
    explain: object = True,
) -> None:
    """Raises TypeError or ValueError where an argument of `build` or `develop` cannot be meant; the
    message says what is allowed.
    """
    if not isinstance(title, str):
        raise TypeError(f"title is a text, not {title!r}.")
    _questions(predict)
    if not is_whole_number(max_cells) or not 1 <= max_cells <= MOST_CELLS:
        raise ValueError(f"max_cells is a whole number from 1 to {MOST_CELLS}, not {max_cells!r}.")
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    if engine is not None and not available(engine):
        raise RuntimeError(
            f'The layout engine "{engine}" is not installed here. Leave engine= out, or use '
            'engine="layers".'
        )
    if folded is not None and not isinstance(folded, bool):
        raise TypeError(f"folded is True, False, or None for folding what is long, not {folded!r}.")
    for name, value in (("jacobian", jacobian), ("explain", explain)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} is True or False, not {value!r}.")
    for name, value in (("names", names), ("source_names", source_names), ("executed", executed)):
        if value is not None and not isinstance(value, dict):
            raise TypeError(f"{name} is a dictionary, not {value!r}.")
    UnconnectedGradients(unconnected_gradients)


def _questions(predict: Any) -> None:
    """`predict` is checked as far as one can without the picture; whether a name stands in it is
    seen later.
    """
    if predict is None or isinstance(predict, bool) or is_whole_number(predict) and predict >= 0:
        return
    listed = [predict] if isinstance(predict, str) else predict
    if isinstance(listed, list | tuple) and all(
        is_whole_number(question) or isinstance(question, str) and question.strip()
        for question in listed
    ):
        return
    raise ValueError(
        f"predict={predict!r} asks for nothing. Write True, a number of questions, one of "
        f"{QUESTIONS}, or a list of these."
    )
