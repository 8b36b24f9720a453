"""The acts agree with the tape: on random programs, adjoints add up, results are the gradients, and
a None has its reason.
"""

import linecache
from unittest.mock import patch

import numpy as np
import pytest
import storyboard_contract as contract
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.engine.explainer import EXPLAINER
from minitape.storyboard import Film, build, develop

# that a gradient is None is what is looked at here
pytestmark = pytest.mark.filterwarnings("ignore")
STEPS = st.lists(
    st.tuples(st.sampled_from("+-*/"), st.integers(0, 9), st.integers(0, 9)),
    min_size=1,
    max_size=14,
)


def program(steps):
    """Computes with four leaves and all results so far; returns the values in order."""
    values = [tf.Variable(1.5), tf.Variable(-0.5), tf.Variable([2.0, 0.25]), tf.constant(3.0)]
    with tf.GradientTape(persistent=True) as tape:
        for sign, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            values.append(
                a + b
                if sign == "+"
                else a - b
                if sign == "-"
                else a * b
                if sign == "*"
                else a / (b * b + 1.0)
            )
    return tape, values


@settings(max_examples=30, deadline=None)
@given(STEPS)
def test_the_numbers_of_the_acts_are_those_of_the_tape(steps):
    tape, values = program(steps)
    target, sources = values[-1], values[:4]
    # to look for reasons takes longer than all else; see the next test
    with patch.object(EXPLAINER, "load", None):
        board = build(tape, target, sources, engine="layers", explain=False)
    contract.check(board)
    arrived = {}
    for frame in board["frames"]:
        if frame["act"] in ("seed", "part"):
            arrived.setdefault(frame["node"], []).append(numbers(board, frame["value"]))
        elif frame["act"] == "sum":
            assert close(
                sum(arrived[frame["node"]]), numbers(board, frame["value"]), arrived[frame["node"]]
            )
            assert len(arrived[frame["node"]]) == frame["count"]
        elif frame["act"] == "visit" and "value" in frame:
            (output,) = board["cards"][frame["card"]]["outputs"]
            assert close(sum(arrived[output]), numbers(board, frame["value"]), arrived[output])
        elif frame["act"] == "part" and "local" in frame:
            product = numbers(board, frame["adjoint"]) * numbers(board, frame["local"])
            assert np.allclose(product, numbers(board, frame["value"]), rtol=2e-3, atol=1e-5)
    results = [frame["value"] for frame in board["frames"] if frame["act"] == "result"]
    for value, gradient, again in zip(results, board.gradients, tape.gradient(target, sources)):
        assert (value is None) == (gradient is None) == (again is None)
        if value is not None:
            assert np.allclose(numbers(board, value), gradient.numpy(), rtol=2e-3, atol=1e-5)
            assert np.array_equal(gradient.numpy(), again.numpy(), equal_nan=True)


def close(a, b, parts):
    """Equal but for the four digits that cells carry: parts may cancel."""
    return np.allclose(
        a, b, rtol=2e-3, atol=1e-5 + 1e-3 * max(np.max(np.abs(part)) for part in parts)
    )


def numbers(board, value):
    found = board["values"][value]
    return (
        np.float64(found["number"])
        if "number" in found
        else np.array(found["cells"], float).reshape(found["shape"])
    )


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_a_film_of_nested_tapes_keeps_the_contract(steps):
    x = tf.Variable(1.25)
    with Film() as film:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                values = [x, x * 1.0]
                for sign, i, j in steps:
                    a, b = values[i % len(values)], values[j % len(values)]
                    values.append(
                        a + b
                        if sign == "+"
                        else a - b
                        if sign == "-"
                        else a * b
                        if sign == "*"
                        else a / (b * b + 1.0)
                    )
                y = values[-1]
            first = inner.gradient(y, x)
        second = None if first is None else outer.gradient(first, x)
    board = develop(film, engine="layers", explain=False)
    contract.check(board)
    results = [frame["value"] for frame in board["frames"] if frame["act"] == "result"]
    assert (results[-1] is None) == (second is None)
    if second is not None:
        assert np.allclose(numbers(board, results[-1]), second.numpy(), rtol=2e-3, atol=1e-4)


def cell(text, **more):
    filename = "<cell acts>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf, "np": np}
    exec(compile(text, filename, "exec"), names)
    return build(names["tape"], names["y"], names["x"], engine="layers", **more)


