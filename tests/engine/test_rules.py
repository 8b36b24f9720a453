"""Every row of the table of derivatives against finite differences, and nothing but rows that have
a case.
"""

import hypothesis.extra.numpy as npst
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import minitape as tf
from minitape.engine.ops.record import OPS
from tests.engine.cases import CASES
from tests.engine.check import (
    check,
    check_batched,
    check_batched_twice,
    check_dtype,
    check_layouts,
    draw_inputs,
)

QUICK = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
DIFFERENTIABLE = [c for c in CASES if c.order and not c.unregistered]
pytestmark = pytest.mark.filterwarnings("ignore")


def some_shapes(case, min_side=0):
    """Return a strategy for the shapes of the inputs."""
    if case.shapes is not None:
        return st.sampled_from(case.shapes)
    shapes = npst.mutually_broadcastable_shapes(
        num_shapes=case.inputs, max_dims=3, min_side=min_side, max_side=3
    )
    return shapes.map(lambda s: s.input_shapes)


def ids(cases):
    seen = {}
    return [f"{c.op}-{seen.setdefault(c.op, []).append(0) or len(seen[c.op])}" for c in cases]


# what a traced function adds to the table, see tests/jit/test_function.py
OF_FUNCTIONS = {
    "PartitionedCall",
    "AssignVariableOp",
    "AssignAddVariableOp",
    "AssignSubVariableOp",
    "Repeat",
    "NormalizeScale",
    "NormalizeScaleGrad",
}


def test_every_row_has_a_case():
    assert sorted(set(OPS) - OF_FUNCTIONS - {c.op for c in CASES}) == []


def test_every_case_has_a_row():
    assert sorted({c.op for c in CASES} - set(OPS)) == []


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=ids(DIFFERENTIABLE))
def test_gradients_are_finite_differences(case):
    @QUICK
    @given(some_shapes(case), st.integers(0, 2**32 - 1))
    def run(shapes, seed):
        rng = np.random.default_rng(seed)
        check(case, draw_inputs(case, rng, shapes), rng)

    run()


@pytest.mark.parametrize(
    "case",
    [c for c in DIFFERENTIABLE if c.complex],
    ids=ids([c for c in DIFFERENTIABLE if c.complex]),
)
def test_gradients_of_complex_numbers(case):
    rng = np.random.default_rng(5)
    shapes = case.shapes[0] if case.shapes is not None else [(2, 3)] * case.inputs
    for _ in range(3):
        check(case, draw_inputs(case, rng, shapes, "complex128"), rng)


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=ids(DIFFERENTIABLE))
def test_gradients_have_the_dtype_of_the_input(case):
    rng = np.random.default_rng(3)
    for shapes in (
        case.shapes[:2] if case.shapes is not None else ([(2, 3)] * case.inputs, [()] * case.inputs)
    ):
        arrays = [a.astype("float16").astype("float64") for a in draw_inputs(case, rng, shapes)]
        for dtype in case.dtypes:
            check_dtype(case, arrays, rng, dtype)


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=ids(DIFFERENTIABLE))
def test_batches_of_seeds(case):
    rng = np.random.default_rng(4)
    for shapes in (
        case.shapes
        if case.shapes is not None
        else ([(2, 3), (3,), (2, 1)][: case.inputs], [()] * case.inputs)
    ):
        check_batched(case, draw_inputs(case, rng, shapes), rng)


@pytest.mark.parametrize(
    "case",
    [c for c in DIFFERENTIABLE if c.order > 1],
    ids=ids([c for c in DIFFERENTIABLE if c.order > 1]),
)
def test_batches_of_seeds_that_an_outer_tape_records(case):
    rng = np.random.default_rng(8)
    for shapes in (
        case.shapes[:3]
        if case.shapes is not None
        else ([(2, 3), (3,), (2, 1)][: case.inputs], [()] * case.inputs)
    ):
        check_batched_twice(case, draw_inputs(case, rng, shapes), rng)


@pytest.mark.parametrize("case", DIFFERENTIABLE, ids=ids(DIFFERENTIABLE))
def test_the_layout_in_memory_changes_nothing(case):
    rng = np.random.default_rng(7)
    for shapes in (
        case.shapes
        if case.shapes is not None
        else ([(2, 3, 4), (3, 4), (2, 3, 1)][: case.inputs], [(2, 3)] * case.inputs)
    ):
        check_layouts(case, draw_inputs(case, rng, shapes), rng)


@pytest.mark.parametrize(
    "case", [c for c in CASES if not c.order or c.unregistered], ids=lambda c: c.op
)
def test_what_blocks_gives_none_and_what_is_unregistered_raises(case):
    rng = np.random.default_rng(6)
    shapes = case.shapes[0] if case.shapes is not None else [(2, 3)] * case.inputs
    arrays = draw_inputs(case, rng, shapes)
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        ys = tf.nest.flatten(case.call(*xs))
    noted = {n.about["op"] for n in tape.notes if n.kind == "unwatched"}
    assert case.op in ({e.op for e in tape.entries} if case.reached else noted)
    if case.unregistered:
        with pytest.raises(LookupError, match=f"no entry for: {case.op}"):
            tape.gradient(ys, xs)
    else:
        assert tape.gradient(ys, xs) == [None] * len(xs)


def test_a_wrong_rule_is_found():
    """The checker itself is checked: a rule that is wrong by a thousandth is found."""
    case = next(c for c in CASES if c.op == "Exp")
    rule = OPS["Exp"].rules
    rng = np.random.default_rng(1)
    arrays = draw_inputs(case, rng, [(2, 3)])
    check(case, arrays, rng)
    try:
        OPS["Exp"].rules = (lambda g, y, x: g * y * 1.001,)
        with pytest.raises(AssertionError):
            check(case, arrays, rng)
    finally:
        OPS["Exp"].rules = rule
