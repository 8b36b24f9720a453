"""A file is read by parts: what is asked of it is what `ast.walk` finds, and no more is read than
stands near the word.
"""

import ast

import pytest

from minitape.program.files import File
from minitape.program.functions import Functions
from tests.explain.large import CAUSES, PARTS, text_of

KINDS = [(ast.Name,), (ast.Call,), (ast.If, ast.IfExp, ast.For), (ast.expr,), (ast.stmt,)]


def of(text):
    return File("<file>", text.splitlines(True))


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("part", PARTS)
def test_nodes_come_in_the_order_of_walk(part, kinds):
    file = of(text_of(part, 60, next(iter(CAUSES))))
    assert file.each(kinds) == [node for node in ast.walk(file.root) if isinstance(node, kinds)]


def test_only_the_parts_with_a_word_are_read():
    file = of("a = 1\nb = a + 1\ndef f(x):\n    return x\nc = f(b)\n")
    assert sorted(n.lineno for n in file.each((ast.Name,), "b")) == [2, 2, 5, 5, 5] and sorted(
        file._rows
    ) == [1, 3]
    assert file.find(("<file>", 4, 11, 4, 12)).id == "x" and sorted(file._rows) == [1, 2, 3]
    assert not file.each((ast.Name,), "nowhere") and not file.each((ast.Name,), "")


def test_a_name_is_found_as_python_reads_it():
    file = of("ﬁrst = 1\nprint(first)\n")
    assert len(file.each((ast.Name,), "first")) == 3


def test_several_statements_on_a_line():
    file = of("a = (1,\n2); b = [3]; c = {\n4: b}\n")
    for node in (n for n in ast.walk(file.root) if isinstance(n, ast.Constant)):
        assert (
            file.find(
                ("<file>", node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
            )
            is node
        )


@pytest.mark.parametrize(
    "text",
    [
        "f = lambda: 1",
        "def f():\n    pass",
        "async def f():\n    pass",
        "class f:\n    def __init__(self):\n        pass",
        "f = g",
        "f=g;h = 1",
        "f = wrap(g)",
        "f = tf.function(\n    g)",
        "f = (\n    g)",
        "f = h = g",
        "f = g  # so",
        "f = \\\n    g",
        "f = wraps[0](g)",
    ],
)
def test_what_a_name_is_given_is_found(text):
    assert Functions([of(f"def g():\n    pass\n{text}\n")], lambda: None).named("f")


def test_what_is_no_function_is_not_read():
    file = of("def g():\n    pass\nf = g * 2\nh = f + g(1)\nf == g\n")
    assert not Functions([file], lambda: None).named("f") and not file._rows


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('help = """\n%%tape\n!ls\n?"""\ny = 1\n', "y = 1"),
        ("y = (7\n% 4)\n", "y = 7 % 4"),
        ("%matplotlib inline\ny = 1\n", "y = 1"),
        ("    %time\n    y = 1\n", None),
        ("    y = 1\n    z = 2\n", "z = 2"),
        ("y = = 1\n", None),
    ],
)
def test_a_line_is_a_magic_only_where_the_text_is_no_program_with_it(text, found):
    body = File("cell.py", text.splitlines()).tree.body
    assert (ast.unparse(body[-1]) if body else None) == found
