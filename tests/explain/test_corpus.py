"""Learners' programs: each surprise is explained with the right category at the right line; healthy
programs raise no alarm.
"""

import linecache
import re
import sys
import warnings

import numpy as np
import pytest

import minitape as tf
from minitape import explain
from tests.explain.programs import Program, as_cells, as_file, guilty, programs, traced

pytestmark = pytest.mark.filterwarnings("ignore")
# the two differ in what keeps the text, and in a browser it is kept as anywhere
WAYS = [as_cells] if sys.platform == "emscripten" else [as_file, as_cells]


@pytest.mark.parametrize("how", WAYS, ids=lambda how: how.__name__[3:])
@pytest.mark.parametrize("program", programs(), ids=lambda p: p.name)
def test_blames_the_mistake(program, how, tmp_path):
    names, texts = how(program, tmp_path)
    e = names["e"]
    assert e.category == program.category, f"\n{program.code}\n{e}"
    assert (e.filename, e.lineno) == guilty(texts), f"\n{program.code}\n{e}"
    assert str(e) and e._repr_html_()
    assert "…" not in e.message + e.fix, e


@pytest.mark.parametrize("how", WAYS, ids=lambda how: how.__name__[3:])
@pytest.mark.parametrize("program", programs("healthy"), ids=lambda p: p.name)
def test_no_false_alarm(program, how, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names, _ = how(program, tmp_path)
    assert names["e"].healthy, f"\n{program.code}\n{names['e']}"


@pytest.mark.parametrize(
    "program",
    [t for p in programs("healthy") if (t := traced(p)) is not None],
    ids=lambda p: p.name,
)
def test_no_false_alarm_where_functions_are_traced(program, tmp_path):
    assert as_file(program, tmp_path)[0]["e"].healthy, f"\n{program.code}"


TRACED = [t for p in programs() if (t := traced(p)) is not None]
# what a trace changes: it runs Python once, so a watch, a float or a state in Python is another
# program's
OTHERWISE = {
    "carried/a memory in the model, across training steps",
    "carried/carried by a dictionary",
    "connections/the branch of a model whose result is thrown away",  # not traced at all
    "connections/wrapped-in-a-function",
    "more_real_programs/try except hides a conversion",
    "more_real_programs/watch inside of the function after use",
    "python_escapes/keyword-argument",
    "watching/late-in-a-function",
}


@pytest.mark.parametrize(
    "program", [t for t in TRACED if t.name not in OTHERWISE], ids=lambda p: p.name
)
def test_a_traced_function_is_looked_into(program, tmp_path):
    original = next(p for p in programs() if p.name == program.name)
    marked = (
        next(line for line in original.code.splitlines() if line.rstrip().endswith("# <-"))
        .partition("#")[0]
        .strip()
    )
    try:
        names, texts = as_file(program, tmp_path)
    # tf.function itself refuses it, and says why
    except (NotImplementedError, TypeError, ValueError, LookupError) as error:
        assert re.search(
            r"\(line \d+: |only supports singleton tf\.Variables|gradient registry has no entry",
            str(error),
        )
        return
    e = names["e"]
    line = texts[e.filename].splitlines()[e.lineno - 1]
    bare = str.maketrans("", "", """ "'()""")
    assert e.category == program.category and (
        marked.translate(bare).rstrip(",") in line.translate(bare)
    ), f"\n{program.code}\n{e}"


def test_most_programs_that_can_be_traced_are_explained_as_they_are_untraced():
    assert len(OTHERWISE) <= 8 and len(TRACED) >= 75


def test_what_a_traced_function_gives_is_said_as_it_is():
    @tf.function
    def both(v):
        u = v * 10.0
        return tf.round(u), u

    v = tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y, _ = both(v)
    e = tape.explain(y, v)
    assert (e.category, e.code) == ("piecewise-constant", "tf.round(u)")
    assert tape.gradient(y, v) == 0.0 and "is zero" in e.answer, e.answer


@pytest.mark.parametrize("instead", ["1.0", "tf.sqrt(tf.constant(4.0))"])
@pytest.mark.parametrize("made", ["", "@tf.function\n"])
def test_what_left_no_trace_in_a_try_was_left_by_an_exception(made, instead, tmp_path):
    """Where the `except` leaves none either, as in a function whose trace is a constant, it is said
    to be likely.
    """
    code = f"""x = tf.Variable(2.0)
{made}def step(v):
    try:
        u = {{}}["scale"] * v
    except KeyError:
        u = {instead}
    return tf.constant(1.0) * u
with tf.GradientTape() as tape:
    y = step(x)
e = tape.explain(y, x)
"""
    e = as_file(Program("swallowed", "", code), tmp_path)[0]["e"]
    assert (e.category, e.code) == (
        "branch-not-taken",
        "KeyError",
    ) and "left by an exception" in e.message, e
    assert e.certain is (not made and instead != "1.0"), e


def test_the_corpus_is_large():
    assert len(programs()) >= 300
    assert len(programs("healthy")) >= 90


def test_without_text_the_line_is_still_known():
    code = (
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    c = float(x)\n    y = "
        "tf.constant(c) * 2.0\n"
    )
    names = {"tf": tf}
    exec(
        compile(code + "tape.gradient(y, x)\ne = tape.explain(y, x)\n", "<no such text>", "exec"),
        names,
    )
    e = names["e"]
    assert (e.category, e.lineno, e.certain) == ("python-escape", 3, False) and "line 3" in str(e)


@pytest.mark.parametrize(
    "body, said",
    [
        (
            "y = tf.constant(float(x)) * 2.0",
            "Line 2 of <string> makes a plain Python number of x. A Python number has no "
            "history. It "
            "comes back in line 2 of <string> as a constant.",
        ),
        ("y = tf.round(x)", "Line 2 of <string> (Round) answers in steps"),
        ("y = tf.stop_gradient(x)", "Line 2 of <string> lets the value pass"),
    ],
)
def test_code_without_text_is_named_by_its_line_and_never_quoted_empty(body, said, monkeypatch):
    # as Python 3.13 keeps the text of `python -c`
    monkeypatch.setitem(linecache.cache, "<string>", (9, None, ["a = 1\n"] * 3, "<string>"))
    names = {"tf": tf, "x": tf.Variable(2.0)}
    exec(f"with tf.GradientTape() as tape:\n    {body}\ne = tape.explain(y, x)", names)
    e = names["e"]
    assert (
        said in e.message and e.lineno == 2 and "``" not in str(e) and "<pre" not in e._repr_html_()
    ), e


@pytest.mark.long
def test_every_program_without_text_has_an_answer():
    """As in code that was put together at run time: less is known, and nothing raises."""
    for program in [*programs(), *programs("healthy"), *programs("several")]:
        names = {"tf": tf, "np": np, "__name__": "__main__"}
        for cell in program.code.split("#: cell\n"):
            exec(compile(cell, "<no such text>", "exec"), names)
        assert str(names["e"]) and names["e"]._repr_html_()


@pytest.mark.parametrize("text", [True, False])
def test_a_variable_that_is_listed_twice_is_named_once(text, tmp_path):
    code = """x, n = tf.Variable(2.0), tf.Variable(3)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
e, none = tape.explain(y, [x, x]), tape.explain(y, [n, n])
xs = [x, x]
"""
    names = {"tf": tf}
    if text:
        names, _ = as_file(Program("twice", "", code), tmp_path)
    else:
        exec(compile(code, "<no such text>", "exec"), names)
    e, none = names["e"], names["none"]
    assert (e[0].category, e.groups[0].lineno) == ("same-object", 4 if text else None) and e[
        0
    ] is e[1]
    assert "x stands in the list of sources 2 times" in str(e)
    assert str(none).startswith(
        "The gradient of y with respect to n is None."
    ) and "n has the dtype int32" in str(none)


@pytest.mark.parametrize(
    "language, said",
    [("en", "The source has the dtype int32"), ("fr", "La source a le dtype int32")],
)
def test_what_has_no_name_is_spoken_of_in_the_language(language, said):
    with tf.GradientTape() as tape:
        y = tf.constant(2.0) * 2.0
    explain.set_language(language)
    try:
        e = explain.explain_from(({},), None, tape, y, tf.constant(3), only=[0])[0]
        assert said in str(e), e
    finally:
        explain.set_language("en")


@pytest.mark.parametrize(
    "language, said", [("en", "the shapes (2, 1) and (2,)"), ("fr", "les formes (2, 1) et (2,)")]
)
def test_two_shapes_are_joined_in_the_language(language, said):
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * tf.constant([[1.0], [2.0]]) - tf.constant([2.0, 4.0])) ** 2)
    explain.set_language(language)
    try:
        assert said in str(tape.explain(loss, w))
    finally:
        explain.set_language("en")


