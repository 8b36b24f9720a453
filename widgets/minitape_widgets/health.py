"""The training-health view: layers from top to bottom, steps from left to right, the loss above,
what stands out below; live.

    with health_view(model) as seen:        one line around a training loop, shown while it runs
    health_view(seen)                       a training that was watched

What is shown of a training is sent to the page after looks of its watch: at most four times a
second, and as seldom as it takes to stay within two hundredths of the time. When the training has
ended the output itself is replaced, once, by what came of it, so that a saved notebook holds the
picture of the whole training, which asks for no kernel. A click on a cell opens the player of a
tape that the watch has kept (`training/tapes.py`); the page takes the front end of players, of
which each notebook and each page has one.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import anywidget
import ipywidgets
import traitlets

from minitape import health
from minitape.disk import write_whole
from minitape.sentences import chosen
from minitape_widgets.front_end import FrontEnd, front_end
from minitape_widgets.packing import deflated, pack
from minitape_widgets.page import html_of, sendable
from minitape_widgets.player import Player, replace
from minitape_widgets.training.payload import WORDS, payload
from minitape_widgets.training.still import picture
from minitape_widgets.training.tapes import tapes
from minitape_widgets.view import file_path

HEALTH, VIEW = "application/vnd.minitape.health.v1+json", "health/deliveries.js"
PAGE = "health/page.js"  # the same and the player, for a page that has nothing else
OFTEN, SHARE = 0.25, 0.02  # seconds between two pictures, and how much of the time they may take


class HealthView(Player):
    """Shows what a watch has seen, and what it sees. `with view as seen:` shows it and watches."""

    players = traitlets.Instance(FrontEnd).tag(sync=True, **ipywidgets.widget_serialization)
    title = traitlets.Unicode(help="What is seen, in a line of text.").tag(sync=True)
    carries = ("front_end", "players")

    def __init__(self, seen: health.Watch) -> None:
        anywidget.AnyWidget.__init__(self, layout=None)
        self.seen, self.ended = seen, bool(seen.seconds) and not seen._open
        self._outputs: list[str] = []
        self._next = 0.0
        self.on_msg(Player._page_said)
        self.payload = self._made()
        if not self.ended:
            seen.viewers.append(self._look)

    @traitlets.default("front_end")
    def _one_for_all(self) -> FrontEnd:
        return front_end(VIEW)

    @traitlets.default("players")
    def _that_of_players(self) -> FrontEnd:
        return front_end()

    @cached_property
    def _tapes(self) -> dict[str, Any]:
        """The tapes that a click opens: made once."""
        return tapes(self.seen, deflated)

    def _made(self) -> dict[str, Any]:
        """Returns what the page draws, as far as the training has come."""
        self.given = payload(self.seen.to_dict()) | {"ended": self.ended}
        if self.ended:
            self.given |= self._tapes
        if not self.ended and not self.seen.steps:
            self.given["title"] = WORDS.say("waiting", {}, self.seen.language)
        self.title = sendable(self.given["title"])
        return pack(self.given)

    # ---- while the training runs

    def _look(self, ended: bool) -> None:
        """The watch has seen more: send it, if it is time."""
        began = perf_counter()
        if ended:
            self.ended = True
            self.payload = self._made()
            self.seen.viewers.remove(self._look)
            if self._outputs:
                self._replace_outputs()
        elif began >= self._next and self.comm is not None:
            self.payload = self._made()
            now = perf_counter()
            self._next = now + max(OFTEN, (now - began) / SHARE)

    def __enter__(self) -> health.Watch:
        from IPython.display import display

        display(self)
        return self.seen.__enter__()

    @property
    def __exit__(self) -> Any:  # the watch's own, which ends the block in every case
        return self.seen.__exit__

    # ---- what a notebook keeps

    def _ipython_display_(self, **kwargs: Any) -> None:
        """Shows the view in an output that can be replaced when the training has ended."""
        from IPython.display import publish_display_data

        self._outputs.append(f"minitape-health-{uuid4().hex}")
        publish_display_data(self._repr_mimebundle_(), transient={"display_id": self._outputs[-1]})

    def _replace_outputs(self) -> None:
        from IPython.display import publish_display_data

        for output in self._outputs:
            bundle = self._repr_mimebundle_()
            publish_display_data(bundle, transient={"display_id": output}, update=True)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> Any:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        replace(self)
        return {"application/vnd.jupyter.widget-view+json": view} | self.picture()

    def picture(self) -> dict[str, Any]:
        """Returns the bundle without the widget. Until the training has ended the page puts newer
        data in the place of these (`static/remoteEntry.js`).
        """
        return {
            HEALTH: self.payload,
            "image/svg+xml": self.svg(),
            "text/plain": sendable(self.text()),
        }

    # ---- what it shows

    def boards(self) -> list[Any]:
        """Returns no storyboards: those of the tapes travel with the picture, packed;
        `seen.tape(step)` has the tapes.
        """
        return []

    def text(self) -> str:
        """Returns the same as `print(seen)`."""
        return str(self.seen) if self.seen.steps or self.ended else self.given["title"]

    def svg(self) -> str:
        """Returns the static picture as SVG text."""
        return sendable(picture(self.given))

    def heading(self) -> str:
        """Returns what a page calls it."""
        return WORDS.say("name", {}, self.seen.language)

    def save(self, path: str | Path) -> Path:
        """Writes the view to a file and returns its path: `.html` is a page that works without a
        network, `.svg` a static picture.

        Raises ValueError for another suffix, TypeError for what is no path, FileNotFoundError where
        the folder does not exist.
        """
        path = file_path(path)
        self.payload = self._made()
        if path.suffix == ".html":
            text = html_of(
                self.payload, self.svg(), self.heading(), self.seen.language, PAGE, "health"
            )
        elif path.suffix == ".svg":
            text = self.svg()
        else:
            kind = path.suffix or "a file without suffix"
            raise ValueError(
                f"save writes .html or .svg, not {kind}: try {path.stem + '.html'!r}. "
                "json.dumps(seen.to_dict()) is the text of the figures."
            )
        write_whole(path, sendable(text).encode())
        return path

    def __repr__(self) -> str:
        return f"<HealthView of {self.seen!r}>"


def health_view(
    watched: Any = None, *, every: int | None = None, language: str | None = None
) -> HealthView:
    """Shows a training's health: layers from top to bottom, steps from left to right, the loss
    above, what stands out below.

    `with health_view(model) as seen:` around a training loop of one's own watches it and shows it
    while it runs; so does `health_view(seen)` for a watch that has not begun, or is at it, and for
    one that has ended it shows what was seen. `watched`: a watch, or what `health.watch` takes,
    with its `every` and `language`. Raises what `health.watch` raises, and TypeError for settings
    beside a watch, which has its own.
    """
    if isinstance(watched, health.Watch):
        if every is not None or language is not None:
            raise TypeError(
                'This watch has its own settings: health.watch(model, every=10, language="fr"), '
                "then health_view(seen)."
            )
        return HealthView(watched)
    return HealthView(
        health.watch(watched, every=every, language=None if language is None else chosen(language))
    )
