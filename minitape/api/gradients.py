"""What a program says about gradients themselves: own rules, constants, recomputation, clipping."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..engine.base.listeners import active, listeners, tracer
from ..engine.base.nest import flatten, map_structure, pack_sequence_as
from ..engine.base.parameters import signature
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..engine.gradient_tape import GradientTape, UnconnectedGradients, zeros_wanted
from ..engine.ops.record import Op
from ..engine.tape_arguments import differentiable, itself, seeds_for, zeros_of
from ..engine.variable import Variable
from ..typing import AxisLike, Nested, TensorLike
from .arguments import same_shape


def own_rule(g: Any, y: Any, *inputs: Any, rule: Callable[..., Any], name: str) -> list[Any]:
    """Call a learner's rule with tensors, and give back what the walk works with: tensors or
    arrays.
    """
    several = isinstance(g, tuple)
    raw = not isinstance(g[0] if several else g, Tensor)
    parts = rule(*[Tensor(a) if raw else a for a in (g if several else (g,))])
    for part, x in zip(parts, inputs):
        if part is not None and tuple(part.shape) != tuple(x.shape):
            raise ValueError(
                f"The gradient function of {name!r} returned the shape {part.shape} for an input "
                f"of shape {tuple(x.shape)}. "
                "A gradient has the shape of its input: use tf.reduce_sum or tf.reshape in it."
            )
    return [part.value if raw and part is not None else part for part in parts]


custom = Op(
    "CustomGradient", lambda *xs, rule, name: xs[0], joint=own_rule, mixed=True, batched=False
)


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Give a function its own gradient: `f(*args)` returns its result and `grad_fn(*upstream)`, the
    rule.

    The rule returns one gradient per argument. Where `f` uses variables, the rule must take the
    keyword `variables` and return a pair: the gradients of the arguments and a list of those of the
    variables. Raises TypeError where it does not, or where `f` returns no such pair, ValueError for
    a wrong number of gradients. Source: `tf.custom_gradient`.
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        flat = flatten(args)
        with GradientTape() as watcher:  # sees which variables are read inside
            result, grad_fn = pair_of(f(*args, **kwargs), f.__name__)
        inputs = {id(a) for a in flat}  # an argument is no variable of the inside
        variables = [v for v in watcher.watched_variables() if id(v) not in inputs]
        if variables and not takes_variables(grad_fn):
            raise TypeError(
                "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since "
                "function uses variables: "
                f"{[v.name for v in variables]}. Write def grad(upstream, variables=None): ... "
                "return grads, variable_grads."
            )
        outputs = [Tensor(convert_to_tensor(t).value, here()) for t in flatten(result)]
        tensors = tuple([convert_to_tensor(a) for a in flat] + [v._read() for v in variables])
        record_call(
            f.__name__, tensors, outputs, rule_of(grad_fn, len(flat), variables), flatten(result)
        )
        return pack_sequence_as(result, outputs)

    return decorated


def pair_of(pair: Any, name: str) -> tuple[Any, Callable[..., Any]]:
    """Return the result of a function and its rule. A tensor of two rows would come apart, too."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not callable(pair[1]):
        raise TypeError(
            "A function with @tf.custom_gradient returns two things, its result and its rule, "
            "as in `return y, rule`. "
            f"{name!r} does not."
        )
    return pair[0], pair[1]


def takes_variables(grad_fn: Callable[..., Any]) -> bool:
    """Return True where a rule has the keyword `variables`."""
    parameters = signature(grad_fn).parameters.values()
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def rule_of(
    grad_fn: Callable[..., Any], count: int, variables: list[Variable]
) -> Callable[..., list[Any]]:
    """Return the rule as the walk calls it: one part per recorded input."""

    def rule(*upstream: Any) -> list[Any]:
        if variables:
            parts, of_variables = grad_fn(*upstream, variables=variables)
            of_variables = flatten(of_variables)
            if len(of_variables) != len(variables):
                raise ValueError(
                    "Must return gradient for each variable from @custom_gradient grad_fn: "
                    f"{len(variables)} variables, "
                    f"{len(of_variables)} gradients."
                )
        else:
            parts, of_variables = grad_fn(*upstream), []
        parts = flatten(parts) if isinstance(parts, (list, tuple, dict)) else [parts]
        if len(parts) != count:
            raise ValueError(
                f"custom_gradient function expected to return {count} gradients, but returned "
                f"{len(parts)} instead."
            )
        return [None if g is None else convert_to_tensor(g) for g in parts + list(of_variables)]

    return rule


