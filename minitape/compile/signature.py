"""`input_signature`: what a compiled function accepts, and how the arguments of a call are brought
into that form.

Without a signature every new shape, dtype or Python number makes a new trace. With one, arguments
become tensors of the dtypes that it states, and what does not fit is refused before anything runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.base.dtypes import DType
from ..engine.base.nest import flatten, is_nested, map_structure
from ..engine.base.parameters import signature
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from ..engine.variable import Variable
from .tensor_spec import TensorSpec


class Signature:
    """The descriptions of a function's arguments. Raises TypeError where they do not belong to the
    function.
    """

    def __init__(self, function: Callable[..., Any], specs: Any) -> None:
        if not isinstance(specs, (list, tuple)):
            raise TypeError(
                f"input_signature must be either a tuple or a list, got {type(specs)}. Write one "
                "tf.TensorSpec per argument: "
                "input_signature=[tf.TensorSpec([None], tf.float32)]."
            )
        wrong = [s for s in flatten(list(specs)) if not isinstance(s, TensorSpec)]
        if wrong:
            raise TypeError(
                "input_signature must be a possibly nested sequence of TensorSpec objects, got "
                f"invalid args {wrong} with "
                f"types {[type(s) for s in wrong]}. Write tf.TensorSpec(shape, dtype)."
            )
        self.specs = tuple(specs)
        kinds = inspect.Parameter
        names: list[inspect.Parameter] = []
        fixed: list[inspect.Parameter] = []
        rest = None
        for p in signature(function).parameters.values():
            if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD):
                (names if len(names) < len(self.specs) else fixed).append(p)
            elif p.kind == kinds.VAR_POSITIONAL:
                rest = p.name
            elif p.kind == kinds.KEYWORD_ONLY:
                if p.default is kinds.empty:
                    raise TypeError(
                        f"Since input_signature is defined, keyword-only parameter `{p.name}` "
                        "must have a default value"
                    )
                fixed.append(p)
        missing = [p.name for p in fixed if p.default is kinds.empty]
        if missing:
            raise TypeError(
                f"input_signature missing type constraint for {', '.join(missing)}: it needs one "
                "tf.TensorSpec per argument."
            )
        while rest is not None and len(names) < len(self.specs):
            names.append(kinds(f"{rest}_{len(names)}", kinds.POSITIONAL_ONLY))
        if len(self.specs) > len(names):
            raise TypeError(
                f"input_signature contains {len(self.specs) - len(names)} extra type "
                "constraints. The function takes "
                f"{len(names)} arguments."
            )
        self.names, self.fixed = [p.name for p in names], {p.name: p for p in fixed}
        self.form = inspect.Signature(names + fixed)

    def bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments as `(positional, by keyword)`, with tensors that fit the signature.
        Raises TypeError.
        """
        try:
            call = self.form.bind(*args, **kwargs)
            call.apply_defaults()
            for name, value in call.arguments.items():
                p = self.fixed.get(name)
                if p is None:
                    call.arguments[name] = fitted(self.specs[self.names.index(name)], value)
                elif value is not p.default and not (
                    type(value) is type(p.default) and value == p.default
                ):
                    raise TypeError(
                        f"Can not cast {value!r} to Literal[{p.default!r}]: {name} has no "
                        "tf.TensorSpec and keeps its default"
                    )
        except (TypeError, ValueError) as error:
            given = [described(a) for a in args] + [
                f"{k}={described(a)}" for k, a in kwargs.items()
            ]
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received "
                f"({', '.join(given)}) for the signature "
                f"({', '.join(f'{n}: {s}' for n, s in zip(self.names, self.specs))}). Give what "
                "the signature states "
                "(tf.cast changes a dtype), or state more: None in a shape fits every length."
            ) from None
        return call.args, call.kwargs


def example(spec: TensorSpec) -> Tensor:
    """Return a tensor as described: ones, zeros for integers, empty strings."""
    dtype = spec.dtype.as_numpy_dtype
    kind = np.dtype(dtype).kind
    return Tensor(
        np.full(
            tuple(spec.shape),
            b"" if kind in "SO" else kind in "fc",
            dtype if kind not in "SO" else None,
        )[()]
    )


