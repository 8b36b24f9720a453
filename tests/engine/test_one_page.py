"""The page and the engine are the same idea: random programs run on both, and everything that a tape holds is compared.

The page (`minitape/one_page.py`) knows nothing of the engine, so it is an oracle for it. Compared are the entries (which operation, on
which tensors, making which, in this order), the steps of the play (which entry, its adjoint, the part of each input), and the
gradients, None included; for nested tapes the gradients of gradients.
"""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape import one_page as page
from minitape.engine.ops import arithmetic, elementwise, linear_algebra, reductions, shaping
from minitape.engine.ops.record import run

PAGE = Path(page.__file__)
pytestmark = pytest.mark.filterwarnings("ignore")
BATCHES, EACH = 20, 100  # so many programs
SHAPES = [(), (), (3,), (2, 3), (2, 1), (1, 3), (1,), (2, 2)]
# the page's operation -> the engine's row
ROWS = {
    "add": arithmetic.add,
    "multiply": arithmetic.multiply,
    "divide": arithmetic.divide,
    "negative": arithmetic.negative,
    "matmul": linear_algebra.matmul,
    "transpose": shaping.transpose,
    "exp": elementwise.exp,
    "log": elementwise.log,
    "tanh": elementwise.tanh,
    "round": elementwise.round_,
    "sum_to": reductions.reduce_sum,
}
ALONE = ["negative", "exp", "log", "tanh", "round", "transpose", "sum_to"]
PAIRS = ["add", "multiply", "divide", "matmul"]


class Here:
    """The page, as a place where programs run."""

    def tensor(self, array):
        return page.Tensor(array)

    tape, one = page.Tape, staticmethod(page.run)
    watch = staticmethod(lambda tape, x: tape.watch(x))
    number = staticmethod(lambda x: x.number)
    summed = staticmethod(lambda x, shape, axis, keepdims: page.run("sum_to", x, shape=shape))
    gradient = staticmethod(lambda tape, y, xs: tape.gradient(y, xs))


class There:
    """The engine, as a place where programs run."""

    def tensor(self, array):
        return tf.constant(array, "float64")

    tape = staticmethod(lambda: tf.GradientTape(persistent=True))
    watch = staticmethod(lambda tape, x: tape.watch(x))
    number = staticmethod(lambda x: x.id)
    summed = staticmethod(
        lambda x, shape, axis, keepdims: run(
            reductions.reduce_sum, (x,), {"axis": axis, "keepdims": keepdims}
        )
    )
    gradient = staticmethod(lambda tape, y, xs: tape.gradient(y, xs, unconnected_gradients="none"))

    @staticmethod
    def one(op, *inputs):
        if op == "transpose":
            return run(ROWS[op], inputs, {"perm": (1, 0)})
        if op in ("add", "multiply", "divide", "matmul"):  # operators, as a learner writes them
            a, b = inputs
            return (
                a + b
                if op == "add"
                else a * b
                if op == "multiply"
                else a / b
                if op == "divide"
                else a @ b
            )
        return run(ROWS[op], inputs)


def written(rng):
    """Return a random program: leaves (array, when it is watched), lines (operation, inputs, shapes), the target, the sources."""
    shapes = [rng.choice(SHAPES) for _ in range(rng.randint(1, 4))]
    draws = np.random.default_rng(rng.randrange(2**32))
    length = rng.randint(1, 14)
    leaves = [
        (draws.uniform(-2, 2, s), rng.choice([0, 0, 0, rng.randrange(length), None]))
        for s in shapes
    ]
    lines = []
    while len(lines) < length:
        op = rng.choice(ALONE + 2 * PAIRS)
        count = len(shapes)
        a, b = rng.randrange(count), rng.choice([rng.randrange(count), count - 1])
        s, t = shapes[a], shapes[b]
        if op == "transpose":
            if len(s) == 2:
                lines.append((op, (a,), None))
                shapes.append(s[::-1])
        elif op == "sum_to":
            axis = rng.choice([None, *range(len(s))])
            keepdims = rng.random() < 0.5 and axis is not None or axis not in (None, 0)
            to = (
                ()
                if axis is None
                else tuple(1 if k == axis else n for k, n in enumerate(s) if keepdims or k != axis)
            )
            lines.append((op, (a,), (to, axis, keepdims)))
            shapes.append(to)
        elif op in ALONE:
            lines.append((op, (a,), None))
            shapes.append(s)
        elif op == "matmul":
            if len(s) == len(t) == 2 and s[1] == t[0]:
                lines.append((op, (a, b), None))
                shapes.append((s[0], t[1]))
        else:
            try:
                shapes.append(np.broadcast_shapes(s, t))
            except ValueError:
                continue
            lines.append((op, (a, b), None))
    count = len(shapes)
    sources = rng.sample(range(count), rng.randint(1, min(3, count)))
    return leaves, lines, rng.choice([count - 1, rng.randrange(count)]), sources


