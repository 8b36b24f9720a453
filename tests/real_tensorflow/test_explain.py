"""The explain corpus in real TensorFlow: the same answers at the same lines, but for the
differences listed with their reasons.
"""

import linecache
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import minitape.tensorflow
from minitape.explain.script import main
from tests.explain.programs import programs

ROOT = Path(__file__).parents[2]
ALIVE = "TensorFlow's tape keeps the state alive, and a state counts as carried on where it is gone"
SUM = "Keras divides a sum in TensorFlow, and no mean is seen in it"
DIFFERENT = {  # name: the answer here, and why; the README lists them, too
    "scaled/a keras loss divided by the batch size": ("healthy", SUM),
    "scaled/keras mae, size": ("healthy", SUM),
    "carried/lstm state returned by a decorated step": ("healthy", ALIVE),
    "python_escapes/a round trip through pickle": (
        "not-used",
        "TensorFlow's tensors cannot be seen to go through pickle",
    ),
    "healthy/shape-questions": (TypeError, "a variable of TensorFlow's has no length"),
}


def ran(program, folder):
    """Runs a program with real TensorFlow; returns its explanation, and the lines that are marked
    in it.
    """
    path = folder / "program.py"
    text = program.code.replace("#: cell\n", "\n").replace(
        "import minitape as tf", "import tensorflow as tf"
    )
    path.write_text(text, encoding="utf-8")
    linecache.checkcache(str(path))
    names = {"tf": tf, "np": np, "__name__": "__main__", "__file__": str(path)}
    block = minitape.tensorflow.watch()
    with warnings.catch_warnings(), block:
        warnings.simplefilter("ignore")
        exec(compile(text, str(path), "exec"), names)
    assert not block.trouble, block.trouble
    return names["e"], [
        k for k, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith("# <-")
    ]


@pytest.mark.parametrize(
    "program", [p for p in programs() if p.name not in DIFFERENT], ids=lambda p: p.name
)
def test_blames_the_mistake(program, tmp_path):
    e, marked = ran(program, tmp_path)
    assert e.category == program.category and (not marked or e.lineno in marked), (
        f"\n{program.code}\n{e}"
    )
    assert "minitape" not in e.message + e.fix


@pytest.mark.parametrize(
    "program", [p for p in programs("healthy") if p.name not in DIFFERENT], ids=lambda p: p.name
)
def test_no_false_alarm(program, tmp_path):
    e, _ = ran(program, tmp_path)
    assert e.healthy, f"\n{program.code}\n{e}"


@pytest.mark.parametrize(
    "program",
    [p for p in programs() + programs("healthy") if p.name in DIFFERENT],
    ids=lambda p: p.name,
)
def test_what_differs_does(program, tmp_path):
    """The list is true: where an answer has become the same, it is taken out."""
    found, _ = DIFFERENT[program.name]
    if isinstance(found, type):
        with pytest.raises(found):
            ran(program, tmp_path)
    else:
        assert ran(program, tmp_path)[0].category == found != program.category


def test_the_page_counts_what_differs():
    page = (ROOT / "minitape/recorders/tensorflow/README.md").read_text(encoding="utf-8")
    assert (
        f"Of {len(programs() + programs('healthy'))} programs" in page
        and f"{len(DIFFERENT)} get another answer" in page
    )
    assert {p.name for p in programs() + programs("healthy")} >= DIFFERENT.keys()


def test_a_metric_is_one_note_in_and_one_out():
    """Whatever it calls itself; a learner's own class is left alone, and is a variable that was
    assigned.
    """

    class Own(tf.keras.metrics.Metric):
        def __init__(self):
            super().__init__()
            self.total = self.add_variable((), "zeros")

        def update_state(self, value):
            self.total.assign_add(value)

        def result(self):
            return self.total * 1.0

    kinds = tf.keras.metrics.Metric, tf.keras.metrics.Mean, tf.keras.metrics.MeanSquaredError, Own
    w, before = tf.Variable(2.0), [dict(vars(kind)) for kind in kinds]
    with minitape.tensorflow.watch() as look:
        metrics = tf.keras.metrics.MeanSquaredError(), Own()
        with tf.GradientTape(persistent=True) as tape:
            h = w * w
            given = metrics[0]([1.0], [h]), metrics[1](h)
        both = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
        with tf.GradientTape() as other:
            y = both[0](w) + both[1](w)
    assert not look.trouble
    notes = [
        note[0]
        for note in minitape.recorders.tensorflow.the_recorder().tape_of(tape).notes
        if note[0].startswith("metric")
    ]
    assert notes == ["metric takes in", "metric gives out"]
    assert [minitape.tensorflow.explain(tape, loss, w).category for loss in given] == [
        "metric-state",
        "state-assign",
    ]
    assert minitape.tensorflow.explain(other, y, w).category == "metric-state"
    assert [dict(vars(kind)) for kind in kinds] == before


