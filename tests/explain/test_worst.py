"""An explanation is kept in a notebook: however long the program's lines and names are, what is
written stays as long as somebody would read.
"""

import linecache

import pytest

import minitape as tf

MOST = 25_000  # letters
PROGRAM = """x = tf.Variable([1.0, 2.0])
{before}
with tf.GradientTape(persistent=True) as tape:
    y = tf.round({formula}
"""
LONG = {
    "a comment": ("", "x)  # " + "([" * 50_000),
    "a text": ("", "x + len('" + "<div>" * 20_000 + "') * 1.0)"),
    "lines": ("", "x + len([\n" + "1,\n" * 20_000 + "]) * 1.0)"),
    "lines of comments": ("", "x\n" + "    # <div>\n" * 200_000 + "    )"),
    "a name": ("x" * 50_000 + " = x", "x" * 50_000 + ")"),
    "a file": ("z = 1\n" * 20_000, "x)"),
}


@pytest.mark.parametrize("name", LONG)
def test_what_is_written_of_a_long_program(name):
    before, formula = LONG[name]
    text = PROGRAM.format(before=before, formula=formula)
    linecache.cache["<long>"] = len(text), None, text.splitlines(True), "<long>"
    names = {"tf": tf}
    exec(compile(text, "<long>", "exec"), names)
    e = names["tape"].explain(names["y"], names["x"])
    assert e.category == "piecewise-constant" and "round" in e.code
    assert 100 < len(str(e)) < MOST and 100 < len(e.html()) < MOST
    assert "</mark>" in e.html() and "^^" in str(e)


def test_a_long_line_is_shown_around_what_is_guilty():
    text = "z = 'a'; " * 1000 + "y = tf.round(x)" + "; z = 'b'" * 1000 + "\n"
    program = "x = tf.Variable(1.0)\nwith tf.GradientTape(persistent=True) as tape:\n    " + text
    linecache.cache["<wide>"] = len(program), None, program.splitlines(True), "<wide>"
    names = {"tf": tf}
    exec(compile(program, "<wide>", "exec"), names)
    [shown] = [
        line
        for line in str(names["tape"].explain(names["y"], names["x"])).splitlines()
        if "…" in line
    ]
    assert shown.startswith("    …") and shown.endswith("…") and "y = tf.round(x); z = 'b'" in shown
