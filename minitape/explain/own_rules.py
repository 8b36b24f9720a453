"""A rule written by hand that never reads the adjoint it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.program.syntax import FUNCTIONS, above, names_used, text_of

from .case.graph import Break

if TYPE_CHECKING:
    from .case.aliases import Case
    from .replay import Replay


def reasons(case: Case, replay: Replay | None) -> Iterator[Break]:
    """Return the breaks for the rules that were given another adjoint than 1 and do not read it."""
    rules = replay is not None and "CustomGradient" in case.evidence.ops
    entries = case.evidence.recorded if rules else []
    for index, entry in enumerate(entries):
        step = replay.step_of.get(index) if replay and entry.op == "CustomGradient" else None
        if step is None or all(a is None or np.all(a == 1) for a in step.adjoints):
            continue
        if not any(np.any(part.value) for part in step.parts):
            continue  # it stops the gradient, on purpose
        rule = _rule(case, entry.about["name"])
        if rule is None or names_used(rule) & {a.arg for a in _parameters(rule)}:
            continue
        given = [n for n in ast.walk(rule) if isinstance(n, ast.Return)]
        value = given[0].value if len(given) == 1 else getattr(rule, "body", None)
        if isinstance(value, ast.expr) and not isinstance(value, ast.Tuple):
            upstream = _parameters(rule)[0].arg
            yield Break("upstream-not-used", value, params={"upstream": upstream})


def _parameters(rule: Any) -> list[ast.arg]:
    """Return the parameters that take the adjoints: not `variables=None`."""
    takes = rule.args
    named = [*takes.posonlyargs, *takes.args]
    return named[: len(named) - len(takes.defaults)] + ([takes.vararg] if takes.vararg else [])


def _rule(case: Case, name: str) -> Any:
    """Return the one function inside of that with a gradient of its own, or None."""
    for function in case.program.each((ast.FunctionDef,), name):
        decorators = [text_of(d) for d in function.decorator_list]
        if function.name == name and any("custom_gradient" in d for d in decorators):
            rules = [
                f
                for f in ast.walk(function)
                if isinstance(f, FUNCTIONS) and above(f, FUNCTIONS) is function and _parameters(f)
            ]
            return rules[0] if len(rules) == 1 else None
    return None
