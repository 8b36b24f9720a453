"""How a player is looked at: start, hidden panes, type, language. Every setting is checked here,
before a tape is played or a widget is made, so that a wrong one costs a learner nothing but a
sentence that says what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import numpy as np

from minitape.sentences import known
from minitape_widgets.link import PANES, STARTS, read_link

F = TypeVar("F", bound=Callable[..., Any])


class View(TypedDict, total=False):
    """The settings that every player takes; `view` checks them."""

    start: int | str | None
    hide: str | Sequence[str]
    large: bool
    language: str | None
    link: str | None


def takes_a_view(**defaults: Any) -> Callable[[F], F]:
    """Let the signature of a function name those of its `settings` that `view` checks: tooltips
    show them, completion finds them.

    `defaults`: where they are others than those of `view`.
    """

    def decorate(function: F) -> F:
        own = signature(function)
        *named, rest = own.parameters.values()
        settings = [
            p.replace(kind=p.KEYWORD_ONLY, default=defaults.get(p.name, p.default))
            for p in VIEW.values()
        ]
        vars(function)["__signature__"] = own.replace(parameters=[*named, *settings, rest])
        return function

    return decorate


def completed(
    function: Callable[..., Any], settings: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the settings of a call, with the defaults of those of `view` that were not given.

    Raises TypeError for one that is neither in the function's signature nor one of the `others`.
    """
    parameters = signature(function).parameters
    allowed = [name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY] + [*others]
    for name in settings:
        if name not in allowed:
            raise TypeError(
                f"{function.__name__} has no argument {name!r}. There are {', '.join(allowed)}."
            )
    return {name: parameters[name].default for name in VIEW} | {**settings}


def view(
    start: int | str | None = None,
    hide: str | Sequence[str] = (),
    large: bool = False,
    language: str | None = None,
    link: str | None = None,
) -> dict[str, Any]:
    """Returns the settings of a player as plain data; what `link` says goes before the others.

    `unread` among them are the pieces of the link that mean nothing: the player says so in its
    picture. Raises TypeError or ValueError, which say what is allowed.
    """
    result = {"start": start_act(start), "hide": panes(hide), "large": switch("large", large)}
    if language is not None:
        result["language"] = known(language)
    return result | link_settings(link)


VIEW = signature(view).parameters


def start_act(start: Any) -> int | str:
    """Returns the act to begin at: a whole number, "play" or "end"; 0 for None. Raises ValueError
    for anything else.
    """
    if start is None:
        return 0
    if isinstance(start, str) and start in STARTS:
        return start
    if isinstance(start, int | np.integer) and not isinstance(start, bool):
        return int(start)
    raise ValueError(
        f"start={start!r} is no act: write a whole number (0 is the beginning, -1 the end), "
        '"play" for where the '
        'play backwards begins, or "end".'
    )


def panes(hide: Any) -> list[str]:
    """Returns the hidden panes as a list. Raises ValueError for a name that is none, TypeError for
    what is no name.
    """
    allowed = ", ".join(PANES)
    names = [hide] if isinstance(hide, str) else hide
    if not isinstance(names, list | tuple | set | frozenset):
        raise TypeError(
            f'hide={hide!r}: write the names of panes, as in hide=["graph", "inspector"]; the '
            f"panes are {allowed}."
        )
    for name in names:
        if not isinstance(name, str) or name not in PANES:
            raise ValueError(f"hide: there is no pane {name!r}; the panes are {allowed}.")
    return [name for name in PANES if name in names]


def switch(name: str, value: Any) -> bool:
    """Returns a setting that is on or off. Raises TypeError for anything but True and False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is True or False, not {value!r}.")
    return bool(value)


def sentence(name: str, value: Any) -> str:
    """Returns a text. Raises TypeError for what is none."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {value!r}.")
    return value


def link_settings(link: Any) -> dict[str, Any]:
    """Returns what a link text sets. Raises TypeError for what is no text."""
    if link is None:
        return {}
    if not isinstance(link, str):
        raise TypeError(
            'link is the text of a view, as player.link gives it ("k12.hide-code.large"), not '
            f"{link!r}."
        )
    return read_link(link)


def two_names(names: Any) -> list[str]:
    """Returns the names of two players side by side. Raises TypeError where they are not two texts."""
    if (
        isinstance(names, str)
        or not isinstance(names, list | tuple)
        or len(names) != 2
        or not all(isinstance(n, str) for n in names)
    ):
        raise TypeError(f'names are two texts, as in names=("before", "after"), not {names!r}.')
    return list(names)


def is_number(value: Any) -> bool:
    """Says whether something is a number (True and False are not)."""
    return isinstance(value, Real) and not isinstance(value, bool)


def file_path(path: Any) -> Path:
    """Returns the path of a file to write. Raises TypeError for what is no path, FileNotFoundError
    for one without a folder.
    """
    if not isinstance(path, str | Path):
        raise TypeError(f'save writes to a path, as in save("tape.html"), not {path!r}.')
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"There is no folder {str(path.parent)!r}. Make it first, or write {path.name!r} "
            "into this one."
        )
    return path
