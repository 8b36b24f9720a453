"""Programs with a surprise, as `programs.txt` has them, and what is said of each."""

import linecache
from pathlib import Path

import minitape.jax

HEAD = "import jax, jax.numpy as jnp\nfrom jax import lax\n"


def programs():
    """Yields (how the gradient is, the kinds that are right, line or None, text) of each program."""
    text = Path(__file__).with_name("programs.txt").read_text(encoding="utf-8")
    for part in text.split("#=== ")[1:]:
        head, _, body = part.partition("\n")
        how, *kinds = head.split()
        lines = (HEAD + body).splitlines()
        line = next((k for k, each in enumerate(lines, 1) if each.endswith("# <-")), None)
        yield how, kinds, line, "\n".join(lines) + "\n"


def answer_to(text, name):
    """Runs a program, and returns what is said of the gradient it asks about."""
    filename = f"{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {}
    exec(compile(text, filename, "exec"), names)
    ask = names.get("ask", names["f"].__code__.co_varnames[0])
    names["record"] = minitape.jax.record
    return eval("record(f, *args)", names).explain(ask)


def mended(text, answer, name):
    """What is said of the program once the cure stands in it."""
    lines = text.splitlines()
    first, last = answer.replaced or (answer.lineno, answer.end_lineno)
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    lines[first - 1 : last] = [indent + line for line in answer.cure]
    return answer_to("\n".join(lines) + "\n", name)
