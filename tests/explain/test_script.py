"""`python -m minitape explain script.py`: the first surprising gradient of a script is explained,
in the terminal.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minitape as tf
from minitape.explain import set_language
from minitape.explain.script import main
from tests.explain.programs import programs

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def explained(tmp_path, monkeypatch, capsys):
    """Runs a program as a script; returns its exit code and what it printed."""

    def run(code, *arguments):
        script = tmp_path / "script.py"
        script.write_text("import numpy as np\nimport minitape as tf\n" + code, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["minitape"])
        monkeypatch.setattr(sys, "path", list(sys.path))
        before = tf.GradientTape.gradient
        try:
            main([*arguments, str(script)])
            ended = 0
        except SystemExit as end:
            ended = end.code
        finally:
            set_language("en")
        assert tf.GradientTape.gradient is before
        return ended, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    "program", [p for p in programs("healthy") if ".gradient(" in p.code], ids=lambda p: p.name
)
def test_a_healthy_script_runs_to_its_end(program, explained):
    code, output = explained(
        re.sub(r"^e = .*$", "", program.code.replace("#: cell\n", "\n"), flags=re.M)
    )
    assert code == 0 and "nothing surprising" in output, output


@pytest.mark.parametrize(
    "name",
    [
        "real_programs/keras-numpy",
        "numpy_escapes/two-functions-away",
        "outside/loss-after",
        "replaced/training-loop",
        "found_wrong/stretched, asked after gradient",
    ],
)
def test_the_first_surprise_ends_it(name, explained):
    program = next(p for p in programs() if p.name == name)
    code, output = explained(program.code.replace("#: cell\n", "\n") + "print('too far')\n")
    line = next(
        k
        for k, text in enumerate(program.code.replace("#: cell\n", "\n").split("\n"), 3)
        if text.endswith("# <-")
    )
    assert code == 1 and f"script.py, line {line}\n" in output and "too far" not in output, output


NORMALISED = """model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
x, t = tf.random.normal([8, 4], seed=1), tf.random.normal([8, 1], seed=2)
for step in range(3):
    with tf.GradientTape() as tape:
        pred = model(x, training=True)
        loss = tf.reduce_mean((pred - t) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
"""


def test_the_plays_of_a_compiled_function_are_not_the_learners(explained):
    code, said = explained(
        """keys = tf.Variable([[0.1, 0.2], [0.3, 0.1]])
@tf.function
def attend(values):
    scores = tf.linalg.matvec(keys, tf.constant([1.0, -0.5]))
    return tf.reduce_sum(tf.one_hot(tf.argmax(scores), 2) * values)
with tf.GradientTape() as tape:
    loss = attend(tf.constant([1.0, 2.0])) ** 2
print(tape.gradient(loss, keys))
"""
    )
    assert code == 1 and "The gradient of loss with respect to keys is None" in said, said


def test_a_bias_before_a_normalisation_is_no_surprise_but_told_at_the_end(explained):
    code, output = explained(NORMALISED)
    first, last = output.strip().split("\n")
    assert code == 0 and "nothing surprising" in first
    said = (
        r"The gradient of loss with respect to \S*bias is zero but for rounding \(script\.py, "
        r"line 7\)\. This is usual for"
    )
    assert re.match(said, last), output


MAY_BE_RIGHT = {
    "a bias before a difference": """critic = tf.keras.layers.Dense(1)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(tf.ones([4, 2]))) - tf.reduce_mean(critic(tf.zeros([4, 2])))
    tape.gradient(loss, critic.trainable_variables)
""",
    "an offset in a pairwise margin": """w, b = tf.Variable([[0.3], [0.2]]), tf.Variable(0.1)
def score(x):
    return x @ w + b
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.math.softplus(score(tf.zeros([3, 2])) - score(tf.ones([3, 2]))))
tape.gradient(loss, [w, b])
""",
    "a penalty at its minimum": """w, scale = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w ** 2) + 0.1 * scale ** 2
tape.gradient(loss, {"w": w, "scale": scale})
""",
    "an absolute value that begins at 0": """w, shift = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w ** 2) + 0.1 * tf.abs(shift)