def ran(place, program, nested=False):
    """Run a program; return everything that can be compared, with tensors named by their place in the program."""
    leaves, lines, target, sources = program
    place = place()
    values = [place.tensor(array) for array, _ in leaves]
    outer, tape = place.tape(), place.tape()

    def body():
        with tape:
            for k, (op, inputs, how) in enumerate([*lines, (None, (), None)]):
                for x, (_, when) in zip(values, leaves):
                    if when == k:
                        place.watch(tape, x)
                        if nested:
                            place.watch(outer, x)
                if op is not None:
                    xs = [values[i] for i in inputs]
                    values.append(place.summed(*xs, *how) if op == "sum_to" else place.one(op, *xs))
        return place.gradient(tape, values[target], [values[s] for s in sources])

    if nested:
        with outer:
            firsts = body()
        return [
            None if g is None else [second(place, outer, g, values[s]) for s in sources]
            for g in firsts
        ]
    return tape, values, body()


def second(place, outer, g, x):
    (found,) = place.gradient(outer, g, [x])
    return None if found is None else array(found)


def array(x):
    return np.asarray(getattr(x, "value", x))


def agree(a, b):
    if a is None or b is None:
        return a is b
    a, b = array(a), array(b)
    return a.shape == b.shape and np.allclose(a, b, 1e-9, 1e-9, equal_nan=True)


def entries_of(place, values, tape):
    """Return the tape's entries as (the page's name of the operation, inputs, output), by places in the program."""
    of = {place.number(x): k for k, x in enumerate(values)}
    if place is Here:
        return [(e.op, [of[x.number] for x in e.inputs], of[e.output.number]) for e in tape.entries]
    names = {row.name: name for name, row in ROWS.items()}
    return [(names[e.op], [of[n] for n in e.inputs], of[e.outputs[0]]) for e in tape.entries]


def steps_here(tape, target):
    places = {id(e): k for k, e in enumerate(tape.entries)}
    return [
        (places[id(s.entry)], array(s.adjoint), {i: array(p) for i, p in s.parts.items()})
        for s in tape.steps(target, {})
    ]


def steps_there(tape, target, sources):
    return [
        (s.index, array(s.adjoints[0]), {p.input: array(p.value) for p in s.parts})
        for s in tape.steps(target, sources)
    ]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_page_and_the_engine_agree(batch):
    rng = random.Random(batch)
    with np.errstate(all="ignore"):
        for _ in range(EACH):
            program = written(rng)
            here, values_here, gradients_here = ran(Here, program)
            there, values_there, gradients_there = ran(There, program)
            assert all(map(agree, values_here, values_there)), program
            entries = entries_of(Here, values_here, here)
            assert entries == entries_of(There, values_there, there), program
            assert all(map(agree, gradients_here, gradients_there)), program
            target = program[2]
            leaves = [k for k, (_, when) in enumerate(program[0]) if when is not None]
            if not leaves:
                assert not entries
                continue
            one, other = (
                steps_here(here, values_here[target]),
                steps_there(there, values_there[target], [values_there[k] for k in leaves]),
            )
            assert [s[0] for s in one] == [s[0] for s in other], program
            for (_, g, parts), (_, h, others) in zip(one, other):
                assert (
                    agree(g, h)
                    and parts.keys() == others.keys()
                    and all(agree(parts[i], others[i]) for i in parts)
                ), program


@pytest.mark.parametrize("batch", range(4))
def test_gradients_of_gradients_agree(batch):
    rng, compared = random.Random(1000 + batch), 0
    with np.errstate(all="ignore"):
        for _ in range(3 * EACH):
            program = written(rng)
            for row, other in zip(
                ran(Here, program, nested=True), ran(There, program, nested=True)
            ):
                assert (row is None) == (other is None), program
                for a, b in zip(row or (), other or ()):
                    assert agree(a, b), program
                    compared += a is not None
    assert compared > 30


def test_the_programs_are_what_they_are_meant_to_be():
    """Fan-out, blocked ways, unwatched inputs, stretching and Nones all occur, and often."""
    rng, found = (
        random.Random(0),
        dict.fromkeys(
            ("entries", "parts", "none", "fan-out", "stretched", "unwatched", "blocked"), 0
        ),
    )
    with np.errstate(all="ignore"):
        for _ in range(300):
            program = written(rng)
            tape, values, gradients = ran(Here, program)
            found["entries"] += len(tape.entries)
            found["none"] += sum(g is None for g in gradients)
            found["unwatched"] += len(program[1]) - len(tape.entries)
            found["blocked"] += sum(e.op == "round" for e in tape.entries)
            seen = {}
            for step in tape.steps(values[program[2]], {}):
                for i in step.parts:
                    x = step.entry.inputs[i]
                    found["parts"] += 1
                    seen[x.number] = seen.get(x.number, 0) + 1
                    found["stretched"] += (
                        x.value.shape != step.adjoint.value.shape
                        and step.entry.op in ("add", "multiply", "divide")
                    )
            found["fan-out"] += sum(n > 1 for n in seen.values())
    assert all(n > 50 for n in found.values()), found


def test_the_page_is_one_page_and_runs_alone(tmp_path):
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 100
    alone = shutil.copy(PAGE, tmp_path)
    found = subprocess.run(
        [sys.executable, "-I", alone], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (
        found.stdout.endswith("dy/dx: #17 = 7.0\n")
        and found.stdout.count("Step(") == found.stdout.count("Entry(op") / 2 == 3
    )