def fitted(spec: Any, value: Any) -> Any:
    """Return a value as the tensor, or the structure of tensors, that `spec` describes. Raises
    TypeError.
    """
    if isinstance(spec, dict):
        if not isinstance(value, dict) or set(value) != set(spec):
            raise TypeError(f"{described(value)} has different keys with {described(spec)}")
        return {k: fitted(spec[k], value[k]) for k in value}
    if is_nested(spec):
        kind = list if isinstance(spec, list) else tuple
        if not isinstance(value, kind):
            raise TypeError(f"Can not cast {described(value)} to {kind.__name__} type")
        if len(value) != len(spec):
            raise TypeError(f"Can not cast a {kind.__name__} of {len(value)} to one of {len(spec)}")
        parts = [fitted(s, v) for s, v in zip(spec, value)]
        return type(value)(*parts) if hasattr(value, "_fields") else kind(parts)
    if isinstance(value, TensorSpec):
        result = value
    elif isinstance(value, Tensor):
        result = value
    elif (
        isinstance(value, (np.ndarray, np.generic))
        and np.asarray(value).dtype.kind in "fiub"
        and spec.dtype.is_numeric
    ):
        # an array is cast, as in TensorFlow
        result = Tensor(np.asarray(value).astype(spec.dtype.as_numpy_dtype)[()])
    else:
        result = converted(value, spec.dtype)
    if (
        result.dtype != spec.dtype
        or spec.shape is not None
        and not (result.shape is not None and spec.shape.is_compatible_with(result.shape))
    ):
        raise TypeError(f"Can not cast {described(result)} to {spec}")
    return result


def converted(value: Any, dtype: DType) -> Tensor:
    """Return a Python value or a variable as a tensor. Raises TypeError with TensorFlow's words."""
    if value is None or not isinstance(
        value, (bool, int, float, complex, str, bytes, list, tuple, Variable)
    ):
        raise TypeError(
            f"Attempt to convert a value ({described(value)}) with an unsupported type "
            f"({type(value)}) to a Tensor."
        )
    try:
        return convert_to_tensor(
            float(value) if isinstance(value, bool) and dtype.is_floating else value,
            None if isinstance(value, Variable) else dtype,
        )
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Cannot convert {described(value)} to a tensor of dtype {dtype.name}: {error}"
        ) from None


def described(a: Any) -> str:
    """Return a short text for an argument: tensors by shape and dtype."""
    if isinstance(a, (Tensor, Variable)):
        return repr(TensorSpec(a.shape, a.dtype))
    if isinstance(a, dict):
        return "{" + ", ".join([f"{k!r}: {described(v)}" for k, v in a.items()]) + "}"
    if type(a) in (list, tuple):
        left, right = "[]" if type(a) is list else "()"
        return left + ", ".join([described(v) for v in a]) + right
    if isinstance(a, np.ndarray):
        return f"array of shape {a.shape}, {a.dtype}"
    text = repr(a)
    return text if len(text) <= 60 else text[:57] + "..."


class OpenFunction:
    """What `get_concrete_function` returns where a length is free: one program per length, made
    when it is met.

    It takes tensors in the places of the descriptions, in their order or by the names of the
    arguments.
    """

    def __init__(self, owner: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.owner, self.args, self.kwargs = owner, list(args), dict(kwargs)
        self.structured_input_signature = tuple(args), dict(kwargs)
        names = [*list(signature(owner.python_function).parameters)[: len(args)], *kwargs]
        self.names = (
            names
            if len(names) == len(args) + len(kwargs)
            else [f"args_{k}" for k in range(len(args))] + list(kwargs)
        )
        self.form = inspect.Signature(
            [
                inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                for n, a in zip(self.names, [*args, *kwargs.values()])
                if describes(a)
            ]
        )

    def __call__(self, *tensors: Any, **named: Any) -> Any:
        """Run the program for the lengths of these tensors. Raises TypeError for what does not fit."""
        given = self.form.bind(*tensors, **named).arguments
        filled = [
            fitted(a, given[n]) if n in given else a
            for n, a in zip(self.names, [*self.args, *self.kwargs.values()])
        ]
        return self.owner(
            *filled[: len(self.args)], **dict(zip(self.kwargs, filled[len(self.args) :]))
        )

    def source(self) -> str:
        """Return the program for the lengths met last, as Python source."""
        return self.owner.source()

    def __repr__(self) -> str:
        return (
            "<concrete function "
            f"{self.owner.__name__}({', '.join(map(described, self.structured_input_signature[0]))})>"
        )


def describes(a: Any) -> bool:
    """Return True for a description, or a structure of them. Raises TypeError for a mixture of
    descriptions and values.
    """
    leaves = [isinstance(s, TensorSpec) for s in flatten(a)]
    if any(leaves) and not all(leaves):
        raise TypeError(
            f"An argument holds both tf.TensorSpec and values: {described(a)}. Describe all of "
            "it, or nothing."
        )
    return any(leaves)


def is_open(args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Return True where a description leaves a length free."""
    return any(
        s.shape is None or None in s.shape
        for s in flatten([list(args), kwargs])
        if isinstance(s, TensorSpec)
    )


def exampled(a: Any) -> Any:
    """Return an argument with tensors in the places of its descriptions."""
    return map_structure(example, a) if describes(a) else a
