"""`explain --open`: a function is opened where it computes the same so, and else that is said and
nothing is explained of it.
"""

import io
import runpy
import sys
import warnings
from contextlib import nullcontext, redirect_stdout

import pytest
import tensorflow as tf

import minitape.tensorflow
from minitape.explain.script import main

HEAD = """import random
import numpy as np
import tensorflow as tf
w, x = tf.Variable(2.0), tf.constant(3.0)
"""
DIFFERS = {  # each runs Python that a compiled function runs once
    "a list that grows": """
seen = []
@tf.function
def step(v):
    with tf.GradientTape() as tape:
        scale = 1.0 + len(seen)
        seen.append(1)
        loss = (w * v * scale) ** 2
    return tape.gradient(loss, w)
for i in range(3):
    print(step(x))
""",
    "a branch on what changes outside": """
first = True
@tf.function
def step(v):
    return tf.round(v) if first else v * w
print(step(x))
first = False
with tf.GradientTape() as tape:
    y = step(x)
tape.gradient(y, w)
""",
    "a loop over a generator": """
rates = iter([0.1, 0.2, 0.3, 0.4, 0.5])
@tf.function
def step(v):
    w.assign_sub(next(rates) * v)
step(x)
""",
    "a number that Python draws": """
@tf.function
def step(v):
    return v * random.random()
print(step(x), step(x))
""",
    "a number that AutoGraph keeps as a tensor": """
@tf.function
def step(v):
    return float(v * w)
with tf.GradientTape() as tape:
    y = tf.constant(step(x)) * 2.0
print(tape.gradient(y, w))
""",
    "what a loop over data leaves in Python": """
data, best = tf.data.Dataset.range(4), [0.0]
@tf.function
def step(v):
    for k in data:
        best[0] = best[0] + 1.0
        w.assign_add(v * best[0])
step(x)
""",
}
SAME = {
    "a function within a tape": """
@tf.function
def step(v):
    return v * w, tf.nn.relu(v)
for _ in range(2):
    with tf.GradientTape() as tape:
        y, z = step(x)
        loss = y * y + z
    print(tape.gradient(loss, w))
""",
    "a step with an optimizer": """
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
data, traces, losses = tf.random.normal([8, 2], seed=1), [], []
@tf.function
def step(v):
    traces.append(1)
    print("tracing")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(v, training=True) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return {"loss": loss}
for _ in range(3):
    losses.append(step(data))
""",
    "fit": """
model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.ones((8, 2), "float32"), np.zeros((8, 1), "float32"), epochs=2, verbose=0)
""",
    "loops and branches of tensors, within another function": """
@tf.function
def inner(v):
    for _ in tf.range(3):
        v = v * 1.5 if v < 10.0 else v - 1.0
    return v
@tf.function
def step(v):
    for k in tf.data.Dataset.range(3):
        w.assign_add(tf.cast(k, tf.float32) * 0.1)
    with tf.GradientTape() as tape:
        y = inner(v * w)
    return tape.gradient(y, w)
print(step(x), step(x))
""",
    "an error that is the program's own": """
@tf.function
def step(v):
    raise LookupError("own")
with tf.GradientTape() as tape:
    y = w * x
tape.gradient(y, w)
try:
    step(x)
except LookupError:
    pass
""",
}
UNLIKE = {
    "numbers that TensorFlow draws": """
@tf.function
def step(v):
    with tf.GradientTape() as tape:
        y = (w * v + tf.random.normal([])) ** 2
    return tape.gradient(y, w)
step(x)
""",
    "an iterator": """
batches, shown = iter(tf.data.Dataset.range(3)), []
@tf.function
def step(v):
    k = tf.cast(next(batches), tf.float32)
    with tf.GradientTape() as tape:
        y = w * (k + 1.0)
    return tape.gradient(y, w)
for _ in range(3):
    step(x)
""",
}


@pytest.fixture
def explained(tmp_path, monkeypatch, capsys):
    """Runs a program as a script, opened; returns its exit code and what it printed."""

    def run(code):
        script = tmp_path / "script.py"
        script.write_text(HEAD + code)
        monkeypatch.setattr(sys, "argv", ["minitape"])
        monkeypatch.setattr(sys, "path", list(sys.path))
        ended = 0
        try:
            main(["--open", str(script)], minitape.recorders.watched_if_used)
        except SystemExit as end:
            ended = end.code
        return ended, capsys.readouterr().out

    return run


@pytest.mark.parametrize("name", DIFFERS)
def test_a_function_that_is_another_one_when_it_is_opened(name, explained):
    code, said = explained(DIFFERS[name])
    assert code == 1 and "Not opened: `step`, which script.py, line" in said, said
    assert "The gradient of" not in said


@pytest.mark.parametrize("name", SAME)
def test_a_function_that_is_the_same_is_looked_into(name, explained):
    code, said = explained(SAME[name])
    assert code == 0 and "nothing surprising" in said and "Not compared" not in said, said
    assert said.count("tracing") <= 3, "what is only compared prints nothing"


@pytest.mark.parametrize("name", UNLIKE)
def test_a_function_that_nobody_can_compare_is_named(name, explained):
    code, said = explained(UNLIKE[name])
    assert code == 0 and "Not compared: step, which script.py, line" in said, said


@pytest.mark.parametrize("name", [*DIFFERS, "a step with an optimizer"])
def test_a_cell_computes_with_an_opened_function_what_it_computes_compiled(name, tmp_path):
    """As `%%tape --open` runs it; a generator is read once more for each comparison."""
    script, found = tmp_path / "cell.py", []  # a file: AutoGraph reads the text
    end = "print(w, [round(float(each['loss']), 3) for each in globals().get('losses', [])])"
    script.write_text(HEAD + {**DIFFERS, **SAME}[name] + end)
    for block in (nullcontext(), minitape.tensorflow.watch(open_functions=True)):
        printed = io.StringIO()
        tf.keras.utils.set_random_seed(1)
        with block, redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            runpy.run_path(str(script))
        found.append(printed.getvalue().replace("tracing\n", ""))
    told = [str(each.message) for each in warned if "`step`" in str(each.message)]
    assert found[0] == found[1]
    assert len(told) == (name in DIFFERS) and all("Not opened" in text for text in told)
