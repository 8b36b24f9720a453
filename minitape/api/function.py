"""`tf.function`: run a function once, keep the list of what it computed, and run the list from then
on.

The first call for each new combination of shapes, dtypes and Python arguments is a *trace*: the
function runs as ordinary Python while every operation is written down. Later calls run the
straight-line program made of that list; Python itself (prints, appends, `if`) happens at the trace
only. `f.source()` shows the program.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from ..engine.base.listeners import listeners, onlookers
from ..engine.base.locks import locked
from ..engine.base.tensor import Tensor
from ..engine.base.where import warn
from ..engine.convert import convert_to_tensor
from ..engine.variable import Variable

P = ParamSpec("P")  # what the learner's function takes
R = TypeVar("R")  # and what it returns


@overload
def function(
    func: Callable[P, R],
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: object = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Function[P, R]: ...
@overload
def function(
    func: None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: object = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: object = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Compile a function to a straight-line program when it is called: a decorator, with or without
    arguments.

    Tensors and arrays among the arguments are inputs of the program; it is traced again for other
    shapes and dtypes and for other values of Python arguments. `jit_compile=True` compiles the
    whole program by numba, where numba is installed. An `if` or a conversion that depends on a
    value is refused, with the line, as there is no AutoGraph here.

    `input_signature`, a list of `tf.TensorSpec`, states what the arguments are: Python numbers
    become tensors of these dtypes, so that they make no new traces, and what does not fit raises
    TypeError. Where it leaves a length free (None), each length that is met is traced once. Source:
    `tf.function`.
    """
    jit = jit_compile if jit_compile is not None else experimental_compile
    if func is None:
        return lambda f: Function(f, input_signature, bool(jit), reduce_retracing)
    return Function(func, input_signature, bool(jit), reduce_retracing)


_eagerly = False


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Switch programs off (True) or on (False): a `tf.function` then runs as the plain Python
    function that it was, to look into it. Source: `tf.config.run_functions_eagerly`.
    """
    global _eagerly
    _eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Return whether programs are switched off. Source: `tf.config.functions_run_eagerly`."""
    return _eagerly


