"""Everything that is known of one row of the table of derivatives, tried in a few seconds: `make
check OP=Tanh`.

Whoever writes or changes a row runs this and reads a few lines: its rule tests (`test_rules.py`, with
the numbers of `cases/`), the recorded TensorFlow programs that use it, the signatures of the
functions that call it there, its facts (`row_facts.py`), the page's formula (`tests/frontend/`),
and its mutants (`mutate.py`). Nothing is checked here that the whole suite does not check as well.
"""

import functools
import importlib
import json
import pkgutil
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from minitape.engine.ops.facts import FACTS
from tests.conftest import find_node
from tests.engine import cases, mutate, row_facts, test_answers, test_rules, test_signatures
from tests.frontend import replayed

ROOT = Path(__file__).resolve().parent.parent.parent
PLAYS = ROOT / "tests/frontend/plays.js"
SLOTS = ("kernel", "rules", "each", "joint")
WITHOUT_ANSWER = {  # rows that no recorded program can use, or need not
    "AssignVariableOp": "traced functions add it",
    "AssignAddVariableOp": "traced functions add it",
    "AssignSubVariableOp": "traced functions add it",
    "CustomGradient": "its kernel is the learner's function",
    "ReadVariableOp": "a variable is read without its kernel",
    "InverseDeviation": "a rule's own row, of second derivatives",
    "MatrixSetDiag": "a row of rules",
}
OTHER_DTYPES = {"AdjustContrastv2", "CustomGradient"}  # not functions of `x` alone


def place_of(name):
    """Return (path from the root, line) of the row in the source, or None."""
    for path in sorted((ROOT / "minitape").rglob("*.py")):
        if found := re.search(
            rf'^(?:\w+ *= *)?Op\(\s*"{name}"',
            text := path.read_text(encoding="utf-8"),
            re.MULTILINE,
        ):
            return path.relative_to(ROOT).as_posix(), text.count("\n", 0, found.start()) + 1
    return None


def where_a_case_belongs(name):
    """Return the file of `cases/` that has most cases of the rows beside this one."""
    beside = set(
        re.findall(r'\bOp\(\s*"(\w+)"', (ROOT / place_of(name)[0]).read_text(encoding="utf-8"))
    )
    counts = {}
    for module in pkgutil.iter_modules(cases.__path__):
        here = importlib.import_module(f"tests.engine.cases.{module.name}").CASES
        counts[f"tests/engine/cases/{module.name}.py"] = sum(case.op in beside for case in here)
    return max(counts, key=counts.get)


def rule_tests(name):
    """Run every test of test_rules.py that takes a case, on the cases of this row. Return (names of
    the tests, complaints).
    """
    ran, complaints = [], []
    for label, test in list(vars(test_rules).items()):
        for mark in getattr(test, "pytestmark", ()) if callable(test) else ():
            for case in (
                [c for c in mark.args[1] if c.op == name] if mark.name == "parametrize" else ()
            ):
                ran.append(label.removeprefix("test_").replace("_", " "))
                try:
                    test(case)
                except Exception as error:
                    complaints.append(f"{ran[-1]}: {type(error).__name__}: {error}".split("\n")[0])
    return ran, complaints


def public_functions():
    """Return code -> [(public name, function)] for every function that has a recorded signature."""
    functions = {}
    for public in sorted(test_signatures.NAMES, key=lambda n: (n.count("."), n)):
        obj = test_signatures.found(public)
        if hasattr(obj, "__code__"):
            functions.setdefault(obj.__code__, []).append((public, obj))
    return functions


def caller(functions):
    """Return (names of the public function that the recorded program has called, frames on the way
    from there to the kernel).
    """
    frame, below, depth = sys._getframe(2), None, 0
    while frame is not None and frame.f_code.co_filename != "<answer>":
        frame, below, depth = frame.f_back, frame, depth + 1
    # functions made from rows share their code, not what they keep
    kept = {} if frame is None or below is None else below.f_locals
    return [
        name
        for name, f in (functions.get(below.f_code, ()) if kept else ())
        if all(
            kept.get(v) is cell.cell_contents
            for v, cell in zip(f.__code__.co_freevars, f.__closure__ or ())
        )
    ], depth


