"""Formulas are what the rules do: run on numbers, a printed formula gives what the rule gives."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape  # noqa: F401  fills the table
from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of
from minitape.storyboard.stage.formula import (
    Leaf,
    Rules,
    _print,
    adjoint_name,
    expression,
    index_of,
    is_atom,
    text,
)


def formulas(name, *values, attributes=None, inputs=None, output=""):
    arrays = tuple(np.asarray(v, np.float32)[()] for v in values)
    y = OPS[name].kernel(*arrays, **(attributes or {}))
    rules = Rules().of(name, attributes, arrays, y if isinstance(y, tuple) else (y,))
    return [text(rule, inputs or [""] * len(values), [output]) for rule in rules], rules


@pytest.mark.parametrize(
    "name, count, expected",
    [
        ("Mul", 2, ["ȳ × b", "ȳ × a"]),
        ("Sub", 2, ["ȳ", "-ȳ"]),
        ("Tanh", 1, ["ȳ × (1 - y × y)"]),
        ("Sin", 1, ["ȳ × cos(x)"]),
        ("Exp", 1, ["ȳ × y"]),
        ("Log", 1, ["ȳ / x"]),
        ("Neg", 1, ["-ȳ"]),
    ],
)
def test_formulas_of_the_first_rules(name, count, expected):
    assert formulas(name, *[0.5, 2.0][:count])[0] == expected


def test_matrix_product():
    a, b = np.ones((2, 3)), np.ones((3, 4))
    assert formulas("MatMul", a, b, attributes=None)[0] == ["ȳ @ bᵀ", "aᵀ @ ȳ"]


def test_the_learners_names_are_put_in():
    assert formulas("Mul", 1.0, 2.0, inputs=["w", "x"], output="z")[0] == ["z̄ × x", "z̄ × w"]
    assert formulas("Mul", 1.0, 2.0, inputs=["w", "a + b"])[0][0] == "ȳ × (a + b)"


def test_numbers_are_worked_out_and_names_stay():
    """Where an exponent was written as a number, the formula shows the number; a name stays a name,
    and nothing is rounded.
    """
    for written, said in (
        ("2.0", "ȳ × 2.0 × x"),
        ("0.5", "ȳ × 0.5 × x ** (-0.5)"),
        ("n", "ȳ × n × x ** (n - 1)"),
        ("1e-07", "ȳ × (1e-07) × x ** ((1e-07) - 1)"),
        ("1.23456789", "ȳ × 1.23456789 × x ** (1.23456789 - 1)"),
    ):
        assert (
            formulas("Pow", 3.0, 2.0, inputs=["x", written], output="y")[0][0].replace("ȳ", "ȳ")
            == said
        )


def test_what_a_rule_needs():
    _, rules = formulas("Tanh", 0.5)
    assert rules[0].inputs == frozenset() and rules[0].output
    _, rules = formulas("Mul", 0.5, 2.0)
    assert [sorted(rule.inputs) for rule in rules] == [[1], [0]] and not any(
        rule.output for rule in rules
    )
    _, rules = formulas("Add", 0.5, 2.0)
    assert [sorted(rule.inputs) for rule in rules] == [[], []]


NAMES = {
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "sqrt": np.sqrt,
    "where": np.where,
    "square": np.square,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "abs": np.abs,
    "sign": np.sign,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "log1p": np.log1p,
    "expm1": np.expm1,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "reciprocal": np.reciprocal,
}


@pytest.mark.parametrize("name", sorted(OPS))
def test_a_printed_formula_gives_what_the_rule_gives(name):
    """For every row of the table with one or two scalar inputs and no attributes: the formula,
    evaluated, is the part.
    """
    op = OPS[name]
    for values in ((0.7,), (0.7, 1.3)):
        arrays = tuple(np.float64(v) for v in values)
        try:
            with np.errstate(all="ignore"):
                y = op.kernel(*arrays)
        except Exception:
            continue
        if isinstance(y, tuple) or not isinstance(y, np.floating):
            continue
        rules = Rules().of(name, None, arrays, (y,))
        for i, rule in enumerate(rules or ()):
            written = text(rule, ["p", "q"][: len(arrays)], ["r"])
            if written is None:
                continue
            assert written.count("(") == written.count(")")
            if set(re.findall(r"([a-z_0-9]+)\(", written)) <= set(NAMES):
                got = eval(
                    written.replace("r̄", "G").replace("×", "*"),
                    {**NAMES, "G": np.float64(0.3), "p": arrays[0], "q": arrays[-1], "r": y},
                )
                want = rule_of(op, i)(np.float64(0.3), y, *arrays)
                assert np.allclose(got, want, equal_nan=True), (name, i, written)


LEAVES = [Leaf("in", 0), Leaf("in", 1), Leaf("g", 0), Leaf("y", 0), "2"]
TREES = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(
            st.sampled_from(["Add", "Sub", "Mul", "Div"]),
            st.tuples(inner, inner).map(list),
            st.just({}),
        ),
        st.tuples(st.just("Neg"), inner.map(lambda t: [t]), st.just({})),
    ),
    max_leaves=12,
)


def value_of(tree):
    if isinstance(tree, Leaf):
        return {"in": [1.25, -0.75], "g": [3.0], "y": [0.5]}[tree.kind][tree.index]
    if isinstance(tree, str):
        return 2.0
    values = [value_of(operand) for operand in tree[1]]
    ways = {
        "Add": lambda a, b: a + b,
        "Sub": lambda a, b: a - b,
        "Mul": lambda a, b: a * b,
        "Div": lambda a, b: a / b,
        "Neg": lambda a: -a,
    }
    return ways[tree[0]](*values)


@settings(max_examples=150, deadline=None)
@given(TREES)
def test_parentheses_keep_the_meaning(tree):
    written = _print(tree, ["p", "q"], ["r"], ["G"])[0]
    try:
        want = value_of(tree)
    except ZeroDivisionError:
        return
    assert eval(
        written.replace("×", "*"), {"p": 1.25, "q": -0.75, "r": 0.5, "G": 3.0}
    ) == pytest.approx(want, rel=1e-9)
    assert "((" not in written or written.count("(") == written.count(")")


def test_names_of_adjoints():
    assert [adjoint_name(n) for n in ("z", "w1", "loss", "", "y₂")] == ["z̄", "w̄1", "ȳ", "ȳ", "ȳ₂"]
    assert adjoint_name("loss", "u" + index_of(11)) == "ū₁₂" and adjoint_name("z", "u₂") == "z̄"
    assert is_atom("self.w") and is_atom("[1. 2.]") and not is_atom("a + b") and not is_atom("-3.0")


def test_a_part_that_is_the_same_for_every_entry_says_what_one_receives():
    x = np.ones((2, 3))
    written, (rule,) = formulas("Mean", x, attributes={"axis": None, "keepdims": False})
    assert written == ["ȳ / 6"] and rule.known == "spread"
    written, (rule,) = formulas("Sum", x, attributes={"axis": (0,), "keepdims": False})
    assert written == ["ȳ"] and rule.known == "spread"
    assert not any(rule.known == "spread" for rule in formulas("Mul", x, x)[1])


def test_a_running_sum_says_from_which_side():
    """Its rule is the running sum from the other side: without that word the sentence is wrong."""
    x = np.arange(3.0)
    how = {"axis": 0, "exclusive": False, "reverse": False}
    assert formulas("Cumsum", x, attributes=how)[0] == ["cumsum(ȳ, axis=-1, reverse=True)"]
    assert formulas("Cumsum", x, attributes=how | {"exclusive": True, "reverse": True})[0] == [
        "cumsum(ȳ, axis=-1, exclusive=True)"
    ]


def test_a_value_without_a_name_is_called_by_what_makes_it():
    assert (
        expression("MatMul", ["x", "w"], {}) == "x @ w"
        and expression("Mul", ["a + b", "c"], {}) == "(a + b) × c"
    )
    assert (
        expression("Mean", ["e"], {"axis": 0}) == "reduce_mean(e, axis=0)"
        and expression("Relu", ["h"], None) == "relu(h)"
    )
    assert expression("SparseSoftmaxCrossEntropyWithLogits", ["…"], None) == "cross_entropy(…)"
