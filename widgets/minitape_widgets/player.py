"""The player in Python: a widget that carries one storyboard to the page, and nothing more.

All acts travel once, so stepping never asks the kernel. The widget opens its channel only when it
is shown, and closes it when the cell is run again or the last picture of it has gone from the page:
two hundred players made and replaced leave nothing behind.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import anywidget
import ipywidgets
import traitlets

from minitape import GradientTape
from minitape import storyboard as boards
from minitape.disk import write_whole
from minitape.sentences import chosen, filled, in_html
from minitape.storyboard import Storyboard
from minitape.storyboard.contract import beyond
from minitape.storyboard.player import OFFER, PLAYER
from minitape.storyboard.text.asides import check_asides
from minitape.storyboard.text.captions import node_name
from minitape.typing import Nested
from minitape_widgets import module
from minitape_widgets.front_end import FrontEnd, front_end, loader
from minitape_widgets.link import write_link
from minitape_widgets.packing import LARGEST, pack, parsed, unpack
from minitape_widgets.page import page, sendable
from minitape_widgets.view import View, completed, file_path, takes_a_view, two_names, view

TRACE = "application/vnd.minitape.trace.v1+json"
PICTURE = (
    "jacobian",
    "unconnected_gradients",
    "names",
    "folded",
    "engine",
    "max_cells",
    "source_names",
    "executed",
    "explain",
    "order",
)

_shown: dict[Any, Any] = {}  # cell -> (execution, players shown by it): what a re-run replaces


class Player(anywidget.AnyWidget):
    """Shows a storyboard in a notebook: code, tape, graph and inspector, stepped by the learner.

    `gradients` is what `tape.gradient` answers, `storyboard` the data of the picture, `error` the
    LookupError of an operation without gradient (the picture shows the place). Raises ValueError
    for a pane or a language that there is not.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    front_end = traitlets.Instance(FrontEnd).tag(sync=True, **ipywidgets.widget_serialization)
    payload = traitlets.Dict(
        help="The trace as it travels to the page: plain, or packed where it is large."
    ).tag(sync=True)
    alone = traitlets.Bool(
        False, help="Shown as an output of its own, not inside of another widget."
    ).tag(sync=True)
    carries: Sequence[str] = ("front_end",)  # the models of front ends that it names
    instead = ""  # what a page says that shows no players: in this one it waits behind a button
    fresh = traitlets.Bool(
        True, help="Not shown yet since its cell was run: the page brings it into view once."
    ).tag(sync=True)
    layout = ipywidgets.widgets.trait_types.InstanceDict(ipywidgets.Layout, allow_none=True).tag(
        sync=True, **ipywidgets.widget_serialization
    )

    def __init__(
        self,
        storyboard: Storyboard,
        *,
        start: int | str | None = None,
        hide: str | Sequence[str] = (),
        large: bool = False,
        language: str | None = None,
        link: str | None = None,
        gradients: Any = None,
    ) -> None:
        if not isinstance(storyboard, Storyboard):
            raise TypeError(
                "A player shows a storyboard, as minitape.storyboard.build makes it, not "
                f"{type(storyboard).__name__}."
            )
        if (too_long := beyond(storyboard)) is not None:
            part, count, most = too_long
            raise ValueError(
                f"This is too much for one player: {count:,} {part}, and a page holds {most:,}. "
                "Show a shorter part of the program, such as fewer rounds of a loop; "
                "print(storyboard) writes it all."
            )
        options = view(start, hide, large, language, link)
        self.trace: dict[str, Any] = {"storyboard": dict(storyboard), "options": options}
        super().__init__(layout=None)
        self.storyboard: Any = storyboard
        self.gradients = getattr(storyboard, "gradients", None) if gradients is None else gradients
        self.error = getattr(storyboard, "error", None)
        self.on_msg(Player._page_said)

    @traitlets.default("_esm")
    def _loader(self) -> str:
        return loader()

    @traitlets.default("front_end")
    def _one_for_all(self) -> FrontEnd:
        return front_end()

    @traitlets.default("payload")
    def _packed(self) -> dict[str, Any]:
        return pack(self.trace)

    # ---- the channel to the page

    def open(self) -> None:
        """Does nothing: the channel opens when the player is shown."""

    @property
    def model_id(self) -> Any:
        """The number of the widget on the page; asking for it opens the channel (another widget may
        hold this one).
        """
        if self.comm is None:
            super().open()
        return super().model_id

    def close(self) -> None:
        """Closes the channel to the page; showing the player again opens a new one."""
        super().close()
        self.__dict__.pop("_repr_mimebundle_", None)
        self._model_id = None

    @staticmethod
    def _page_said(player: Any, content: Any, buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        if content.get("gone"):
            player.close()
        asked = content.get("ask")
        # by a page that cannot find the model
        if isinstance(asked, str) and asked in player.carries:
            player.send({asked: getattr(player, asked).text})

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> Any:
        if self.comm is None:
            self.alone = True
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        replace(self)
        return {"application/vnd.jupyter.widget-view+json": view} | self.picture()

    def picture(self) -> dict[str, Any]:
        """Returns the bundle without the widget: the trace for pages without a kernel, a static
        picture, and a text.
        """
        if self.instead:
            said = {"text/html": in_html(self.instead), "text/plain": self.instead}
            return {TRACE: self.payload} | said
        return {
            TRACE: self.payload,
            "image/svg+xml": self.svg(),
            "text/plain": sendable(self.text()),
        }

    # ---- what it shows

    def boards(self) -> list[Storyboard]:
        """Returns the storyboards shown: one, or two side by side."""
        return [self.storyboard]

    def text(self) -> str:
        """Returns the whole storyboard as lines of text, the same for the same program."""
        return "\n\n".join(board.text() for board in self.boards())

    def svg(self) -> str:
        """Returns the static picture as SVG text."""
        return beside([board.svg() for board in self.boards()])

    def heading(self) -> str:
        """Returns what a page calls it: its title, the file of the program, or what it computes."""
        board = self.boards()[0]
        file = next((source["name"] for source in board["sources"] if source["name"] != "cell"), "")
        named = (
            {
                kind: [node_name(board, node) for node in dict.fromkeys(board["passes"][0][kind])]
                for kind in ("targets", "sources")
            }
            if board["passes"]
            else {}
        )
        texts = {
            kind: ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
            for kind, names in named.items()
        }
        language = self.trace["options"].get("language", board["language"])
        computes = (
            filled(module.words(language)["ui.page"], texts, language)
            if texts and all(texts.values())
            else ""
        )
        return board["title"] or file or computes or "minitape"

    def __repr__(self) -> str:
        return f"<Player: {', '.join(repr(board).strip('<>') for board in self.boards())}>"

    @property
    def link(self) -> str:
        """The view (start frame, size of a step, hidden panes, large type, folded inspector) as a
        short text that is safe in a link.
        """
        return write_link(self.trace["options"])

    def save(self, path: str | Path) -> Path:
        """Writes the player to a file and returns its path.

        `.html` is a page that works without a network, `.svg` a static picture, `.json` the
        storyboard, which `load` reads. Raises ValueError for another suffix, TypeError for what is
        no path, FileNotFoundError where the folder does not exist.
        """
        path = file_path(path)
        if path.suffix == ".html":
            text = page(self)
        elif path.suffix == ".svg":
            text = self.svg()
        elif path.suffix == ".json":
            text = json.dumps(
                self.trace, ensure_ascii=False, allow_nan=False, separators=(",", ":")
            )
        else:
            kind = path.suffix or "a file without suffix"
            raise ValueError(
                f"save writes .html, .svg or .json, not {kind}: try {path.stem + '.html'!r}."
            )
        write_whole(path, sendable(text).encode())
        return path


class Pair(Player):
    """Shows two storyboards side by side, stepped together. With `judged` the first is marked as
    broken, the second as mended.
    """

    def __init__(
        self,
        first: Storyboard,
        second: Storyboard,
        *,
        names: Sequence[str] = ("A", "B"),
        judged: bool = False,
        **settings: Any,
    ) -> None:
        names = two_names(names)
        super().__init__(first, **settings)
        shown = self.trace["options"] | {"names": names} | ({"judged": True} if judged else {})
        self.trace = {"pair": [dict(first), dict(second)], "options": shown}
        self.second = second

    def boards(self) -> list[Storyboard]:
        return [self.storyboard, self.second]


@takes_a_view()
def play(
    tape: GradientTape,
    target: Nested = None,
    sources: Nested = None,
    output_gradients: Nested = None,
    *,
    predict: Any = None,
    title: str = "",
    say: Mapping[int | str, str | Mapping[str, str]] | None = None,
    **settings: Any,
) -> Player:
    """Plays a tape backwards before the eyes of the learner; returns the `Player`, which has the
    result as `.gradients`.

    `target`, `sources`, `output_gradients`: as for `tape.gradient`; without a target the recording
    alone is shown. A tape that is not persistent is used up by it. `predict`: True, or the
    questions to ask. `start`: the act to begin at (a number; "play" for where the play backwards
    begins, "end"; negative from the end; beyond the end it is the end). `hide`: panes to leave out,
    of "code", "tape", "graph", "inspector". `large`: type for a projector. `language`: "en" or
    "fr", else the one that is spoken. `link`: the same settings as `Player.link` gives them; the
    player names what it cannot read there. `say`: what the lesson says at moments, under the
    sentence of the act, as in {"sum x": "Three parts meet here."}; a moment is a number of acts,
    "start", "play", "end", an act, what it is about (a name, "card 2", "line 4"), or both; a text
    may be {"en": ..., "fr": ...}. `order`: the numbers of the cards in an order of one's own, right
    or wrong, as in [4, 2, 1, 3]; the tape is not used up by it. Further arguments (`jacobian=True`,
    `unconnected_gradients`, `names`, ...) go to `minitape.storyboard.build`. Raises what
    `tape.gradient` raises, and TypeError or ValueError for an argument that cannot be meant, before
    the tape is played.
    """
    settings = completed(play, settings, PICTURE)
    picture = {name: settings.pop(name) for name in PICTURE if name in settings}
    view(**settings)
    language = chosen(settings.pop("language"))
    if say is not None:
        check_asides(say)
    if not isinstance(tape, GradientTape):
        raise TypeError(
            "play shows a tape: play(tape, target, sources), where tape is a GradientTape, not "
            f"{type(tape).__name__}."
        )
    board = boards.build(
        tape,
        target,
        sources,
        output_gradients=output_gradients,
        predict=predict,
        language=language,
        title=title,
        **picture,
    )
    return Player(board if say is None else board.say(say), **settings)


@takes_a_view(hide=("inspector",))
def compare(
    first: Player | Storyboard | None = None,
    second: Player | Storyboard | None = None,
    *,
    broken: Player | Storyboard | None = None,
    fixed: Player | Storyboard | None = None,
    names: Sequence[str] | None = None,
    **settings: Unpack[View],
) -> Pair:
    """Shows two plays side by side, stepped together: what `play` returned, or storyboards.

    `compare(a, b)` shows them alike; `compare(broken=a, fixed=b)` marks the broken and the mended
    one. `names` stand above them: else their titles, or A and B. `start`, `hide` (the inspector,
    where nothing is said), `large`, `language`, `link`: as for `play`. Raises TypeError or
    ValueError for an argument that cannot be meant.
    """
    shown = completed(compare, settings)
    judged = first is None and second is None
    given = (broken, fixed) if judged else (first, second)
    if not judged and (broken is not None or fixed is not None):
        raise TypeError(
            "compare shows two plays: compare(a, b), or, where one is broken and one mended, "
            "compare(broken=a, fixed=b)."
        )
    sides: list[Any] = [side.storyboard if isinstance(side, Player) else side for side in given]
    for name, one, side in zip(
        ("broken=...", "fixed=...") if judged else ("first", "second"), given, sides
    ):
        if (
            not isinstance(side, Storyboard)
            or len(one.boards() if isinstance(one, Player) else [side]) != 1
        ):
            raise TypeError(
                f"compare({name}) shows what play(...) returned, or a storyboard, not "
                f"{type(one).__name__}."
            )
    said = module.words(
        sides[0]["language"] if shown["language"] is None else chosen(shown["language"])
    )
    plain = [side["title"] or letter for side, letter in zip(sides, "AB")]
    return Pair(
        *sides,
        names=names
        if names is not None
        else (said["ui.broken"], said["ui.fixed"])
        if judged
        else plain,
        judged=judged,
        **shown,
    )


def _text_of(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(LARGEST + 1)  # a device has no end


def load(source: str | Path, **settings: Any) -> Player:
    """Shows a player that was saved: `source` is the path of a .json file, or its text; `settings`
    are those of `play`.

    Raises ValueError where it is not a storyboard of this version.
    """
    is_text = isinstance(source, str) and source.lstrip().startswith("{")
    try:
        data = unpack(parsed(str(source) if is_text else _text_of(Path(source))))
    except (ValueError, TypeError, RecursionError, zlib.error) as error:
        raise ValueError(
            f"This is not a player that was saved as .json: {error}. Use the file that "
            'player.save("tape.json") '
            "wrote."
        ) from None
    trace = (
        data
        if isinstance(data, dict) and ("storyboard" in data or "pair" in data)
        else {"storyboard": data}
    )
    pair, options = trace.get("pair"), trace.get("options")
    if pair is not None and not (isinstance(pair, list) and len(pair) == 2):
        raise ValueError("This is not a player that was saved: a pair is two storyboards.")
    options = options if isinstance(options, dict) else {}
    read = [
        Storyboard.from_json(json.dumps(board)) for board in (pair or [trace.get("storyboard")])
    ]
    kept = {
        name: options[name] for name in ("start", "hide", "large", "language") if name in options
    }
    pieces = ["folded" if options["folded"] else "unfolded"] if "folded" in options else []
    if isinstance(words := options.get("knows"), list):
        pieces.append("-".join(["knows", *map(str, words)]))
    if pieces:
        kept["link"] = ".".join(pieces)
    if not pair:
        return Player(read[0], **kept | settings)
    return Pair(
        *read,
        names=options.get("names", ("", "")),
        judged=options.get("judged") is True,
        **kept | settings,
    )


# ---- pictures and places


def beside(pictures: Sequence[str]) -> str:
    """Returns one SVG of several, under each other."""
    if len(pictures) == 1:
        return pictures[0]
    sizes = [
        [
            float(next(re.finditer(rf'<svg[^>]*\s{name}="([\d.]+)', text))[1])
            for name in ("width", "height")
        ]
        for text in pictures
    ]
    width, height, y, parts = max(w for w, _ in sizes), sum(h for _, h in sizes), 0, []
    for text, (_, h) in zip(pictures, sizes):
        parts.append(re.sub(r"^\s*(<\?xml[^>]*>)?\s*<svg", f'<svg y="{y:g}"', text, count=1))
        y += h
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def replace(player: Any) -> None:
    """Closes the players that an earlier run of the same cell has shown: their places on the page
    are gone.
    """
    cell, execution = running_cell()
    if cell is None:
        return
    before, players = _shown.get(cell, (None, []))
    if before != execution:
        for old in players:
            if old is not player:
                old.close()
        players = []
    _shown[cell] = (
        execution,
        [*(p for p in players if p.comm is not None and p is not player), player],
    )


def running_cell() -> Any:
    """Returns (the cell's id, the execution's id) as the notebook tells them; (None, None)
    elsewhere.
    """
    try:
        from IPython import get_ipython

        parent = get_ipython().get_parent()
        return parent["metadata"]["cellId"], parent["header"]["msg_id"]
    except (ImportError, AttributeError, KeyError, TypeError):
        return None, None


def _at(board: Storyboard, frame: int) -> Player:
    """Shows a storyboard at one of its frames: what `explanation.play()` and `check().play()` ask
    for, wherever there is a player.

    A learner's own tape has no code to show.
    """
    return Player(board, start=frame, hide=() if board["sources"] else ("code",))


def _offer() -> Any:
    from minitape_widgets.offer import offer  # IPython is not needed before

    return offer


PLAYER.fill(lambda: _at)
OFFER.fill(_offer)
