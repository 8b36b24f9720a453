"""What may be asked of a storyboard: every argument is looked at before a tape is played, because a
tape plays only once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.gradient_tape import UnconnectedGradients
from minitape.schemas import schema
from minitape.sentences import chosen
from minitape.storyboard.acts.predict import QUESTIONS
from minitape.storyboard.drawing.layout import check_engine

if TYPE_CHECKING:
    from minitape.storyboard.options import Picture

MOST_CELLS = 16
MOST_LETTERS: int = schema("trace")["$defs"]["text"]["maxLength"]


def is_whole_number(number: object) -> bool:
    """Says whether something is a whole number (True and False are not)."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check(picture: Picture) -> None:
    """Raises TypeError or ValueError where an option of a picture cannot be meant; the message says
    what is allowed.
    """
    chosen(picture.language)
    if not isinstance(picture.title, str):
        raise TypeError(f"title is a text, not {picture.title!r}.")
    if len(picture.title) > MOST_LETTERS:
        raise ValueError(f"title has at most {MOST_LETTERS} letters, not {len(picture.title)}.")
    _questions(picture.predict)
    if not is_whole_number(picture.max_cells) or not 1 <= picture.max_cells <= MOST_CELLS:
        raise ValueError(
            f"max_cells is a whole number from 1 to {MOST_CELLS}, not {picture.max_cells!r}."
        )
    check_engine(picture.engine)
    if picture.folded is not None and not isinstance(picture.folded, bool):
        raise TypeError(
            f"folded is True, False, or None for folding what is long, not {picture.folded!r}."
        )
    if not isinstance(picture.explain, bool | dict):
        raise TypeError(f"explain is True or False, not {picture.explain!r}.")
    for name in ("names", "source_names", "executed"):
        value = getattr(picture, name)
        if value is not None and not isinstance(value, dict):
            raise TypeError(f"{name} is a dictionary, not {value!r}.")


def check_play(jacobian: object, unconnected_gradients: UnconnectedGradients | str) -> None:
    """Raises TypeError or ValueError where the play of a tape cannot be meant."""
    if not isinstance(jacobian, bool):
        raise TypeError(f"jacobian is True or False, not {jacobian!r}.")
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
