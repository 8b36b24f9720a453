"""What is written twice for speed is compared with what is written once to be read.

`common_walk` is `walk` spelled out, `common_run` is `run` spelled out. Every play of every recorded
TensorFlow program is played four times over: as it was, by `walk`, by `common_walk`, and by a naive
walk of a few lines that knows nothing of either; part by part. Every operator runs both ways, on
every kind of operand.
"""

import warnings

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.listeners import Onlooker, active, looking_on, onlookers
from minitape.engine.common_walk import common_walk
from minitape.engine.operators import operand, sides
from minitape.engine.ops import arithmetic, comparison, linear_algebra
from minitape.engine.ops.common_run import common_run
from minitape.engine.ops.record import OPS, run
from minitape.engine.recording import rule_of
from minitape.engine.walk import walk
from tests.engine.test_answers import ANSWERS
from tests.engine.test_answers import run as run_answer

pytestmark = pytest.mark.filterwarnings("ignore")


def naive(entries, reach, adjoints, conjugate):
    """Play backwards in the plainest way: yield (index, input, adjoint of the output, part)."""
    adjoints = dict(adjoints)
    for index, (name, inputs, output, attributes, _, _, values, y) in reversed(
        list(enumerate(entries))
    ):
        op, several = OPS[name], type(output) is tuple
        came = [adjoints.get(n) for n in (output if several else (output,))]
        if all(g is None for g in came):
            continue
        ys = y if several else (y,)
        came = [np.zeros_like(v) if g is None else g for g, v in zip(came, ys)]
        g = tuple(came) if several else came[0]
        if conjugate:
            values, y = (
                tuple(map(np.conj, values)),
                tuple(map(np.conj, ys)) if several else np.conj(y),
            )
        sent = False
        for i, number in enumerate(inputs):
            rule = rule_of(op, i) if number in reach else None
            part = None if rule is None else rule(g, y, *values, **(attributes or {}))
            if part is not None:
                part = stretched_back(np.asarray(part), np.shape(values[i]))
                adjoints[number] = part if number not in adjoints else adjoints[number] + part
                yield index, i, g, part
                sent = True
        if not sent and not reach.isdisjoint(inputs):
            yield index, None, g, None


def stretched_back(part, shape):
    while part.ndim > len(shape):
        part = part.sum(0)
    for axis, n in enumerate(shape):
        if n == 1:
            part = part.sum(axis, keepdims=True)
    return part


def bare(g):
    return tuple(map(bare, g)) if type(g) is tuple else np.asarray(getattr(g, "value", g))


def same(a, b, tolerance):
    if type(a) is tuple:
        return len(a) == len(b) and all(same(x, y, tolerance) for x, y in zip(a, b))
    size = np.max(np.abs(a[np.isfinite(a)]), initial=0) if a.dtype.kind in "fc" else 0
    return a.shape == b.shape and np.allclose(a, b, tolerance, tolerance * size, True)


class Comparer(Onlooker):
    """Plays every play that it sees again, in each other way."""

    def __init__(self):
        self.plays_seen = self.parts_seen = 0
        self.wrong = []

    def plays(self, play, parts):
        begin, reach = dict(play.adjoints), play.reach()
        seen = []
        for part in parts:
            seen.append(part)
            yield part
        seen = [(k, i, bare(g), bare(p)) for k, i, g, p in seen]
        if any(
            entry[0] in ("CustomGradient", "PartitionedCall", "Repeat") for entry in play.entries
        ):
            return  # a learner's own rule may do as it likes, each time anew
        self.recorded(play)
        with np.errstate(all="ignore"):
            for name, again in self.ways(play, reach, {n: bare(g) for n, g in begin.items()}):
                self.compare(name, seen, again)
        self.plays_seen += 1
        self.parts_seen += len(seen)

    def recorded(self, play):
        """Go through the entries as a naive recorder would: which of them had to be there, and what
        is watched after them.
        """
        tape = play.tape
        watched = set(tape.leaves)
        for k, (op, inputs, output, _, _, _, _, y) in enumerate(play.entries):
            if watched.isdisjoint(inputs):
                self.wrong.append(f"entry {k} ({op}) uses nothing that is watched")
            for n, v in zip(output, y) if type(output) is tuple else ((output, y),):
                if v.dtype.kind in "fc":
                    watched.add(n)
        changed = (
            tape.recording or tape.cuts or any(note[0] in ("reset", "stop") for note in tape.notes)
        )
        if not changed and watched != tape.watched:
            self.wrong.append(f"watched: {watched ^ tape.watched}")

    def ways(self, play, reach, begin):
        heard, looking = active.set(()), onlookers.set(())
        try:
            scalars = {n: g[()] for n, g in begin.items()}
            if play.lead:
                rows = [
                    {n: g[r] for n, g in begin.items()}
                    for r in range(len(next(iter(begin.values()), ())))
                ]
                found = [
                    list(naive(play.entries, reach, row, play.tape.holomorphic)) for row in rows
                ]
                stacked = (
                    [
                        (
                            k,
                            i,
                            tuple(np.stack([row[j][2][a] for row in found]) for a in range(len(g)))
                            if type(g) is tuple
                            else np.stack([row[j][2] for row in found]),
                            np.stack([row[j][3] for row in found]),
                        )
                        for j, (k, i, g, _) in enumerate(found[0])
                    ]
                    if found
                    else []
                )
                if rows:
                    yield "naive, row by row", stacked
                return
            yield "naive", naive(play.entries, reach, begin, play.tape.holomorphic)
            yield (
                "walk",
                walk(play.entries, reach, dict(scalars), holomorphic=play.tape.holomorphic),
            )
            if not play.tape.holomorphic:
                yield "common walk", common_walk(play.entries, reach, dict(scalars))
        finally:
            active.reset(heard)
            onlookers.reset(looking)

    def compare(self, name, seen, again):
        again = [(k, i, bare(g), bare(p)) for k, i, g, p in again]
        if [s[:2] for s in seen] != [s[:2] for s in again]:
            self.wrong.append(
                f"{name}: other parts {[s[:2] for s in seen]} {[s[:2] for s in again]}"
            )
            return
        for (k, i, g, part), (_, _, h, other) in zip(seen, again):
            if i is None:
                continue
            tolerance = (
                1e-2
                if part.dtype == np.float16
                else 1e-4
                if part.dtype in (np.float32, np.complex64)
                else 1e-8
            )
            if not (same(g, h, tolerance) and same(part, other, tolerance)):
                self.wrong.append(f"{name}: entry {k}, input {i}: {part} is not {other}")