class Use:
    """What the recorded programs have done with a row: `answers` are those that compute it, with what
    differs there from TensorFlow's, `played` counts those that play its rule, and `nearness` is
    public name -> frames between that function and the row.
    """

    def __init__(self, op, functions):
        self.op, self.answers, self.played, self.called = op, [], 0, set()
        cased = [case.call for case in cases.CASES if case.op == op.name]
        # also those that no program calls
        self.nearness = {
            public: 0
            for pairs in functions.values()
            for public, function in pairs
            if function in cased
            or any(cell.cell_contents is op for cell in function.__closure__ or ())
        }


def uses_of(ops):
    """Run all recorded programs once; return name -> Use for these rows."""
    functions = public_functions()
    uses = {op.name: Use(op, functions) for op in ops}
    before = [(op, slot, getattr(op, slot)) for op in ops for slot in SLOTS]

    def noticing(use, slot, function):
        def call(*inputs, **attributes):
            use.called.add(slot)
            names, depth = caller(functions) if slot == "kernel" else ((), 0)
            for name in names:
                use.nearness[name] = min(depth, use.nearness.get(name, depth))
            return function(*inputs, **attributes)

        return function and call

    for op, slot, value in before:
        watched = functools.partial(noticing, uses[op.name], slot)
        setattr(op, slot, tuple(map(watched, value)) if slot == "rules" else watched(value))
    try:
        for answer in test_answers.ANSWERS:
            differences = test_answers.verdict(answer)
            for use in uses.values():
                if "kernel" in use.called:
                    use.answers.append((answer, differences))
                    use.played += use.called != {"kernel"}
                use.called.clear()
    finally:
        for op, slot, value in before:
            setattr(op, slot, value)
    return uses


def recorded_answers(op, uses=None):
    """Compare the recorded programs that use the row; they run for it alone unless `uses` is given.

    Returns (how many compute it, how many play its rule, how many try it in all dtypes, public name
    -> frames between that function and the row, complaints).
    """
    use = (uses or uses_of([op]))[op.name]
    used = [answer for answer, _ in use.answers]
    differences = [d for _, found in use.answers for d in found]
    tried = sum(answer["id"].startswith("accepted/") for answer in used)
    complaints = [d for d in differences if test_answers.reason(d) is None]
    names = {answer["id"] for answer in used}
    others = [answer["id"] for answer in test_answers.ANSWERS if answer["id"] not in names]
    for pattern in test_answers.unused(differences):
        begins = functools.partial(test_answers.begins, pattern=pattern.partition(" ")[0])
        if any(map(begins, names)) and not any(map(begins, others)):
            complaints.append(
                f"{pattern!r} differs no more: take it out of DIFFERENT in "
                "tests/engine/different.py"
            )
    return len(used), use.played, tried, use.nearness, complaints


def signatures(names):
    """Compare the signatures of public functions with TensorFlow's, and the places where they are
    found; return complaints.
    """
    complaints = []
    for public in names:
        try:
            test_signatures.test_parameters(public)
        except AssertionError as error:
            complaints.append(str(error).split("\n")[0])
    lasts = {public.rpartition(".")[2] for public in names}
    return complaints + [
        f"TensorFlow has it as tf.{other}, too: give it its name there."
        for other in test_signatures.FACTS["names"]
        if other.rpartition(".")[2] in lasts and test_signatures.found(other) is None
    ]


def page(name):
    """Play the cases of a row in the page, with other numbers; return (what came of it,
    complaints).
    """
    if name not in FACTS or not FACTS[name].page:
        return "does not compute it", []
    node = find_node()
    if node is None:
        return "not tried: Node was not found", []
    runs = list(replayed.per_operation([name]))
    if not runs:
        return "computes it; no gradient comes to it, so no case plays it", []
    ran = subprocess.run(
        [node, PLAYS], input=json.dumps(runs), capture_output=True, text=True, cwd=ROOT
    )
    wrong = ran.stdout.splitlines() or ran.stderr.splitlines()[-1:]
    return f"{len(runs) - len(wrong)} of {len(runs)} runs give the engine's numbers", wrong


