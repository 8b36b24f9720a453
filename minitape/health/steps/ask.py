"""Why a training does not learn, asked of the program while it runs: at a few of the looks."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ..seen.look import FIRST_LOOKS
from .doubts import left_alone, questions
from .unmoved import scopes_of, strangers, unmoved

if TYPE_CHECKING:
    from types import FrameType

    from minitape.engine.play import Play

    from ..seen.history import History

SINCE = 1  # looks
ENOUGH = (SINCE, 4)  # a short script gives few, and a batch has others to be compared with


def ask(history: History, play: Play, frame: FrameType) -> None:
    """Ask the program that asks for the gradients of some weights in `frame` what becomes of the
    step. Weights that move cost nothing but the asking.
    """
    looks, program, where = history.looks, history.program, (frame.f_code, frame.f_lasti)
    weights = [history.weights[number] for number in play.numbers if number in history.weights]
    program.asked = program.asked or where
    for weight in weights:
        weight.asker = where
    if looks < SINCE or looks > FIRST_LOOKS and looks & (looks - 1):
        return
    stays = [weight for weight in weights if weight.asked and weight.stays]
    program.unmoved.pop(where, None)
    scopes = scopes_of(frame) if stays or looks in ENOUGH else []
    with suppress(Exception):  # of a program that nobody has thought of: it trains on, and is seen
        if stays and program.strangers is None:
            program.strangers = strangers(scopes, history.weights)
        elif stays and (reason := unmoved(history, stays, where, scopes)) is not None:
            program.unmoved[where] = reason
        if looks in ENOUGH:
            program.doubts = questions(history, scopes)
            program.left = left_alone(history, scopes, play.tape.variables)
