"""The gallery on the page: first a program and a question, then the symptom and what happened, side by side with the mended program.

A card asks before it shows: who predicts remembers. Both programs have run when the card appears; the answer uncovers the
explanation and two players that step together. Both programs can be changed and run again.
"""

import html
import re

import anywidget
import ipywidgets as w

from ..player import TRACE, beside, compare
from .card import card, cards, error_text, keys, run

STYLE = """<style>
.mt-pitfall { max-width: 76em; color: var(--jp-content-font-color1, inherit); }
.mt-pitfall .mt-prose { line-height: 1.5; font-size: var(--jp-content-font-size1, 14px); max-width: 62em; }
.mt-pitfall .mt-prose code { background: var(--jp-layout-color2, #eee); color: var(--jp-content-font-color1, #111); padding: 0 .25em; }
.mt-pitfall .mt-title { font-weight: 600; font-size: 1.25em; }
.mt-pitfall .mt-said { border-left: 4px solid var(--jp-border-color1, #999); padding: .2em .8em; margin: .3em 0; }
.mt-pitfall .mt-said.right { border-left-color: #1a7f37; }
.mt-pitfall .mt-said.wrong { border-left-color: #b26a00; }
.mt-pitfall .mt-answers { border-collapse: collapse; }
.mt-pitfall .mt-answers th, .mt-pitfall .mt-answers td { text-align: left; padding: .15em 1em .15em 0; font-weight: normal; }
.mt-pitfall textarea { font-family: var(--jp-code-font-family, monospace) !important; font-size: var(--jp-code-font-size, 13px) !important;
  line-height: 1.4 !important; tab-size: 4; white-space: pre; overflow-x: auto; }
.mt-pitfall .widget-textarea { flex-direction: column; align-items: stretch; }
.mt-pitfall .widget-textarea > label { width: auto; text-align: left; font-weight: 600; }
.mt-pitfall .widget-radio-box label { white-space: normal; }
</style>"""


def prose(text, kind="", tag="div"):
    """Returns text as HTML: escaped, with `code` marked."""
    body = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return f'<{tag} class="mt-prose {kind}">{body}</{tag}>'


def moment_of_cut(broken, fixed):
    """Returns the moment of two players in step at which the first one shows its cut, or its answer None; else the last one.

    They record together and are played together, the shorter one waits: see static/compare.js.
    """
    frames = broken["frames"]
    cuts = [k for k, frame in enumerate(frames, 1) if frame["act"] == "cut"]
    answers = [k for k, frame in enumerate(frames, 1) if frame["act"] == "result"]
    recorded, other = (next((k for k, f in enumerate(b["frames"]) if f["act"] == "seed"), len(b["frames"])) for b in (broken, fixed))
    k = (cuts[:1] or answers[-1:] or [len(frames)])[0]
    return k if k <= recorded else max(recorded, other) + k - recorded


