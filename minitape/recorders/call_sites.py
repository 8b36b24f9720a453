"""Where an operation was called: the learner's line, and the calls from there through the library.

Both come of one walk from frame to frame, the dearest part of looking on. While a layer is
being called, all that its operations have above them stays the same: so the walk ends at the
layer's call, and the rest is that of the call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from minitape.engine.base.where import is_inside, settled

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Where

    Layers: TypeAlias = tuple[tuple[int, str], ...] | None
    Made: TypeAlias = "tuple[CallSite, Layers]"
    Tree: TypeAlias = "dict[int, Tree | CallSite]"


class CallSite:
    """An operation's place in the program, `where`, together with the calls inside of the library
    that lead from there to the operation.

    Whoever comes there again by the same calls finds this one again. `made`: (this site, the calls
    of layers that it was last met in), one tuple for all that was made there meanwhile; `code`:
    that of `where` as it ran, kept so that no other code gets its `id`; `inner`: a layer of the
    library's stands between both.
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
        """Return (this site, the calls of layers)."""
        if self.made[1] is not layers:
            self.made = self, layers
        return self.made


class CallSites:
    """All call sites of a program, and the layers that compute now.

    `own` tells the learner's place of one in a text that the library has made of theirs. `layers`:
    their calls, from the outermost: (number, path of the layer). The sites are the leaves
    of calling context trees: a branch is the address of an instruction, that of the innermost frame
    first.
    """

    def __init__(self, own: Callable[[Where], Where] = lambda where: where) -> None:
        self._own = own
        self._known: dict[Any, CallSite] = {}
        self._library: dict[int, CodeType] = {}  # by `id`, kept so that no other code gets it
        self._kept: dict[int, CodeType] = {}  # for the same reason
        self._calls, self._number = list[CallSite](), count()
        self.layers: tuple[tuple[int, str], ...] = ()
        self.clear()

    def clear(self) -> None:
        """Forget the sites: what comes now is another program."""
        self._known.clear()
        self._library.clear()
        self._kept.clear()
        self._trees: dict[CallSite | None, Tree] = {}  # of the calls within each call of a layer
        self._lines: Tree = {}  # of the program's own lines
        self._follow()

    def _follow(self) -> None:
        """Let calls be followed to the innermost call of a layer."""
        self._tree = self._trees.setdefault(self._calls[-1] if self._calls else None, {})

    def of_call(self, depth: int = 1) -> CallSite:
        """Return the site of the operation that is called now; the `depth` innermost frames are
        known to be none of the program's.
        """
        frame: Any = sys._getframe(depth)
        node: Any = self._tree
        innermost = frame
        try:  # as `known`, without a call more
            while type(node := node[id(frame.f_code) + frame.f_lasti]) is dict:
                frame = frame.f_back
            return node
        except (KeyError, AttributeError):
            return self._new_call(innermost)

    def _new_call(self, innermost: FrameType) -> CallSite:
        frame, path = innermost, list[int]()
        code = frame.f_code
        while id(code) in self._library or self._is_librarys(code):
            if frame.f_back is None:
                break
            path += id(code), frame.f_lasti
            frame = frame.f_back
            code = frame.f_code
        outer = self._calls[-1] if code is LAYER else None
        site = self._settled(
            (outer or id(code), frame.f_lasti, *path),
            innermost,
            outer.where if outer else (code, frame.f_lasti),
        )
        tree: Any = self._tree if HOLDS else {}
        for k in range(0, len(path), 2):
            tree = tree.setdefault(path[k] + path[k + 1], {})
        tree[id(code) + frame.f_lasti] = site
        return site

    def _is_librarys(self, code: CodeType) -> bool:
        """Tell whether a code that is met for the first time is the library's own: not the
        program's, and not a layer's call.
        """
        if code is LAYER or not is_inside(code.co_filename):
            return False
        self._library[id(code)] = code
        return True

    def _settled(self, key: Any, frame: Any, where: Where) -> CallSite:
        """Return the site of calls that are met for the first time, unless it is a known one but
        for instructions that have warmed up.
        """
        offsets = list(key)
        for k in (*range(3, len(key), 2), 1):
            offsets[k] = settled(frame.f_code, key[k])[1]
            frame = frame.f_back
        return self._site(tuple(offsets), where)

    def of_line(self, depth: int = 1) -> CallSite:
        """Return one site for all that a line calls: what is computed outside of all tapes is not
        drawn.
        """
        frame = sys._getframe(depth)
        return known(self._lines, frame) or self._new_line(frame)

    def _new_line(self, frame: Any) -> CallSite:
        tree: Any = self._lines if HOLDS else {}
        while is_inside(frame.f_code.co_filename) and frame.f_back is not None:
            self._kept[id(frame.f_code)] = frame.f_code
            tree = tree.setdefault(id(frame.f_code) + frame.f_lasti, {})
            frame = frame.f_back
        self._kept[id(frame.f_code)] = frame.f_code
        code, offset = where = self._own((frame.f_code, frame.f_lasti))
        site = tree[id(frame.f_code) + frame.f_lasti] = self._site((id(code), offset), where)
        return site

    # the key has no code itself: to hash one takes long
    def _site(self, key: Any, where: Where) -> CallSite:
        if key not in self._known:
            self._known[key] = CallSite(self._own(where), where[0], isinstance(key[0], CallSite))
        return self._known[key]

    def within_layer(self, path: str, call: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
        """Call a layer; what it computes until it returns is its own."""
        outer, tree = self.layers, self._tree
        self._calls.append(self.of_call(2))
        self.layers = (*outer, (next(self._number), path))
        self._follow()
        try:
            return call(*args, **named)
        finally:
            self.layers, self._tree = outer, tree
            self._calls.pop()


def known(tree: Tree, frame: Any) -> CallSite | None:
    """Return the site that a frame and those outside of it lead to; None where they are met for the
    first time.
    """
    node: Any = tree
    try:
        # see `HOLDS`
        while type(node := node[id(frame.f_code) + frame.f_lasti]) is dict:
            frame = frame.f_back
        return node
    except (KeyError, AttributeError):  # the last: no frame of the program's
        return None


def _holds_instructions() -> bool:
    """Tell whether a code object holds its instructions: then the address of each of them is its
    own, and a tree of them can be kept.
    """
    short, long = _holds_instructions.__code__, CallSites._new_call.__code__
    longer = len(long.co_code) - len(short.co_code)
    # sizes are whole numbers of 8 bytes
    return longer - 8 < long.__sizeof__() - short.__sizeof__() < longer + 8


HOLDS = _holds_instructions()
LAYER = CallSites.within_layer.__code__
