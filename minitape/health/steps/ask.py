"""Why a training does not learn, asked while it runs, at a few of the looks: of the program, and of
the library whose weights are trained.
"""

from __future__ import annotations

from contextlib import suppress
from types import FrameType
from typing import Any

from minitape.engine.base.aliases import Tape
from minitape.engine.play import Play
from minitape.engine.recording import describe, recorded
from minitape.explain import explain_at

from ..seen.history import History
from ..seen.look import FIRST_LOOKS
from .doubts import left_alone, questions
from .unmoved import scopes_of, strangers, unmoved

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


def ask_library(history: History, tape: Tape, targets: Any, sources: Any, frame: FrameType) -> None:
    """Ask the library, once each, for a weight without gradient, and for one whose gradient does not
    go where it should, be it none that is watched, in the place of the step that was looked at last.
    """
    recording, reached = recorded(tape), {source.id for source in sources}
    for weight in history.weights.values():
        info = describe(weight.variable)
        if weight.frozen or info is None:
            continue
        known = recording.trained(info) if history.known is None else None
        if known is not None:
            answer = explain_at(frame, recording, targets[0], info, known=known)
            history.known = weight.id, history.steps[-1], answer
        elif history.whole and history.explained is None and weight.id not in reached:
            history.explained = weight.id, explain_at(frame, recording, targets[0], info)
    for info, known in recording.strays() if history.known is None else ():
        answer = explain_at(frame, recording, targets[0], info, known=known)
        history.known = info.id, history.steps[-1], answer
        break  # the others will have the same reason
