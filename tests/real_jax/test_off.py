"""Off means off: after a block JAX is as it was, however the block ended, and inside of it a program
computes what it would.
"""

from types import ModuleType

import jax
import numpy as np
import pytest
from jax import numpy as jnp
from jax._src import api

from minitape.recorders import jax as mj
from minitape.recorders import watched_if_used
from minitape.storyboard import Film


def snapshot():
    """What the names of JAX's modules stand for; modules that came later are none of them."""
    found = {
        (owner.__name__, name): id(value)
        for owner in (jax, api, jnp, jax.lax)
        for name, value in vars(owner).items()
        if name != "__warningregistry__" and not isinstance(value, ModuleType)
    }
    return found, jax.config.jax_disable_jit


def step():
    calls = []

    def loss(w, x):
        calls.append(x)
        return jnp.sum((w * x) ** 2), w

    found = [jax.value_and_grad(loss, has_aux=True)(jnp.ones(2), x=jnp.arange(2.0))]
    found.append(jax.vmap(jax.grad(lambda x: x**3))(jnp.arange(2.0)))
    found.append(jax.jit(jax.grad(lambda x: jnp.where(x > 0, x, 0.0)))(2.0))
    found.append(jax.grad(jax.grad(lambda x: x**3))(2.0))
    return found


@pytest.mark.parametrize("error", [None, ZeroDivisionError, KeyboardInterrupt])
@pytest.mark.parametrize("opens", [False, True])
def test_all_is_as_it_was(error, opens):
    own, before = step(), snapshot()
    block = mj.watch(opens)
    try:
        with block, mj.watch():
            assert snapshot() != before
            found = step()
            if error is not None:
                raise error
    except (ZeroDivisionError, KeyboardInterrupt):
        pass
    assert snapshot() == before and not mj._watching and not block.trouble
    jax.tree.map(np.testing.assert_array_equal, found, own)


def test_each_gradient_of_the_program_is_filmed_once():
    with mj.watch() as block, Film() as film:
        step()
    assert not block.trouble
    assert [tape.tape.name for tape in film.tapes] == ["loss", "f"]


def test_a_function_that_was_made_before_or_is_called_after_runs_as_it_did():
    before = jax.grad(lambda x: x * x)
    with Film() as film:
        with mj.watch():
            assert before(3.0) == 6.0
            within = jax.grad(lambda x: x * x)
        assert within(3.0) == 6.0
    assert not film.tapes


def test_what_is_asked_for_while_a_function_is_looked_at_is_no_gradient_of_the_program():
    def f(x):
        return x * jax.grad(lambda y: y * y)(3.0) if x > 0 else x

    with mj.watch() as block, Film() as film, pytest.warns(UserWarning, match="asks for a value"):
        assert jax.grad(f)(2.0) == 6.0
    assert len(film.tapes) == 2 and not block.trouble


def test_where_jax_is_not_used_nothing_is_replaced(monkeypatch):
    before = snapshot()
    with watched_if_used("x = 1"):  # it is loaded here
        assert snapshot() != before
    assert snapshot() == before