class CardView(w.VBox):
    """One card on the page. `broken` and `fixed` are the two runs, `pair` the player of both."""

    def __init__(self, key):
        self.card = c = card(key)
        self.broken_code, self.fixed_code = self._editor("broken program", c.broken), self._editor("mended program", c.fixed)
        self.choices = w.RadioButtons(options=[(choice["text"], k) for k, choice in enumerate(c.choices)], index=None,
                                      layout=w.Layout(width="auto"))
        self.choices.add_class("mt-choices")
        self.check = w.Button(description="Answer", button_style="primary", tooltip="Compare with what the program does")
        self.skip = w.Button(description="Show me", tooltip="Show what happens without answering")
        self.again = w.Button(description="Run both again", tooltip="Run the programs as they are now")
        self.reset = w.Button(description="First text again", tooltip="Undo all changes of both programs")
        self.feedback, self.story, self.message = w.HTML(), w.HTML(), w.HTML()
        self.stage = w.VBox()
        self.pair = None
        self.revealed = w.VBox([])
        super().__init__([w.HTML(STYLE + prose(c.title, "mt-title")), self.broken_code,
                          w.HTML(prose(c.question)), self.choices, w.HBox([self.check, self.skip]), self.feedback, self.revealed])
        self.add_class("mt-pitfall")
        self.check.on_click(lambda _: self.answer())
        self.skip.on_click(lambda _: self.reveal())
        self.again.on_click(lambda _: self.run())
        self.reset.on_click(lambda _: self._first_text())
        self.run()

    @staticmethod
    def _editor(name, code):
        rows = code.count("\n") + 1
        return w.Textarea(value=code, rows=rows, description=f"The {name}", tooltip="Change it and run it again",
                          layout=w.Layout(width="100%", max_width="62em", height=f"{rows * 1.45 + 3:.1f}em"))

    # ---- what the learner does

    def answer(self):
        """Says what the chosen answer means, and uncovers the rest; asks to choose where nothing is chosen."""
        k = self.choices.index
        if k is None:
            self.feedback.value = prose("Choose an answer first. A guess is fine.", "mt-said")
            return
        right = k == self.card.right
        self.feedback.value = prose(self.card.choices[k]["says"], f"mt-said {'right' if right else 'wrong'}")
        self.reveal()

    def reveal(self):
        """Uncovers what happened: the explanation, both players, the mended program, the rule."""
        c = self.card
        if not self.revealed.children:
            # The symptom often names the answer ("the gradient is None"), so it comes after the question.
            self.revealed.children = [w.HTML(prose(f"Symptom: {c.symptom}")), self.story, self.stage, self.fixed_code,
                                      w.HBox([self.again, self.reset]), self.message,
                                      w.HTML(prose(f"Rule: {c.rule}") + prose(f"Where it bites: {c.bites}"))]
            self._stage()

    def run(self):
        """Runs both programs as they stand in the two fields."""
        self.broken, self.fixed = run(self.broken_code.value, "broken"), run(self.fixed_code.value, "mended")
        said = [f"The {name} program stopped: {error_text(r.error)}" for name, r in (("broken", self.broken), ("mended", self.fixed))
                if r.error is not None and r.answer != self.card.result]
        self.message.value = "".join(prose(text, "mt-said wrong") for text in said)
        self.story.value = self._story()
        if self.revealed.children:
            self._stage()

    def _first_text(self):
        self.broken_code.value, self.fixed_code.value = self.card.broken, self.card.fixed
        self.run()

    # ---- what is shown

    def _story(self):
        answers = "".join(f'<tr><th scope="row">{name}</th><td><code>g</code> is <strong>{html.escape(r.answer)}</strong></td></tr>'
                          for name, r in (("broken", self.broken), ("mended", self.fixed)))
        told = self.broken.explanation
        text = told._repr_html_() if told is not None and self.card.category else ""
        return f'<table class="mt-answers mt-prose">{answers}</table>{text}'

    def _stage(self):
        before, self.pair = self.pair, self._compared()
        if self.pair is not None:
            anywidget.AnyWidget.open(self.pair)
        self.stage.children = [self.pair] if self.pair is not None else []
        if before is not None:
            before.close()

    def _compared(self):
        boards = [r.board for r in (self.broken, self.fixed) if r.board is not None]
        if len(boards) < 2:
            return None
        return compare(*boards, names=("broken", "mended"), start=moment_of_cut(*boards))

    # ---- where no widget can be shown

    def text(self):
        """Returns the card as text."""
        c, told = self.card, self.broken.explanation
        lines = [c.title, "", c.symptom, "", c.broken, c.question]
        lines += [*(f"  {k + 1}. {choice['text']}" for k, choice in enumerate(c.choices)), ""]
        lines += [f"broken: g is {self.broken.answer}", f"mended: g is {self.fixed.answer}", ""]
        lines += [str(told), ""] if told is not None and c.category else []
        return "\n".join([*lines, c.fixed, f"Rule: {c.rule}", f"Where it bites: {c.bites}"])

    def __repr__(self):
        return f"<pitfall {self.card.key!r}>"

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        bundle = {"application/vnd.jupyter.widget-view+json": {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
                  "text/plain": self.text()}
        pair = self._compared()
        if pair is None:
            return bundle
        # Beside the data, where our exporter finds it: JupyterLab would else show the two plays, which are the answer, and
        # not the card, which asks.
        return bundle | {"image/svg+xml": beside([board.svg() for board in pair.boards()])}, {TRACE: pair.trace}

    def close(self):
        """Closes the card and its players."""
        if self.pair is not None:
            self.pair.close()
        super().close()


class Gallery(w.VBox):
    """All cards, one at a time: a list to choose from, and two buttons to leaf through."""

    def __init__(self):
        self.choose = w.Dropdown(options=[(f"{k}. {c.title}", key) for k, (key, c) in enumerate(cards().items(), 1)], description="Pitfall",
                                 layout=w.Layout(width="32em", max_width="100%"))
        self.before, self.after = w.Button(description="Before"), w.Button(description="Next")
        self.place, self.view = w.VBox(), None
        super().__init__([w.HBox([self.choose, self.before, self.after], layout=w.Layout(flex_flow="row wrap")), self.place])
        self.choose.observe(lambda _: self.turn(), "value")
        self.before.on_click(lambda _: self.step(-1))
        self.after.on_click(lambda _: self.step(1))
        self.turn()

    def step(self, by):
        """Leafs through the cards."""
        self.choose.index = (self.choose.index + by) % len(cards())

    def turn(self):
        """Shows the chosen card; its programs run now."""
        old, self.view = self.view, CardView(self.choose.value)
        self.place.children = [self.view]
        if old is not None:
            old.close()

    def __repr__(self):
        return f"<gallery of {len(cards())} pitfalls>"

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        return {"application/vnd.jupyter.widget-view+json": {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
                "text/plain": "\n".join(f"{key:24} {card(key).title}" for key in keys())}


def show(key):
    """Shows one card. Its programs run now. Raises KeyError, with all keys, for a key that there is not."""
    card(key)
    return CardView(key)


def all():
    """Shows all cards, to leaf through."""
    return Gallery()