class Function(Generic[P, R]):
    """A function that is traced once and then runs as a program. Made by `tf.function`."""

    def __init__(
        self,
        python_function: Callable[P, R],
        input_signature: Sequence[Any] | None = None,
        jit_compile: bool = False,
        reduce_retracing: bool = False,
    ) -> None:
        self.python_function, self.jit_compile = python_function, jit_compile
        self.reduce_retracing = (
            reduce_retracing  # as it was asked for; shapes are traced one by one
        )
        self.input_signature = (
            tuple(input_signature) if isinstance(input_signature, list) else input_signature
        )
        self._programs: dict[tuple[Any, ...], Any] = {}
        self._made_variables = False
        # for classes, and objects that take no new attributes
        self._bound: dict[int, Function] = {}
        if not callable(python_function):
            raise TypeError(
                f"{python_function!r} is not a callable object. tf.function takes a function, or "
                "an object that can be called."
            )
        self.__name__ = name_of(python_function)
        functools.update_wrapper(
            self,
            python_function,
            updated=("__dict__",) if hasattr(python_function, "__code__") else (),
        )
        self._parameters, self._defaults = parameters_of(python_function)
        self._signature: Any = None
        # a method is looked at when its object is known
        if input_signature is not None and self._parameters[:1] != ["self"]:
            self._signed()

    def __get__(self, instance: Any, owner: type | None = None) -> Function[..., R]:
        if instance is None:
            return self
        if not hasattr(self.python_function, "__get__"):  # a partial, or an object: no method
            return self
        kept: Any = getattr(instance, "__dict__", None)
        name: Any = f"_function_{self.__name__}_{id(self)}"
        if not isinstance(kept, dict):
            kept, name = self._bound, id(instance)
        bound = kept.get(name)
        if bound is None:
            bound = kept[name] = Function(
                self.python_function.__get__(instance, owner),
                self.input_signature,
                self.jit_compile,
            )
        return bound

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if _eagerly:
            return self.python_function(*args, **kwargs)
        args, kwargs = self.spelled(args, kwargs)
        tapes = listeners()
        if tapes and getattr(tapes[0], "traces", False):  # part of a larger trace
            return self.python_function(*args, **kwargs)
        key, tensors = self._look(args, kwargs)
        program = self._programs.get(key)
        if program is None:
            with locked(self):  # one thread traces, the others wait
                if key not in self._programs:
                    return self._trace(key, args, kwargs)
            program = self._programs[key]
        if tapes and program.eager_on_tapes:
            return self.python_function(*args, **kwargs)
        return program.run(tensors)

    def _signed(self) -> Any:
        if self._signature is None:
            from ..compile.signature import Signature

            self._signature = Signature(self.python_function, self.input_signature)
        return self._signature

    def spelled(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call as its program takes them: as the signature states, else
        in one spelling.
        """
        if self.input_signature is not None:
            return self._signed().bound(args, kwargs)
        return (
            self._spelled(args, kwargs)
            if kwargs or len(args) < len(self._parameters)
            else (args, kwargs)
        )

    def _spelled(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments in one spelling: f(1), f(x=1) and f(1, y=2), where 2 is the default,
        are one program.
        """
        names = self._parameters
        if len(args) > len(names) or not kwargs.keys() <= set(names[len(args) :]):
            return args, kwargs
        args = list(args)
        for name in names[len(args) :]:
            if name in kwargs:
                args.append(kwargs[name])
            elif name in self._defaults:
                args.append(self._defaults[name])
            else:  # Python says what is missing
                return tuple(args), {k: v for k, v in kwargs.items() if k not in names[: len(args)]}
        return tuple(args), {}

    def _look(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], list[Tensor]]:
        """Return the key of a call and the tensors among its arguments."""
        key: list[Any] = []
        tensors: list[Tensor] = []
        for a in args:
            if type(a) is Tensor:
                v = a.value
                key.append(v.dtype)
                key.append(v.shape)
                tensors.append(a)
            else:
                _look_into(a, key, tensors)
        for name in sorted(kwargs) if kwargs else ():
            key.append(name)
            _look_into(kwargs[name], key, tensors)
        return tuple(key), tensors

    def _trace(self, key: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        from ..compile.calls import trace  # at the first trace only: `import minitape` stays quick

        for onlooker in onlookers.get():
            onlooker.traced(self)
        concrete, result, created = trace(self, args, kwargs)
        if not created:
            self._programs[key] = concrete
            if len(self._programs) in (6, 12, 24, 48, 96):
                warn(
                    f"{len(self._programs)} traces of {self.__name__}: tracing is expensive. "
                    "Each new shape, dtype or Python number makes "
                    "a new trace; pass tensors instead of Python numbers, and keep shapes the "
                    "same.",
                    UserWarning,
                )
        elif self._made_variables:
            raise ValueError(
                "tf.function only supports singleton tf.Variables created on the first call. "
                "Make sure the tf.Variable is "
                "only created once or created outside tf.function."
            )
        else:
            self._made_variables = True
        return result

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """Return the program for these arguments, tracing it where necessary; variables keep their
        values.

        A `tf.TensorSpec` may stand for a tensor; without arguments `input_signature` is taken.
        Source: `tf.function`'s method.
        """
        from ..compile.calls import noticed
        from ..compile.signature import OpenFunction, exampled, is_open

        if self.input_signature is not None:
            args, kwargs = (
                self._signed().bound(args, kwargs) if args or kwargs else (self.input_signature, {})
            )
        else:
            args, kwargs = self._spelled(args, kwargs)
        if is_open(args, kwargs):
            return OpenFunction(self, args, kwargs)
        args, kwargs = (
            tuple([exampled(a) for a in args]),
            {k: exampled(a) for k, a in kwargs.items()},
        )
        key, _ = self._look(args, kwargs)
        for _ in range(2):  # a first call may make variables
            if key not in self._programs:
                with noticed() as undo:
                    try:
                        self._trace(key, args, kwargs)
                    finally:
                        undo()
        return self._programs[key]

    def source(self, *args: Any, **kwargs: Any) -> str:
        """Return the generated program as Python source: for these arguments, or the one traced
        last.

        Raises ValueError before the first call, where no arguments are given.
        """
        if args or kwargs:
            return self.get_concrete_function(*args, **kwargs).source()
        if not self._programs:
            raise ValueError(
                f"{self.__name__} was not called yet, so there is no program. Call it once, or "
                "give example arguments: "
                f"{self.__name__}.source(x)."
            )
        return next(reversed(self._programs.values())).source()

    def experimental_get_tracing_count(self) -> int:
        """Return how many programs were traced. Source: `tf.function`'s method."""
        return len(self._programs)

    def __repr__(self) -> str:
        return (
            f"<tf.function {self.__name__}: {len(self._programs)} "
            f"program{'s' * (len(self._programs) != 1)}>"
        )


def _look_into(a: Any, key: list[Any], tensors: list[Tensor]) -> None:
    """Add one argument to the key of a call."""
    if isinstance(a, Tensor):
        key += (a.value.dtype, a.value.shape)
        tensors.append(a)
    elif isinstance(a, (np.ndarray, np.generic)):
        t = convert_to_tensor(a)
        key += (t.value.dtype, t.value.shape)
        tensors.append(t)
    elif isinstance(a, Variable):
        key += ("variable", a.id)
    elif isinstance(a, (list, tuple)):
        key += (type(a), len(a))
        for x in a:
            _look_into(x, key, tensors)
    elif isinstance(a, dict):
        key += (dict, len(a))
        for k in sorted(a):
            key.append(k)
            _look_into(a[k], key, tensors)
    elif type(a) is float and (a != a or a == 0):  # nan is not equal to itself; -0.0 is not 0.0
        key += (float, repr(a))
    elif isinstance(a, set):
        key += (set, frozenset(a))
    else:
        try:
            hash(a)
            key += (type(a), a)
        except TypeError:
            key += (type(a), _Same(a))


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function, of what a partial calls, or of an object's class."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", type(function).__name__)


def parameters_of(function: Callable[..., Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the names of the positional parameters and the defaults among them; nothing for
    functions with others.
    """
    code = getattr(function, "__code__", None)
    # 12: *args or **kwargs
    if code is None or code.co_flags & 12 or code.co_kwonlyargcount or code.co_posonlyargcount:
        return [], {}
    names, defaults = code.co_varnames[: code.co_argcount], function.__defaults__ or ()
    return list(names[hasattr(function, "__self__") :]), dict(
        zip(names[len(names) - len(defaults) :], defaults)
    )


class _Same:
    """Stands in a key for an object that has no hash: equal to itself only."""

    def __init__(self, wrapped: object) -> None:
        self.wrapped = wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.wrapped is other.wrapped

    def __hash__(self) -> int:
        return id(self.wrapped)