def test_every_recorded_program_is_played_the_same_in_every_way():
    plays = parts = 0
    wrong = []
    for answer in ANSWERS:
        comparer = Comparer()
        with looking_on(comparer):
            run_answer(answer["code"])
        wrong += [f"{answer['id']}: {w}" for w in comparer.wrong]
        plays, parts = plays + comparer.plays_seen, parts + comparer.parts_seen
    assert not wrong, "\n".join(wrong[:20])
    assert plays > 1000 and parts > 5000, (plays, parts)


def test_an_entry_whose_only_way_is_blocked_is_visited_in_every_way():
    order, comparer = tf.constant(1.0), Comparer()
    with tf.GradientTape() as tape:
        tape.watch(order)
        y = 2 * tf.math.polygamma(order, tf.constant(2.0))
    with looking_on(comparer):
        steps = list(tape.steps(y, order))
    assert [len(s.parts) for s in steps] == [1, 0] and comparer.plays_seen and not comparer.wrong


# ---- operators

TWO = [
    arithmetic.add,
    arithmetic.subtract,
    arithmetic.multiply,
    arithmetic.divide,
    arithmetic.floordiv,
    arithmetic.floormod,
    arithmetic.power,
    linear_algebra.matmul,
    comparison.less,
    comparison.less_equal,
    comparison.greater,
    comparison.greater_equal,
]
LEFT = {
    "scalar": lambda: tf.constant(2.5),
    "variable": lambda: tf.Variable(1.5),
    "vector": lambda: tf.constant([1.0, 2.0, 3.0]),
    "row": lambda: tf.constant([[1.0, 2.0, 3.0]]),
    "matrix": lambda: tf.Variable([[1.0, 2.0], [3.0, 4.0]]),
    "empty": lambda: tf.zeros([0]),
    "double": lambda: tf.constant(1.5, "float64"),
    "doubles": lambda: tf.Variable([1.0, 2.0], dtype="float64"),
    "half": lambda: tf.constant(1.5, "float16"),
    "integer": lambda: tf.constant(7),
    "integers": lambda: tf.constant([7, 8, 9]),
    "yes": lambda: tf.constant(True),
    "text": lambda: tf.constant("a"),
    "complex": lambda: tf.constant(1 + 2j),
}
RIGHT = {
    **LEFT,
    "number": lambda: 3.0,
    "whole": lambda: 2,
    "list": lambda: [1.0, 2.0, 3.0],
    "array": lambda: np.ones(3, "float32"),
    "numpy's": lambda: np.float64(2.0),
    "nothing": lambda: None,
    "word": lambda: "a",
}


def outcome(op, function, a, b):
    """Return everything that an operator does to a tape, or the error that it raises."""
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        tf.GradientTape(persistent=True) as tape,
    ):
        warnings.simplefilter("ignore")
        if isinstance(a, tf.Tensor) and a.dtype.is_differentiable:
            tape.watch(a)
        try:
            y = function(a, b)
        except Exception as error:
            return type(error), str(error)
    inner = tape.recording.tape
    # numbers are counted from the first, so that two runs can be compared
    names = {
        n: k
        for k, n in enumerate(sorted({n for e in inner.entries for n in (*e[1], e[2])} | {y.id}))
    }
    entries = [
        (
            e[0],
            [names[n] for n in e[1]],
            names[e[2]],
            e[3] and "a reading",
            e[4] is not None,
            [bare(v).tolist() for v in e[6]],
            [v.dtype for v in e[6]],
            bare(e[7]).tolist(),
            type(e[7]),
        )
        for e in inner.entries
    ]
    notes = [(n.kind, n.about.get("op"), len(n.about.get("inputs", ()))) for n in tape.notes]
    return (
        bare(y).tolist(),
        type(y.value),
        y.dtype,
        y.where[0].co_name,
        entries,
        notes,
        y.id in inner.watched,
        inner.holomorphic,
    )


@pytest.mark.parametrize("op", TWO, ids=lambda op: op.name)
def test_an_operator_does_what_run_does(op):
    quick = common_run(op, operand)
    for left in LEFT.values():
        for right in RIGHT.values():
            one = outcome(op, lambda a, b: quick(a, b), left(), right())
            other = outcome(op, lambda a, b: run(op, sides(op, a, b)), left(), right())
            assert repr(one) == repr(other)