tape.gradient(loss, [w, shift])
""",
}


@pytest.mark.parametrize("kind", MAY_BE_RIGHT)
def test_what_may_be_right_is_told_at_the_end_and_what_is_certain_ends_it(kind, explained):
    code, output = explained(MAY_BE_RIGHT[kind])
    assert code == 0 and "nothing surprising" in output and "is zero (script.py" in output, output
    code, output = explained(f"{MAY_BE_RIGHT[kind]}{NONE}tape.gradient(y, w)\n")
    assert code == 1 and "is None" in output and "usual" not in output, output


def test_a_zero_that_was_asked_for_is_not_told_again(explained):
    slope = """a, b, x = tf.Variable(2.0), tf.Variable(1.0), tf.constant([1.0, 2.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = a * x * x + b
    loss = tf.reduce_sum(inner.gradient(y, x) ** 2)
outer.gradient(loss, [a, b]{})
"""
    code, output = explained(slope.format(""))
    assert code == 1 and "drops out of a slope" in output, output
    for zeros in ('"zero"', "tf.UnconnectedGradients.ZERO"):
        code, output = explained(slope.format(f", unconnected_gradients={zeros}"))
        assert code == 0 and "nothing surprising" in output, output


ACTOR = """w, v = tf.Variable([0.3, -0.2]), tf.Variable([0.1, 0.4])
state, logs, values = tf.constant([1.0, 2.0]), [], []
with tf.GradientTape() as tape:
    for step in range(3):
        log_p, value = tf.nn.log_softmax(w * state), tf.reduce_sum(v * state)
        share = tf.exp(log_p).numpy().astype("float64")
        drawn = np.random.choice([1, 2], p=share / share.sum())
        logs.append(log_p[drawn - 1])
        values.append(value)
        state = tf.constant([float(drawn), 1.0])
    loss = tf.add_n([(u - 1.0) ** 2 for u in values])
    for p, u in zip(logs, values):
        loss += -p * (1.0 - u.numpy())
tape.gradient(loss, [w, v])
"""


def test_a_number_that_weighs_what_has_a_way_of_its_own_is_asked_about(explained):
    """As an advantage does; what is drawn with a probability has no slope in any case."""
    code, output = explained(ACTOR)
    assert code == 0 and "nothing surprising" in output and "u.numpy()" in output, output
    assert "share" not in output
    own = ACTOR.replace("-p * (1.0 - u.numpy())", "u * np.sin(u)")
    code, output = explained(own)
    assert code == 1 and "np.sin(u)" in output and "nothing surprising" not in output, output


def test_what_one_came_for_is_told_instead_of_that_zero(explained):
    code, output = explained(NORMALISED + NORMALISED.replace("pred - t", "pred.numpy() - t"))
    assert (
        code == 1
        and "The 6 gradients of loss" in output
        and "line 15" in output
        and "usual" not in output
    ), output
    # from the second step on
    code, output = explained(
        NORMALISED.replace("(pred - t) ** 2", "tf.sqrt(pred - pred[0] + 1.0 - step)")
    )
    assert code == 1 and "NaN" in output and "line 8" in output, output


def test_a_zero_that_was_asked_for_alone_is_explained(explained):
    code, output = explained(
        NORMALISED.replace("loss, model.trainable_variables", "loss, model.layers[0].bias")
    )
    assert code == 1 and "bias is zero but for rounding" in output, output


def test_a_later_round_of_a_loop_and_what_gradient_refuses(explained):
    code, output = explained(
        "w = tf.Variable(2.0)\nfor k in range(3):\n    with tf.GradientTape() as tape:\n"
        "        loss = tf.sqrt(w - k)\n    tape.gradient(loss, w)\n"
    )
    assert code == 1 and "infinite" in output and "line 6" in output, output
    code, output = explained(
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    loss = np.mean(w * w)\n"
        "tape.gradient(loss, w)\n"
    )
    assert (
        code == 1
        and "`np.mean(w * w)` takes w * w out of minitape, and loss stays outside" in output
    )


def test_without_a_gradient_and_in_french(explained):
    asked = (
        "Does it say `import minitape as tf`, `import tensorflow as tf`, `import torch` or "
        "`import jax`, and call `tape.gradient`, `backward` or `jax.grad`?"
    )
    assert asked in explained("print(1)\n")[1]
    code, output = explained(
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = tf.round(w)\n"
        "tape.gradient(y, w)\n",
        "--language",
        "fr",
    )
    assert code == 1 and "Le gradient de y par rapport à w est None." in output


def test_from_the_command_line(tmp_path):
    (tmp_path / "helper.py").write_text("half = 0.5\n")
    (tmp_path / "script.py").write_text(
        "import sys\nimport minitape as tf\nfrom helper import half\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.constant(float(w)) * half\n"
        "print(sys.argv[1:])\ntape.gradient(y, w)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", "script.py", "a", "-b"],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1 and done.stdout.startswith(
        "['a', '-b']\n\nThe gradient of y with respect to w is None.\n"
    ), done
    assert not done.stderr


NONE = (
    "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = tf.constant(float(w)) * 2.0\n"
)
HOSTILE = {
    "__getattr__": "class Hostile:\n    def __getattr__(self, name):\n        raise "
    "RuntimeError(name)\n",
    "__getattribute__": "class Hostile:\n    def __getattribute__(self, name):\n        raise "
    "RuntimeError(name)\n",
    "__class__": "class Hostile:\n    @property\n    def __class__(self):\n        raise "
    "RuntimeError\n",
    "__dict__": "class Hostile:\n    @property\n    def __dict__(self):\n        raise "
    "RuntimeError\n",
    "__eq__ and __bool__": "class Hostile:\n    __hash__ = None\n    def __eq__(self, other):\n"
    "        raise RuntimeError\n"
    "    def __bool__(self):\n        raise RuntimeError\n",
    "list": "class Hostile(list):\n    def __iter__(self):\n        raise RuntimeError\n    "
    "__getitem__ = __len__ = __iter__\n",
    "dict": "class Hostile(dict):\n    def items(self):\n        raise RuntimeError\n    "
    "__iter__ = __len__ = get = items\n",
    "metaclass": "class Kind(type):\n    def __getattribute__(cls, name):\n        raise "
    "RuntimeError(name)\n"
    "class Hostile(metaclass=Kind):\n    pass\n",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_an_object_in_scope_runs_no_line_of_its_class(kind, explained):
    code, output = explained(
        f"{HOSTILE[kind]}h = Hostile()\nbox = [h]\ntable = {{'h': h}}\n{NONE}tape.gradient(y, w)\n"
    )
    assert code == 1 and "`float(w)`" in output, output


@pytest.mark.system("threads")
def test_a_none_in_another_thread_counts(explained):
    asked = (
        f"import threading\n{NONE}t = threading.Thread(target=lambda: tape.gradient(y, w))\n"
        "t.start()\n"
    )
    for code, output in (explained(asked), explained(asked + "t.join()\nprint('ran on')\n")):
        assert (
            code == 1
            and output.count("The gradient of y with respect to w is None.") == 1
            and "surprising" not in output
        ), output


@pytest.mark.parametrize(
    "around",
    [
        "with contextlib.redirect_stdout(io.StringIO()):",
        "try:",
        "with contextlib.suppress(SystemExit):",
    ],
)
def test_neither_a_redirected_output_nor_a_swallowed_end_hides_an_answer(around, explained):
    rest = "except BaseException:\n    pass\n" if around == "try:" else ""
    code, output = explained(
        f"import contextlib, io\n{NONE}{around}\n    tape.gradient(y, w)\n{rest}"
    )
    assert code == 1 and "The gradient of y with respect to w is None." in output, output


@pytest.mark.parametrize(
    ("language", "output"),
    [
        (
            "en",
            "Not looked at: 2 gradients that script.py, line 8 asks for. The explainer failed "
            "there (ZeroDivisionError)",
        ),
        (
            "fr",
            "Non regardé : 2 gradients que demande script.py, ligne 8. L'explication y a échoué "
            "(ZeroDivisionError)",
        ),
    ],
)
@pytest.mark.parametrize("end", ["", "import sys; sys.exit()\n"])
def test_where_the_explainer_fails_it_does_not_say_that_all_is_well(
    end, language, output, explained, monkeypatch
):
    from minitape.explain import script

    explain_at = script.explain_at
    monkeypatch.setattr(
        script,
        "explain_at",
        lambda frame, *rest, **more: (
            1 / 0 if frame.f_lineno == 8 else explain_at(frame, *rest, **more)
        ),
    )
    healthy = (
        "w = tf.Variable(2.0)\nfor k in range(2):\n    with "
        "tf.GradientTape(persistent=True) as tape:\n        y = w * w\n{}"
    )
    asked = healthy.format("    tape.gradient(y, w)\n    tape.gradient(y, w)\n") + end
    code, said = explained(asked, "--language", language)
    other = "The 2 other gradients of" if language == "en" else "Les 2 autres gradients de"
    assert code == 3 and output in said.replace("\xa0", " ") and other in said, said
    code, said = explained(
        healthy.format("\n    tape.gradient(y, w)\n") + end, "--language", language
    )
    assert (
        code == 3
        and output in said.replace("\xa0", " ")
        and "surprising" not in said
        and "étonnant" not in said
    ), said


def test_a_script_that_ends_itself_is_summed_up(explained):
    healthy = (
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = w * w\n"
        "tape.gradient(y, w)\nimport sys\n"
    )
    code, output = explained(healthy + "sys.exit(0)\n")
    assert code == 0 and "nothing surprising" in output, output
    code, output = explained(healthy + "sys.exit(7)\n")
    assert code == 7 and "surprising" not in output, output


def test_a_cure_that_is_tried_is_not_itself_explained(explained):
    code, output = explained(
        "x = tf.Variable([[1.0, 2.0, 5.0]])\nwith tf.GradientTape() as tape:\n"
        "    place = tf.argmax(x, axis=1)\n    row = place // 2\n"
        "    y = tf.reduce_sum(tf.cast(row, tf.float32) ** 2)\ntape.gradient(y, x)\n"
    )
    assert code == 1 and "script.py, line 5" in output and "<string>" not in output, output
