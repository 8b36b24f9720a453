"""What a picture may be asked for, beside the play itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from minitape.storyboard.checks import check

if TYPE_CHECKING:
    from minitape.storyboard.acts.aliases import Questions
    from minitape.storyboard.film.aliases import Executed

F = TypeVar("F", bound=Callable[..., Any])


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
