"""Errors that JAX raises where it traces: what is said of each, and that it stays as it was. The
programs are in `raised.txt`.
"""

import re
from contextlib import nullcontext
from pathlib import Path

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import minitape.jax
from minitape.recorders.jax.raised import SAID, TABLE
from minitape.sentences import COMPLETE

TEXT = Path(__file__).with_name("raised.txt").read_text(encoding="utf-8")
PROGRAMS = [
    (*re.match(r"(.*) \| (.*)\n", part).groups(), part.partition("\n")[2])
    for part in re.split(r"^#% ", TEXT, flags=re.M)[1:]
]


def raised(code, block):
    """Runs a program inside of a block; returns its error."""
    try:
        with block:
            exec(compile(code, "<program>", "exec"), {"jax": jax, "jnp": jnp, "np": np})
    except Exception as error:
        return error
    raise AssertionError("It raises nothing.")


@pytest.mark.parametrize(("name", "variant", "code"), PROGRAMS, ids=[p[0] for p in PROGRAMS])
def test_what_is_to_be_done_stands_under_the_traceback(name, variant, code):
    plain, error = raised(code, nullcontext()), raised(code, minitape.jax.watch())
    assert (type(error), str(error)[:60]) == (type(plain), str(plain)[:60])
    notes = [n for n in getattr(error, "__notes__", ()) if n.startswith("minitape: ")]
    assert notes == ([] if variant == "none of these" else [f"minitape: {SAID.say(variant)}"])


def test_every_sentence_is_met_and_there_in_each_language():
    assert set(TABLE.values()) == {variant for _, variant, _ in PROGRAMS} - {"none of these"}
    for language in COMPLETE:
        assert set(SAID.own(language)) == {*TABLE.values(), "opaque"}


def test_record_says_the_same():
    with pytest.raises(TypeError, match="Whole numbers have no gradient"):
        minitape.jax.record(lambda x: x * 2.0, 3)
    with pytest.raises(TypeError, match="one number"):
        minitape.jax.record(lambda x: x * 2.0, jnp.ones(2))
    with pytest.raises(TypeError, match="gives a whole number"):
        minitape.jax.record(jnp.argmax, jnp.ones(2))
