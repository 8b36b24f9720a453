"""The gallery as widgets: first two programs and a question, then the symptom and what happened,
stepped through at the cut.

A card asks before it shows: who predicts remembers. Both programs have run when the card appears,
and all that an answer uncovers travels with it, so that answering asks no kernel. Only changing a
program and leafing through all cards do. What the page draws is in `static/card/`; what stands
where nothing can be drawn, in `still.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import anywidget
import traitlets

from minitape import schemas
from minitape.sentences import chosen, speaking
from minitape.storyboard import Storyboard

from ..front_end import FrontEnd, front_end
from ..packing import deflated
from ..page import sendable
from ..player import Player, compare, replace
from . import still
from .card import CARD, GALLERY, PAGE, SITUATIONS, WORDS, card, cards, check
from .difference import difference
from .programs import error_text, run

ON_THE_PAGE = (
    "broken",
    "mended",
    "edit",
    "edit-tip",
    "show",
    "show-tip",
    "again",
    "again-tip",
    "reset",
    "reset-tip",
    "changed",
    "symptom",
    "rule",
    "bites",
    "try",
    "right",
    "wrong",
    "why",
    "instead",
    "more-about",
    "card",
    "your-question",
    "programs",
)
OF_THE_GALLERY = ("search", "all", "found", "nothing", "before", "next", "pitfall")
FORM = schemas.schema("card")["$defs"]
MOST_MARKS = FORM["marks"]["maxItems"]
HIDDEN = ["code", "tape", "inspector"]  # the card shows the code; the other panes are a click away


class CardView(Player):
    """One card on the page. `broken` and `fixed` are the two runs, `pair` the player of both."""

    def __init__(self, key: str, language: str | None = None) -> None:
        anywidget.AnyWidget.__init__(self, layout=None)
        self.language = chosen(language)
        self.words = WORDS(self.language)
        self.on_msg(type(self)._page_asked)
        self.open_card(key)

    @traitlets.default("front_end")
    def _one_for_all(self) -> FrontEnd:
        return front_end(PAGE)

    # ---- what the learner does

    def open_card(self, key: str) -> None:
        """Shows a card; its programs run now."""
        self.card = card(key, self.language)
        self.run(self.card.broken, self.card.fixed)

    def run(self, broken: str, fixed: str) -> None:
        """Runs both programs as they are given, and shows what came of it."""
        self.codes = broken.strip("\n"), fixed.strip("\n")
        self.broken, self.fixed = (
            run(
                code + "\n",
                self.words[name],
                language=self.language,
                library=self.card.library,
            )
            for code, name in zip((broken, fixed), ("broken", "mended"))
        )
        boards = [r.board for r in (self.broken, self.fixed) if r.board is not None]
        names = self.words["broken"], self.words["mended"]
        self.pair = (
            None
            if len(boards) < 2
            else compare(
                broken=boards[0],
                fixed=boards[1],
                names=names,
                start=moment_of_cut(*boards),
                hide=HIDDEN,
            )
        )
        self.payload = deflated(
            {"card": self.about(), "play": self.pair.trace if self.pair else None}
        )

    @staticmethod
    def _page_asked(view: Any, content: Any, buffers: Any) -> None:
        Player._page_said(view, content, buffers)
        codes: Any = content.get("run") if isinstance(content, dict) else None
        if schemas.reader("card", "codes")(codes, None) is None:
            view.run(*codes)
            view.send({"done": True})

    # ---- what is shown

    def about(self) -> dict[str, Any]:
        """Returns what the page shows of the card, as plain data."""
        c, explained = self.card, self.broken.explanation
        first = c.broken.strip("\n"), c.fixed.strip("\n")
        about: dict[str, Any] = {
            name: getattr(c, name)
            for name in ("key", "title", "question", "choices", "right", "symptom", "rule", "bites")
        }
        about |= {
            "codes": self.codes,
            "marks": [stretches[:MOST_MARKS] for stretches in difference(*self.codes)],
            "answers": self.answers(),
            "notes": self.notes(),
            "words": {name: self.words[name] for name in ON_THE_PAGE},
            "language": self.language,
            "told": None,
        }
        if self.codes != first:
            about["first"] = first
        if explained is not None and c.category:
            with speaking(self.language):
                about["told"] = {
                    "place": explained.place,
                    "why": short(explained.message),
                    "fix": explained.fix and short(explained.fix),
                }
        return about

    def answers(self) -> list[tuple[str, str]]:
        """Returns what came of both programs: a verb and the answer."""
        return [
            (
                self.words["stops" if r.error is not None else "is" if r.answer else "no-g"],
                short(r.answer, "printed"),
            )
            for r in (self.broken, self.fixed)
        ]

    def notes(self) -> list[tuple[str, str]]:
        """Returns what is to be said of errors and of what was printed: a text, and what stands
        under it as it is.
        """
        said = []
        for name, r in (("broken", self.broken), ("mended", self.fixed)):
            if r.error is not None and (r.answer != self.card.result or name == "mended"):
                said.append(
                    (
                        short(
                            WORDS.say(
                                f"stopped-{name}",
                                {"error": error_text(r.error, self.language)},
                                self.language,
                            )
                        ),
                        "",
                    )
                )
            if r.printed:
                said.append((self.words[f"printed-{name}"], short(r.printed, "printed")))
        return said

    def boards(self) -> list[Storyboard]:
        return self.pair.boards() if self.pair is not None else []

    def text(self) -> str:
        """Returns the whole card as text, with its answer."""
        c, said, explained = self.card, self.words, self.broken.explanation
        answers = [
            f"{said[name]} {verb.replace('`', '')} {value}"
            for name, (verb, value) in zip(still.CAME, self.answers())
        ]
        with speaking(self.language):
            why = [str(explained), ""] if explained is not None and c.category else []
        return "\n".join(
            [
                still.question(c, said),
                "",
                c.symptom,
                *answers,
                "",
                *why,
                f"{said['rule']} {c.rule}",
                f"{said['bites']} {c.bites}",
            ]
        )

    def picture(self) -> dict[str, Any]:
        """Returns the bundle without the widget: the card as data, as a folded page, and as a text
        that asks and does not tell.
        """
        with speaking(self.language):
            folded = still.card_html(
                self.card, self.words, self.codes, self.answers(), self.broken.explanation
            )
        return {
            CARD: self.payload,
            "text/html": sendable(folded),
            "text/plain": sendable(still.question(self.card, self.words)),
        }

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **kwargs: Any) -> Any:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        replace(self)
        return {"application/vnd.jupyter.widget-view+json": view} | self.picture()

    def save(self, path: str | Path) -> NoReturn:
        """Raises ValueError: a card is part of a notebook, and is exported with it."""
        raise ValueError(
            "A card is saved with its notebook: jupyter nbconvert --to minitape pitfalls.ipynb"
        )

    def __repr__(self) -> str:
        return f"<pitfall {self.card.key!r}>"


class Gallery(CardView):
    """All cards, one at a time: a field to search in, situations, and two buttons to leaf through."""

    def __init__(self, language: str | None = None, library: str = "tf") -> None:
        super().__init__(next(iter(cards(library=library))), language)

    def about(self) -> dict[str, Any]:
        listed = [
            {
                "key": key,
                "title": c.title,
                "situations": c.situations,
                "text": " ".join(
                    (
                        key,
                        c.title,
                        c.symptom,
                        c.question,
                        c.rule,
                        c.bites,
                        c.broken,
                        c.fixed,
                        c.also,
                        *(
                            self.words[name + more]
                            for name in c.situations
                            for more in ("", "-also")
                        ),
                    )
                ),
            }
            for key, c in cards(self.language, self.card.library).items()
        ]
        stretches = super().about()
        words = stretches["words"] | {
            name: self.words[name] for name in (*OF_THE_GALLERY, *SITUATIONS)
        }
        return stretches | {"words": words, "gallery": listed, "situations": SITUATIONS}

    @staticmethod
    def _page_asked(view: Any, content: Any, buffers: Any) -> None:
        CardView._page_asked(view, content, buffers)
        key = content.get("open") if isinstance(content, dict) else None
        if isinstance(key, str) and key in cards(library=view.card.library):
            view.open_card(key)
            view.send({"done": True})

    def picture(self) -> dict[str, Any]:
        """Returns the bundle without the widget: the card that is open, and the titles of all by
        situation.
        """
        known = cards(self.language, self.card.library)
        return {
            GALLERY: self.payload,
            "text/html": still.list_html(known, self.words),
            "text/plain": "\n".join(f"{key:24} {c.title}" for key, c in known.items()),
        }

    def __repr__(self) -> str:
        return f"<gallery of {len(cards(library=self.card.library))} pitfalls>"


def short(text: str, kind: str = "text") -> str:
    """Returns a text with no more letters than a card may have of its kind."""
    most = FORM[kind]["maxLength"]
    return text if len(text) <= most else text[: most - 1] + "…"


def moment_of_cut(broken: Any, fixed: Any) -> int:
    """Returns the moment of two players in step at which the first one shows its cut, or its answer
    None; else both their answers.

    They record together and are played together, the shorter one waits: see static/pair/steps.js.
    """
    frames = broken["frames"]
    cuts = [k for k, frame in enumerate(frames, 1) if frame["act"] == "cut"]
    nones = [
        k
        for k, frame in enumerate(frames, 1)
        if frame["act"] == "result" and frame["value"] is None
    ]
    recorded, other = (
        next((k for k, f in enumerate(b["frames"]) if f["act"] == "seed"), len(b["frames"]))
        for b in (broken, fixed)
    )
    result = cuts[:1] or nones[-1:]
    if not result:
        end = max(recorded, other) + max(len(frames) - recorded, len(fixed["frames"]) - other)
        # the tape lets go last; the answers stand before that
        return end if frames[-1]["act"] == "result" else end - 1
    return result[0] if result[0] <= recorded else max(recorded, other) + result[0] - recorded


def show(key: str, language: str | None = None) -> CardView:
    """Shows one card. Its programs run now; those of PyTorch ran once, until they are changed.
    `language`: "en" or "fr"; else that of the explanations.

    Raises KeyError, with all keys, for a key that there is not, and ValueError for an unknown
    language.
    """
    return CardView(key, language)


def all(language: str | None = None, library: str = "tf") -> Gallery:
    """Shows all cards of a library, "tf" or "torch", to leaf through. `language`: "en" or "fr"; else
    that of the explanations. Raises ValueError for another.
    """
    return Gallery(language, library)


def board(code: str, library: str = "tf") -> Storyboard:
    """Returns the storyboard of a program, as a card runs it; of one of PyTorch's what was recorded,
    until it is changed. Raises what the program raises where nothing was recorded before, and
    ValueError for another library.
    """
    check(library)
    result = run(code.strip("\n") + "\n", library, language=chosen(None), library=library)
    if result.board is None:
        raise result.error or ValueError("The program recorded nothing.")
    return result.board
