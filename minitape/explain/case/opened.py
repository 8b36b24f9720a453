"""Inlining of traced functions: the single entry of a call is replaced by the operations of the
function.

A `tf.function` is one entry on the tape. To explain what happens inside it, its operations, each
with its own line, replace the entry in a recording that only the explainer reads. The numbers of
inner values lie between those of the values around the call, so they show when each was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.engine.ops.record import OPS

if TYPE_CHECKING:
    from .aliases import Recording

CALL = "PartitionedCall"


def opened(recording: Recording) -> Recording:
    """Return the recording with the calls of traced functions opened, as far as nothing but numbers
    is computed in them.
    """
    raw, notes = recording.raw
    if not any(entry[0] == CALL for entry in raw):
        return recording
    entries: list[Any] = []
    kept_notes: list[Any] = []
    watched, copied = set(recording.watched), 0
    for k, entry in enumerate(raw):
        while copied < len(notes) and notes[copied][1] <= k:
            kept_notes.append((notes[copied][0], len(entries), *notes[copied][2:]))
            copied += 1
        if entry[0] == CALL and _only_computes((entry[3] or {})["function"].program):
            _open(entry, entries, kept_notes, watched)
        else:
            entries.append(entry)
    kept_notes += [(kind, len(entries), where, about) for kind, _, where, about in notes[copied:]]
    return recording.rewritten(entries, kept_notes, watched)


def _only_computes(program: Any) -> bool:
    """True where all is numbers: what is done again at every run, as drawing random numbers, is not
    done for an explanation.
    """
    return all(
        name in OPS and name not in ("Repeat", CALL, "CustomGradient")
        for name, *_ in program.entries
    )


def _open(entry: Any, entries: list[Any], kept_notes: list[Any], watched: set[Any]) -> None:
    """Write the operations of a called program behind `entries`; those that use nothing watched
    among the notes.
    """
    _, inputs, output, attributes, code, offset, *arrays = entry
    program = attributes["function"].program
    outputs = output if type(output) is tuple else (output,)
    number: dict[Any, Any] = dict(zip(program.inputs, inputs))
    given = list(zip((n for n in program.outputs if n is not None), outputs))
    for n, out in given:
        number.setdefault(n, out)
    inner = [
        n
        for n in dict.fromkeys([*program.constants, *(n for e in program.entries for n in e[2])])
        if n not in number
    ]
    number.update((n, outputs[0] - 1 + (k + 1) / (len(inner) + 1)) for k, n in enumerate(inner))
    value = dict(program.constants)
    value.update(zip(program.inputs, arrays[0] if arrays else ()))

    def write(name: str, used: Any, made: Any, about: Any, place: Any) -> None:
        taken, given = tuple([number[n] for n in used]), tuple([m for _, m in made])
        several = any(n in program.several for n, _ in made)
        if watched.isdisjoint(taken):
            kept_notes.append(
                ("unwatched", len(entries), place, (name, taken, given if several else given[0]))
            )
        kept: tuple[Any, ...] = ()
        if arrays:
            values = tuple([value[n] for n in used])
            with np.errstate(all="ignore"):
                y = OPS[name].kernel(*values, **(about or {}))
            value.update(zip([n for n, _ in made], y if type(y) is tuple else (y,)))
            kept = values, y
        if not watched.isdisjoint(taken):
            watched.update(m for n, m in made if program.known[n][0].kind in "fc")
            entries.append((name, taken, given if several else given[0], about, *place, *kept))

    for name, used, made, about, where in program.entries:
        write(name, used, [(n, number[n]) for n in made], about, where[:2])
    for n, out in given:
        if number[n] != out:  # given back as it came, or twice
            write("Identity", (n,), [(n, out)], None, (code, offset))
