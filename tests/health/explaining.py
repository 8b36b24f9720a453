"""Has trainings explained as `python -m minitape explain` does, and tries the cures."""

import ast
import io
import re
import sys
from contextlib import contextmanager, redirect_stdout

from not_learning import program

from minitape.explain.script import main
from minitape.health.script import looking_on
from minitape.program import positions
from minitape.recorders import watched_if_used
from minitape.sentences import set_language

# what is certain ends the script, the rest is only asked about at its end
STOPS = (
    "nothing_moves",
    "copied",
    "swapped",
    "rate_zero.whole",
    "rate_zero",
    "renamed",
    "put_back",
    "summed",
)

# of these what to do is said, and no line is written
ASKED = ("own_label", "same_batch", "left_alone", "put_back")
SAID = (
    ("nothing_moves", "class"),
    ("nothing_moves", "later"),
    ("copied", "own"),
    ("swapped", "own"),
    ("swapped", "class"),
    ("renamed", "numpy"),
    ("renamed", "helper"),
    ("not_applied", "own"),
    ("not_applied", "keras"),
    ("summed", "keras"),
    ("same_network", "function"),
)


def mended(text, finding):
    """Return a program with the statement at the place of a finding as its cure writes it."""
    line, lines = positions(finding.where).line, text.splitlines()
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno
    ]
    loops = [node for node in around if isinstance(node, ast.For)]
    head = len(finding.write) == 1 and finding.write[0].startswith("for ")
    stmt = max(loops if head else around, key=lambda node: node.lineno)
    end = stmt.lineno if hasattr(stmt, "body") else stmt.end_lineno
    lines[stmt.lineno - 1 : end] = [" " * stmt.col_offset + line for line in finding.write]
    return "\n".join(lines) + "\n"


def explained(text, folder, *arguments):
    """Run a program as `python -m minitape explain --open` does; return its exit status, what it
    printed, and the findings about its training.
    """
    script, seen = folder / "train.py", []
    script.write_text(text, encoding="utf-8")

    @contextmanager
    def looking(opens):
        with looking_on(opens) as learning:
            try:
                yield learning
            finally:
                seen.extend(learning.watches)

    before, out = (list(sys.path), sys.argv), io.StringIO()
    try:
        with redirect_stdout(out):
            main(["--open", *arguments, str(script)], watched_if_used, looking)
        status = 0
    except SystemExit as end:
        status = end.code
    finally:
        sys.path[:], sys.argv = before
        set_language("en")
    assert all(each.failed is None for each in seen)
    findings = [finding for each in seen for finding in each.findings]
    return status, " ".join(out.getvalue().split()), findings


def check(kind, style, edits, folder, library="minitape"):
    """The guilty line is named; what is certain ends the script; and a cure mends."""
    text = program(style, edits, library)
    line = next(k for k, each in enumerate(text.splitlines(), 1) if "# here" in each)
    status, said, findings = explained(text, folder)
    assert re.search(r"train\.py, line (\d+)", said)[1] == str(line), said
    finding = next((finding for finding in findings if finding.key == kind), None)
    if finding is None:  # the explainer was there before
        assert kind == "own_label" and status == 1, said
        return
    assert status == (kind in STOPS)
    assert "nothing surprising" in said or status, said
    if finding.write:
        _, said, after = explained(
            mended(text, finding) + "print('loss', losses[0], losses[-1])\n", folder
        )
        first, last = map(float, re.search(r"loss (\S+) (\S+)", said).groups())
        assert last < 0.8 * first, finding.write
        assert kind not in [finding.key for finding in after], finding.write
    assert bool(finding.write) == (kind not in ASKED and (kind, style) not in SAID), finding.write
