"""What a check says: right, not yet (with the idea that is missing), not attempted, or where the
learner's code raised.
"""

from __future__ import annotations

import ast
import difflib
import linecache
import re
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..engine.base.where import is_inside
from ..engine.gradient_tape import GradientTape
from ..sentences import Catalogue, in_html, language
from ..storyboard.player import OFFER, PLAYER

SENTENCES = Catalogue("minitape.exercises")
OTHERS = ("site-packages", "dist-packages")  # where other people's packages lie
# what errors of Python's, of NumPy's and of the tape's are about, by their texts
MEANINGS = (
    (r"^invalid (decimal literal|syntax( \(|$|\. Perhaps))", "side-by-side"),
    (r"target of a gradient must be a tensor", "no-tensor"),  # a plain number
    (r"source of a gradient must be a tensor", "no-source"),
    (r"for \^: |bitwise_xor", "power"),
    (r"for @: |must have at least two axes", "matrix-sign"),
    (r"for unary \+: ", "plus-after"),
    (r"\(s\) for .*NoneType", "with-none"),
    (r"\(s\) for .*'list'", "with-list"),
    (r"\(s\) for .*'tuple'|sequence by non-int of type 'float'", "with-tuple"),
    (r"'(function|method|[\w.]*ufunc)' object is not subscriptable", "called-squarely"),
    (
        r"'(int|float|bool|[\w.]*float\d+|[\w.]*ndarray|Tensor|Variable)' object is not callable",
        "not-called",
    ),
    (r"'(tuple|list)' object is not callable", "no-comma"),
    (r"indices must be (integers|of integer)|[oO]nly integers, slices", "no-place"),
    (
        r"'(int|float|[\w.]*float\d+)' object is not (iterable|subscriptable)|over a scalar",
        "one-number",
    ),
    (r"^Cannot convert \S+ to EagerTensor of dtype int", "whole-number"),
    (r"unexpected keyword argument", "no-keyword"),
    (r"missing \d+ required positional", "argument-missing"),
    (r"^name 'self' is not defined", "no-self"),
    (r"takes .*positional arguments? but \d+ (was|were) given", "argument-more"),
    (r"^Argument `target` .*received None", "target-none"),
    (r"takes exactly one argument", "one-argument"),
    (r"^'NoneType' object has no attribute '(?!_)", "of-none"),
    (r"(?<!'Variable' )(object|tensor) has no attribute 'assign", "no-variable"),
    (
        r"'(float|int|[\w.]*float\d+)' object has no attribute '(size|shape|ndim|T|sum|mean|reshape)'",
        "no-array",
    ),
    (
        r"'(float|int|[\w.]*float\d+|[\w.]*ndarray)' object has no attribute '(numpy|value)'",
        "plain-already",
    ),
    (r"values to unpack", "unpacked"),
    (r"^The truth value of an? ", "truth"),
    (r"^only (0-dimensional|length-1|size-1) arrays can be converted", "one-of-many"),
    (r"^zero-dimensional arrays cannot be concatenated", "no-axis"),
    (r"^cannot reshape array|^Input to reshape", "reshaped"),
    (r"cannot access local variable|referenced before assignment", "not-yet-given"),
    (r"__array_function__ did not return|only integer scalar arrays", "one-list"),
    (r"^Passed in object", "unwatched-kind"),
    (r"unsupported type \(<class 'function'>\)", "function-came"),
    (r"^Attempt to convert a value", "no-numbers"),
    (r"^A non-persistent GradientTape", "nothing-to-play"),
    (
        r"has no attribute '(backward|grad|zero_|zero_grad|detach|item|requires_grad_?)'",
        "of-pytorch",
    ),
    (r"does not support the context manager protocol|^__enter__$", "no-block"),
)
# in the text of an error: where something lies in memory, what learners call their functions, how
# layers were counted, and the operation that was running
PLACE = re.compile(
    r" at 0x[0-9a-f]+|(?<=<locals>\.)\w+|(?<=function of )'\w+'|'\w+'(?= does not\.)"
    r'|(?<=of layer )"\w+"|(?<= name=)\w+|\nThis was .*'
)


