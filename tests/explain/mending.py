"""Which cures mend: each is pasted into its program, which then runs and asks for its gradient again.

`python -m tests.explain.mending` prints how many of each kind are shown, and how many mend.
"""

import contextlib
import io
import re
import warnings
from collections import Counter
from typing import NamedTuple

import numpy as np

import minitape as tf
from minitape.engine.recording import recorded
from tests.explain.pasting import pasted, ran
from tests.explain.programs import as_cells, programs


class Tried(NamedTuple):
    """A cure that was tried: of which program and kind, its lines, and what is wrong with it, or
    "" where it mends.
    """

    program: str
    kind: str
    lines: list[str]
    wrong: str


def tried(*files):
    """Yields what came of each cure that the programs of some corpus files are shown: of those in
    lines to paste, not with dots for what stays.
    """
    for program in [*programs(*files), *([] if files else programs("several"))]:
        e, texts = ran(program)
        for group in getattr(e, "groups", [e]):
            if group.cure and "    ..." not in group.cure:
                yield Tried(program.name, group.category, group.cure, wrong(program, group, texts))


def wrong(program, e, texts):
    """Returns what is still wrong with a program once a cure is in it, or ""."""
    asks = re.match(r"(?:(.*) = )?(\S+\.gradient\(.*\))$", e.cure[0])
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            if asks and "over" not in e.params:
                names, _ = as_cells(program, None)
                return said(e, eval(asks[0], names))
            for each in places(e):
                text = texts[each.params["over"][0] if "over" in each.params else each.filename]
                program = pasted(program, each, text if text in program.code else program.code)
            names, _ = as_cells(program, None)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return said(e, names[asks[1]]) if asks else still(e, names.get("e"))


def places(e):
    """Returns the explanations whose lines are pasted, the last first: of several sources each
    member where each has lines of its own.
    """
    members = {tuple(m.cure): m for m in e.members}
    own = len(members) > 1 and "over" not in e.params
    return sorted(members.values(), key=lambda m: -m.lineno) if own else [e]


def still(before, after):
    """Returns what an answer still complains of in what an earlier one spoke of, or ""."""
    sources = {m.source for m in before.members or [before]}
    for each in getattr(after, "each", [after]):
        if each is None or len(getattr(after, "each", ())) > 1 and each.source not in sources:
            continue
        complaint = said(before, gradient_of(each))
        if before.params["answer"] not in ("none", "zero", "nan", "inf", "error"):
            if each.category == before.category or each.params["answer"] == "partial":
                complaint = each.category
        if complaint:
            return complaint
    return ""


def gradient_of(e):
    """Returns the gradient that an explanation speaks of; of what is gone, what the answer says."""
    tape, targets, source = [
        [each() for each in ref] if isinstance(ref, list) else ref() for ref in e._refs
    ]
    gone = any(each is None for each in (tape, source, *targets))
    if gone or not recorded(tape).holds_arrays:
        known = {"none": None, "error": None, "zero": 0.0, "nan": np.nan, "inf": np.inf}
        return known.get(e.params["answer"], 1.0)
    return tf.GradientTape.around(recorded(tape).twin()).gradient(targets, source)


def said(before, found):
    """Returns what is wrong with a gradient in the place of the one that was complained of, or ""."""
    parts = tf.nest.flatten(found)
    if any(part is None for part in parts):
        return "None"
    if not all(np.isfinite(part).all() for part in parts):
        return "not finite"
    zero = not all(np.any(part) for part in parts)
    return "zero" if zero and before.params["answer"] == "zero" else ""


def main():
    warnings.simplefilter("ignore")
    found = list(tried())
    shown, mend = Counter(t.kind for t in found), Counter(t.kind for t in found if not t.wrong)
    print(f"{'kind':30} shown mends")
    for kind, count in sorted(shown.items(), key=lambda each: (-each[1], each[0])):
        print(f"{kind:30} {count:5} {mend[kind]:5}")
    print(f"{'all':30} {len(found):5} {sum(mend.values()):5}")
    for t in found:
        if t.wrong:
            print(f"\n{t.program} ({t.kind}): {t.wrong}", *t.lines, sep="\n    ")


if __name__ == "__main__":
    main()
