"""Definitions and uses in a text: what may come from an expression, and what may not."""

import ast
import linecache

import pytest

from minitape.explain.case.flow import Flow
from minitape.program import Text

CASES = {
    "straight": ("a = start()\nb = a + 1\nuse(b)", True),
    "given to something else": ("a = start()\nprint(a)\na = 3\nuse(a)", False),
    "one branch gives it to something else": ("a = start()\nif c:\n    a = 3\nuse(a)", True),
    "both before and in the loop": ("a = 0\nfor i in r:\n    use(a)\n    a = start()", True),
    "given anew in each round": ("for i in r:\n    a = 3\n    use(a)\n    a = start()", False),
    "grows in a loop": ("t = 0\nfor i in r:\n    t += start()\nuse(t)", True),
    "list": ("xs = []\nxs.append(start())\nuse(xs[0])", True),
    "list that was emptied": ("xs = []\nxs.append(start())\nxs = []\nuse(xs)", False),
    "element": ("d = {}\nd['k'] = start()\nuse(d['k'])", True),
    "only printed": ("a = start()\nprint(a)\nb = 3\nuse(b)", False),
    "only a condition": ("a = start()\nif a > 0:\n    b = 3\nuse(b)", False),
    "only its shape": ("a = start()\nb = a.shape[0] * len(a)\nuse(b)", False),
    "argument": ("def f(v, w):\n    use(v)\nf(start(), 2)", True),
    "other argument": ("def f(v, w):\n    use(w)\nf(start(), 2)", False),
    "keyword": ("def f(v, w=0):\n    use(w)\nf(1, w=start())", True),
    "result": ("def f():\n    return start()\nuse(f())", True),
    "result of another": ("def f():\n    start()\n    return 3\nuse(f())", False),
    "lambda": ("f = lambda v: v * 2\nuse(f(start()))", True),
    "attribute": (
        "class A:\n    def m(self):\n        self.k = start()\n    def n(self):\n        "
        "use(self.k)",
        True,
    ),
    "method result": (
        "class A:\n    def m(self):\n        return start()\n    def n(self):\n        "
        "use(self.m())",
        True,
    ),
    "call of an object": (
        "class A:\n    def __call__(self, x):\n        return start()\nm = A()\nuse(m(1))",
        True,
    ),
    "tuple": ("a, b = start(), 2\nuse(b)", False),
    "tuple of a whole": ("a, b = start()\nuse(b)", True),
    "zip": ("for a, b in zip(xs, start()):\n    use(a)", False),
    "comprehension": ("ys = [y * 2 for y in start()]\nuse(ys)", True),
    "walrus": ("if (n := start()) > 1:\n    use(n)", True),
    "two names, one function each": (
        "def f():\n    a = start()\n    return 1\ndef g():\n    a = 2\n    use(a)",
        False,
    ),
    "global": ("def f():\n    global a\n    a = start()\nf()\nuse(a)", True),
    "formatted": ("a = start()\ns = f'{a:.2f}'\nuse(float(s))", True),
    "yield": ("def f():\n    yield start()\nuse(sum(f()))", True),
    "star": ("def f(*vs):\n    use(vs[0])\nf(start())", True),
    "function given to another": ("t = reduce(lambda a, b: a + start(), xs, 0)\nuse(t)", True),
    "name of a function given to another": (
        "def f(v):\n    return start()\nuse(list(map(f, xs)))",
        True,
    ),
    "other function given to another": (
        "def f(v):\n    return 3\na = start()\nuse(list(map(f, xs)))",
        False,
    ),
    "decorated": (
        "def deco(f):\n    def inner(*a):\n        return start()\n    return inner\n@deco\ndef "
        "g(v):\n    return 3\n"
        "use(g(1))",
        True,
    ),
    "another name": ("def f(v):\n    use(v)\ng = f\ng(start())", True),
    "another name for something else": (
        "def f(v):\n    use(v)\ndef h(v):\n    return v\ng = h\ng(start())",
        False,
    ),
    "wrapped under another name": ("def f(v):\n    use(v)\ng = wrap(f)\ng(start())", True),
    "recursion": ("def f(n):\n    return f(n - 1) if n else start()\nuse(f(3))", True),
}


@pytest.mark.parametrize("name", CASES)
def test_flow(name):
    text, expected = CASES[name]
    filename = f"<flow {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    program = Text()
    file = program.file(filename)
    calls = {
        n.func.id: n
        for n in ast.walk(file.tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert Flow(program, [calls["start"]]).enters(calls["use"]) is expected
