"""What a tape costs, in a notebook: a picture, and where recomputation is asked for, a switch that
lets bars sink.

    costs(tape)                         bars of bytes: what a rule needs, what could be dropped
    costs(tape, recompute=(1, 3))       the same with a switch: cards 1 to 3 as a function that tf.recompute_grad wraps
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from minitape import GradientTape, memory
from minitape.sentences import chosen
from minitape_widgets import scripts
from minitape_widgets.charts.bytes import Bytes
from minitape_widgets.charts.chart import WORDS

STYLE = (scripts.STATIC / "bytes" / "switch.css").read_text(encoding="utf-8")


class Switch(anywidget.AnyWidget):
    """A picture of what a tape costs that can be switched: as recorded, or recomputed. It asks no
    kernel.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    svg = traitlets.Unicode().tag(sync=True)
    sheet = traitlets.Unicode().tag(sync=True)
    word = traitlets.Unicode().tag(sync=True)

    def __init__(self, chart: Bytes, language: str) -> None:
        super().__init__(
            _esm=scripts.plain("bytes/switch.js"),
            svg=chart.svg(),
            sheet=STYLE,
            word=WORDS.say("switch", {}, language),
        )
        self.chart, self.costs = chart, chart.costs

    def text(self) -> str:
        """Returns the names and numbers as lines of text."""
        return self.chart.text()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return {"application/vnd.jupyter.widget-view+json": view} | self.chart._repr_mimebundle_()

    def __repr__(self) -> str:
        return self.text()


def costs(
    tape: GradientTape, recompute: Any = None, *, language: str | None = None
) -> Bytes | Switch:
    """Shows what a tape costs, card by card: bytes that a rule needs, and bytes that the tape keeps
    although no rule needs them.

    Ask before `tape.gradient`, which lets them go. `recompute`: (first card, last card), or a list
    of such pairs, that stand in a function which `tf.recompute_grad` wraps: the picture gets a
    switch. `costs` of the result has the numbers: `kept`, `needed`, `droppable`, `let_go`. Raises
    what `minitape.memory.costs` raises.
    """
    language = chosen(language)
    then = memory.costs(tape, recompute, language=language)
    if recompute is None:
        return Bytes(then, then)
    return Switch(Bytes(memory.costs(tape, language=language), then), language)