class NotYet(Exception):
    """Raised by a check: the answer is not right yet. `idea` is the key of the idea that is
    missing, the message says it.

    `round`: which of the inputs that were tried shows it; `inputs`: what they were; `board`: makes
    the storyboard of the tape that the answer made of them, where it made one; `right`: how many
    parts of the answer are right, up to the first that is wrong; `drawing`: what shows it, in HTML.
    """

    drawing = ""

    def __init__(
        self,
        idea: str,
        message: str,
        round: int = 0,
        board: Callable[[], Any] | None = None,
        right: int = 0,
    ) -> None:
        super().__init__(message)
        self.idea, self.message, self.round, self.board, self.right = (
            idea,
            message,
            round,
            board,
            right,
        )
        self.inputs: Mapping[str, Any] = {}


class NotAttempted(Exception):
    """Raised by a check: a blank (`...`) is still there, or the program is as it was given (then
    its text says so).
    """


@dataclass(frozen=True)
class Outcome:
    """What a check says.

    `kind` is "correct", "not yet", "not attempted" or "your code raised"; `idea` is a key where one
    is missing; `line` is the learner's line where code raised; `printed` is what the learner's code
    printed meanwhile; `inputs` are those with which it went wrong; `right` is how many parts of an
    answer that is not right yet are right, up to the first that is wrong. Reads well in a terminal,
    and as a coloured box in a notebook.
    """

    kind: str
    message: str
    idea: str | None = None
    line: int | None = None
    printed: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict, compare=False)
    right: int = 0
    board: Callable[[], Any] | None = field(default=None, compare=False, repr=False)
    drawing: str = field(default="", compare=False, repr=False)

    correct = property(lambda self: self.kind == "correct", doc="True where the answer is right.")

    def storyboard(self) -> Any:
        """Return the storyboard of the tape that was looked at. Raises RuntimeError where there was
        none.
        """
        if self.board is None:
            raise RuntimeError(SENTENCES.say("no-tape"))
        return self.board()

    def play(self) -> Any:
        """Show the tape that was looked at in a player, or as a storyboard where the widgets are
        not loaded.
        """
        board = self.storyboard()
        cuts = [k for k, frame in enumerate(board["frames"], 1) if frame["act"] == "cut"]
        start = getattr(board, "departure_frame", 0) or (cuts or [0])[0]
        return PLAYER()(board, start) if PLAYER.filled else board

    def _lines(self, watch: bool = True) -> list[str]:
        parts = [self.message]
        if self.printed:
            parts.append(SENTENCES.say("printed", {"text": self.printed}))
        if watch and self.board is not None:
            parts.append(SENTENCES.say("watch"))
        return "\n".join(filter(None, parts)).split("\n")

    def __repr__(self) -> str:
        return self._text(self._lines())

    def _text(self, lines: list[str]) -> str:
        mark = {"correct": "✓", "not attempted": "○"}.get(self.kind, "✗")
        return f"{mark} {SENTENCES.say(f'kind.{self.kind}.short')} " + "\n".join(lines)

    def _ipython_display_(self) -> None:
        """Show the box, and under it a button that opens a player. Raises NotImplementedError where
        there is none: then the box is shown as any object is.
        """
        if self.board is None or not OFFER.filled:
            raise NotImplementedError
        lines = self._lines(watch=False)
        box = {"text/html": self._box(lines), "text/plain": self._text(lines)}
        OFFER()(box, self.play, SENTENCES.say("watch"))

    def _repr_html_(self) -> str:
        return self._box(self._lines())

    def _box(self, lines: list[str]) -> str:
        colour = {"correct": "#2e7d32", "not attempted": "#5f6368"}.get(self.kind, "#b3261e")
        text = "<br>".join(map(in_html, lines))
        return (
            f'<div role="status" style="border-left:4px solid {colour};padding:.4em '
            '.8em;margin:.3em 0">'
            f"<strong>{SENTENCES.say(f'kind.{self.kind}')}</strong> {text}{self.drawing}</div>"
        )


