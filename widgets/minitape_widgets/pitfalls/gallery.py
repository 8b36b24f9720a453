"""The gallery on the page: first a program and a question, then the symptom and what happened, side by side with the mended program.

A card asks before it shows: who predicts remembers. Both programs have run when the card appears; the answer uncovers the
mended program, the explanation, the rule, and two players that step together. Both programs can be changed and run again.
"""

from __future__ import annotations

import html
import re
from typing import Any

import anywidget
import ipywidgets as w
from ipywidgets.widgets.widget_string import HTMLStyle

from minitape.sentences import chosen, speaking

from ..player import TRACE, beside, compare
from .card import WORDS, card, cards
from .programs import error_text, run

STYLE = """<style>
.mt-pitfall { max-width: 76em; color: var(--jp-content-font-color1, inherit); }
.mt-pitfall .mt-prose { line-height: 1.5; font-size: var(--jp-content-font-size1, 14px); max-width: 62em; }
.mt-pitfall .mt-prose code, .mt-pitfall .minitape-explanation code { background: var(--jp-layout-color2, #eee);
  color: var(--jp-content-font-color1, #111); padding: 0 .25em; }
.mt-pitfall .mt-title { font-weight: 600; font-size: 1.25em; }
.mt-pitfall .mt-said { border-left: 4px solid var(--jp-border-color1, #999); padding: .2em .8em; margin: .3em 0; }
.mt-pitfall .mt-said.right { border-left-color: #1a7f37; }
.mt-pitfall .mt-said.wrong { border-left-color: #b26a00; }
.mt-pitfall .mt-said pre { margin: 0; max-height: 12em; overflow: auto; white-space: pre-wrap; }
.mt-pitfall .mt-answers > span { margin-right: 2em; }
.mt-pitfall .mt-rules { margin: .2em 0 .6em 0; }
.mt-pitfall .minitape-explanation { line-height: 1.5; font-size: var(--jp-content-font-size1, 14px); margin: .3em 0; }
.mt-pitfall textarea { font-family: var(--jp-code-font-family, monospace) !important; font-size: var(--jp-code-font-size, 13px) !important;
  line-height: 1.4 !important; tab-size: 4; white-space: pre; overflow-x: auto; }
.mt-pitfall .mt-programs { flex-flow: row wrap; gap: 0 .6em; align-items: flex-start; }
.mt-pitfall .widget-textarea { flex: 1 1 26em; max-width: 62em; flex-direction: column; align-items: stretch; height: auto; }
.mt-pitfall .widget-textarea > label { width: auto; text-align: left; font-weight: 600; }
.mt-pitfall .widget-radio-box label { white-space: normal; }
</style>"""


def prose(text: str, kind: str = "", tag: str = "div") -> str:
    """Returns text as HTML: escaped, with `code` marked."""
    body = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return f'<{tag} class="mt-prose {kind}">{body}</{tag}>'


def moment_of_cut(broken: Any, fixed: Any) -> int:
    """Returns the moment of two players in step at which the first one shows its cut, or its answer None; else both their answers.

    They record together and are played together, the shorter one waits: see static/pair/steps.js.
    """
    frames = broken["frames"]
    cuts = [k for k, frame in enumerate(frames, 1) if frame["act"] == "cut"]
    nones = [k for k, frame in enumerate(frames, 1) if frame["act"] == "result" and frame["value"] is None]
    recorded, other = (next((k for k, f in enumerate(b["frames"]) if f["act"] == "seed"), len(b["frames"])) for b in (broken, fixed))
    found = cuts[:1] or nones[-1:]
    if not found:
        end = max(recorded, other) + max(len(frames) - recorded, len(fixed["frames"]) - other)
        return end if frames[-1]["act"] == "result" else end - 1        # the tape lets go last; the answers stand before that
    return found[0] if found[0] <= recorded else max(recorded, other) + found[0] - recorded


