"""The commonest operations on a tape, written down at once: what `Recorder._ran` does, in four
functions that hardly call others.

Between two operations TensorFlow computes, and the processor forgets what Python has in hand: then
each function called and each object looked at costs three times what it costs in a loop. So the way
of nearly all operations is written once more here: a row of minitape's table with the same inputs,
one or two tensors that were met a moment ago, and a floating-point number or an array of them as
the output. All else goes the way that knows everything. `tests/real_tensorflow/test_common_call.py`
plays programs both ways.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float32, ndarray
from tensorflow.python import pywrap_tfe

from .operations import SAME, plain
from .tensors import MOST_RECENT

if TYPE_CHECKING:
    from .recorder import Recorder

ONE = {op: plain(op, 1) for op in SAME if op != "StopGradient"}
TWO = {op: plain(op, 2) for op in SAME}
NUMBERS = frozenset((float, int))
FLOAT32 = np.dtype(float32)


def lookup(recorder: Recorder) -> Callable[[Any, Any], tuple[Any, Any, Any, Any]]:
    """Return a function that finds an operation's row, its inputs as they were met a moment ago,
    and which one TensorFlow made of a number.

    Without a row the operation is none of the common ones; what an input has not is None.
    """
    recent, asked, one, two = recorder.tensors._recent, recorder._arguments, ONE, TWO

    def look_up(op: Any, inputs: Any) -> tuple[Any, Any, Any, Any]:
        if len(inputs) == 1:
            first = recent.get(inputs[0]._id)
            return first and one.get(op), first, None, None
        if len(inputs) != 2:
            return None, None, None, None
        first, second = recent.get(inputs[0]._id), recent.get(inputs[1]._id)
        if first is not None and second is not None:
            return two.get(op), first, second, None
        place = 0 if first is None else 1
        if (
            (first or second) is None
            or not asked
            or asked[-1][1] != op
            or len(asked[-1]) < 5  # one list of both
            or type(asked[-1][3 + place]) not in NUMBERS
        ):
            return None, None, None, None
        return two.get(op), first, second, place

    return look_up


def numbering(recorder: Recorder) -> Callable[[int, Any, Any], int]:
    """Return a function that gives an output, known by TensorFlow's number for it, minitape's; and
    remembers where it was made, and for a moment its array.
    """
    recent, places = recorder.tensors._recent, recorder.tensors.places
    numbers, mades, most = places.numbers, places.made, places.most
    offsets = recorder.tensors.clock._offsets

    def number_of(uid: int, y: Any, made: Any) -> int:
        number: int = uid + offsets[-1]
        if len(numbers) >= most:
            places.note(number, made)
        else:
            numbers.append(number)
            mades.append(made)
        if len(recent) >= MOST_RECENT:
            recent.clear()
        recent[uid] = number, y
        return number

    return number_of


def writing(recorder: Recorder) -> Callable[..., None]:
    """Return a function that writes an operation down: on each tape that watches one of its inputs
    as an entry, on any other as a note.
    """
    tapes = recorder.blocks.open

    def write(
        attributes: Any, row: Any, site: Any, number: int, y: Any, first: Any, second: Any
    ) -> None:
        n, value = first
        for tape in tapes:
            watched = tape.watched
            marks, since = watched.bytes, watched.since
            k = n - since
            if not (
                0 <= k < len(marks)
                and marks[k]
                or n in watched.others
                or second is not None
                and second[0] in watched
            ):
                inputs = (n,) if second is None else (n, second[0])
                tape.notes.write((len(tape.entries.lines), site.where, row.op, number, *inputs))
                continue
            k = number - since
            if k == len(marks):
                marks.append(1)
            else:
                watched.add(number)
            if second is None:
                tape.entries.write((attributes, row, site, number, n, y, value))
            else:
                tape.entries.write(
                    (attributes, row, site, number, n, second[0], y, value, second[1])
                )

    return write


def hook(recorder: Recorder, ran: Callable[..., None]) -> Callable[..., None]:
    """Return what TensorFlow calls after each operation; `ran` knows them all."""
    shield, sites, metrics = recorder.shield, recorder.sites, recorder._metrics
    tapes, filmings = recorder.blocks.open, recorder.back._filmings
    recent: dict[int, Any] = recorder.tensors._recent
    asked, came_back = recorder._arguments, recorder._came_back
    is_stopped = pywrap_tfe.TFE_Py_TapeSetIsStopped
    known, number_of, write = lookup(recorder), numbering(recorder), writing(recorder)

    def called(
        op: Any, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        if graph is not None or outputs is None or shield.quiet or get_ident() != shield.thread:
            return
        try:
            shield.quiet = True
            row, first, second, made_of_number = known(op, inputs)
            if row is None or filmings or metrics.within or is_stopped() or not tapes:
                ran(op, inputs, attributes, outputs)
                return
            y: Any = outputs[0]._numpy_internal()
            if type(y) is not float32 and (type(y) is not ndarray or y.dtype is not FLOAT32):
                ran(op, inputs, attributes, outputs)
                return
            site = sites.of_call(2)
            made = site.made
            if made[1] is not sites.layers:
                made = site.within(sites.layers)
            number = number_of(outputs[0]._id, y, made)
            if made_of_number is not None:
                fresh = inputs[made_of_number]
                came_back(asked[-1][3 + made_of_number], fresh, made)
                first, second = first or recent[fresh._id], second or recent[fresh._id]
            write(attributes, row, site, number, y, first, second)
        except Exception as error:
            shield.keep(error)
        finally:
            shield.quiet = False

    return called