def test_an_element_is_called_as_the_loop_calls_it():
    names, _ = as_cells(
        next(p for p in programs("python_escapes") if "comprehension over a variable" in p.name),
        None,
    )
    assert "`float(v)` makes a plain Python number of v." in names["e"].message


def test_what_is_not_proved_is_not_claimed():
    names, _ = as_cells(next(p for p in programs("unsure") if "two-values" in p.name), None)
    assert not names["e"].certain and [s.category for s in names["e"].suspects] == [
        "python-escape",
        "numpy-escape",
    ]


def test_text_is_escaped_in_html():
    code = (
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    s = '<script>' * int(x); "
        "y = tf.constant(1.0) * len(s) * int(x)\n"
    )
    names, _ = as_cells(Program("html", "", code + "e = tape.explain(y, x)\n"), None)
    shown = names["e"]._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown


@pytest.mark.parametrize(
    "made, at, said, unsaid",
    [
        (tf.abs, 0.0, "kink", "does not change its result"),
        (lambda x: (x - 3.0) ** 2, 3.0, "may be right", "Move the input"),
        (tf.math.log, 0.0, "logarithm of 0", "too large"),
        (lambda x: x**0, 0.0, "no finite slope", "square root"),
        (lambda x: tf.sqrt(x * x), 0.0, "1e-12 before the square root", "flat"),
        (tf.sign, 2.0, "tanh for sign", "Move the input"),
        (tf.exp, 100.0, "too large", "logarithm of 0"),
    ],
)
def test_the_words_are_true_of_this_operation(made, at, said, unsaid):
    x = tf.Variable(at)
    with tf.GradientTape() as tape:
        y = made(x)
    e = tape.explain(y, x)
    text = e.message + e.fix
    assert said in text and unsaid not in text, text


