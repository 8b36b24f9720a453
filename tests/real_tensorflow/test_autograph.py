"""`tf.map_fn` runs a text that AutoGraph has made of the learner's function: what is shown and
explained is the learner's own.
"""

import linecache
import warnings

import numpy as np
import pytest
import tensorflow as tf

import minitape.tensorflow
from minitape.program.files import Text

BEGIN = "x = tf.constant([1.0, 2.0])\nw = tf.Variable(0.5)\n"
END = "\nwith tf.GradientTape() as tape:\n    y = tf.reduce_sum(tf.map_fn(body, x))\n"


def ran(body, folder, begin=BEGIN):
    """Runs a program; returns its names and the texts that its entries stand for, each once."""
    path, names = folder / "program.py", {"tf": tf, "np": np, "__name__": "__main__"}
    path.write_text(begin + body + END, encoding="utf-8")
    linecache.checkcache(str(path))
    with minitape.tensorflow.watch() as look, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(begin + body + END, str(path), "exec"), names)
    assert not look.trouble, look.trouble
    text, found = Text(), []
    for entry in minitape.recorders.tensorflow.the_recorder().tape_of(names["tape"]).entries:
        span, _ = text.locate((entry[4], entry[5]))
        file = text.file(span.filename)
        assert span.filename == str(path)
        found.append(f"{span.line} {file.snippet(file.span(span))}")
    return names, list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("body = lambda r: -r * w", ["3 -r * w"]),
        ("body = (lambda r:\n    w * r\n  + w * r)", ["4 w * r", "5 w * r", "4 w * r + w * r"]),
        (
            "def body(r):\n    h = r * w\n    return h + r * w",
            ["4 r * w", "5 r * w", "5 h + r * w"],
        ),
        (
            "def body(r):\n    s = r * w + r * w\n    s += r * w\n    return tf.nn.softmax([s, "
            "w], axis=-1)[0]",
            [
                "4 r * w",
                "4 r * w + r * w",
                "5 r * w",
                "5 s += r * w",
                "6 tf.nn.softmax([s, w], axis=-1)",
                "6 tf.nn.softmax([s, w], axis=-1)[0]",
            ],
        ),
        (
            "def body(r):\n    if w * r > 0.0:\n        return w.read_value() * r\n    return w",
            ["4 w * r", "5 w.read_value()", "5 w.read_value() * r"],
        ),
        (
            "def body(r):\n    h = r\n    for k in range(2):\n        h = tf.add(*[h, w])\n"
            "        if k:\n            break\n    return h",
            ["6 tf.add(*[h, w])"],
        ),
        (
            "def inner(v, **more):\n    return tf.reduce_sum(v * w, **more)\ndef body(r):\n"
            "    é = inner([r, w], axis=0, keepdims=False); return é * w",
            ["4 v * w", "4 tf.reduce_sum(v * w, **more)", "6 é * w"],
        ),
        (
            "def body(r):\n    f = lambda v: v * w\n    return (f(r) *\n            f(w))",
            ["4 v * w", "5 f(r) * f(w)"],
        ),
    ],
)
def test_every_entry_stands_in_the_learners_text(body, places, tmp_path):
    _, found = ran(body, tmp_path)
    assert [place for place in found if place in places] == places, found


@pytest.mark.parametrize(
    ("body", "category", "line", "said"),
    [
        (
            "def body(r):\n    if tf.reduce_sum(r) > 1.5:\n        r = r * 2.0\n    return "
            "tf.round(r * w) * 2.0",
            "piecewise-constant",
            6,
            "`tf.round(r * w)`",
        ),
        (
            "body = (lambda r:\n    tf.constant(np.sin(r * w)) * 2.0)",
            "numpy-escape",
            4,
            "takes r * w out of TensorFlow",
        ),
        ("def body(r):\n    h = r * w\n    return h.numpy() * r", "numpy-escape", 5, "h.numpy()"),
    ],
)
def test_a_none_is_explained_in_the_learners_text(body, category, line, said, tmp_path):
    names, _ = ran(body, tmp_path)
    e = minitape.tensorflow.explain(names["tape"], names["y"], names["w"])
    assert (e.category, e.lineno) == (category, line) and said in e.message, e
    assert "ag__" not in str(e)


def test_what_was_rewritten_before_the_block(tmp_path):
    _, found = ran(
        "body(1.0)", tmp_path, BEGIN + "def body(r):\n    return r * w\ntf.map_fn(body, x)\n"
    )
    assert "4 r * w" in found


def test_equal_functions_in_two_files(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        names, found = ran(
            "body = lambda r: r[0:1] * w * r[0:1]",
            tmp_path / folder,
            BEGIN.replace("[1.0, 2.0]", "[[1.0], [2.0]]"),
        )
        assert "3 r[0:1] * w" in found and "3 r[0:1] * w * r[0:1]" in found
