"""The bill of a tape: for each card the bytes that it made, and whether a rule needs them; and what
recomputation would leave.

`tf.recompute_grad` wraps a function. Its cards then stand as one on the tape, which keeps what goes
in and what comes out; what lies between is let go, and computed once more on the way back. `Costs`
says this of any cards in a row, before anything is wrapped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from minitape.engine.gradient_tape import GradientTape
from minitape.engine.recording import Recording
from minitape.memory.held import Buffer, Held
from minitape.program.places import line_at
from minitape.program.values import name_values
from minitape.sentences import Catalogue, chosen
from minitape.storyboard.film.source import Sources
from minitape.storyboard.stage.names import Names, numbered

WORDS = Catalogue(__name__.rpartition(".")[0])
NARROW = "\u202f"


class Cost(NamedTuple):
    """What one card costs.

    `card`: its number, from 1; `op`: its operation; `name`: what it makes, in the learner's words;
    `line`, `code`: where it stands, 0 and "" where that is not known; `needed`, `droppable`: the
    bytes that it made and the tape keeps, because a rule needs them or although none does;
    `let_go`: those that would be let go and computed again; `askers`: the cards whose rules need
    what it made.
    """

    card: int
    op: str
    name: str
    line: int
    code: str
    needed: int
    droppable: int
    let_go: int
    askers: tuple[int, ...]

    @property
    def kept(self) -> int:
        """The bytes that the tape keeps because of this card."""
        return self.needed + self.droppable


class Costs:
    """What a tape costs, as `costs` found it: it holds numbers and words, none of the tape's
    arrays.

    `cards`: a `Cost` for each card; `needed`, `droppable` and their sum `kept`: bytes of the whole
    tape; `anyway`: bytes that the tape holds and that were there without it; `blocks`: [(first
    card, last card)] that are recomputed; `let_go`: the bytes that this saves; `again`: how many
    operations run once more for it; `at_once`: the most bytes that come back at one time on the way
    back.
    """

    def __init__(self, recording: Recording, blocks: list[tuple[int, int]], language: str) -> None:
        held = Held(recording)
        self.language, self.blocks = language, blocks
        self.released = bool(recording.entries) and not recording.kept
        inside = [
            next((k for k, (first, last) in enumerate(blocks) if first <= card + 1 <= last), None)
            for card in range(len(held.cards))
        ]
        needed, droppable, let_go = ([0] * len(held.cards) for _ in range(3))
        back, askers, self.anyway = [0] * len(blocks), [set[int]() for _ in held.cards], 0
        for buffer in held.buffers:
            if buffer.anyway:
                self.anyway += buffer.bytes
                continue
            card = buffer.first if buffer.maker is None else buffer.maker
            askers[card] |= {k + 1 for k in buffer.asked}
            fate = (
                let_go
                if goes(buffer, inside, blocks)
                else needed
                if asked(buffer, inside)
                else droppable
            )
            fate[card] += buffer.bytes
            if fate is let_go:
                back[inside[card]] += buffer.bytes  # type: ignore[index]
        self.cards = [
            Cost(
                k + 1,
                entry.op,
                name,
                *where,
                needed[k],
                droppable[k],
                let_go[k],
                tuple(sorted(askers[k])),
            )
            for k, (entry, name, where) in enumerate(zip(held.cards, *named(held)))
        ]
        self.needed, self.droppable, self.let_go = sum(needed), sum(droppable), sum(let_go)
        self.again, self.at_once = sum(k is not None for k in inside), max(back, default=0)

    @property
    def kept(self) -> int:
        """The bytes that live only because the tape keeps them."""
        return self.needed + self.droppable

    def heads(self) -> list[tuple[str, str]]:
        """Returns what is said of the whole tape: (what it is about, sentence)."""
        say = self.say
        if not self.cards or self.released:
            return [("kept", say("released" if self.released else "empty"))]
        lines = [
            ("kept", say("kept.then" if self.blocks else "kept", kept=self.size(self.kept))),
            ("needed", say("needed", bytes=self.size(self.needed))),
            ("droppable", say("droppable", bytes=self.size(self.droppable))),
        ]
        if self.blocks:
            which = say("and").join(
                say("block", first=first, last=last) if first < last else str(first)
                for first, last in self.blocks
            )
            lines += [
                (
                    "let_go",
                    say(
                        "let.go",
                        bytes=self.size(self.let_go),
                        cards=which,
                        count=self.again,
                        back=self.size(self.at_once),
                    ),
                )
            ]
        return [
            *lines,
            *([("anyway", say("anyway", bytes=self.size(self.anyway)))] if self.anyway else []),
        ]

    def row(self, cost: Cost) -> str:
        """Returns what is said of one card."""
        parts = [
            self.say(f"row.{key}", bytes=self.size(n))
            for key, n in (
                ("needed", cost.needed),
                ("droppable", cost.droppable),
                ("let.go", cost.let_go),
            )
            if n
        ]
        name = "" if cost.name == f"{cost.op} {cost.card}" else f", {cost.name}"
        what = self.say(
            "row",
            card=cost.card,
            op=cost.op,
            name=name,
            cost=", ".join(parts) or self.say("row.nothing"),
        )
        asked = (
            self.say("row.asked", cards=", ".join(map(str, cost.askers)), count=len(cost.askers))
            if cost.askers and cost.needed
            else ""
        )
        where = self.say("row.line", line=cost.line, code=cost.code) if cost.line else ""
        return what + asked + where

    def say(self, key: str, **params: Any) -> str:
        """Returns a sentence in the language of these costs."""
        return WORDS.say(key, params, self.language)

    def size(self, number: int) -> str:
        """Returns a number of bytes as one reads it: "512 bytes", "33.6 kB", in French "512
        octets", "33,6 ko".
        """
        if number < 10_000:
            text, unit = f"{number:,}", "bytes" if number != 1 else "byte"
        else:
            power = 1 if number < 999_500 else 2 if number < 999_500_000 else 3
            text, unit = f"{number / 1000**power:.3g}", f"bytes.{power}"
        if self.language == "fr":
            text = text.replace(",", NARROW).replace(".", ",")
        return self.say(unit, number=text)

    def __str__(self) -> str:
        return "\n".join(
            [
                *[line for _, line in self.heads()],
                *([] if self.released else map(self.row, self.cards)),
            ]
        )

    def __repr__(self) -> str:
        return (
            f"<Costs: {len(self.cards)} cards, {self.kept} bytes kept, {self.needed} of them "
            "needed>"
        )


def costs(tape: GradientTape, recompute: Any = None, *, language: str | None = None) -> Costs:
    """Returns what a tape costs: the bytes that each card keeps, and whether a rule needs them.

    To be asked before the gradient, which lets them go (unless the tape is persistent), inside of
    the block or after it. `recompute`: (first card, last card), or a list of such pairs: what the
    tape would keep if these cards stood in a function that `tf.recompute_grad` wraps. Raises
    TypeError for anything but a tape, TypeError or ValueError for cards that are not on it.
    """
    if not isinstance(tape, GradientTape):
        raise TypeError(
            "costs asks a tape: costs(tape), after `with tf.GradientTape() as tape:`. This is a "
            f"{type(tape).__name__}."
        )
    recording = tape.recording
    count = sum(entry.op != "ReadVariableOp" for entry in recording.entries)
    return Costs(recording, pairs(recompute, count), chosen(language))


def pairs(given: Any, count: int) -> list[tuple[int, int]]:
    """Return the blocks that are asked for, in order. Raises TypeError or ValueError for what are
    none.
    """
    if given is None:
        return []
    one = (
        isinstance(given, Sequence)
        and len(given) == 2
        and not any(isinstance(n, Sequence) for n in given)
    )
    result = [given] if one else given
    example = (
        f"recompute is (first card, last card), as in recompute=(1, {count or 1}), or a "
        "list of such pairs"
    )
    if (
        isinstance(result, str)
        or not isinstance(result, Sequence)
        or not all(
            isinstance(p, Sequence)
            and len(p) == 2
            and all(isinstance(n, int) and not isinstance(n, bool) for n in p)
            for p in result
        )
    ):
        raise TypeError(f"{example}, not {given!r}.")
    before = 0
    for first, last in sorted(result):
        if not 1 <= first <= last <= count:
            raise ValueError(
                f"{example}. This tape has {count} card{'s' * (count != 1)}, and ({first}, "
                f"{last}) is not a row of them."
            )
        if first <= before:
            raise ValueError(f"{example}. Card {first} stands in two of them.")
        before = last
    return sorted((first, last) for first, last in result)


def goes(buffer: Buffer, inside: list[int | None], blocks: list[tuple[int, int]]) -> bool:
    """Return whether a piece of memory is let go: made inside of a block, held by nobody outside,
    and not what the block returns.
    """
    card = buffer.first if buffer.maker is None else buffer.maker
    block = inside[card]
    return (
        block is not None
        and buffer.maker != blocks[block][1] - 1
        and all(inside[k] == block for k in buffer.users)
    )


def asked(buffer: Buffer, inside: list[int | None]) -> bool:
    """Return whether a rule needs it: that of a card that asks for it, or of a block that begins
    with it.
    """
    card = buffer.first if buffer.maker is None else buffer.maker
    return any(inside[k] is None for k in buffer.asked) or any(
        inside[k] is not None and inside[k] != inside[card] for k in buffer.users
    )


def named(held: Held) -> tuple[list[str], list[tuple[int, str]]]:
    """Return what each card makes, in the words of the player, and the line where it stands."""
    sources = Sources()
    names, result = Names(sources), []
    rows = [(entry.op, entry.inputs, entry.outputs, entry.where) for entry in held.cards]
    values = list(name_values(rows, sources.text))
    labels = [", ".join(filter(None, one.names)) for one in values]
    all_of, so_far = Counter(labels), Counter[str]()
    for k, (entry, one, label) in enumerate(zip(held.cards, values, labels)):
        so_far[label] += 1
        if label and all_of[label] > 1:
            label = numbered(label, so_far[label])
        result.append(
            label
            or one.last
            and not one.played
            and names.snippet(entry.where)
            or f"{entry.op} {k + 1}"
        )
    return result, [line_at(entry.where) or (0, "") for entry in held.cards]
