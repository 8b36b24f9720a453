"""`%%tape` over a cell that uses JAX."""

import warnings

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minitape_widgets import TRACE


@pytest.fixture(scope="module")
def shell():
    found = InteractiveShell.instance()
    found.run_cell("import jax, jax.numpy as jnp\nfrom jax import grad\n%load_ext minitape_widgets")
    yield found
    InteractiveShell.clear_instance()


def shown(shell, cell, options=""):
    """The storyboards under a cell, and what the cell printed."""
    with warnings.catch_warnings(), capture_output() as captured:
        warnings.simplefilter("ignore")
        shell.run_cell(f"%%tape {options}\n{cell}")
    boards = [o.data[TRACE]["storyboard"] for o in captured.outputs if TRACE in o.data]
    return boards, captured.stdout


F = "def f(x):\n    print('once')\n    return jnp.sum(jnp.sin(x) * x)\n"


@pytest.mark.parametrize("grad", ["jax.grad", "grad", "jax.value_and_grad"])
def test_the_player_of_a_gradient(shell, grad):
    (board,), printed = shown(shell, f"{F}g = {grad}(f)(jnp.ones(2))\n")
    assert {"x", "f()"} <= {node["label"] for node in board["nodes"]}
    assert [card["called"] for card in board["cards"]] == ["jnp.sin", "jnp.multiply", "jnp.sum"]
    assert board["cards"][0]["formula"] == ["ū₁ × cos(x)"] or "cos(x)" in str(board["cards"][0])
    assert board["tapes"][0]["name"] == "f" and printed.count("once") == 1


def test_a_zero_is_drawn_where_it_is_cut(shell):
    (board,), _ = shown(
        shell,
        "def f(x, y):\n    h = jax.lax.stop_gradient(x)\n    return h * y\n"
        "print(jax.grad(f, (0, 1))(2.0, 3.0))\n",
    )
    results = [frame for frame in board["frames"] if frame["act"] == "result"]
    assert [frame.get("key") for frame in results] == ["result.zero.library", None]
    assert "cut" in [frame["act"] for frame in board["frames"]]


def test_two_steps_of_a_training_are_two_rounds(shell):
    (board,), _ = shown(
        shell,
        "w = jnp.ones(2)\nfor step in range(2):\n"
        "    loss, g = jax.value_and_grad(lambda w: jnp.sum(w * w))(w)\n    w = w - 0.1 * g\n",
    )
    assert len(board["tapes"]) == len(board["chapters"]) == 2


def test_what_is_compiled_is_seen_where_it_is_opened(shell):
    cell = "print(jax.jit(jax.grad(lambda x: x * x))(3.0))\n"
    boards, printed = shown(shell, cell)
    assert not boards and "%%tape --open" in printed
    boards, printed = shown(shell, cell, "--open")
    assert len(boards) == 1 and printed.startswith("6.0")


def test_an_error_of_tracing_is_answered(shell):
    _, printed = shown(shell, "jax.jit(lambda x: x if x > 0 else -x)(2.0)\n")
    assert "minitape: While JAX traces, a value is a tracer" in printed