def test_a_list_without_numbers_passes_a_slope_on():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with minitape.tensorflow.watch(), tf.GradientTape() as tape:
        rows = tf.RaggedTensor.from_tensor(v)
        y = tf.reduce_sum(tf.map_fn(tf.reduce_max, rows, fn_output_signature=tf.float32))
    assert tape.gradient(y, v) is not None
    assert minitape.tensorflow.explain(tape, y, v).healthy


def test_a_tape_that_nobody_watched():
    with tf.GradientTape() as tape:
        y = tf.Variable(2.0) * 2.0
    with pytest.raises(ValueError, match="was not watched"):
        minitape.tensorflow.explain(tape, y, y)


def test_the_tape_is_asked_after_the_block_in_both_languages():
    from minitape.sentences import set_language

    x = tf.Variable(2.0)
    with minitape.tensorflow.watch(), pytest.warns(Warning, match=r"takes h out of TensorFlow"):
        with tf.GradientTape() as tape:
            h = x * x
            y = tf.constant(np.sin(h)) * 2.0
        assert tape.gradient(y, x) is None
    e = minitape.tensorflow.explain(tape, y, x)
    assert e.category == "numpy-escape" and "y = tf.sin(h) * 2.0" in str(e)
    set_language("fr")
    try:
        assert "fait sortir h de TensorFlow" in minitape.tensorflow.explain(tape, y, x).message
    finally:
        set_language("en")


@pytest.mark.parametrize(
    ("line", "code", "output"),
    [
        ("y = tf.constant(np.sin(h)) * 2.0", 1, "takes h out of TensorFlow"),
        ("y = h * 2.0", 0, "nothing surprising"),
    ],
)
def test_a_script(tmp_path, line, code, output):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nimport tensorflow as tf\nw = tf.Variable(3.0)\nwith "
        "tf.GradientTape() as tape:\n"
        f"    h = w * 2.0\n    {line}\ng = tape.gradient(y, w)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", str(script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=200,
    )
    assert done.returncode == code and output in done.stdout, done


@pytest.mark.parametrize("way", ["model.predict(x, verbose=0)", "model.predict_on_batch(x)"])
def test_what_predict_answers_is_an_array(way, tmp_path):
    program = f"""import tensorflow as tf
model, x = tf.keras.Sequential([tf.keras.layers.Dense(1)]), np.ones((4, 2), "float32")
with tf.GradientTape() as tape:
    p = {way}
    loss = tf.reduce_mean((p - 1.0) ** 2)
"""
    path, names = tmp_path / "program.py", {"tf": tf, "np": np}
    path.write_text(program)
    linecache.checkcache(str(path))
    with minitape.tensorflow.watch() as look:
        exec(compile(program, str(path), "exec"), names)
    assert not look.trouble
    e = minitape.tensorflow.explain(names["tape"], names["loss"], names["model"].weights[0])
    assert (e.category, e.lineno, e.cure) == ("numpy-escape", 4, ["p = model(x)"]), e


COMPILED = """import tensorflow as tf
w = tf.Variable(2.0)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.round(w * x)
    return tape.gradient(loss, w)

def train():
    return step(tf.constant(1.0))

train()
"""


@pytest.mark.parametrize(
    ("options", "end", "code", "output"),
    [
        ([], "", 3, "Not looked at: what script.py, line 11 asks for."),
        ([], "1 / 0\n", None, "run_eagerly=True"),
        (["--open"], "", 1, "script.py, line 7"),
    ],
)
def test_a_script_that_compiles_its_step(options, end, code, output, tmp_path, monkeypatch, capsys):
    script = tmp_path / "script.py"
    script.write_text(COMPILED + end)
    monkeypatch.setattr(sys, "argv", ["minitape"])
    monkeypatch.setattr(sys, "path", list(sys.path))
    ended = 0
    try:
        main([*options, str(script)], minitape.recorders.watched_if_used)
    except SystemExit as error:
        ended = error.code
    except ZeroDivisionError:
        ended = None
    out = capsys.readouterr().out
    assert ended == code and output in out and "surprising" not in out, out
