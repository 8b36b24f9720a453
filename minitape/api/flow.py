"""Branches and loops as functions. Everything runs at once here, so they simply are Python's `if`,
`for` and `while`.

A tape records the branch that was taken and every turn of a loop, so gradients go through all of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.base.errors import OutOfRangeError
from ..engine.base.nest import flatten, map_structure, pack_sequence_as
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.variable import Variable
from ..typing import IntLike, Nested
from .shaping import stack, unstack
from .tensor_array import TensorArray


def truth(pred: Any) -> bool:
    """Return a condition as a Python boolean. Raises TypeError for something that is no condition."""
    if callable(pred) and not isinstance(pred, (Tensor, Variable)):
        raise TypeError("pred must not be a Python function: call it.")
    return bool(convert_to_tensor(pred) if isinstance(pred, (list, tuple)) else pred)


def called(result: Nested) -> Any:
    """Convert the results of a branch to tensors, in their structure."""
    return map_structure(
        lambda x: (
            x if x is None or isinstance(x, (Variable, TensorArray)) else convert_to_tensor(x)
        ),
        result,
    )


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return `true_fn()` where `pred` is True, else `false_fn()`. Raises TypeError where they are
    no functions. Source: `tf.cond`.
    """
    for function, what in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if not callable(function):
            raise TypeError(f"{what} must be callable.")
    chosen: Any = true_fn if truth(pred) else false_fn
    return chosen()


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Nested,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: IntLike | None = None,
    name: str | None = None,
) -> Any:
    """Run `loop_vars = body(*loop_vars)` as long as `cond(*loop_vars)` is True, and return them.

    Raises TypeError where `cond` or `body` is no function, ValueError for no variables. Source:
    `tf.while_loop`.
    """
    if not callable(cond) or not callable(body):
        raise TypeError("'cond' and 'body' must be callable.")
    if not loop_vars:
        raise ValueError("'loop_vars' must not be empty.")
    structure = loop_vars
    values, turns = called(loop_vars), 0
    while truth(cond(*values)) and (maximum_iterations is None or turns < int(maximum_iterations)):
        results = body(*values)
        results = results if isinstance(results, (list, tuple)) else [results]
        values, turns = called(pack_sequence_as(structure, flatten(results))), turns + 1
    return values


def turns_of(elems: Nested) -> list[Any]:
    """Return a structure's elements along the first axis: a list of structures. Raises ValueError
    for scalars.
    """
    flat = [convert_to_tensor(e) for e in flatten(elems)]
    if not flat or not flat[0].ndim:
        raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
    return [pack_sequence_as(elems, list(turn)) for turn in zip(*[unstack(e) for e in flat])]


def stacked(turns: list[Any]) -> Any:
    """Join structures along a new first axis."""
    if not turns:
        raise ValueError(
            "`elems` must not be empty: nothing is known of what the function would return."
        )
    first = turns[0]
    return pack_sequence_as(
        first, [stack(list(column)) for column in zip(*[flatten(r) for r in turns])]
    )


def map_fn(
    fn: Callable[..., Any],
    elems: Nested,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> Any:
    """Apply `fn` to each element along the first axis and stack the results.

    Shape: elems (n, ...) -> (n, result...). Raises ValueError for scalars. Source: `tf.map_fn`.
    """
    return stacked([called(fn(turn)) for turn in turns_of(elems)])


def vectorized_map(
    fn: Callable[..., Any], elems: Nested, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Apply `fn` to each element along the first axis and stack the results; here one after the
    other.

    Shape: elems (n, ...) -> (n, result...). Source: `tf.vectorized_map`.
    """
    return map_fn(fn, elems)


def started(turns: list[Any], initializer: Nested) -> tuple[list[Any], Any]:
    """Return the elements still to visit and the first state."""
    if initializer is not None:
        return turns, called(initializer)
    if not turns:
        raise OutOfRangeError(
            "`elems` must not be empty where no `initializer` is given: nothing is there to "
            "begin with."
        )
    return turns[1:], turns[0]


def foldl(
    fn: Callable[..., Any],
    elems: Nested,
    initializer: Nested = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Combine elements from the first to the last: state = fn(state, element).

    Shape: elems (n, ...) -> the state's. Raises TypeError. Source: `tf.foldl`.
    """
    if not callable(fn):
        raise TypeError(f"{fn} must be callable.")
    turns, state = started(turns_of(elems), initializer)
    for turn in turns:
        state = called(fn(state, turn))
    return state


def scan(
    fn: Callable[..., Any],
    elems: Nested,
    initializer: Nested = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Like `foldl`, and stack all states on the way. Shape: elems (n, ...) -> (n, state...). Raises
    TypeError. Source: `tf.scan`.
    """
    if not callable(fn):
        raise TypeError(f"{fn} must be callable.")
    turns = turns_of(elems)
    turns = turns[::-1] if reverse else turns
    states = []
    state = None if initializer is None else called(initializer)
    for k, turn in enumerate(turns):
        state = turn if k == 0 and initializer is None else called(fn(state, turn))
        states.append(state)
    return stacked(states[::-1] if reverse else states)