@pytest.mark.parametrize(
    "name, said",
    [
        (
            "rebinding by list comprehension",
            "it makes new tensors and puts them into params. From then on params holds plain "
            "tensors",
        ),
        ("filling a numpy array", "`out[k] = w * k` writes w * k into a NumPy array"),
        ("string formatting as rounding", "writes w * 2.0 as text. A text has no history"),
        ("name reused for a constant", "y was computed from the earlier one (line 1)"),
        ("exploding recurrence", "29 times on this tape, together by a factor of 6.86e+13"),
        ("early return", "The gradient of loss with respect to w is None.\n"),
        ("early return", "`step < 10` was True here, so the branch with `w` (line 4) did not run"),
        (
            "stop recording around",
            "`helper(w)` ran while the recording was stopped (stop_recording in line 6)",
        ),
    ],
)
def test_the_sentence_is_exact(name, said):
    names, _ = as_cells(next(p for p in programs("more_real_programs") if name in p.name), None)
    assert said in str(names["e"])


@pytest.mark.parametrize(
    "name, said, cures",
    [
        (
            "computed in a constructor",
            "Keep model.w itself there, and compute this inside of the `with` block",
            0,
        ),
        ("the later tape asked", "Ask the tape that knows it: `first.gradient(y, x)`.", 0),
        ("the first tape asked", "Ask the tape that knows it: `second.gradient(z, x)`.", 0),
        ("a penalty before", "is not complete", 2),
    ],
)
def test_the_way_out_fits_the_program(name, said, cures):
    names, _ = as_cells(next(p for p in programs("outside") if name in p.name), None)
    assert said in str(names["e"]) and len(names["e"].cure) == cures


@pytest.mark.parametrize(
    "file, name, said, cures",
    [
        ("piecewise", "one's own", 'ask with `unconnected_gradients="zero"`', 0),
        (
            "piecewise",
            "among the first two",
            "such as a cross-entropy of `tf.keras.losses`, and count only to report",
            0,
        ),
        ("piecewise", "bits there", "reads the bits of a number", 0),
        (
            "real_programs",
            "keras-unused-layer",
            "`self.b(x)` (line 8) computes with net.b.kernel, but what it gives gets no name",
            0,
        ),
        ("connections", "guide-unconnected", "What goes into z is y.", 0),
        ("connections", "used-elsewhere", "The way from w ends in `w * w`", 0),
        (
            "more_real_programs",
            "came in just before",
            "There it leaves minitape, and nothing of it comes back",
            0,
        ),
        (
            "branches",
            "in the block is swallowed",
            "stands in a `try` that was left by an exception",
            0,
        ),
        (
            "threads",
            "a pool maps a function",
            "A tape records only the thread that its block runs in",
            1,
        ),
    ],
)
def test_no_line_is_offered_that_would_give_another_number(file, name, said, cures):
    names, _ = as_cells(next(p for p in programs(file) if name in p.name), None)
    assert said in str(names["e"]) and len(names["e"].cure) == cures, str(names["e"])


