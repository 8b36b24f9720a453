"""Each row that stands for an equation of JAX's computes what JAX computes, and its rules give the
parts that `jax.vjp` gives.
"""

import warnings

import numpy as np
import pytest

import minitape.jax
from minitape.engine.ops.record import OPS
from minitape.engine.recording import recorded, rule_of
from minitape.engine.walk import unbroadcast
from minitape.recorders.jax.operations import NAMES, PLAIN, TABLE, title

from .random_programs import program

# of two that are equal JAX gives each half; a power of 0 and the like have slopes of their own
UNLIKE = {"Maximum", "Minimum", "Max", "Min"}


def entries():
    """Yields what each entry of many programs is, and its parts."""
    for seed in range(24):
        function, args = program(seed)
        tape = minitape.jax.record(function, *args).tape
        for entry in tape.entries:
            if entry[0] in OPS and entry[0] != "ReadVariableOp":
                yield entry, tape.backs.get(entry[2])


def test_rows_compute_what_jax_computes():
    met = set()
    for (op, _, _, attributes, _, _, values, y), back in entries():
        row = OPS[op]
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own = row.kernel(*values, **(attributes or {}))
            np.testing.assert_allclose(own, y, rtol=1e-5, atol=1e-6, err_msg=op)
            met.add(op)
            g = np.ones_like(y)
            if y.dtype.kind != "f" or op == "StopGradient" or not np.isfinite(y).all():
                continue
            for i, part in enumerate(back([g])):
                rule = rule_of(row, i)
                if part is not None and rule is not None and op not in UNLIKE:
                    ours = rule(g, y, *values, **(attributes or {}))
                    if ours.shape != part.shape:
                        ours = unbroadcast(ours, part.shape, 0)
                    np.testing.assert_allclose(ours, part, rtol=1e-4, atol=1e-5, err_msg=op)
    assert len(met) > 30, met


def test_every_row_is_in_the_table_of_derivatives_and_has_a_name():
    rows = {*PLAIN.values(), "Pow", "Select", "Einsum", "ClipByValue", "ArgMax", "Pack", "Relu6"}
    assert all(op in OPS and title(op) == NAMES[op] for op in rows)
    assert set(NAMES) <= set(OPS) and len(TABLE) > 15


@pytest.mark.parametrize(("op", "name"), [("jax.gather", "gather"), ("Rint", "jnp.round")])
def test_titles(op, name):
    assert title(op) == name


def test_a_recording_is_read_like_any_other():
    function, args = program(3)
    found = recorded(minitape.jax.record(function, *args).tape)
    assert found.holds_arrays and found.library == "JAX" and found.zeros
