"""The matcher: what a pattern fits, what its holes hold, what is written; and the tables."""

import ast
import builtins

import pytest

from minitape.dialects import DIALECTS, MINITAPE
from minitape.explain.cures.conditions import WORDS
from minitape.explain.cures.patterns import Matcher, filled, same, table
from tests.explain.pasting import ran
from tests.explain.programs import Program

HEAD = "import minitape as tf\nx = tf.Variable({})\nwith tf.GradientTape() as tape:\n"


def matched(pattern, text):
    """The holes as text, or None; names stand for nothing but themselves."""
    node = ast.parse(text).body[0]
    node = node.value if isinstance(node, ast.Expr) else node
    wanted = table(f"{pattern}  ->  X")["*"][0].pattern
    matcher = Matcher(
        MINITAPE, lambda node: None, lambda name, node: None, lambda node: text.startswith("np.")
    )
    if not matcher.match(wanted, node):
        return None
    return {
        name: [ast.unparse(n) for n in held] if isinstance(held, list) else ast.unparse(held)
        for name, held in matcher.holes.items()
    }


@pytest.mark.parametrize(
    ("pattern", "text", "holes"),
    [
        ("tf.sqrt(X)", "tf.math.sqrt(a + b)", {"X": "a + b"}),
        ("tf.sqrt(X)", "sqrt(a)", {"X": "a"}),
        ("tf.sqrt(X)", "np.sqrt(a)", None),
        ("tf.sqrt(X)", "tf.sqrt(a, name='r')", None),
        ("tf.sqrt(X, **K)", "tf.sqrt(a, name='r')", {"X": "a", "K": ["name='r'"]}),
        ("tf.argmax(X, axis=A)", "tf.argmax(z, 1)", {"X": "z", "A": "1"}),
        ("tf.argmax(X, axis=A)", "tf.argmax(z, axis=-1)", {"X": "z", "A": "-1"}),
        ("tf.argmax(X, axis=A)", "tf.argmax(z)", None),
        ("W = W - G", "w[0] = w[0] - lr * g", {"W": "w[0]", "G": "lr * g"}),
        ("W = W - G", "w = v - lr * g", None),
        ("tf.where(X, A, 0)", "tf.where(c, y, 0.0)", {"X": "c", "A": "y"}),
        ("tf.where(X, A, 0)", "tf.where(c, y, False)", None),
        ("tf.ROUND(X)", "tf.math.ceil(x)", {"X": "x", "ROUND": "tf.math.ceil"}),
        ("A == B", "tf.math.equal(a, b)", {"A": "a", "B": "b"}),
        ("float(f'{X:{D}}')", "float(f'{x:.2f}')", {"X": "x", "D": "'.2f'"}),
        ("float(f'{X:{D}}')", "float(f'{x:{d}}')", {"X": "x", "D": "d"}),
        ("F(X, *R)", "f(*xs)", None),
        ("F(A, *R)", "f(a, b, c)", {"F": "f", "A": "a", "R": ["b", "c"]}),
        ("X.numpy()", "y.numpy()", {"X": "y"}),
        ("for T in I: W", "for t in i: w", {"T": "t", "I": "i", "W": "w"}),
    ],
)
def test_what_a_pattern_fits(pattern, text, holes):
    assert matched(pattern, text) == holes


def test_what_is_left_is_written_where_it_belongs():
    row = table("F(A, B, *R, **K)  ->  tf.f(B, *R, A, **K)")["*"][0]
    matcher = Matcher(MINITAPE, lambda node: None, lambda name, node: None, lambda node: False)
    assert matcher.match(row.pattern, ast.parse("loss(a, b, c, name='x')", mode="eval").body)
    assert filled(row.instead, matcher.holes, MINITAPE, "keras", str) == [
        "keras.f(b, c, a, name='x')"
    ]


def test_a_formula_of_20000_terms_is_matched():
    deep = ast.Name("x", ast.Load())
    for _ in range(20_000):
        deep = ast.BinOp(deep, ast.Add(), ast.Name("x", ast.Load()))
    call = ast.Call(ast.Attribute(ast.Name("tf", ast.Load()), "sqrt", ast.Load()), [deep], [])
    row = table("tf.sqrt(X)  ->  tf.sqrt(X + 1e-12)")["*"][0]
    matcher = Matcher(MINITAPE, lambda node: None, lambda name, node: None, lambda node: False)
    assert matcher.match(row.pattern, call) and matcher.holes["X"] is deep and same(deep, deep)
    assert not same(deep, deep.left)


def test_a_formula_too_deep_to_be_written_anew_is_explained_without_lines():
    code = f"{HEAD.format(2.0)}    y = tf.round({' + '.join(['x'] * 900)})\n"
    e, _ = ran(Program("deep", "", code + "e = tape.explain(y, x)\n"))
    assert e.category == "piecewise-constant" and e.cure == [] and "answers in steps" in str(e)


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("y = tf.sqrt(x) / 2.0", "y = tf.sqrt(x + 1e-12) / 2.0"),
        ("y = tf.tanh(tf.math.log(x) / 2.0)", "y = tf.tanh(tf.math.log(x + 1e-07) / 2.0)"),
        ("y = 3.0 / x * 2.0", "y = tf.math.divide_no_nan(3.0, x) * 2.0"),
        ("y = 2.0 / tf.sqrt(x) ** 0.0", "y = 2.0 / (tf.sqrt(x) + 1e-07) ** 0.0"),
    ],
)
def test_a_row_is_for_what_its_pattern_names_and_not_for_what_stands_around_it(line, cure):
    code = f"{HEAD.format(0.0)}    {line}\ne = tape.explain(y, x)\n"
    e, _ = ran(Program("around", "", code))
    assert e.cure == ([cure] if cure else []), e


@pytest.mark.parametrize(
    ("taken", "name"), [("", "mean"), ("mean", "mean_value"), ("mean mean_value new_mean", "")]
)
def test_a_new_name_is_one_that_the_program_does_not_use(taken, name):
    code = f"""import minitape as tf
{" = ".join([*taken.split(), "image"])} = tf.Variable(tf.ones([2, 2, 3]))
with tf.GradientTape() as tape:
    y = tf.image.adjust_contrast(image, 2.0)
e = tape.explain(y, image)
"""
    e, _ = ran(Program("fresh", "", code))
    lines = [
        f"{name} = tf.reduce_mean(image, axis=[-3, -2], keepdims=True)",
        f"y = (image - {name}) * 2.0 + {name}",
    ]
    assert e.cure == (lines if name else []), e


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_the_words_of_all_conditions_are_known(dialect):
    """And each table has its rows: none is lost to a wrong arrow."""
    params = {"variant", "op", "params", "column"}
    for text in (dialect.cures, dialect.spelled, dialect.parts):
        rows = table(text)["*"]
        assert len(rows) == text.count("->")
        for row in rows:
            holes = {n.id for n in ast.walk(row.pattern) if isinstance(n, ast.Name)} | {"X"}
            names = set(row.condition.co_names) if row.condition is not None else set()
            assert names <= {*WORDS, *params, *holes, *dir(builtins)}, ast.unparse(row.pattern)