class Text(str):
    """A text that shows itself without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Prose(Text):
    """A text whose names stand between backticks: a notebook shows them as code."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f'<div role="status" style="padding:0 .6em">{in_html(self)}</div>'


def same_error(a: BaseException, b: BaseException) -> bool:
    """Say whether two exceptions tell the same, wherever the functions in their texts lie in
    memory. Shapes that do not fit read alike wherever they meet: both must be for one name.
    """
    if type(a) is not type(b) or PLACE.sub("", str(a)) != PLACE.sub("", str(b)):
        return False
    if not isinstance(a, ValueError):
        return True
    used = {_used(a), _used(b)} - {frozenset()}
    return len({_assigned(a), _assigned(b)} - {""}) <= 1 and len(used) <= 1


def _assigned(error: BaseException) -> str:
    """Return the name to which the raising line of a program gives a value, "" where it is none."""
    lines = [f.line or "" for f in _frames(error)]
    name = re.match(r"(?:self\.)?(\w+) = ", lines[-1]) if lines else None
    return name[1] if name else ""


def _used(error: BaseException) -> frozenset[str]:
    """Return which of its inputs a function works with in the raising expression."""
    frames, codes = _frames(error), [f.f_code for f, _ in traceback.walk_tb(error.__traceback__)]
    if not frames:
        return frozenset()
    last = frames[-1]
    code = next(code for code in reversed(codes) if code.co_filename == last.filename)
    line = linecache.getline(last.filename, last.lineno or 0).encode()
    words = re.findall(r"\w+", line[last.colno : last.end_colno].decode(errors="ignore"))
    # before Python 3.12, a comprehension is a function, and what it takes from around is no input of it
    around = code.co_freevars if code.co_name == "<listcomp>" else ()
    return frozenset(words) & {*code.co_varnames[: code.co_argcount], *around}


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the calls that led to an error, without those inside of minitape or other packages."""
    return [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not is_inside(f.filename) and not any(folder in f.filename for folder in OTHERS)
    ]


def raised(error: BaseException, starter: str = "", cell: str = "") -> Outcome:
    """Return the outcome for an exception: which of the learner's lines raised what. `starter`:
    what was given to them; `cell`: the file to look in first, where several are theirs.
    """
    try:
        what = f"{type(error).__name__}: {error}".removesuffix(": ")[:2000]
    except Exception:  # an error whose own text raises
        what = type(error).__name__
    frames = _frames(error)
    if not frames:
        return Outcome("your code raised", what)
    if cell not in [f.filename for f in frames]:
        cell = frames[-1].filename  # a program of the check's own may have called what is in it
    number, code = own_line([f for f in frames if f.filename == cell], starter)
    there = frames[-1].lineno, (frames[-1].line or "").strip()
    if there[0] != number:  # given to them: what it used was made in their own line
        what = SENTENCES.say("raised.there", {"line": there[0], "code": there[1], "error": what})
    return Outcome(
        "your code raised",
        SENTENCES.say("raised", {"line": number, "code": code, "error": what}),
        line=number,
    )


def meaning(error: BaseException) -> str:
    """Return what an error of Python's means, in the learner's language: its own text is English.
    A text that a kind of exercises gave it says so itself.
    """
    if isinstance(next(iter(error.args), None), Prose):
        return ""
    text, name = str(error), getattr(error, "name", None)
    if hasattr(getattr(error, "obj", None), f"reduce_{name}"):
        return SENTENCES.say("error.reduce", {"name": name})
    if type(error) is NameError and (near := _near(error)):
        return SENTENCES.say("error.near-name", {"name": name, "near": near})
    kinds = [kind for pattern, kind in MEANINGS if re.search(pattern, text)]
    last = traceback.extract_tb(error.__traceback__)[-1:]
    if "unpacked" in kinds and any(
        (frame.line or "").lstrip().startswith("for ") for frame in last
    ):
        kinds = ["unpacked-in-for"]
    # minitape's own second sentence says what to write
    own = any(is_inside(frame.filename) for frame in last)
    told = own and re.search(r"\. .*\.$", text.partition("\nThis was ")[0])
    if not told or language() != "en":
        kinds += [kind.__name__ for kind in type(error).__mro__]
    return next(filter(None, (SENTENCES.pattern(f"error.{kind}") for kind in kinds)), "")


def _near(error: NameError) -> str:
    """Return what was meant by a name that is unknown: the value of the function that raised whose
    name is nearest, or the method of its tape, or the function of a library, that has this name;
    "" where there is none.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if not frames or not error.name:
        return ""
    unknown = error.name
    known = [name for name in frames[-1].f_locals if name != unknown]
    begun = [name for name in known if len(unknown) > 1 and name.startswith(unknown)]
    near = difflib.get_close_matches(unknown, known, 1) or begun[:1]
    near += [
        f"{name}.{unknown}"
        for name, value in frames[-1].f_locals.items()
        if isinstance(value, GradientTape) and hasattr(value, unknown)
    ]
    return next(iter(near), "") or _of_library(unknown, frames[-1])


