"""The cure is code: put in the place of the guilty line it runs, and the answer is another one, nearly always a gradient."""

import ast
import contextlib
import io

import pytest

from tests.explain.programs import Program, as_cells, programs

pytestmark = pytest.mark.filterwarnings("ignore")


def ran(program):
    with contextlib.redirect_stdout(io.StringIO()):
        names, texts = as_cells(program, None)
    return names["e"], texts


def pasted(program, e, text):
    """Returns the program with the cure's one line in place of the guilty statement (of a loop or a block: of its head)."""
    lines = text.split("\n")
    found = [s for s in ast.walk(ast.parse(text)) if isinstance(s, ast.stmt) and s.lineno <= e.lineno <= last_line(s)]
    stmt = max(found, key=lambda s: s.lineno)
    lines[stmt.lineno - 1:last_line(stmt)] = [lines[stmt.lineno - 1][:stmt.col_offset] + e.cure[0]]
    return Program(program.name, "", program.code.replace(text, "\n".join(lines)))


def last_line(stmt):
    body = getattr(stmt, "body", None)
    return body[0].lineno - 1 if body else stmt.end_lineno


def test_pasted_cures_run_and_change_the_answer():
    healthy, tried = 0, 0
    for program in programs():
        e, texts = ran(program)
        if len(e.cure) == 1 and e.category != "branch-not-taken":
            after, _ = ran(pasted(program, e, texts[e.filename]))
            assert (after.category, after.lineno) != (e.category, e.lineno), (program.name, e.cure, str(after))
            tried, healthy = tried + 1, healthy + after.healthy
    assert tried >= 95 and healthy >= 83, (tried, healthy)              # the others have a second story behind the first


@pytest.mark.parametrize(("name", "lines"), [
    ("python_escapes/list-of-floats", ["losses.append((w - t) ** 2)", "loss = tf.reduce_mean(tf.convert_to_tensor(losses))"]),
    ("more_programs/rotation-matrix", ["c, s = (tf.cos(angle), tf.sin(angle))",
                                       "return tf.convert_to_tensor([[c, -s], [s, c]], dtype=tf.float32)"]),
    ("real_programs/keras-numpy", ["pred = model(x)"]),
    ("dtypes/guide-integer", ["x = tf.constant(10.0)"]),
    ("piecewise/round", ["y = (x + tf.stop_gradient(tf.round(x) - x)) * 2.0"]),
    ("found_wrong/stretched, asked after gradient", ["loss = tf.reduce_mean((tf.squeeze(x @ w, axis=1) - t) ** 2)"]),
    ("more_real_programs/sklearn-like metric written in numpy", []),
    ("python_escapes/formatting", []),
    ("outside/loss-after", ["with tf.GradientTape() as tape:", "    ...", "    error = prediction - t",
                            "    loss = tf.reduce_mean(error ** 2)"]),
    ("watching/late", ["with tf.GradientTape() as tape:", "    tape.watch(x)", "    ..."])])
def test_the_cure_is_in_the_learners_names(name, lines):
    e, _ = ran(next(p for p in programs() if p.name == name))
    assert e.cure == lines and all(f"    {line}" in str(e) for line in lines), e
    assert all(line in e._repr_html_().replace("&#x27;", "'") for line in lines)