class CardView(w.VBox):
    """One card on the page. `broken` and `fixed` are the two runs, `pair` the player of both."""

    pair = None                                          # also of a card that could not be made

    def __init__(self, key: str, language: str | None = None) -> None:
        self.language = chosen(language)
        self.words = said = WORDS(self.language)
        self.card = c = card(key, self.language)
        # Each widget would bring a layout and a style of its own, and the page takes its time for every one of them.
        self.plain, self.html_style, self.button_style = w.Layout(), HTMLStyle(), w.ButtonStyle()
        self.broken_code, self.fixed_code = self._editor("broken-program", c.broken), self._editor("mended-program", c.fixed)
        self.programs = self._box(w.HBox, self.broken_code)
        self.programs.add_class("mt-programs")
        self.choices = w.RadioButtons(options=[(choice["text"], k) for k, choice in enumerate(c.choices)], index=None,
                                      layout=w.Layout(width="auto"))
        self.choices.add_class("mt-choices")
        self.check = self._button("answer", button_style="primary")
        self.skip, self.again, self.reset = self._button("show"), self._button("again"), self._button("reset")
        self.tools, self.revealed, self.stage = self._box(w.VBox), self._box(w.VBox), self._box(w.VBox)
        self.feedback, self.story, self.message = self._html(), self._html(), self._html()
        self.ran: tuple[str, str] | None = None
        # What the answer uncovers is made now, and waits on the page: an answer that comes at once is read at once. The symptom
        # often names the answer ("the gradient is None"), so it comes after the question.
        texts = "".join(f"<div><strong>{said[name]}</strong> {prose(text, tag='span')}</div>" for name, text in (
            ("rule", c.rule), ("bites", c.bites)))
        self.uncovered = [self._html(prose(f"{said['symptom']} {c.symptom}")), self.story,
                          self._html(f'<div class="mt-prose mt-rules">{texts}</div>'), self.stage]
        self.kit = [self._box(w.HBox, self.again, self.reset), self.message]
        super().__init__([self._html(STYLE + prose(c.title, "mt-title")), self.programs, self.tools,
                          self._html(prose(c.question)), self.choices, self._box(w.HBox, self.check, self.skip), self.feedback,
                          self.revealed])
        self.add_class("mt-pitfall")
        self.check.on_click(lambda _: self.answer())
        self.skip.on_click(lambda _: self.reveal())
        self.again.on_click(lambda _: self.run())
        self.reset.on_click(lambda _: self._first_text())
        self.run()

    def _html(self, text: str = "") -> Any:
        return w.HTML(text, layout=self.plain, style=self.html_style)

    def _box(self, kind: Any, *children: Any) -> Any:
        return kind(children, layout=self.plain)

    def _button(self, name: str, **look: Any) -> Any:
        return w.Button(description=self.words[name], tooltip=self.words[f"{name}-tip"], layout=self.plain, style=self.button_style, **look)

    def _editor(self, name: str, code: str) -> Any:
        rows = code.count("\n")
        return w.Textarea(value=code.rstrip("\n"), rows=rows, description=self.words[name], tooltip=self.words["edit"],
                          layout=w.Layout(width="auto", height=f"{rows * 1.4 * 13 + 46:.0f}px"))

    # ---- what the learner does

    def answer(self) -> None:
        """Says what the chosen answer means, and uncovers the rest; asks to choose where nothing is chosen."""
        k = self.choices.index
        if k is None:
            self.feedback.value = prose(self.words["choose"], "mt-said")
            return
        right = k == self.card.right
        said = prose(self.card.choices[k]["says"], f"mt-said {'right' if right else 'wrong'}")
        if self.broken_code.value.strip() != self.card.broken.strip():
            said += prose(self.words["changed"])
        self.feedback.value = said
        self.reveal()

    def reveal(self) -> None:
        """Uncovers what happened: the mended program, the explanation, the rule, both players."""
        if (self.broken_code.value, self.fixed_code.value) != self.ran:
            self.run()
        if not self.revealed.children:
            self.programs.children = [self.broken_code, self.fixed_code]
            self.tools.children, self.revealed.children = self.kit, self.uncovered

    def run(self) -> None:
        """Runs both programs as they stand in the two fields."""
        codes = self.ran = self.broken_code.value, self.fixed_code.value
        self.broken, self.fixed = (run(code, self.words[name], language=self.language)
                                   for code, name in zip(codes, ("broken", "mended")))
        said = []
        for name, r in (("broken", self.broken), ("mended", self.fixed)):
            if r.error is not None and (r.answer != self.card.result or name == "mended"):
                stopped = WORDS.say(f"stopped-{name}", {"error": error_text(r.error, self.language)}, self.language)
                said.append(prose(stopped, "mt-said wrong"))
            if r.printed:
                said.append(f'<div class="mt-prose mt-said">{html.escape(self.words[f"printed-{name}"])}'
                            f"<pre>{html.escape(r.printed)}</pre></div>")
        self.message.value = "".join(said)
        self.story.value = self._story()
        self._stage()

    def _first_text(self) -> None:
        self.broken_code.value, self.fixed_code.value = self.card.broken.rstrip("\n"), self.card.fixed.rstrip("\n")
        self.run()

    # ---- what is shown

    def _answers(self) -> list[tuple[str, str, str]]:
        return [(self.words[name], self.words["stops" if r.error is not None else "is" if r.answer else "no-g"], r.answer)
                for name, r in (("broken", self.broken), ("mended", self.fixed))]

    def _story(self) -> str:
        answers = "".join(f"<span>{prose(f'{name}: {verb}', tag='span')} <strong>{html.escape(value)}</strong></span>"
                          for name, verb, value in self._answers())
        told, text = self.broken.explanation, ""
        if told is not None and self.card.category:
            with speaking(self.language):
                text = told.html(heading=False)              # the card has said it
        return f'<div class="mt-answers mt-prose">{answers}</div>{text}'

    def _stage(self) -> None:
        before, self.pair = self.pair, self._compared()
        if self.pair is not None:
            anywidget.AnyWidget.open(self.pair)
        self.stage.children = [self.pair] if self.pair is not None else []
        if before is not None:
            before.close()

    def _compared(self) -> Any:
        boards = [r.board for r in (self.broken, self.fixed) if r.board is not None]
        if len(boards) < 2:
            return None
        names = self.words["broken"], self.words["mended"]
        return compare(broken=boards[0], fixed=boards[1], names=names, start=moment_of_cut(*boards))

    # ---- where no widget can be shown

    def text(self) -> str:
        """Returns the card as text."""
        c, said, told = self.card, self.words, self.broken.explanation
        lines = [c.title, "", c.symptom, "", c.broken, c.question]
        lines += [*(f"  {k + 1}. {choice['text']}" for k, choice in enumerate(c.choices)), ""]
        lines += [f"{name}: {verb.replace('`', '')} {value}" for name, verb, value in self._answers()] + [""]
        if told is not None and c.category:
            with speaking(self.language):
                lines += [str(told), ""]
        return "\n".join([*lines, c.fixed, f"{said['rule']} {c.rule}", f"{said['bites']} {c.bites}"])

    def __repr__(self) -> str:
        return f"<pitfall {self.card.key!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None, **kwargs: Any) -> Any:
        bundle = {"application/vnd.jupyter.widget-view+json": {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
                  "text/plain": self.text()}
        pair = self.pair
        if pair is None:
            return bundle
        # Beside the data, where our exporter finds it: JupyterLab would else show the two plays, which are the answer, and
        # not the card, which asks.
        return bundle | {"image/svg+xml": beside([board.svg() for board in pair.boards()])}, {TRACE: pair.trace}

    def close(self) -> None:
        """Closes the card and its players."""
        if self.pair is not None:
            self.pair.close()
        super().close()


class Gallery(w.VBox):
    """All cards, one at a time: a list to choose from, and two buttons to leaf through."""

    def __init__(self, language: str | None = None) -> None:
        self.language = chosen(language)
        said, titles = WORDS(self.language), [(f"{k}. {c.title}", key) for k, (key, c) in enumerate(cards(self.language).items(), 1)]
        self.choose = w.Dropdown(options=titles, description=said["pitfall"], layout=w.Layout(width="32em", max_width="100%"))
        self.before, self.after = w.Button(description=said["before"]), w.Button(description=said["next"])
        self.place = w.VBox()
        self.view: CardView | None = None
        super().__init__([w.HBox([self.choose, self.before, self.after], layout=w.Layout(flex_flow="row wrap")), self.place])
        self.choose.observe(lambda _: self.turn(), "value")
        self.before.on_click(lambda _: self.step(-1))
        self.after.on_click(lambda _: self.step(1))
        self.turn()

    def step(self, by: int) -> None:
        """Leafs through the cards."""
        self.choose.index = (self.choose.index + by) % len(cards())

    def turn(self) -> None:
        """Shows the chosen card; its programs run now."""
        old, self.view = self.view, CardView(self.choose.value, self.language)
        self.place.children = [self.view]
        if old is not None:
            old.close()

    def __repr__(self) -> str:
        return f"<gallery of {len(cards())} pitfalls>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None, **kwargs: Any) -> Any:
        return {"application/vnd.jupyter.widget-view+json": {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
                "text/plain": "\n".join(f"{key:24} {c.title}" for key, c in cards(self.language).items())}


def show(key: str, language: str | None = None) -> CardView:
    """Shows one card. Its programs run now. `language`: "en" or "fr"; else that of the explanations.

    Raises KeyError, with all keys, for a key that there is not, and ValueError for an unknown language.
    """
    return CardView(key, language)


def all(language: str | None = None) -> Gallery:
    """Shows all cards, to leaf through. `language`: "en" or "fr"; else that of the explanations. Raises ValueError for another."""
    return Gallery(language)
