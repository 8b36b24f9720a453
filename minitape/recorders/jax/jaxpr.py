"""Running a jaxpr equation by equation, and writing each on a tape.

What JAX compiles as one function (`jit`, `checkpoint`) is opened, a `cond` as far as it ran, a short
`scan` round by round. Any other equation is one entry; its way back is that of `jax.vjp`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np
from jax import numpy as jnp
from jax.extend.core import Literal

from minitape.engine.base.tensor import new_id
from minitape.engine.base.where import is_inside

from .operations import Call, translate

if TYPE_CHECKING:
    from minitape.engine.base.aliases import Array, Number, Where

    from .tape import JaxTape

LONGEST_SCAN = 64  # rounds that are opened


class Known(NamedTuple):
    """A value, and its number on the tape."""

    number: Number
    value: Any


class Run:
    """One run of a traced function, written on a tape."""

    def __init__(self, tape: JaxTape) -> None:
        self.tape = tape

    def of(self, closed: Any, given: Sequence[Known], inside: Where | None = None) -> list[Known]:
        """Run a closed jaxpr; return its outputs. `inside`: the learner's call of a function of
        JAX's own, where all of its equations are.
        """
        known = {var: constant(value) for var, value in zip(closed.jaxpr.constvars, closed.consts)}
        known.update(zip(closed.jaxpr.invars, given))

        def read(atom: Any) -> Known:
            return constant(atom.val) if isinstance(atom, Literal) else known[atom]

        for equation in closed.jaxpr.eqns:
            outputs = self._equation(equation, [read(atom) for atom in equation.invars], inside)
            known.update(zip(equation.outvars, outputs))
        return [read(atom) for atom in closed.jaxpr.outvars]

    def _equation(self, equation: Any, given: list[Known], inside: Where | None) -> list[Known]:
        name, params = equation.primitive.name, equation.params
        where, called = inside or place_of(equation) or self.tape.where, calls_of(equation)
        if name in ("jit", "pjit", "closed_call", "core_call", "remat", "remat2", "checkpoint"):
            body = params.get("jaxpr") or params["call_jaxpr"]
            closed = body if hasattr(body, "consts") else jax.extend.core.ClosedJaxpr(body, ())
            return self.of(closed, given, where if is_librarys(closed) else inside)
        if name == "cond":
            branch = params["branches"][int(given[0].value)]
            return self.of(branch, given[1:], inside)
        if name == "scan" and 0 < params["length"] <= LONGEST_SCAN:
            return self._scan(params, given, where, inside)
        if not equation.outvars:  # jax.debug.print: the program itself has printed
            return []
        if name == "convert_element_type" and has_dtype(given[0].value, params["new_dtype"]):
            return given  # only a weak type has gone
        if name == "max" and is_least(given[0].value) and np.all(given[1].value > -np.inf):
            return given[1:]  # how JAX guards the largest of nothing
        shapes = [np.shape(known.value) for known in given]
        call = translate(name, params, shapes, equation.outvars[0].aval.shape)
        if call.op == "StopGradient" and called != "stop_gradient":  # JAX's own, in a softmax
            call = call._replace(op="jax.stop_gradient")
        bound = equation.primitive.get_bind_params(params)

        def function(*values: Any) -> Any:
            result = equation.primitive.bind(*values, **bound)
            return result if equation.primitive.multiple_results else [result]

        return self.apply(function, given, call, where, inside is None)

    def _scan(
        self, params: Any, given: list[Known], where: Where, inside: Where | None
    ) -> list[Known]:
        """Run a loop round by round: each takes its slices, and all results are stacked."""
        consts, carries = params["num_consts"], params["num_carry"]
        fixed, carry, over = (
            given[:consts],
            given[consts : consts + carries],
            given[consts + carries :],
        )
        length, rows = params["length"], list[list[Known]]()
        rounds = range(length)[::-1] if params["reverse"] else range(length)
        for k in rounds:
            slices = [self._row(known, k, where) for known in over]
            result = self.of(params["jaxpr"], [*fixed, *carry, *slices], inside)
            carry = result[:carries]
            rows.append(result[carries:])
        columns = zip(*(rows[::-1] if params["reverse"] else rows))
        return [*carry, *(self._stack(column, where) for column in columns)]

    def _row(self, known: Known, k: int, where: Where) -> Known:
        call = Call("StridedSlice", (0,), {"key": (k,)})
        return self.apply(lambda x: [x[k]], [known], call, where)[0]

    def _stack(self, column: Sequence[Known], where: Where) -> Known:
        call = Call("Pack", range(len(column)), {"axis": 0})
        return self.apply(lambda *xs: [jnp.stack(xs)], column, call, where)[0]

    def apply(
        self,
        function: Callable[..., Any],
        given: Sequence[Known],
        call: Call,
        where: Where,
        by_program: bool = False,
    ) -> list[Known]:
        """Compute a function of values, which returns a list, and write it as one entry: of what
        has no slope, only where it was written by the program.
        """
        outputs = [Known(new_id(), value) for value in function(*[k.value for k in given])]
        taken = [*(given[place] for place in call.places), *map(constant, call.more)]
        watched = not self.tape.watched.isdisjoint(k.number for k in taken)
        if not taken or not (watched or by_program):
            return outputs
        numbers, arrays = (
            tuple(k.number for k in outputs),
            tuple(array_of(k.value) for k in outputs),
        )
        one = len(outputs) == 1
        self.tape.record(
            call.op,
            tuple(k.number for k in taken),
            numbers[0] if one else numbers,
            call.attributes,
            *where,
            tuple(array_of(k.value) for k in taken),
            arrays[0] if one else arrays,
        )
        if call.op == "StopGradient":
            self.tape.cut(numbers[0])
        places, values = tuple(call.places), [k.value for k in given]
        self.tape.backs[numbers[0]] = lambda adjoints: list(
            map(back(function, values, adjoints).get, places)
        )
        return outputs


def back(
    function: Callable[..., Any], values: Sequence[Any], adjoints: Sequence[Array | None]
) -> dict[int, Array]:
    """Return {input: part} of a function for the adjoints of its outputs, by `jax.vjp`; whole numbers
    have none.
    """
    open_ = [i for i, value in enumerate(values) if has_slope(value)]

    def of_open(*given: Any) -> Any:
        whole = list(values)
        for i, value in zip(open_, given):
            whole[i] = value
        return function(*whole)

    result, pull = jax.vjp(of_open, *[values[i] for i in open_])
    seeds = [
        np.zeros(y.shape, jax.dtypes.float0)
        if not has_slope(y)
        else jnp.zeros_like(y)
        if g is None
        else jnp.asarray(g, y.dtype)
        for y, g in zip(result, adjoints)
    ]
    return dict(zip(open_, map(array_of, pull(seeds))))


def has_slope(value: Any) -> bool:
    """Return True for floating-point and complex values."""
    known = hasattr(value, "dtype") or isinstance(value, (int, float, complex))
    return known and bool(jnp.issubdtype(jnp.result_type(value), jnp.inexact))


def has_dtype(value: Any, dtype: Any) -> bool:
    """Return True for a value of this dtype."""
    return bool(jnp.result_type(value) == dtype)


def is_least(value: Any) -> bool:
    """Return True for minus infinity."""
    return np.ndim(value) == 0 and bool(value == -np.inf)


def constant(value: Any) -> Known:
    """Return a value under a new number: no entry made it."""
    return Known(new_id(), value)


def array_of(value: Any) -> Array:
    """Return a value of JAX's as NumPy has it: the numbers of a random key, a bfloat16 as float32."""
    if hasattr(value, "dtype") and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    result = np.asarray(value, jnp.result_type(value))
    return (result.astype(np.float32) if result.dtype.kind == "V" else result)[()]


def is_librarys(closed: Any) -> bool:
    """Return True for a function that JAX defines: it may have been traced at another call of it."""
    said = str(getattr(closed.jaxpr.debug_info, "func_src_info", ""))
    return is_inside(said.rpartition(" at ")[2].rpartition(":")[0])


def frames_of(equation: Any) -> list[Where]:
    """Return where an equation was traced, the innermost frame first."""
    traceback = equation.source_info.traceback
    return [] if traceback is None else list(zip(*traceback.raw_frames()))


def place_of(equation: Any) -> Where | None:
    """Return where in the program an equation stands."""
    learners = (where for where in frames_of(equation) if not is_inside(where[0].co_filename))
    return next(learners, None)


def calls_of(equation: Any) -> str:
    """Return the function of JAX's that the program called for an equation."""
    name = ""
    for code, _ in frames_of(equation):
        if not is_inside(code.co_filename):
            break
        name = code.co_name if code.co_name != "reraise_with_filtered_traceback" else name
    return name
