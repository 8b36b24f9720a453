"""The answer: what happened, where, and what to write instead; as text for a terminal and as HTML
for a notebook.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from minitape.dialects import dialect_of
from minitape.sentences import first_lower, in_html
from minitape.storyboard.board import Storyboard
from minitape.storyboard.player import PLAYER

from .case.aliases import Break, File, Place, Where
from .case.words import clipped, say, title

MARK = (
    '<mark style="background:var(--mt-mark, #ffd79a);color:#1a1a1a;text-decoration:underline '
    "wavy #b00020;"
    'padding:0 1px">'
)
# an exported page's own style takes this from every `pre` of an output
CODE = "font-family:var(--jp-code-font-family, monospace);margin:.2em 0 .5em 0"
SMALL = "margin-top:.4em;font-size:90%"
# how each part of an answer is written: {0} are its words, {1} its label or its code
TEXT = {
    "answer": "{0}\n",
    "place": "  {0}{1}\n",
    "message": "{0}",
    "fix": "{1} {0}",
    "cure": "\n    {0}\n",
    "unsure": "{0}",
    "path": "\n{1} {0}",
    "also": "{1} {0}",
}
HTML = {
    "title": "<div><strong>{0}</strong></div>",
    "answer": "<div>{0}</div>",
    "place": f'<div style="{SMALL}">{{0}}</div>{{1}}',
    "message": "<div>{0}</div>",
    "fix": "<div><strong>{1}</strong> {0}</div>",
    "cure": f'<pre style="{CODE};padding:.4em 1.5em;overflow-x:auto">{{0}}</pre>',
    "unsure": "<div><em>{0}</em></div>",
    "path": f'<div style="{SMALL}">{{1}} <code>{{0}}</code></div>',
    "also": '<div style="font-size:90%">{1} {0}</div>',
    "watch": f'<div style="{SMALL}">{{1}} <code>{{0}}</code></div>',
}
FRAME = (
    '<div class="minitape-explanation" style="max-width:60em;border-left:4px solid '
    "var(--mt-accent, var(--jp-warn-color1, #b26a00));padding:.3em .9em;"
    'color:var(--jp-content-font-color1, inherit)">{}</div>'
)
HEADING = ("title", "answer", "watch")
VERBATIM = (*HEADING, "unsure", "cure", "path")  # no code between backquotes
MOST_PLACES = 6  # so many guilty places of several sources are shown
MOST_LINES, MOST_ROWS = 6, 40  # after the first guilty one: as text, as HTML
MOST_LETTERS, AROUND = 2000, 1000  # of a line's guilty text, and on either side of it


class Guilty(NamedTuple):
    """The guilty expression: its file, its place there in characters, its text; what is not known
    is None or "".
    """

    file: File | None = None
    span: Place | None = None
    code: str = ""


class Way(NamedTuple):
    """The steps from the source to the target as text, after which step the cut is, and [(from, to,
    category or None)] of their numbers.
    """

    chain: list[str]
    cut: int | None
    numbers: list[Any]


class Unfinished(NamedTuple):
    """A question that was broken off because its asker waits no longer: the names of target and
    source, the call that asks again, or "".
    """

    target: str
    source: str
    call: str


class Explanation:
    """Why a gradient is what it is.

    `category`: a stable key, see `minitape.explain.CATEGORIES`; `lineno`, `end_lineno`,
    `col_offset`, `end_col_offset`, `filename`: the guilty expression (columns in characters, lines
    from 1); `code`: its text; `message`: what happened; `fix`: what to write instead; `chain`: the
    steps from the source to the cut and on to the target, as text; `cut`: which step of the chain
    is cut; `certain`: False where only the text suggests it; `suspects`: other possible or further
    reasons.
    """

    def __init__(
        self,
        why: Break,
        guilty: Guilty,
        params: dict[str, Any],
        way: Way,
        suspects: Sequence[Explanation],
        refs: Any,
    ) -> None:
        self.category, self.certain, self.params, self.suspects = (
            why.category,
            why.certain,
            params,
            list(suspects),
        )
        self.where: Where | None = why.where if isinstance(why.where, tuple) else None
        self.variant, self._call = params.get("variant", ""), params.get("call", "")
        self.target, self.source = params["target"], params["source"]  # what the learner calls them
        self.chain, self.cut, self.way = way
        # weak references to tape, targets and source: an explanation keeps nobody's arrays alive
        self._refs = refs
        file, self._span, self.code = guilty
        self.filename = file.filename if file is not None else None
        self.lineno, self.col_offset, self.end_lineno, self.end_col_offset = self.span
        self._lines = file.lines if file is not None else []
        self.members: list[Explanation] = []  # of several sources: the explanation of each

    # ---- copies

    def __copy__(self) -> Explanation:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Explanation:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: all its words. What could be played stays behind with the tape."""
        return {**vars(self), "_refs": None, "where": None}

    # ---- sentences

    @property
    def title(self) -> str:
        """The pitfall's name, a few words."""
        return title(self.category, self.params)

    @property
    def answer(self) -> str:
        """What the gradient is, in one sentence."""
        return say("answer", self.params.get("answer", "none"), "", self.params)

    @property
    def message(self) -> str:
        """What happened, with the learner's own names."""
        return say(self.category, "why", self.variant, self.params)

    @property
    def fix(self) -> str:
        """What to write instead, or ""."""
        return say(self.category, "fix", self.variant, self.params)

    @property
    def cure(self) -> list[str]:
        """The lines to write instead of the guilty one, where there is such a cure: they can be
        pasted.
        """
        return list(self.params.get("cure", ()))

    @property
    def replaced(self) -> tuple[int, int] | None:
        """The first and last line that the cure stands in place of, where that is another stretch
        than the guilty statement; or None.
        """
        over = self.params.get("over")
        return tuple(over[1:]) if over and over[0] == self.filename else None

    @property
    def place(self) -> str:
        """Where, in words: `line 7`, `cell, line 3`, `train.py, line 12`."""
        if self.lineno is None:
            return ""
        return say(
            "place",
            _kind_of(self.filename),
            "",
            {"line": self.lineno, "file": _short_name(self.filename)},
        )

    @property
    def span(self) -> tuple[int | None, int | None, int | None, int | None]:
        """The guilty expression: first line, column, last line, column, in characters; or four
        times None.
        """
        return self._span or (None, None, None, None)

    @property
    def places(self) -> list[Explanation]:
        """Those explanations, each with its own guilty lines, that this one speaks of: itself, or
        one for each line of several sources.
        """
        result = {
            (each.filename, each.span): each
            for each in self.members or [self]
            if each.lineno is not None
        }
        return list(result.values())[:MOST_PLACES]

    @property
    def healthy(self) -> bool:
        """True where there is nothing to repair."""
        return self.category == "healthy"

    # ---- as text and as HTML

    def _parts(self, code: Callable[[Explanation], str]) -> Iterator[tuple[str, str, str]]:
        """Yield what is said, in order: `(kind, words, label)`. `code` writes the guilty lines."""
        yield "title", self.title, ""
        yield "answer", self.answer, ""
        for each in self.places:
            yield "place", each.place, code(each)
        yield "message", self.message, ""
        if self.fix:
            yield "fix", self.fix, say("words", "fix")
        if self.cure and "over" in self.params:
            yield "message", self._over(), ""
        if self.cure:
            yield "cure", "\n".join(self.cure), ""
        if not self.certain:
            yield "unsure", say("words", "unsure", "", self.params), ""
        if self.chain:
            yield "path", self._path(), say("words", "path")
        for suspect in self.suspects:
            at = f"{suspect.place}: `{clipped(suspect.code)}`" if suspect.code else suspect.place
            yield (
                "also",
                first_lower(suspect.title) + (f" ({at})" if suspect.lineno else ""),
                say("words", "also", self.params.get("further", "")),
            )
        if PLAYER.filled and self._call:
            yield "watch", f"{self._call}.play()", say("words", "watch")

    def __str__(self) -> str:
        said = [
            TEXT[kind].format(words.replace("\n", "\n    "), label)
            for kind, words, label in self._parts(Explanation._marked)
            if kind in TEXT
        ]
        return re.sub("\n{3,}", "\n\n", "\n".join(said)).rstrip("\n")

    __repr__ = __str__  # at the prompt, too, the answer is shown

    def html(self, heading: bool = True) -> str:
        """Return the code with the cut marked, and the sentences, as HTML; all of the learner's
        text is escaped.

        Without `heading` neither the title nor the answer nor how to watch it is said: for pages
        that say it themselves.
        """
        return FRAME.format(
            "".join(
                HTML[kind].format(html.escape(words) if kind in VERBATIM else in_html(words), label)
                for kind, words, label in self._parts(Explanation._code_html)
                if heading or kind not in HEADING
            )
        )

    def _over(self) -> str:
        """Return which lines the cure stands in place of; a cell that is not the guilty one is
        named by its first line.
        """
        filename, first, last = self.params["over"]
        there = (
            []
            if filename == self.filename
            else ["cell" if _kind_of(filename) == "cell" else "file"]
        )
        return say(
            "words",
            "over",
            ".".join(there + ["one"] * (first == last)),
            {
                "first": first,
                "last": last,
                "file": _short_name(filename),
                "begins": self.params["begins"],
            },
        )

    def _path(self) -> str:
        marks = [" ✂ " if k == self.cut else " → " for k in range(len(self.chain))]
        steps = [clipped(step) + mark for step, mark in zip(self.chain, marks)]
        return "".join(steps)[: -len(marks[-1])]

    def _rows(self, above: int, below: int, most: int) -> Iterator[tuple[int, str, str, str]]:
        """Yield `(number, before, guilty, after)` for the guilty lines and so many others around
        them, as far as anybody would read them.
        """
        begin, left, end, right = self._span or (1, 0, 0, 0)
        for number in range(
            max(1, begin - above), min(end + below, begin + most, len(self._lines)) + 1
        ):
            line = self._lines[number - 1]
            guilty = begin <= number <= end
            first = left if number == begin else (len(line) - len(line.lstrip())) * guilty
            last = (right if number == end else len(line)) if guilty else first
            yield (
                number,
                clipped(line[:first], 0, AROUND),
                clipped(line[first:last], MOST_LETTERS, 0),
                clipped(line[last:], AROUND, 0),
            )

    def _marked(self) -> str:
        """Return the guilty lines with the expression underlined."""
        return "".join(
            f"\n    {(before + guilty + after).rstrip()}\n    {' ' * len(before)}"
            f"{'^' * max(1, len(guilty))}"
            for _, before, guilty, after in self._rows(0, 0, MOST_LINES)
        )

    # ---- the picture

    def storyboard(self, **picture: Any) -> Storyboard:
        """Return the storyboard of the play in question, and note as `frame` the act that shows the
        cut.

        Further arguments go to `minitape.storyboard.build`. Raises RuntimeError where tape or
        tensors are gone, or their arrays.
        """
        from minitape.engine.gradient_tape import GradientTape
        from minitape.engine.recording import recorded
        from minitape.storyboard import build

        tape: Any
        tape, targets, source = [
            ref() if not isinstance(ref, list) else [r() for r in ref]
            for ref in self._refs or (list, list, list)
        ]
        if (
            tape is None
            or source is None
            or None in targets
            or not targets
            or tape.entries
            and not recorded(tape).holds_arrays
        ):
            dialect = dialect_of(self.params.get("dialect", ""))
            raise RuntimeError(
                f"There is nothing left to show: the {dialect.recording} has let its arrays go. "
                f"{dialect.keeps}"
            )
        targets, (source,) = [list(map(_playable, each)) for each in (targets, [source])]
        board = build(
            GradientTape.around(recorded(tape).twin()),
            targets[0] if len(targets) == 1 else targets,
            [source],
            **picture,
        )
        cuts = [k for k, f in enumerate(board["frames"], 1) if f["act"] == "cut"]
        answers = [k for k, f in enumerate(board["frames"], 1) if f["act"] == "result"]
        board.frame = (cuts[:1] or answers[-1:] or [0])[0]
        return board

    def play(self) -> Any:
        """Show the play in question at the frame of the cut, in a notebook. Raises RuntimeError
        without the widgets.
        """
        if not PLAYER.filled:
            raise RuntimeError(
                "The player is part of minitape_widgets: run `%load_ext minitape_widgets` first. "
                "Without it, print(explanation.storyboard()) tells the play in words."
            )
        board = self.storyboard()
        return PLAYER()(board, board.frame)

    # ---- notebook

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _repr_html_(self) -> str:
        return self.html()

    def _code_html(self) -> str:
        if self._span is None or not self._lines:
            return ""
        begin, _, end, _ = self._span
        rows = []
        for number, *parts in self._rows(2, 1, MOST_ROWS):
            before, guilty, after = map(html.escape, parts)
            if begin <= number <= end:
                guilty = f"{MARK}{guilty}</mark>"
            rows.append(f'<span style="opacity:.75">{number:>4} </span>{before}{guilty}{after}')
        style = f"{CODE};padding:.4em;line-height:1.35;overflow-x:auto"
        return f'<pre style="{style}">' + "\n".join(rows) + "</pre>"


def _playable(obj: Any) -> Any:
    """Return a tensor or a variable as `build` plays it, whosever it is."""
    from minitape.engine.base.tensor import Tensor, wrap
    from minitape.engine.recording import describe
    from minitape.engine.variable import Variable

    info = describe(obj)
    foreign = info is not None and not isinstance(obj, (Tensor, Variable))
    return wrap(info.value, info.id) if foreign and info is not None else obj


def _short_name(filename: str | None) -> str:
    return (filename or "").replace("\\", "/").rpartition("/")[2]


def _kind_of(filename: str | None) -> str:
    if filename and filename.startswith("<"):
        return "text"
    return "cell" if filename and "ipykernel" in filename else "file"