def _of_library(name: str, frame: FrameType) -> str:
    """Return a function with the name of its library in front of it, as in `np.cos`: that of the
    library which the cell uses most.
    """
    cell = "".join(linecache.getlines(frame.f_code.co_filename))
    libraries = [each for each in ("np", "tf") if hasattr(frame.f_globals.get(each), name)]
    libraries.sort(key=lambda each: -len(re.findall(rf"\b{each}\.", cell)))
    return f"{libraries[0]}.{name}" if libraries else ""


def own_line(frames: list[traceback.FrameSummary], starter: str) -> tuple[int, str]:
    """Return the innermost line, (number, text), that the learner has written.

    Where each line that raised was given to them (a helper, a `return`), it is the line on which
    they made what it uses, if that is one.
    """
    given = {line.strip() for line in starter.splitlines() if "..." not in line}
    for frame in reversed(frames):
        if (frame.line or "").strip() not in given:
            return frame.lineno or 0, (frame.line or "").strip()
    # a recursion passes the same lines a thousand times
    apart = {(frame.name, frame.lineno): frame for frame in frames}
    made, last = (_made_for(frame, given) for frame in reversed(apart.values())), frames[-1]
    return next(
        (lines[0] for lines in made if len(lines) == 1),
        (last.lineno or 0, (last.line or "").strip()),
    )


def _made_for(frame: traceback.FrameSummary, given: Collection[str]) -> list[tuple[int, str]]:
    """Return the lines of one's own that made the names which the raising expression uses, in the
    innermost function around it.
    """
    lines = linecache.getlines(frame.filename)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):  # the cell has changed since
        return []
    first, last = (
        (frame.lineno or 0, frame.colno or 0),
        (frame.end_lineno or 0, frame.end_colno or 0),
    )
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= first[0] <= (node.end_lineno or 0)
    ]
    nodes = list(ast.walk(around[-1] if around else tree))
    # `for g in ...` inside
    turns = {
        name
        for node in nodes
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
    }
    names = [node for node in nodes if isinstance(node, ast.Name) and node not in turns]
    used = {
        node.id
        for node in names
        if isinstance(node.ctx, ast.Load) and first <= (node.lineno, node.col_offset) < last
    }
    made = {
        node.lineno
        for node in names
        if isinstance(node.ctx, ast.Store) and node.id in used and node.lineno < first[0]
    }
    return [(k, text) for k in sorted(made) if (text := lines[k - 1].strip()) not in given]
