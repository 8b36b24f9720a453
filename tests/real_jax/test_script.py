"""`python -m minitape explain train.py`, as a user runs it, answers what `record(f, ...).explain()`
answers.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .asked import HEAD, answer_to, programs

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [text for *_, text in programs()]


def told(text, name, folder, *options):
    """Runs a program in a terminal; returns its exit status and what was printed."""
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", *options, f"{name}.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("k", [0, 1, 5, 6, 8])
def test_it_answers_what_explain_answers(k, tmp_path):
    answer = str(answer_to(TEXTS[k], f"script_{k}"))
    status, said = told(f"{TEXTS[k]}print(jax.grad(f)(*args))\n", f"script_{k}", tmp_path)
    assert status == 1 and answer in said, said


TRAINING = (
    HEAD
    + """def loss(params, x):
    return jnp.mean((jnp.tanh(x * params["w"] + params["b"]) - 0.5) ** 2)
params = {"w": 0.3, "b": 0.1}
step = jax.value_and_grad(loss)
for k in range(3):
    value, slopes = step(params, jnp.arange(1.0, 4.0))
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, slopes)
"""
)


def test_a_healthy_training_runs_to_its_end(tmp_path):
    status, said = told(TRAINING, "train", tmp_path)
    assert status == 0 and "All 3 gradients of train.py flow" in said, said


def test_the_first_gradient_that_surprises_ends_it(tmp_path):
    text = TRAINING.replace("arange(1.0, 4.0)", "where(k < 2, 1.0, jnp.inf)") + "print('too far')\n"
    status, said = told(text, "train", tmp_path)
    assert status == 1 and "too far" not in said, said
    assert "train.py, line 4" in said, said


def test_what_jit_compiles_is_seen_where_it_is_opened(tmp_path):
    text = TEXTS[8] + "jax.jit(jax.grad(f))(*args)\n"
    status, said = told(text, "train", tmp_path)
    assert status == 0 and "What `jax.jit` compiles is seen with `--open` only" in said, said
    status, said = told(text, "train", tmp_path, "--open")
    assert status == 1 and str(answer_to(TEXTS[8], "train")) in said, said