@pytest.mark.parametrize(
    "lines, why, cut",
    [
        ("y = tf.constant(np.square(x))", "escape", "escape"),
        ("z = tf.Variable(1.0); z.assign(x * x); y = z * 2.0", "assigned", "assigned"),
        ("z = tf.Variable(x * x); y = z * 2.0", "replaced", "replaced"),
        ("y = tf.round(x * 1.0) * 2.0", "blocked", "blocked"),
        ("z = tf.Variable(3.0); y = z * 2.0", "unconnected", None),
        ("y = tf.stop_gradient(x * 1.0) * 2.0", "stopped", "stopped"),
        ("with tape.stop_recording(): h = x * 1.0\n    y = h * 2.0", "paused", "paused"),
        (
            "import concurrent.futures as c; h = c.ThreadPoolExecutor().submit(lambda: x * "
            "x).result(); y = h * 2.0",
            "thread",
            "thread",
        ),
        ("h = x * 1.0; tape.reset(); y = h * 2.0", "reset", "reset"),
        ("y = tf.cast(tf.argmax([1.0, x]), tf.float32)", "blocked", "blocked"),
    ],
)
def test_reasons_of_none(lines, why, cut):
    board = cell(
        f"x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    {lines}\n", explain=False
    )
    contract.check(board)
    (result,) = (frame for frame in board["frames"] if frame["act"] == "result")
    assert result["why"] == why
    cuts = [frame["why"] for frame in board["frames"] if frame["act"] == "cut"]
    assert cuts == ([cut] if cut else [])


def test_unwatched_and_late():
    text = "x = tf.constant(2.0)\nwith tf.GradientTape() as tape:\n    {}\n"
    for lines, why in (
        ("y = x * x", "unwatched"),
        ("y = x * x; tape.watch(x)", "late"),
        ("w = x * 3.0; v = tf.Variable(1.0); y = v * w", "unwatched"),
    ):
        board = cell(text.format(lines), explain=False)
        contract.check(board)
        assert [frame["why"] for frame in board["frames"] if frame["act"] in ("cut", "result")] == [
            why,
            why,
        ]


def test_the_explainers_reason_is_taken_over_with_its_place():
    board = cell(
        "x = tf.Variable([2.0])\nwith tf.GradientTape() as tape:\n    s = x * x\n    y = "
        "tf.constant(np.sum(s)) * 2.0\n"
    )
    contract.check(board)
    (cut,) = (frame for frame in board["frames"] if frame["act"] == "cut")
    note = board["notes"][cut["note"]]
    assert note["kind"] == "explanation" and note["where"][1] == 4
    assert "np.sum(s)" in board.caption(len(board["frames"]) - 1) and note["params"]["fix"]


def test_unconnected_zero():
    board = cell(
        "x = tf.Variable(2.0)\nz = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = z "
        "* z\n",
        explain=False,
        unconnected_gradients=tf.UnconnectedGradients.ZERO,
    )
    (result,) = (frame for frame in board["frames"] if frame["act"] == "result")
    assert (
        result["key"] == "result.zero"
        and board["values"][result["value"]]["number"] == 0.0
        and board.gradients.numpy() == 0.0
    )


def test_an_operation_without_gradient_ends_the_play_with_a_cut():
    unregistered = pytest.importorskip(
        "minitape.image", reason="needs an operation without a registered gradient"
    )
    assert unregistered
    board = cell(
        "x = tf.Variable([[[0.5, 0.0, 0.0]]])\nwith tf.GradientTape() as tape:\n    y = "
        "tf.image.adjust_contrast(x, 0.1)\n"
    )
    contract.check(board)
    assert isinstance(board.error, LookupError) and board.gradients is None
    assert [frame["why"] for frame in board["frames"] if frame["act"] in ("cut", "result")] == [
        "unregistered",
        "unregistered",
    ]


def test_in_a_jacobian_each_row_is_cut_after_its_parts():
    x = tf.Variable([0.5, 2.0])
    with tf.GradientTape() as tape:
        y = tf.truncatemod(x * 1.0, 2.0) * x
    board = build(tape, y, x, jacobian=True, engine="layers")
    contract.check(board)
    acts = [frame["act"] for frame in board["frames"] if frame["act"] != "record"]
    assert isinstance(board.error, LookupError)
    assert acts == 2 * ["seed", "visit", "part", "part", "cut"] + ["result", "release"]


