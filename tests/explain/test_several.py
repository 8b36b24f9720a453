"""Several sources, and what is no tensor at all: one answer, in groups of one reason each, every
source by its reader's name.
"""

import html
import re

import pytest

import minitape as tf
from minitape.explain import Explanation, Explanations, set_language
from minitape.sentences import LANGUAGES
from tests.explain.programs import all_guilty, as_cells, as_file, programs

pytestmark = pytest.mark.filterwarnings("ignore")


def named(name):
    """Runs a program of several.txt as cells and returns its answer."""
    return as_cells(next(p for p in programs("several") if p.name == f"several/{name}"), None)[0][
        "e"
    ]


def kind_of(e):
    """Returns {category: names of its sources}, in the form of the corpus."""
    return "; ".join(
        f"{g.category}: {', '.join(m.source for m in g.members or [g])}"
        for g in getattr(e, "groups", [e])
    )


@pytest.mark.parametrize("how", [as_file, as_cells], ids=["file", "cells"])
@pytest.mark.parametrize("program", programs("several"), ids=lambda p: p.name)
def test_one_answer_for_all(program, how, tmp_path):
    names, texts = how(program, tmp_path)
    e = names["e"]
    assert (
        kind_of(e) == program.category
        if not program.category.endswith(":")
        else kind_of(e).startswith(program.category)
    ), e
    places = {(p.filename, p.lineno) for g in getattr(e, "groups", [e]) for p in g.places}
    assert places == set(all_guilty(texts)), e
    for language in LANGUAGES:
        set_language(language)
        try:
            assert repr(e) == str(e) == e._repr_mimebundle_()["text/plain"] and "…" not in re.sub(
                "Path:.*|Chemin.*|Camino:.*", "", str(e)
            ), e
            assert all(html.escape(g.answer) in e._repr_html_() for g in getattr(e, "groups", [e]))
        finally:
            set_language("en")


@pytest.mark.parametrize(
    "name, said",
    [
        (
            "some cut, some not used, some fine",
            "8 gradients of loss, 4 different answers:\n\n(1) The 2 gradients of loss with "
            "respect to "
            "dense.kernel and dense.bias are None, for one reason.\n",
        ),
        (
            "some cut, some not used, some fine",
            "There are gradients of loss with respect to dense_1.kernel, dense_1.bias, "
            "dense_2.kernel and ",
        ),
        (
            "two variables replaced, a dictionary",
            "    b.assign_sub(0.1 * gb)\n    w.assign_sub(0.1 * gw)",
        ),
        ("tensors of a comprehension", "ws[5] and 6 others are plain tensors."),
        ("tensors of a comprehension", "Call `tape.watch(ws)` at the beginning"),
        ("predict instead of a call", "Path: … → model.predict(x) ✂ "),
        ("target: np.mean", "loss stays outside: it is `numpy.float32`, not a tensor."),
        ("source: an int", "Before the block: `x = tf.Variable(3.0)`."),
        ("source: the numbers of a variable", "Ask for w itself: `tape.gradient(loss, w)`."),
        (
            "no source: hidden in an object",
            "Let that class be a module: `class Block(tf.Module):`.",
        ),
        ("no source: layers made in each call", "`self.layer = tf.keras.layers.Dense(4)`"),
        ("no source: an empty list", "Ask for these: `tape.gradient(loss, [w])`."),
    ],
)
def test_the_sentence_is_exact(name, said):
    assert said in str(named(name))


def test_the_structure_that_was_asked_is_kept():
    x, z = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    found = tape.explain(y, {"a": x, "b": [z]})
    assert (
        isinstance(found, Explanations)
        and not found.healthy
        and len(found) == 2
        and list(found) == ["a", "b"]
    )
    assert isinstance(found["a"], Explanation) and found["a"].healthy
    assert (found["b"][0].category, found["b"][0].source) == ("not-used", "z")
    assert tape.explain(y, [x]).healthy


def test_the_first_source_is_not_called_as_the_whole():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    with tf.GradientTape() as tape:
        loss = tf.constant(float(tf.reduce_sum(model(tf.ones([2, 2])))))
    assert re.fullmatch(
        r"dense(_\d+)?\.kernel", tape.explain(loss, model.trainable_variables)[0].source
    )


def test_layers_of_one_name_in_two_models_are_told_apart():
    tf.keras.backend.clear_session()
    a, b = [
        tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False, name="out")], name=name)
        for name in ("left", "right")
    ]
    x = tf.ones([2, 2])
    with tf.GradientTape() as tape:
        loss = tf.constant(float(tf.reduce_sum(a(x) + b(x))))
    assert " to left.out.kernel and right.out.kernel are " in str(
        tape.explain(loss, a.trainable_variables + b.trainable_variables)
    )


@pytest.mark.parametrize(
    "obj",
    [
        None,
        3,
        2.5,
        "w",
        b"w",
        True,
        1j,
        [],
        {},
        (),
        [None],
        ["w"],
        [[1.0], [2.0, 3.0]],
        {"a": 1.0},
        object(),
        print,
        range(3),
        {1, 2},
    ],
    ids=lambda obj: repr(obj).partition(" at 0x")[0],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_hand_makes_it_raise(obj, language):
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
    set_language(language)
    try:
        for e in (
            tape.explain(obj, w),
            tape.explain(loss, obj),
            tape.explain(obj, obj),
            tape.explain(loss, [w, obj]),
        ):
            assert str(e) and e._repr_html_() and (not e.healthy or obj in ([], {}, ()))
    finally:
        set_language("en")


def test_html_is_escaped():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * w
    assert "<script>" not in tape.explain(loss, ["<script>alert(1)</script>", w])._repr_html_()


def test_what_may_be_right_is_told_behind_what_is_not():
    """A bias before a normalisation cancels in every such model; who asks for all its variables
    asks about the None.
    """
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(8), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)]
    )
    x, label = tf.random.normal([16, 4]), tf.random.normal([16, 1])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - label))
    e = tape.explain(loss, model.variables)
    assert [group.category for group in e.groups] == ["not-trainable", "zero-cancel", "healthy"], e