def test_a_value_comes_back_where_it_does_and_not_where_a_list_joins_it():
    names, _ = as_cells(
        next(
            p for p in programs("numpy_escapes") if "multiplied with a list further down" in p.name
        ),
        None,
    )
    assert "comes back in `tf.one_hot(k, 4)` (line 4)" in names["e"].message


def test_what_left_and_cannot_be_followed_is_not_called_unused():
    names, _ = as_cells(next(p for p in programs("unsure") if "two-values" in p.name), None)
    e = names["e"]
    assert (
        "a value computed from it left minitape" in e.message
        and "leave it out of the sources" not in e.fix
        and not e.certain
    )


def test_the_path_goes_over_the_values_that_are_known(tmp_path):
    program = next(p for p in programs() if p.name == "outside/after")
    assert "Path: x → y ✂ z" in str(as_file(program, tmp_path)[0]["e"])


@pytest.mark.parametrize(
    "name, path",
    [
        ("an array and a bias", "Path: w → h ✂ h.numpy() … h.numpy() + b → out"),
        ("that is built in the block", "Path: l1.kernel → h ✂ h.numpy() … l2(h.numpy()) → out →"),
        (
            "joined to a state, in a call",
            "a ✂ a.numpy() … tf.concat([s, a.numpy()], 1) → tf.concat",
        ),
        ("out into NumPy twice", "tf.constant(h) → g → g * 2.0 → tf.reduce_sum(g * 2.0) → tf."),
    ],
)
def test_the_path_goes_through_what_carries_the_value(name, path):
    names, _ = as_cells(next(p for p in programs("reports") if name in p.name), None)
    assert path in str(names["e"]) and "bias" not in str(names["e"])


@pytest.mark.parametrize(
    "name, second",
    [
        ("two cuts on one way", "tf.round(h)"),
        ("out into NumPy twice", "tf.reduce_sum(g * 2.0).numpy()"),
        ("two stop_gradients", "tf.stop_gradient(g)"),
        ("rounded, then cast", "tf.cast(h, tf.int32)"),
    ],
)
def test_a_second_cut_on_the_way_is_named_at_once(name, second):
    names, _ = as_cells(next(p for p in programs("reports") if name in p.name), None)
    e = names["e"]
    assert [s.code for s in e.suspects] == [second]
    assert "Also on this way:" in str(e) and "Also on this way:" in e._repr_html_()


@pytest.mark.parametrize("program", [p for p in programs("reports") if "codebook" in p.name])
def test_a_codebook_gets_a_loss_of_its_own(program, tmp_path):
    """The encoder keeps its gradient: the step is not taken away."""
    names, texts = as_file(program, tmp_path)
    e = names["e"]
    assert "passes the gradient straight through" in e.message and " z alone" in e.message, e
    if "in a layer" in program.name:
        assert not e.cure
        return
    lines = next(iter(texts.values())).splitlines()
    lines[e.replaced[0] - 1 : e.replaced[1]] = ["    " + line for line in e.cure]
    text = "\n".join(lines[:-1]) + "\nboth = tape.gradient(loss, [enc, codebook])\n"
    mended, _ = as_file(Program("mended", "", text), tmp_path)
    assert all(g is not None and np.any(g) for g in mended["both"]), text


@pytest.mark.parametrize(
    "name, fix",
    [
        ("predict before the block", "Write `model(x)` inside of the `with` block."),
        ("a norm taken out", "Write `tf.norm(w)` inside of the `with` block."),
    ],
)
def test_an_array_from_before_the_block_is_computed_in_it(name, fix):
    names, _ = as_cells(next(p for p in programs("reports") if name in p.name), None)
    e = names["e"]
    assert e.fix == fix and "before the tape recorded" in e.message and not e.cure, e