def summary(name, uses=None):
    """Return (lines to print, whether all is well) for one row. Raises `LookupError` for a name
    that the table does not have. Whoever asks for many passes `uses_of` them.
    """
    op, start = mutate.row_named(name), time.time()
    path, line = place_of(name)
    lines, bad = [f"{name}, {path}:{line}"], []

    def tell(what, text, complaints=()):
        lines.append(f"  {what:12}{text}")
        lines.extend(f"    ! {complaint}" for complaint in complaints)
        bad.extend(complaints)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        ran, wrong = rule_tests(name)
        if ran:
            tell(
                "rule tests",
                f"{len(ran) - len(wrong)} of {len(ran)} green: {', '.join(dict.fromkeys(ran))}",
                wrong,
            )
        elif name in test_rules.OF_FUNCTIONS:
            tell(
                "rule tests",
                "no case: a traced function adds this row, and tests/jit/test_function.py holds it",
            )
        else:
            tell(
                "rule tests",
                "none",
                [
                    "No case calls this row. Add one to the list CASES in "
                    f"{where_a_case_belongs(name)}: "
                    "what to call and on which numbers, as for the rows beside it."
                ],
            )
        used, played, tried, nearness, wrong = recorded_answers(op, uses)
        names = sorted(nearness, key=nearness.get)
        public = bool(ran) and names and not nearness[names[0]] and name not in OTHER_DTYPES
        mutants = mutate.mutants([name])
        if used and public and not played and mutants:
            wrong.append(
                "No program plays its rule, so nothing says whether TensorFlow's gradient is the "
                "same, where numbers are huge as "
                "well. Add a line to tests/data/ask/tables.py, with {HUGE} in it, and record it."
            )
        if used or name in WITHOUT_ANSWER:
            tell(
                "recorded",
                f"{used} of TensorFlow's programs use it, {played} play its rule"
                if used
                else f"no answer: {WITHOUT_ANSWER[name]}",
                wrong,
            )
        else:
            tell(
                "recorded",
                "none",
                [
                    "No program in tests/data/tf_answers uses this row, so nothing says what "
                    "TensorFlow answers, and "
                    "perhaps no public function calls it. Add a line to tests/data/ask/tables.py "
                    "and record it."
                ],
            )
        tell(
            "dtypes",
            f"{tried} of them try it in all dtypes" if tried else "none tries it in all dtypes",
            [
                f"Nothing says which dtypes TensorFlow refuses. Add tf.{names[0]}(x) to FURTHER "
                "in tests/data/ask/dtype_tables.py and "
                "record it."
            ]
            if public and not tried
            else (),
        )
        more = f" and {len(names) - 4} more that compute with it" if len(names) > 4 else ""
        tell(
            "signature",
            ", ".join(f"tf.{n}" for n in names[:4]) + more
            if names
            else "none compared: no recorded program uses it",
            signatures(names),
        )
        try:
            tell("facts", row_facts.sentence_of(name), row_facts.lacking(op))
        except (
            Exception
        ) as error:  # of the row itself: its kernel, or a rule that names what is not there
            tell("facts", "not compared", [f"{type(error).__name__}: {error}"])
        tell("page", *page(name))
        chosen = mutants if ran else []
        tried = [mutant for mutant in chosen if mutate.harmless(mutant[0]) is None]
        alive = mutate.survivors(tried)
        harmless = (
            f", {len(chosen) - len(tried)} known to be harmless left out"
            if len(tried) < len(chosen)
            else ""
        )
        tell(
            "mutants",
            f"{len(tried) - len(alive)} of {len(tried)} found{harmless}"
            if chosen
            else "nothing to break: no rule"
            if ran
            else "not tried: without a case nothing would find them",
            [f"survives: {text}" for text in alive],
        )
    lines.append(
        f"{time.time() - start:.1f} s: "
        f"{'all is well.' if not bad else f'{len(bad)} to mend, marked with !'}"
    )
    return lines, not bad


def main(names):
    """Print the summary of each named row; exit with 1 where something is to mend."""
    if not names:
        return "Which row? For example:  make check OP=Tanh"
    try:
        for name in names:
            mutate.row_named(name)
    except LookupError as error:
        return error.args[0]
    well = True
    for name in names:
        lines, good = summary(name)
        print("\n".join(lines))
        well &= good
    return not well


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
