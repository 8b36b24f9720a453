"""A layer: weights, and what is computed with them.

A layer makes its weights when it first sees an input, because only then their shapes are known
(`build`). What it computes stands in `call`. A layer finds its weights among its own attributes,
and those of the layers in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from ...engine.base.argument_errors import explain_error, explains_errors
from ...engine.base.dtypes import as_dtype, float32
from ...engine.base.listeners import listeners
from ...engine.base.locks import locked
from ...engine.base.nest import flatten
from ...engine.base.parameters import signature
from ...engine.base.shapes import TensorShape
from ...engine.base.tensor import Tensor, new_id
from ...engine.convert import convert_to_tensor
from ...engine.ops.elementwise import cast
from ...engine.variable import Variable
from ...typing import ConstraintLike, DTypeLike, InitializerLike, RegularizerLike, TensorLike
from .. import constraints, initializers, regularizers
from ..naming import Configured, new_name
from ..variables import named, within
from .symbolic import Described, is_symbolic
from .symbolic import training_context as _training

_inside: ContextVar[bool] = ContextVar("inside of another layer's call", default=False)


class Layer(Described, Configured):
    """The base of all layers, to be subclassed: write `call(inputs)`, and `build(input_shape)` for
    weights.

    Source: `keras.layers.Layer`.
    """

    _call_takes_training: bool
    least_axes = 0  # of the input
    casts = "f"  # kinds of numbers that are brought to the dtype of the layer
    # True once any layer has called `add_loss`: until then no call looks for old losses
    _adds_losses = False

    def __init__(
        self,
        *,
        activity_regularizer: RegularizerLike = None,
        trainable: bool = True,
        dtype: DTypeLike | None = None,
        autocast: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        shape = kwargs.pop("input_shape", None)
        if "input_dim" in kwargs:
            shape = (kwargs.pop("input_dim"),)
        if kwargs:
            raise ValueError(
                f"Unrecognized keyword arguments passed to {type(self).__name__}: {kwargs}"
            )
        self.name = self._path = name or new_name(type(self).__name__)
        self.built = False
        self.autocast, self.activity_regularizer = autocast, regularizers.get(activity_regularizer)
        if isinstance(dtype, str) and dtype.startswith("mixed_"):
            raise TypeError(
                f"A mixed policy is no dtype here, got {dtype!r}: everything computes in float32. "
                "Leave it out."
            )
        self._dtype = float32 if dtype is None else as_dtype(dtype)
        self._trainable = bool(trainable)
        self._given_shape = None if shape is None else (None, *shape)

    # ---- to be written by subclasses

    def build(self, input_shape: Any) -> None:
        """Make the weights; `input_shape` is a tuple whose first number is the batch size."""
        self.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs."""
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `call()` method implemented."
        )

    # ---- calling

    @explains_errors
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        d, tapes, given = self.__dict__, listeners(), (args, kwargs)
        try:
            if "_dtype" not in d:
                raise RuntimeError(
                    f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` "
                    "as the first statement in "
                    "the `__init__()` method. Go add it!"
                )
            began = new_id() if tapes else 0
            if not args and kwargs:
                args, kwargs = self._first_from(kwargs)
            if (
                len(args) == 1
                and type(args[0]) is Tensor
                and args[0].value.dtype is _FLOAT32
                and d["_dtype"] is float32
            ):
                pass
            elif is_symbolic(args):
                return self._describe(args, kwargs)
            else:
                args = tuple([self._input(x) for x in args])
            token = None if _inside.get() else self._outermost()
            try:
                outer = _training.get()
                if not d.get("_called"):
                    result = self._first_call(args, kwargs)
                elif kwargs or outer is not None:
                    result = self._call_in_context(args, kwargs, outer)
                else:
                    result = self.call(*args)
                if d["activity_regularizer"] is not None:
                    for part in flatten(result):
                        # for an average example
                        self.add_loss(
                            d["activity_regularizer"](part) / (part.value.shape or (1,))[0]
                        )
                return result
            finally:
                if token is not None:
                    _inside.reset(token)
                for listener in tapes:
                    listener.left(d["_path"], began)
        except Exception as error:
            explain_error(error, Layer.__call__, (self, *given[0]), given[1])
            raise

    def _outermost(self) -> Any:
        """Forget the losses that earlier calls have added; from here on, layers are called inside
        of this one.
        """
        if Layer._adds_losses:
            for layer in self._flatten_layers():
                layer.__dict__.pop("_added_losses", None)
        return _inside.set(True)

    def _first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Build the layer, and call it; what is built in it on the way has its name in its path.
        One thread builds, the others wait.
        """
        with locked(self):
            if not self.__dict__.get("_called"):
                with within(self.name):
                    if not self.built:
                        self._build(args)
                    result = self._call_in_context(args, kwargs, _training.get())
                self._called = True
                return result
        return self._call_in_context(args, kwargs, _training.get())

    def _first_from(self, kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        name = next(iter(signature(self.call).parameters), None)
        return (
            ((kwargs[name],), {k: v for k, v in kwargs.items() if k != name})
            if name in kwargs
            else ((), kwargs)
        )

    def _call_in_context(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], outer: bool | None
    ) -> Any:
        """Call with keyword arguments; `training` is passed on to all inner layers, as Keras does."""
        training = outer if kwargs.get("training") is None else kwargs["training"]
        kwargs = {key: value for key, value in kwargs.items() if key != "training"}
        if training is not None and self._takes_training():
            kwargs["training"] = training
        token = _training.set(training)
        try:
            return self.call(*args, **kwargs)
        finally:
            _training.reset(token)

    @classmethod
    def _takes_training(cls) -> bool:
        answer = cls.__dict__.get("_call_takes_training")
        if answer is None:
            parameters = signature(cls.call).parameters
            answer = cls._call_takes_training = "training" in parameters
        return answer

    def _input(self, x: Any) -> Any:
        """Convert an input to a tensor of the layer's dtype; structures part by part."""
        if isinstance(x, Layer):
            raise ValueError(
                f"Layer {self.name!r} was called on {type(x).__name__} {x.name!r}, which is no "
                "tensor. Call it on what that "
                "layer returns, or on tf.keras.Input(shape=...)."
            )
        if isinstance(x, Variable):
            x = x._read()
        if isinstance(x, np.ndarray):
            x = convert_to_tensor(
                x.astype(self._dtype.as_numpy_dtype) if x.dtype.kind == "f" and self.autocast else x
            )
        elif (
            isinstance(x, (list, tuple))
            and x
            and all(
                isinstance(v, (int, float)) or isinstance(v, (list, tuple)) and not _has_tensor(v)
                for v in x
            )
        ):
            x = convert_to_tensor(x)
        if isinstance(x, Tensor):
            if (
                self.autocast
                and x.value.dtype.kind in self.casts
                and x.dtype is not self._dtype
                and self._dtype.is_floating
            ):
                return cast(x, dtype=self._dtype.as_numpy_dtype)
            return x
        if isinstance(x, (list, tuple)) and not isinstance(x, TensorShape):
            return type(x)([self._input(v) for v in x])
        if isinstance(x, dict):
            return {k: self._input(v) for k, v in x.items()}
        return x

    def _build(self, args: tuple[Any, ...]) -> None:
        shapes = [s for s in (_shape_of(a) for a in args) if s is not None]
        if shapes and isinstance(shapes[0], tuple) and len(shapes[0]) < self.least_axes:
            raise ValueError(
                f'Input 0 of layer "{self.name}" is incompatible with the layer: expected '
                f"min_ndim={self.least_axes}, found "
                f"ndim={len(shapes[0])}. Full shape received: {shapes[0]}"
            )
        wanted = [
            p
            for p in signature(self.build).parameters.values()
            if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        if wanted and not shapes:
            raise ValueError(
                f"Layer {self.name!r} needs a tensor as its first argument to know the shape of "
                f"its weights, not {args[:1]}."
            )
        if wanted or type(self).build is Layer.build:
            self.build(*shapes[: max(1, len(wanted))])
        else:
            self.build(*shapes[:1] if signature(self.build).parameters else ())
        self.built = True
        if not self._trainable:
            self.trainable = False

    # ---- weights

    def add_weight(
        self,
        *args: Any,
        shape: Any = None,
        initializer: InitializerLike = None,
        dtype: DTypeLike | None = None,
        trainable: bool = True,
        autocast: bool = True,
        regularizer: RegularizerLike = None,
        constraint: ConstraintLike = None,
        aggregation: str = "none",
        overwrite_with_gradient: bool = False,
        name: str | None = None,
    ) -> Variable:
        """Make a variable that belongs to the layer. `shape`, `initializer` and `dtype` may be
        given in this order.

        Raises ValueError where the name is given first, as in old programs, or a number for a shape.
        Source: `keras.layers.Layer.add_weight`.
        """
        if args and isinstance(args[0], str):
            raise ValueError(
                f"`name` must be passed as a keyword argument. Received: add_weight({args[0]!r}, "
                f"...). Use: add_weight(shape=..., name={args[0]!r})."
            )
        given: Any = (*args, *(shape, initializer, dtype)[len(args) :])
        shape, initializer, dtype = given
        dtype = self._dtype if dtype is None else as_dtype(dtype)
        default = "glorot_uniform" if dtype.is_floating else "zeros"
        make = initializers.get(initializer) or initializers.get(default)
        if isinstance(shape, (int, np.integer)):
            raise ValueError(f"Cannot convert '{shape}' to a shape. Write a tuple: ({shape},).")
        sizes = () if shape is None else np.ravel(np.array(shape, dtype=int))
        variable = named(
            make(tuple(int(n) for n in sizes), dtype=dtype),
            name or "variable",
            self.name,
            trainable=trainable,
            dtype=dtype,
            constraint=constraints.get(constraint),
        )
        variable.regularizer = regularizers.get(regularizer)
        self._path = variable.path.rpartition("/")[0]
        self.__dict__.setdefault("_own", []).append(variable)
        return variable

    def add_loss(self, loss: TensorLike) -> None:
        """Add a loss that the layer computes in `call`; it is found in `losses` until the outermost
        layer is called again.
        """
        Layer._adds_losses = True
        self.__dict__.setdefault("_added_losses", []).append(loss)

    def __setattr__(self, name: str, value: Any) -> None:
        if (
            isinstance(value, (Variable, Layer, list, dict))
            or isinstance(value, tuple)
            and _holds(value)
        ):
            if not any([value is v for v in self.__dict__.get("_own", ())]):
                self.__dict__.setdefault("_tracked", {})[name] = None
        object.__setattr__(self, name, value)

    def _parts(self) -> tuple[Any, Any]:
        """Return own variables and direct inner layers, in the order in which they were made."""
        d = self.__dict__
        layers: list[Layer] = []
        variables = d.get("_own", ())
        if "_tracked" not in d:
            return variables, layers
        variables = list(variables)
        for name in d["_tracked"]:
            value = d.get(name)
            collect(value, variables, layers)
        return variables, layers

    def _flatten_layers(self) -> Iterator[Layer]:
        yield self
        for layer in self._parts()[1]:
            yield from layer._flatten_layers()

    @property
    def weights(self) -> list[Variable]:
        """All variables of the layer and of the layers in it, each once."""
        result, todo = {}, [self]
        while todo:
            variables, layers = todo.pop()._parts()
            for v in variables:
                result[v.id] = v
            if layers:
                todo += reversed(layers)
        return list(result.values())

    variables = weights

    @property
    def trainable_weights(self) -> list[Variable]:
        """The variables that training changes."""
        return [v for v in self.weights if v.trainable]

    trainable_variables = trainable_weights

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """The variables that training leaves alone."""
        return [v for v in self.weights if not v.trainable]

    non_trainable_variables = non_trainable_weights

    @property
    def trainable(self) -> Any:
        """Whether training changes the weights; setting it reaches the layers inside too.

        It decides about `trainable_weights`; a tape watches frozen weights all the same, as in
        TensorFlow.
        """
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> Any:
        self._trainable = bool(value)
        variables, layers = self._parts()
        for v in variables:
            v.frozen = not value
        for layer in layers:
            layer.trainable = value

    @property
    def losses(self) -> list[Any]:
        """What was added with `add_loss`, and the penalties of all weights that have one."""
        # each once, wherever it stands
        layers = {id(layer): layer for layer in self._flatten_layers()}.values()
        added = [x for layer in layers for x in layer.__dict__.get("_added_losses", ())]
        return added + [
            v.regularizer(v)
            for v in self.trainable_weights
            if getattr(v, "regularizer", None) is not None
        ]

    @property
    def dtype(self) -> str:
        """The name of the dtype of the weights."""
        return self._dtype.name

    compute_dtype = variable_dtype = dtype

    def count_params(self) -> int:
        """Return how many numbers the weights hold together. Raises ValueError before they are
        made.
        """
        if not self.built and not self.weights:
            raise ValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't "
                "built. "
                "Call it on data, or call its build(input_shape) first."
            )
        return sum(int(v.shape.num_elements()) for v in self.weights)

    def get_weights(self) -> list[np.ndarray]:
        """Return the weights as NumPy arrays."""
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Assign NumPy arrays to the weights, in the order of `weights`. Raises ValueError for
        other numbers or shapes.
        """
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of "
                f"length {len(weights)}, but "
                "the "
                f"layer was expecting {len(variables)} weights."
            )
        for v, w in zip(variables, weights):
            if tuple(np.shape(w)) != tuple(v.shape):
                raise ValueError(
                    f"Layer {self.name} weight shape {tuple(v.shape)} is not compatible with "
                    "provided weight shape "
                    f"{np.shape(w)}."
                )
        for v, w in zip(variables, weights):
            v.assign(w)

    def get_config(self) -> dict[str, Any]:
        """Return name, dtype and whether it is trainable."""
        return {"name": self.name, "trainable": self._trainable, "dtype": self.dtype}

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} name={self.name}, built={self.__dict__.get('built', False)}>"
        )


_FLOAT32 = np.dtype(np.float32)


def collect(value: Any, variables: list[Variable], layers: list[Layer]) -> None:
    """Put the variables and layers of a structure into two lists, in their order."""
    if isinstance(value, (list, tuple, dict)):
        for v in value.values() if isinstance(value, dict) else value:
            if isinstance(v, (Variable, Layer, list, tuple, dict)):
                collect(v, variables, layers)
    elif isinstance(value, Variable):
        variables.append(value)
    elif isinstance(value, Layer):
        layers.append(value)


def _holds(value: Any) -> bool:
    """Return True for a tuple with variables or layers somewhere inside."""
    return any(
        isinstance(v, (Variable, Layer, list, dict)) or isinstance(v, tuple) and _holds(v)
        for v in value
    )


def _has_tensor(x: Any) -> bool:
    return any(
        _has_tensor(v)
        if isinstance(v, (list, tuple))
        else isinstance(v, (Tensor, Variable, np.ndarray))
        for v in x
    )


def _shape_of(x: Any) -> Any:
    """Return the shape of a tensor as a tuple, those of a list of tensors as a list."""
    if isinstance(x, Tensor):
        return tuple(x.value.shape)
    if isinstance(x, (list, tuple)) and x and isinstance(x[0], Tensor):
        return [tuple(v.value.shape) for v in x]
    if isinstance(x, dict):
        return {k: _shape_of(v) for k, v in x.items()}
    return None
