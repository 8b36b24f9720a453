"""One traced call: the arguments become inputs, the run becomes a program, the result keeps its
structure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.base.arrays import array_of
from ..engine.base.listeners import Onlooker, listeners, looking_on
from ..engine.base.nest import flatten, is_nested
from ..engine.base.parameters import signature
from ..engine.base.safe_exit import SafeExit
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.variable import Variable
from .again import STATES
from .concrete import ConcreteFunction, pack
from .names import names_in
from .simplify import EFFECTS, simplify
from .trace import Recorder, listening


def trace(
    owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[ConcreteFunction, Any, dict[int, Variable]]:
    """Run a function once and return its program, its result, and the variables that it made."""
    tapes = listeners()
    if not tapes:
        concrete, leaves, _, created = listened(owner, args, kwargs)
        return concrete, pack(concrete.structure, leaves), created
    with noticed() as undo:
        concrete, _, inputs, created = listened(owner, args, kwargs)
        if concrete.eager_on_tapes:
            undo()
    if concrete.eager_on_tapes:
        return concrete, owner.python_function(*args, **kwargs), created
    for variable, tensor in zip(
        concrete.variables, inputs[len(inputs) - len(concrete.variables) - len(concrete.captured) :]
    ):
        for tape in tapes:  # they heard nothing so far: give them one entry for the call
            if tensor.id not in tape.heard:
                tape.read(variable, tensor)
    return concrete, concrete.recorded(inputs, assign=False), created


def listened(
    owner: Any, args: Any, kwargs: dict[str, Any]
) -> tuple[ConcreteFunction, list[Tensor | None], list[Tensor], dict[int, Variable]]:
    """Run a function once, unheard by tapes; return its program, its results in a row, the
    program's inputs, and the variables that it made.
    """
    python, recorder, given, twins = owner.python_function, Recorder(), [], []

    def enter(a: Any) -> Any:
        """Put a twin in the place of a tensor: an argument given twice is two inputs."""
        if not isinstance(a, (Tensor, np.ndarray, np.generic)):
            return a
        given.append(convert_to_tensor(a))
        twins.append(Tensor(given[-1].value))
        return twins[-1]

    args = [mapped(enter, a) for a in args]
    kwargs = {k: mapped(enter, kwargs[k]) for k in sorted(kwargs)}
    names = names_in(python, arguments_of(python, args, kwargs))
    with listening(recorder):
        for t in twins:
            recorder.input(t)
        result = python(*args, **kwargs)
        leaves = tensors_of(result)
    read, assigned = list(recorder.variables.values()), list(recorder.changes.values())
    for variable, tensor in read:
        names.setdefault(tensor.id, variable.name.removesuffix(":0").lower())
    for variable, tensor in assigned:
        names[tensor.id] = "new_" + names[recorder.variables[variable.id][1].id]
    program = simplify(recorder.program([*leaves, *[t for _, t in assigned]], names), final=False)
    captured = list(recorder.captured.values())
    concrete = ConcreteFunction(
        owner.__name__,
        program,
        [v for v, _ in read],
        captured,
        [v for v, _ in assigned],
        result if is_nested(result) else None,
        len(leaves),
        owner.jit_compile,
    )
    concrete.eager_on_tapes = recorder.own_rules or any(e[0] in EFFECTS for e in program.entries)
    return concrete, leaves, [*given, *[t for _, t in read], *captured], recorder.created


class noticed(Onlooker):
    """Notice what a block does to variables and random numbers; the block gets a function that
    undoes it.
    """

    def __init__(self) -> None:
        # number of a variable -> (variable, tensor, version) before it was assigned
        self.before: dict[int, tuple] = {}
        self.states, self._looking, self._guard = (
            [remembered() for remembered in STATES],
            looking_on(self),
            None,
        )

    def assigned(
        self, variable: Variable, how: str, operand: Tensor, before: Tensor, after: Tensor
    ) -> None:
        self.before.setdefault(variable.id, (variable, before, variable.version - 1))

    def undo(self) -> None:
        """Give variables and random numbers back what they were."""
        for variable, old, version in self.before.values():
            variable._return_to(old, version)
        for put_back in self.states:
            put_back()

    def __enter__(self) -> Callable[[], None]:
        self._looking.__enter__()
        return self.undo

    __exit__ = SafeExit(lambda self, *error: self._looking.leave())


def arguments_of(
    python: Callable[..., Any], args: Any, kwargs: dict[str, Any]
) -> list[tuple[str, Any]]:
    """Return (name, value) for the arguments of a call."""
    try:
        bound = signature(python).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return []
    return list(bound.arguments.items())


def mapped(f: Callable[[Any], Any], a: Any) -> Any:
    """Apply `f` to the leaves of an argument: dictionaries in the order of their sorted keys, as in
    the key of a call.
    """
    if isinstance(a, dict):
        new = {k: mapped(f, a[k]) for k in sorted(a)}
        return {k: new[k] for k in a}
    if isinstance(a, (list, tuple)):
        new = [mapped(f, x) for x in a]
        return type(a)(*new) if hasattr(a, "_fields") else type(a)(new)
    return f(a)


def tensors_of(result: Any) -> list[Tensor | None]:
    """Return the tensors in a result; None stays None. Raises TypeError for what a program cannot
    return.
    """
    leaves = []
    for r in flatten(result):
        if r is None or isinstance(r, Tensor):
            leaves.append(r)
        elif isinstance(r, Variable):
            leaves.append(r._read())
        elif isinstance(r, (bool, int, float, complex, str, bytes, np.ndarray, np.generic)):
            leaves.append(Tensor(array_of(r)))
        else:
            raise TypeError(
                "To be compatible with tf.function, Python functions must return zero or more "
                "Tensors or None; got "
                f"{type(r).__name__}. Return tensors, or structures of them."
            )
    return leaves
