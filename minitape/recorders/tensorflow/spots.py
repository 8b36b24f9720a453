"""Where an operation was called: the learner's line, and the way from there through the library.

Both come of one walk from frame to frame, the dearest part of looking on. While a layer of Keras is
being called, all that its operations have above them stays the same: so the walk ends at the
layer's call, and the rest of the way is that of the call.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from itertools import count
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from minitape.engine.ground.where import is_inside, settled

from .autograph import own

if TYPE_CHECKING:
    from minitape.engine.ground.aliases import Where

    Layers: TypeAlias = tuple[tuple[int, str], ...] | None
    Made: TypeAlias = "tuple[Spot, Layers]"
    Tree: TypeAlias = "dict[int, Tree | Spot]"


class Spot:
    """One way to call an operation: `where` in the program it begins; whoever comes there again on
    the same way finds this one again.

    `made`: (this spot, the calls of layers that it was last met in), one tuple for all that was
    made there meanwhile; `code`: where it begins in the text that ran, kept so that no other code
    gets its `id`; `inner`: a layer of the library's stands between both.
    """

    __slots__ = ("where", "made", "code", "inner")

    def __init__(self, where: Where, code: CodeType, inner: bool) -> None:
        self.where, self.code, self.inner, self.made = (
            where,
            code,
            inner,
            cast("Made", (self, None)),
        )

    def within(self, layers: Layers) -> Made:
        """Return (this spot, the calls of layers)."""
        if self.made[1] is not layers:
            self.made = self, layers
        return self.made


class Spots:
    """All spots of a program, and the layers that compute now. `layers`: their calls, from the
    outermost: (number, path of the layer).
    """

    def __init__(self) -> None:
        self._known: dict[Any, Spot] = {}
        self._library: dict[int, CodeType] = {}  # by `id`, kept so that no other code gets it
        self._kept: dict[int, CodeType] = {}  # for the same reason
        self._calls, self._number = list[Spot](), count()
        self.layers: tuple[tuple[int, str], ...] = ()
        self.clear()

    def clear(self) -> None:
        """Forget the spots: what comes now is another program."""
        self._known.clear()
        self._library.clear()
        self._kept.clear()
        self._trees: dict[Spot | None, Tree] = {}  # the ways within each call of a layer, see `way`
        self._places: Tree = {}  # and those to the program's own places
        self._follow()

    def _follow(self) -> None:
        """Let ways end at the innermost call of a layer."""
        self._tree = self._trees.setdefault(self._calls[-1] if self._calls else None, {})

    def way(self, depth: int = 1) -> Spot:
        """Return the spot where the caller was called; the `depth` innermost frames are known to be
        none of the program's.

        Ways are a tree: from the address of the innermost frame's instruction to that of the next
        one, and at the end to the spot.
        """
        frame: Any = sys._getframe(depth)
        found: Any = self._tree
        try:
            # a code holds its instructions
            while type(found := found[id(frame.f_code) + frame.f_lasti]) is dict:
                frame = frame.f_back
            return found
        # a way that is met for the first time, or no frame of the program's
        except (KeyError, AttributeError):
            return self._new(sys._getframe(depth))

    def _new(self, innermost: Any) -> Spot:
        frame, way = innermost, list[int]()
        code = frame.f_code
        while id(code) in self._library or self._is_librarys(code):
            if frame.f_back is None:
                break
            way += id(code), frame.f_lasti
            frame = frame.f_back
            code = frame.f_code
        outer = self._calls[-1] if code is LAYER else None
        found = self._settled(
            (outer or id(code), frame.f_lasti, *way),
            innermost,
            outer.where if outer else (code, frame.f_lasti),
        )
        tree: Any = self._tree
        for k in range(0, len(way), 2):
            tree = tree.setdefault(way[k] + way[k + 1], {})
        tree[id(code) + frame.f_lasti] = found
        return found

    def _is_librarys(self, code: CodeType) -> bool:
        """Tell whether a way goes on through a code that is met for the first time: not one of the
        program's, and not a layer's call.
        """
        if code is LAYER or not is_inside(code.co_filename):
            return False
        self._library[id(code)] = code
        return True

    def _settled(self, key: Any, frame: Any, where: Where) -> Spot:
        """Return the spot of a way that is met for the first time, unless it is a known one but for
        instructions that have warmed up.
        """
        offsets = list(key)
        for k in (*range(3, len(key), 2), 1):
            offsets[k] = instruction(frame.f_code, key[k])
            frame = frame.f_back
        return self._spot(tuple(offsets), where)

    def place(self, depth: int = 1) -> Spot:
        """Return a spot of the place in the program only, whatever the way: what is computed
        outside of all tapes is not drawn.
        """
        frame: Any = sys._getframe(depth)
        found: Any = self._places
        try:
            while type(found := found[id(frame.f_code) + frame.f_lasti]) is dict:
                frame = frame.f_back
            return found
        except (KeyError, AttributeError):
            return self._new_place(sys._getframe(depth))

    def _new_place(self, frame: Any) -> Spot:
        tree: Any = self._places
        while is_inside(frame.f_code.co_filename) and frame.f_back is not None:
            self._kept[id(frame.f_code)] = frame.f_code
            tree = tree.setdefault(id(frame.f_code) + frame.f_lasti, {})
            frame = frame.f_back
        self._kept[id(frame.f_code)] = frame.f_code
        code, offset = where = own((frame.f_code, frame.f_lasti))
        found = tree[id(frame.f_code) + frame.f_lasti] = self._spot((id(code), offset), where)
        return found

    # the key has no code itself: to hash one takes long
    def _spot(self, key: Any, where: Where) -> Spot:
        if key not in self._known:
            self._known[key] = Spot(own(where), where[0], isinstance(key[0], Spot))
        return self._known[key]

    def within_layer(self, path: str, call: Callable[[], Any]) -> Any:
        """Call a layer; what it computes until it returns is its own."""
        outer = self.layers
        self._calls.append(self.way(2))
        self.layers = (*outer, (next(self._number), path))
        self._follow()
        try:
            return call()
        finally:
            self.layers = outer
            self._calls.pop()
            self._follow()


def instruction(code: CodeType, offset: int) -> int:
    """Return where the instruction begins that a frame stands at: a warm one, `rows[i]`, leaves it
    at its end, behind what it remembers.
    """
    offset, text = settled(code, offset)[1], code.co_code
    while text[offset] == CACHE:
        offset -= 2
    return offset


CACHE = dis.opmap.get("CACHE", 0)
LAYER = Spots.within_layer.__code__
