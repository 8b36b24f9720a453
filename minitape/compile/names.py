"""The learner's names as identifiers of compiled source.

What a value is called tells `minitape.program`; here `model.w` becomes `model_w`, `hs[0]` becomes
`hs_0`, and each identifier is given out only once.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from ..program.aliases import Where
from ..program.places import line_at
from ..program.visible import visible_to

RESERVED = {*keyword.kwlist, *dir(builtins), "np"}


def identifier(name: str | None) -> str | None:
    """Return a name of the program's text as an identifier, or None for what has no name of its
    own, such as `f()`.
    """
    if not name or name.endswith(")"):
        return None
    return re.sub(r"\W+", "_", name.removeprefix("self.")).rstrip("_") or None


def comment_of(where: Where) -> str:
    """Return the learner's line at this position, with its number, or an empty text: one line,
    whatever stands in it.
    """
    position = line_at(where[:2])
    if not position or not position[1]:
        return ""
    # no kind of line break ends the comment
    line = "".join([c if c.isprintable() else " " for c in position[1]])
    return f"{'back through ' if len(where) > 2 else ''}line {position[0]}: {line}"


def names_in(
    function: Callable[..., Any], arguments: Iterable[tuple[str, Any]] = ()
) -> dict[int, str]:
    """Return {number: identifier} of the tensors that a function can see, and of its variables'
    values.

    A variable inside of a layer is called as the layer calls it: `kernel`.
    """
    result = {}
    for name, obj in visible_to(function, arguments).values():
        own = obj.name.removesuffix(":0")
        deep = name.count(".") + name.count("[") > 1
        wish = own if deep and own not in ("", "Variable") else identifier(name)
        if wish:
            result[obj.tensor] = wish
    return result


class Namer:
    """Gives out identifiers, each only once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken, self.count = set(RESERVED) | set(taken), 0

    def __call__(self, wish: str | None = None) -> str:
        """Return an identifier like the one wished for, or t1, t2, ..."""
        if wish is None:
            self.count += 1
            return self(f"t{self.count}")
        # as Python reads it: to Python, two kinds of mu are one name
        wish = unicodedata.normalize("NFKC", wish)
        wish = "".join([c if f"a{c}".isidentifier() else "_" for c in wish]) or "t"
        wish = wish if wish.isidentifier() else "_" + wish
        name, k = wish, 1
        while name in self.taken:
            k += 1
            name = f"{wish}_{k}"
        self.taken.add(name)
        return name
