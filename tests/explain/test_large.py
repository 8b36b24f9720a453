"""Large programs: what is read and called is counted, so that no test hangs on a clock; formulas of
any depth; the warning's patience.
"""

import sys
import threading
import time

import numpy as np
import pytest

import minitape as tf
from minitape.explain import for_tapes
from minitape.program.files import file_of
from minitape.sentences import speaking
from tests.explain.large import CAUSES, HEAD, PARTS, formula_of, run, text_of


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    monkeypatch.setattr(for_tapes, "PATIENCE", None)


def calls_in(f):
    """Returns how many functions are called in a call, Python's own among them."""
    count = 0

    def heard(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(heard)
    try:
        f()
    finally:
        sys.setprofile(None)
    return count


def named(tmp_path, part, lines, cause):
    return str(tmp_path / f"{part}_{lines}_{cause}.py")


def counted(tmp_path, part, lines, cause):
    """Returns the calls of the whole program with its warning, and of a further question."""
    found, name = [], named(tmp_path, part, lines, cause)
    first = calls_in(lambda: found.append(run(text_of(part, lines, cause), name)))
    names, message = found[0]
    assert "loss with respect to w is None" in message
    assert (".py, line 8)" in message) is (part == "stages" and cause != "numpy-escape"), message
    return first, calls_in(names["ask"])


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("part", PARTS)
def test_the_work_grows_with_the_text_and_no_faster(part, cause, tmp_path):
    small, large = [counted(tmp_path, part, lines, cause) for lines in (300, 1200)]
    assert large[0] < 6 * small[0] + 20_000 and large[1] < 6 * small[1], (small, large)
    assert large[0] < 500 * 1200, large


@pytest.mark.parametrize("part", PARTS)
def test_only_what_the_question_reaches_is_read(part, tmp_path, monkeypatch):
    """A value that leaves and comes back in the block: of many functions, those are read that the
    block calls.
    """
    # a cure looks through the whole text
    monkeypatch.setattr(
        sys.modules["minitape.explain.answer"], "cure", lambda *question: {"cure": []}
    )
    name = named(tmp_path, part, 4000, "numpy-escape")
    _, message = run(text_of(part, 4000, "numpy-escape"), name)
    assert "`np.square(y)` takes y out" in message
    assert (
        len(file_of(name)._rows)
        < {"functions": 20, "stages": 40, "layers": 500, "lines": 20}[part]
        < len(file_of(name)._parts)
    )


LOOPS = {  # {what comes before the loop: what stands in it}, where y does not depend on x
    "float": ("", "y = y * float(x)"),
    "numpy": ("", "y = y + np.sin(x.numpy())"),
    "list": ("left = []", "left.append(x.numpy()); y = y + left[-1]"),
    "assign": ("v = tf.Variable(1.0)", "v.assign(v * 0.99); y = y + 1.0"),
    "stopped": ("", "with tape.stop_recording(): z = x * 2.0\n        y = y + z"),
    "layers": ("layers = [tf.keras.layers.Dense(1) for _ in range({n})]", "w = layers[k](w)"),
    "variables": ("others = [tf.Variable(0.1) for _ in range({n})]", "y = y + others[k]"),
    "watched": ("", "c = tf.constant(1.0); tape.watch(c); y = y + c"),
    "round": ("", "y = y + tf.round(x)"),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_the_work_grows_with_the_rounds_of_a_loop_and_no_faster(loop, tmp_path):
    before, body = LOOPS[loop]
    text = f"""x, w, y = tf.Variable(0.5), tf.ones((1, 1)), tf.Variable(1.0)
{before}
with tf.GradientTape(persistent=True) as tape:
    for k in range({{n}}):
        {body}
    y = y + tf.reduce_sum(w)
"""

    def calls(n):
        names, path = {"tf": tf, "np": np}, tmp_path / f"{n}.py"
        path.write_text(text.replace("{n}", str(n)))
        exec(compile(path.read_text(), path, "exec"), names)
        return calls_in(lambda: names["tape"].explain(names["y"], names["x"]))

    calls(10)  # what is loaded at first
    small, large = calls(200), calls(800)
    assert large < 5 * small + 20_000, (small, large)


def test_beside_a_million_objects():
    class Thing:
        def __init__(self):
            self.value = 1

    scope = {
        "things": [Thing() for _ in range(1000)] * 1000,
        "table": {k: (k,) for k in range(200_000)},
        **{f"name_{k}": k for k in range(20_000)},
    }
    text = HEAD + CAUSES["numpy-escape"].replace("START", "v") + "grad = tape.gradient(loss, w)\n"
    found = []
    count = calls_in(lambda: found.append(run(text, "<beside>", scope)))
    # of the names, not of the objects
    assert "takes y out" in found[0][1] and count < 30 * 20_000, count


DEEP = {
    "sum": "+".join(["y"] * 400),
    "power": "**".join(["y"] * 400),
    "minus": "-" * 400 + "y",
    "choice": "y if flag > 0 else " * 400 + "y",
    "methods": "box" + ".given(y)" * 400 + ".kept",
    "elements": "[y]" + "[0:1]" * 400 + "[0]",
    "lambdas": "(" + "lambda: " * 400 + "y)" + "()" * 400,
}
BOX = (
    "class Box:\n    def given(self, y):\n        self.kept = y\n        return self\nbox = Box()\n"
)


@pytest.mark.parametrize("shape", DEEP)
@pytest.mark.parametrize("lost", [True, False])
def test_a_deep_formula_is_explained(shape, lost):
    made = "tf.constant(float(w)) * v" if lost else "v * 2.0"
    text = (
        HEAD
        + BOX
        + f"with tf.GradientTape() as tape:\n    y = {made}\n    loss = {DEEP[shape]} * 1.0\n"
        "grad = tape.gradient(loss, w)\n"
    )
    names, message = run(text, f"<deep {shape} {lost}>")
    assert (
        "`float(w)` makes a plain Python number of w" if lost else "loss is computed without w"
    ) in message, message
    found = []
    count = calls_in(lambda: found.append(names["tape"].explain(names["loss"], names["w"])))
    category = "python-escape" if lost else "not-used"
    assert found[0].category == category and len(str(found[0])) < 40_000
    assert count < 2_000_000, count  # each depth is not walked again


@pytest.mark.parametrize("shape", DEEP)
def test_a_deep_formula_that_is_healthy_is_looked_at(shape):
    text = (
        HEAD
        + BOX
        + f"with tf.GradientTape() as tape:\n    y = w * v\n    loss = {DEEP[shape]} * 1.0\n"
    )
    names, _ = run(text, f"<deep {shape} healthy>")
    assert names["tape"].explain(names["loss"], names["w"]).category == (
        "inf-forward" if shape == "power" else "healthy"
    )


@pytest.mark.parametrize("terms", [2900, 20_000])
def test_a_formula_as_long_as_python_takes_it(terms):
    """With room enough on its stack Python itself reads 20,000 terms: 3.11 and 3.14 do."""
    found, before = [], sys.getrecursionlimit()

    def ask():
        sys.setrecursionlimit(max(before, 10 * terms))
        try:
            compile(formula_of(terms), "<formula>", "exec")
        except RecursionError:
            found.append(None)
        else:
            found.append(run(formula_of(terms), f"<{terms} terms>")[1])
        finally:
            sys.setrecursionlimit(before)

    size = threading.stack_size(1 << 29)
    try:
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    if found == [None]:
        pytest.skip("this Python itself reads fewer terms: 3.12 and 3.13 have a limit of their own")
    assert "`float(w)` makes a plain Python number of w" in found[0]


@pytest.mark.parametrize(
    ("language", "late"),
    [
        (
            "en",
            "The 2 gradients of y with respect to a and b are None. The reason takes "
            "more than half a second to find: tape.explain(y, [a, b]) looks for it.",
        ),
        (
            "fr",
            "Les 2 gradients de y par rapport à a et b sont None. Il faut plus d'une "
            "demi-seconde "
            "pour en trouver la raison : tape.explain(y, [a, b]) la cherche.",
        ),
    ],
)
def test_the_warning_waits_half_a_second_and_says_what_it_knows(language, late, monkeypatch):
    text = (
        HEAD + "a, b = w, v\nwith tf.GradientTape() as tape:\n    y = tf.Variable(1.0) * 2.0\n"
        "tape.gradient(y, [a, b])\n"
    )
    monkeypatch.setattr(for_tapes, "PATIENCE", 0.0)
    with speaking(language):
        names, message = run(text, f"<patience {language}>")
    assert message.replace("\xa0", " ") == late
    assert names["tape"].explain(names["y"], names["a"]).category == "not-used"


def test_what_was_found_in_time_is_said(monkeypatch):
    from minitape import explain
    from minitape.program.files import OutOfTime

    answer = explain.answer

    def slow(case, *rest):
        if case.index:
            raise OutOfTime
        return answer(case, *rest)

    monkeypatch.setattr(explain, "answer", slow)
    text = (
        HEAD
        + "with tf.GradientTape() as tape:\n    y = tf.Variable(1.0) * 2.0\ntape.gradient(y, [w, "
        "v])\n"
    )
    _, message = run(text, "<some in time>")
    assert (
        "y is computed without w." in message
        and "The gradient of y with respect to v is None. The reason takes" in message
    )
    assert message.endswith("tape.explain(y, [w, v]) looks for it.")


@pytest.mark.system("a clock of the processor's time")
def test_what_else_the_machine_does_is_not_counted(monkeypatch):
    from minitape import explain

    answer = explain.answer

    def late(*question):
        time.sleep(0.5)  # as while another process has its turn
        return answer(*question)

    monkeypatch.setattr(explain, "answer", late)
    monkeypatch.setattr(for_tapes, "PATIENCE", 0.4)
    text = HEAD + CAUSES["numpy-escape"].replace("START", "v") + "tape.gradient(loss, w)\n"
    assert "takes y out" in run(text, "<a busy machine>")[1]