def record_call(
    name: str,
    inputs: tuple[Tensor, ...],
    outputs: list[Tensor],
    rule: Callable[..., Any],
    inner: list[Any],
) -> None:
    """Tell every tape of an operation whose outputs are known already: they are the `inner` ones
    under new numbers.
    """
    code, offset = here()
    values = tuple([x.value for x in inputs])
    several = len(outputs) != 1
    number = tuple([y.id for y in outputs]) if several else outputs[0].id
    y = tuple([t.value for t in outputs]) if several else outputs[0].value
    for listener in listeners():
        if listener.traces:  # a trace saw how the inner ones were computed
            listener.own_rules = True
            for t, new in zip(inner, outputs):
                listener.record(
                    "Identity",
                    (convert_to_tensor(t).id,),
                    new.id,
                    None,
                    code,
                    offset,
                    (new.value,),
                    new.value,
                )
            continue
        listener.record(
            custom.name,
            tuple([x.id for x in inputs]),
            number,
            {"rule": rule, "name": name},
            code,
            offset,
            values,
            y,
        )


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function that keeps nothing on the tape but its inputs, and computes itself again when
    played backwards.

    Memory is traded for time. Source: `tf.recompute_grad`.
    """

    @functools.wraps(f)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        if tracer() is not None:  # a traced function keeps a program, not arrays
            return f(*args, **kwargs)
        args = map_structure(convert_to_tensor, args)  # all tapes read a variable that is given
        with GradientTape() as watcher:
            # nobody but the watcher keeps the arrays of the inside
            inner = active.set(listeners()[-1:])
            try:
                result = f(*args, **kwargs)
            finally:
                active.reset(inner)
        variables = list(watcher.watched_variables())
        outputs = [Tensor(t.value, here()) for t in flatten(result)]
        flat = flatten(args)

        def rule(*upstream: Any) -> Any:
            with GradientTape() as tape:
                tape.watch(flat)
                again = flatten(f(*args, **kwargs))
            return tape.gradient(again, flat + variables, output_gradients=list(upstream))

        record_call(
            getattr(f, "__name__", "recompute_grad"),
            tuple(flat + [v._read() for v in variables]),
            outputs,
            rule,
            flatten(result),
        )
        return pack_sequence_as(result, outputs)

    return recomputed


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function whose gradient is that of the identity: `f` acts forwards only. Source:
    `tf.grad_pass_through`.
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            passed = upstream[0] if len(upstream) == 1 else list(upstream)
            return (passed, [None] * len(variables)) if variables is not None else passed

        return f(*args, **kwargs), grad

    return functools.wraps(f)(passing) if hasattr(f, "__name__") else passing


def gradients(
    ys: Nested,
    xs: Nested,
    grad_ys: Nested = None,
    name: str | None = "gradients",
    gate_gradients: bool = False,
    aggregation_method: object = None,
    stop_gradients: Nested = None,
    unconnected_gradients: str | UnconnectedGradients = "none",
) -> list[Any]:
    """Add the way back from `ys` to `xs` to the program of a `tf.function` that is being traced;
    returns a list, one per source.

    This was TensorFlow 1's way, before there were tapes: it needs a graph that is there already, so
    nothing has to be watched. Several targets, and the elements of one, are summed. `grad_ys`: one
    seed per target, None for ones. `stop_gradients`: tensors that count as constants. None where a
    source is not connected (zeros with `tf.UnconnectedGradients.ZERO`). Raises RuntimeError outside
    of a `tf.function`, where there is no graph. Source: `tf.gradients`.
    """
    graph = tracer()
    if graph is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead: "
            "with tf.GradientTape() as tape: (tape.watch(x) where x is no variable) y = ...; "
            "then tape.gradient(y, x). "
            "Inside of a tf.function, which is traced into a graph first, tf.gradients works."
        )
    from ..compile.gradient import over_graph

    targets = [itself(y) for y in differentiable(flatten(ys), "target")]
    sources = differentiable(flatten(xs), "source")
    seeds = None if grad_ys is None else seeds_for(targets, flatten(grad_ys))
    stops = [] if stop_gradients is None else differentiable(flatten(stop_gradients), "source")
    answers = over_graph(graph, targets, sources, seeds, stops)
    zero = zeros_wanted(unconnected_gradients)
    return [zeros_of(x) if g is None and zero else g for g, x in zip(answers, sources)]


def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike | None = None, name: str | None = None
) -> Tensor:
    """Scale a tensor down to the length `clip_norm` where it is longer.

    Shape: (...) -> (...). Raises ValueError for a `clip_norm` of more or longer axes. Source:
    `tf.clip_by_norm`.
    """
    from .elementwise import maximum, sqrt
    from .indexing import where
    from .reductions import reduce_sum

    x = convert_to_tensor(t)
    squares = reduce_sum(x * x, axes, keepdims=True)
    positive = squares > 0
    length = where(positive, sqrt(where(positive, squares, 1.0)), squares)
    clip_norm = maximum(convert_to_tensor(clip_norm, dtype_hint=x.dtype), 0)  # below 0 as 0
    return same_shape(x * clip_norm / maximum(length, clip_norm), x, "clip_by_norm", clip_norm)


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Any:
    """Compute the length of all tensors together; None is left out. Shape: any -> (). Source:
    `tf.linalg.global_norm`.
    """
    from .elementwise import add_n, sqrt
    from .reductions import reduce_sum

    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    squares = [reduce_sum(convert_to_tensor(t) * t) for t in t_list if t is not None]
    return sqrt(add_n(squares)) if squares else None


def clip_by_global_norm(
    t_list: Sequence[Any],
    clip_norm: TensorLike,
    use_norm: TensorLike | None = None,
    name: str | None = None,
) -> tuple[list[Any], Tensor]:
    """Scale all tensors by one factor so that together they are at most `clip_norm` long.

    Returns the tensors and their length before.

    Shape: each (...) -> (...), and the length (). Source: `tf.clip_by_global_norm`.
    """
    from .elementwise import is_finite, minimum
    from .indexing import where

    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    norm = convert_to_tensor(global_norm(t_list) if use_norm is None else use_norm)
    scale = clip_norm * minimum(1 / norm, 1 / convert_to_tensor(clip_norm, dtype_hint=norm.dtype))
    scale = where(is_finite(norm), scale, float("nan"))
    return [None if t is None else convert_to_tensor(t) * scale for t in t_list], norm
