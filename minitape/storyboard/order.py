"""A play in another order of the cards: what goes wrong shows what the order of a tape is for.

The tape itself stays as it is. A twin of it, whose entries stand in another order, is played by the
very walk that plays every tape, and a film looks on; then what was seen is told of the tape's own
cards. So a wrong order gives the wrong numbers that it truly gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from minitape.engine.explainer import unwarned
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.recording import Recording
from minitape.storyboard.film.film import Film
from minitape.storyboard.options import is_whole_number
from minitape.storyboard.stage.notes import READ


class NotAnOrder(ValueError):
    """Raised for an order that is none. A notebook shows its sentence, and no traceback: the lines
    of the player are not the learner's.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"ValueError: {self}"]


def play_in_order(film: Film, recording: Recording, order: Sequence[int], *asked: Any) -> Any:
    """Plays a tape's cards in an order of one's own, inside of the film's `with` block; returns the
    gradients.

    `order`: the numbers of the cards, from 1 as in the picture, the one that is played first first;
    `asked`: what `tape.gradient` takes. Readings of variables, which are no cards, are played last.
    Raises ValueError where a card is missing or named twice.
    """
    entries, raw_notes = recording.raw
    cards = [index for index, entry in enumerate(entries) if entry[0] != READ]
    if not (
        isinstance(order, Sequence)
        and all(map(is_whole_number, order))
        and sorted(order) == list(range(1, len(cards) + 1))
    ):
        raise NotAnOrder(
            f"order names each card from 1 to {len(cards)} once, the one to be played first at "
            "the front, as in "
            f"order={list(range(len(cards), 0, -1))}; not {order!r}."
        )
    wanted = [cards[card - 1] for card in order] + [
        index for index in reversed(range(len(entries))) if index not in cards
    ]
    own = film.add(recording.tape)
    tapes, plays = len(film.tapes), len(film.played)
    with unwarned():
        # as it should be: how many parts does each value get?
        GradientTape.around(recording.twin()).gradient(*asked)
        right = film.played.pop()
        turned = recording.rewritten(
            [entries[index] for index in reversed(wanted)], raw_notes, recording.watched
        )
        gradients = GradientTape.around(turned.twin()).gradient(*asked)
    del film.tapes[tapes:]
    play = film.played[plays]
    number_of = {len(wanted) - 1 - at: index for at, index in enumerate(wanted)}
    play.steps = [step._replace(index=number_of[step.index]) for step in play.steps]
    play.tape, play.order = own, wanted
    play.awaited = Counter(
        [*play.seeds, *(part.number for step in right.steps for part in step.parts)]
    )
    return gradients