def test_several_targets_and_given_seeds():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y, z = x * x, x + 1.0
    board = build(
        tape,
        {"y": y, "z": z},
        x,
        output_gradients={"y": tf.constant(10.0), "z": None},
        engine="layers",
    )
    contract.check(board)
    seeds = [
        (frame.get("key"), board["values"][frame["value"]]["number"])
        for frame in board["frames"]
        if frame["act"] == "seed"
    ]
    assert seeds == [("seed.given", 10.0), (None, 1.0)] and board.gradients.numpy() == 61.0


def test_a_batch_jacobian():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with Film() as film:
        with tf.GradientTape() as tape:
            y = x * x
        jacobian = tape.batch_jacobian(y, x)
    board = develop(film, engine="layers")
    contract.check(board)
    result = next(frame for frame in board["frames"] if frame["act"] == "result")
    assert board["values"][result["value"]]["shape"] == list(jacobian.shape)
    assert [frame["row"] for frame in board["frames"] if frame["act"] == "row"] == [[0], [1]]


def test_minitapes_own_tapes_are_not_shown():
    text = """\
@tf.custom_gradient
def clip(x):
    return tf.identity(x), lambda dy: tf.clip_by_value(dy, -1.0, 1.0)
x = tf.Variable(2.0)
with Film() as film:
    with tf.GradientTape() as tape:
        y = clip(x * x) * 30.0
    g = tape.gradient(y, x)
"""
    filename = "<cell own>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf, "Film": Film}
    exec(compile(text, filename, "exec"), names)
    board = develop(names["film"], engine="layers", explain=False)
    contract.check(board)
    assert len(board["tapes"]) == 1
    (clipped,) = (
        frame
        for k, frame in enumerate(board["frames"])
        if frame["act"] == "part" and "clip_by" in board.caption(k + 1)
    )
    # 30 clipped to 1: no product
    assert "local" not in clipped and board["values"][clipped["value"]]["number"] == 1.0


def test_several_outputs_have_adjoints_of_their_own():
    board = cell(
        "x = tf.Variable([2.0, 3.0])\nwith tf.GradientTape() as tape:\n    p, q = tf.unstack(x)\n"
        "    y = p * q\n"
    )
    contract.check(board)
    assert board.caption(1) == "Card 1: Unpack makes p, q."
    assert board["cards"][0]["formula"][0].startswith("stack(p̄, q̄")


def test_a_reset_is_no_round_of_a_loop():
    x = tf.Variable(2.0)
    with Film() as film:
        with tf.GradientTape() as tape:
            x * x
            tape.reset()
            y = x * 5.0
        tape.gradient(y, x)
    board = develop(film, engine="layers")
    contract.check(board)
    assert board["chapters"] == [] and len(board["cards"]) == 2


def test_a_play_that_is_left_in_the_middle_has_no_results():
    x = tf.Variable(2.0)
    with Film() as film:
        with tf.GradientTape() as tape:
            y = (x * x) * x
        steps = tape.steps(y, x)
        next(steps)
    board = develop(film, engine="layers")
    contract.check(board)
    acts = [frame["act"] for frame in board["frames"]]
    assert (
        acts[:4] == ["record", "record", "seed", "visit"]
        and "result" not in acts
        and acts.count("visit") < 3
    )
    del steps


def test_steps_that_are_drained_are_a_whole_play():
    x = tf.Variable(2.0)
    with Film() as film:
        with tf.GradientTape() as tape:
            y = x * x
        assert len(list(tape.steps(y, x))) == 2
    board = develop(film, engine="layers")
    assert [
        board["values"][f["value"]]["number"] for f in board["frames"] if f["act"] == "result"
    ] == [4.0]


