"""What a picture may be asked for, beside the play itself. Every argument is looked at before a tape
is played, because a tape plays only once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar

import numpy as np

from minitape.engine.gradient_tape import UnconnectedGradients
from minitape.schemas import schema
from minitape.sentences import chosen
from minitape.storyboard.acts.predict import QUESTIONS, Questions
from minitape.storyboard.drawing.layout import check_engine
from minitape.storyboard.text.aliases import Executed

F = TypeVar("F", bound=Callable[..., Any])
MOST_CELLS = 16
MOST_LETTERS: int = schema("trace")["$defs"]["text"]["maxLength"]


class PictureOptions(TypedDict, total=False):
    """The arguments by name that make a `Picture`."""

    title: str
    language: str | None
    predict: Questions
    max_cells: int
    engine: str | None
    folded: bool | None
    names: dict[str, Any] | None
    source_names: dict[str, str] | None
    executed: Executed
    explain: bool | dict[str, Any]


@dataclass(kw_only=True)
class Picture:
    """How a storyboard is to be made. Raises TypeError or ValueError for an option that cannot be
    meant.

    `title`, `language`: of the picture; `predict`: its questions, see `predict.prompts`;
    `max_cells`: rows and columns of an array that are shown at most; `engine` pins the layout
    engine ("dot", "wasm", "layers"); `folded` is True or False instead of "when it is big"; what is
    too big for any page is folded in every case. `names` are further names {name: tensor or
    variable}, such as `locals()`. `source_names` {file name: shown name}, `executed` {file name:
    line numbers}. With `explain` a None carries the explainer's sentences and their place; without
    it, only the cut is shown. It may be a dictionary of the program's names, which the explainer
    asks while the picture goes on taking its names from the program's text, but for what was made
    before that text was seen.
    """

    title: str = ""
    language: str | None = None
    predict: Questions = None
    max_cells: int = 16
    engine: str | None = None
    folded: bool | None = None
    names: dict[str, Any] | None = None
    source_names: dict[str, str] | None = None
    executed: Executed = None
    explain: bool | dict[str, Any] = True

    def __post_init__(self) -> None:
        check(self)


def shows_options(function: F) -> F:
    """Lets a function that hands `**options` to a `Picture` show them one by one: in tooltips, to
    completion, in errors.
    """
    signature = inspect.signature(function)
    own = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    vars(function)["__signature__"] = signature.replace(
        parameters=[*own, *inspect.signature(Picture).parameters.values()]
    )
    return function


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
