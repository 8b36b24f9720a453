"""A play beside its program: each act stands on the line that computes what it shows."""

import numpy as np
import pytest
import storyboard_contract as contract

import minitape as tf
from minitape.storyboard import Storyboard
from minitape.storyboard.as_program import as_program
from minitape.storyboard.text.printed import render

x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def model():
    w = tf.Variable([[0.5], [-0.3]], name="w")
    b = tf.Variable([0.1], name="b")

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.tanh(x @ w + b)
            loss = tf.reduce_mean(y**2)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(dw)
        b.assign_sub(db)
        return loss

    return step, w, b


def fan():
    @tf.function
    def slopes(x, u):
        with tf.GradientTape() as tape:
            tape.watch([x, u])
            a = x * u
            y = a * tf.sin(a) + x
        return y, tape.gradient(y, [x, u])

    return slopes


def turns():
    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(3):
                y = tf.sin(y) * y
        return tape.gradient(y, x)

    return slope


def nested():
    @tf.function
    def curvature(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.sin(x) * x
            slope = inner.gradient(y, x)
        return outer.gradient(slope, x)

    return curvature


def lines(board, span):
    return [] if span is None else board["sources"][0]["text"].split("\n")[span[1] - 1 : span[3]]


PROGRAMS = [
    (model()[0], (x,)),
    (fan(), (tf.constant(2.0), tf.constant(3.0))),
    (turns(), (tf.constant(0.5),)),
    (nested(), (tf.constant(0.5),)),
]


@pytest.mark.parametrize("f,args", PROGRAMS)
def test_it_is_the_source_and_keeps_the_contract(f, args):
    """Comments are left out: a pane that hides them where room is short would skip their numbers."""
    board = as_program(f, args, {})
    contract.check(board)
    assert Storyboard.from_json(board.to_json()) == board
    written = f.source(*args).rstrip("\n").split("\n")
    assert (
        board["sources"][0]["text"].split("\n")
        == [line for line in written if not line.strip().startswith("#")]
        != written
    )


@pytest.mark.parametrize("f,args", PROGRAMS)
def test_each_line_computes_the_number_that_its_act_shows(f, args):
    """The program is run line by line; what the marked line made is what the act tells."""
    board = as_program(f, args, {})
    text = board["sources"][0]["text"].split("\n")
    head = text[0].removeprefix("def ").rstrip(":")
    names = [name.strip() for name in head[head.index("(") + 1 : -1].split(",")]
    concrete = f.get_concrete_function(*args)
    values = [t.value for t in args] + [v.numpy() for v in concrete.variables]
    space = {**concrete.written()[1].space, **dict(zip(names, values))}
    made = {}
    for number, line in enumerate(text[1:-1], 2):
        exec(line.strip(), space)
        made[number] = np.asarray(space[line.split("=")[0].strip()])
    seen = 0
    for frame in board["frames"]:
        span = frame.get("where")
        if frame["act"] in ("part", "sum", "result") and span:
            shown = board["values"][frame["value"]]
            # a part may be stretched only where it arrives
            if shown["shape"] == list(made[span[3]].shape):
                described = shown["cells"] if "cells" in shown else shown["number"]
                np.testing.assert_allclose(
                    made[span[3]].squeeze(), np.squeeze(described), rtol=1e-3, atol=1e-6
                )
                seen += 1
    assert seen >= 4


def test_a_card_has_a_line_forwards_and_its_lines_backwards():
    board = as_program(model()[0], (x,), {})
    cards = {card["op"]: card for card in board["cards"]}
    assert lines(board, cards["Tanh"]["where"]) == ["    y = np.tanh(t2)"]
    assert [line.strip().split(" = ")[1] for line in lines(board, cards["Tanh"]["back"])] == [
        "y * y",
        "1.0 - t5",
        "d_y * t6",
    ]
    assert cards["Mean"]["back"] is None and "0.6666667 * y" not in str(
        lines(board, cards["Mean"]["where"])
    )


def test_two_parts_of_one_card_stand_on_two_lines():
    board = as_program(fan(), (tf.constant(2.0), tf.constant(3.0)), {})
    product = [frame for frame in board["frames"] if frame["act"] == "part" and frame["card"] == 0]
    assert [lines(board, frame["where"])[0].split("=")[1].strip() for frame in product] == [
        "d_t1 * u",
        "d_t1 * x",
    ]


def test_rounds_of_a_loop_have_each_their_line():
    board = as_program(turns(), (tf.constant(0.5),), {})
    sines = [card["where"][1] for card in board["cards"] if card["op"] == "Sin"]
    assert len(set(sines)) == 3 and sines == sorted(sines)
    back = [card["back"][1] for card in board["cards"] if card["op"] == "Sin"]
    assert back == sorted(back, reverse=True) and min(back) > max(sines)


def test_to_look_changes_nothing():
    step, w, b = model()
    before = w.numpy().copy(), b.numpy().copy()
    as_program(step, (x,), {})
    assert (w.numpy() == before[0]).all() and (b.numpy() == before[1]).all()
    assert step.experimental_get_tracing_count() == 0


def test_the_printed_text_names_the_line_of_each_part():
    text = render(as_program(fan(), (tf.constant(2.0), tf.constant(3.0)), {}), None)
    assert (
        "u receives ā × x = 5.48161 × 2.0 = 10.9632.   [line" in text and "d_u = d_t1 * x]" in text
    )


def test_what_cannot_be_shown_is_said():
    with pytest.raises(TypeError, match="@tf.function"):
        as_program(lambda x: x, (x,), {})
    with pytest.raises(ValueError, match=r"double plays no tape.*double.source\(\)"):

        @tf.function
        def double(x):
            return x + x

        as_program(double, (x,), {})