def test_a_variable_read_before_and_after_an_assignment_is_told_as_that():
    """Its two values are two nodes; the caption must not say that one of them "was used 2 times"."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * 3.0
        x.assign(5.0)
        z = y + x
    board = build(tape, z, x, engine="layers")
    said = [
        board.caption(k + 1) for k, frame in enumerate(board["frames"]) if frame["act"] == "sum"
    ]
    assert len(said) == 1 and "2 different values" in said[0] and said[0].endswith(": 4.0."), said


def test_a_use_that_sends_no_part_is_not_left_out_of_the_count():
    """The parts go to "the second x" and "the third x": the caption must not say that x "was used 2
    times".
    """
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x if x > 2.0 else x
    board = build(tape, y, x, engine="layers")
    said = [
        board.caption(k + 1) for k, frame in enumerate(board["frames"]) if frame["act"] == "sum"
    ]
    assert said == ["2 parts arrive at x. They add up to its adjoint: 6.0."]


def test_notes_call_things_as_the_learner_does():
    """A variable that is not watched by its name, a tensor without a name as it was written; never
    "?" or "Variable".
    """
    names = {"tf": tf}
    text = (
        "w = tf.Variable(1.0, trainable=False)\nwith tf.GradientTape() as tape:\n    "
        "tape.watch(tf.constant(5))\n"
        "    y = w * 2.0\n"
    )
    linecache.cache["<cell notes>"] = (len(text), None, text.splitlines(True), "<cell notes>")
    exec(compile(text, "<cell notes>", "exec"), names)
    said = str(build(names["tape"], engine="layers"))
    assert (
        "tf.constant(5) has dtype int32" in said
        and "w is read, but the tape does not watch it" in said
    ), said


@pytest.mark.parametrize("used", [False, True])
def test_a_variable_as_target_of_itself_is_one_node(used):
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        if used:
            v * 2.0  # noqa: B018  read, and nothing else
    board = build(tape, v, v, engine="layers")
    contract.check(board)
    (passed,) = board["passes"]
    assert passed["targets"] == passed["sources"]
    assert [f["act"] for f in board["frames"] if f["act"] in ("seed", "result")] == [
        "seed",
        "result",
    ]
    assert "d v / d v = 1.0" in board.text()


def as_cell(text, asked):
    text += f"board = build(tape, {asked}, x, engine='layers')\n"
    linecache.cache["<uses>"] = (len(text), None, text.splitlines(True), "<uses>")
    names = {"tf": tf, "build": build}
    exec(compile(text, "<uses>", "exec"), names)
    return names["board"]


def test_the_uses_of_a_value_are_told_apart_and_a_letter_means_one_value():
    board = as_cell(
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x + 3 * x\n", "y"
    )
    said = [board.caption(k + 1) for k, frame in enumerate(board["frames"]) if "use" in frame]
    assert said == [
        "The third x receives ū₂ × 3.0 = 1.0 × 3.0 = 3.0.",
        "The first x receives ū₁ × x = 1.0 × 2.0 = 2.0.",
        "The second x receives ū₁ × x = 1.0 × 2.0 = 2.0.",
    ]
    assert [card["sign"] for card in board["cards"]] == ["ū₁", "ū₂", "ȳ"]
    board["language"] = "fr"
    assert any(
        board.caption(k).startswith("Le deuxième x reçoit ū₁ × x")
        for k in range(len(board["frames"]))
    )


def test_nothing_used_the_target_and_the_sentence_says_so():
    board = as_cell(
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n    z = y * y\n",
        "[y, z]",
    )
    keys = [
        (frame["act"], frame["key"])
        for frame in board["frames"]
        if frame["act"] in ("visit", "sum") and "key" in frame
    ]
    assert keys == [("visit", "visit.seed"), ("sum", "sum.seed")]
    said = [
        board.caption(k + 1) for k, frame in enumerate(board["frames"]) if frame["act"] == "visit"
    ]
    assert said[0] == "Card 2, Mul, made z. Its adjoint is the seed: z̄ = 1.0." and said[
        1
    ].startswith("Card 1, Mul. Everything that used y")


@pytest.mark.parametrize(
    "shape, key", [((), "seed"), ((1, 1), "seed"), ((2,), "seed.ones"), ((1, 3), "seed.ones")]
)
def test_a_target_of_one_entry_is_not_said_to_have_many(shape, key):
    x = tf.Variable(tf.ones(shape))
    with tf.GradientTape() as tape:
        y = x * x
    seed = next(
        frame for frame in build(tape, y, x, engine="layers")["frames"] if frame["act"] == "seed"
    )
    assert seed.get("key", "seed") == key


def test_what_a_recorded_play_makes_has_the_name_of_what_it_is():
    """The first part is no slope yet, two of three parts are a subtotal, and what stands below the
    stroke can be read.
    """
    x = tf.Variable(1.0)
    with Film() as film, tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.sin(x) * x * x
        slope = inner.gradient(y, x)
    outer.gradient(slope, x)
    board = develop(film, engine="layers", explain=False)
    names = [node["label"] or node["text"] for node in board["nodes"]]
    assert [name for name in names if name.startswith("dy/dx")] == [
        "dy/dx, part 1",
        "dy/dx, part 2",
        "dy/dx, subtotal",
        "dy/dx, part 3",
    ]
    assert "slope" in names and "dy/d(tf.sin(x))" in names
    assert "seed" in names and "1.0" not in names
