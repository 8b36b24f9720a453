"""Numbers that are averaged over many batches: `keras.metrics`. They are for reading, not for
training.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..api.missing import offer
from ..compile.again import again
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.listeners import active
from ..engine.base.nest import flatten
from ..engine.base.notes import note
from ..engine.base.tensor import Tensor, wrap
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..engine.ops import comparison, elementwise, reductions
from ..engine.variable import Variable
from ..typing import DTypeLike, InitializerLike, TensorLike, freely
from . import initializers, losses
from .naming import new_name
from .variables import named
from .wrapping import wrapper


def array(x: Any) -> Any:
    """Return the plain array of a tensor, a variable or a list; no tape notes it."""
    return (
        x.value
        if type(x) is Tensor
        else x._tensor.value
        if isinstance(x, Variable)
        else convert_to_tensor(x).value
    )


def takes_in(update_state: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `update_state`: the tapes that record note which tensors went into the metric, for
    its numbers have no history.
    """

    @functools.wraps(update_state)
    def called(self: Metric, *args: Any, **kwargs: Any) -> Any:
        note(
            "metric takes in",
            metric=_number(self),
            name=self.name,
            ids=tuple(
                [x.id for x in flatten([list(args), kwargs]) if isinstance(x, (Tensor, Variable))]
            ),
        )
        return update_state(self, *args, **kwargs)

    return called


def gives_out(result: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `result`: what it returns knows the learner's line, and the tapes that record note
    which metric it is from.
    """

    @functools.wraps(result)
    def called(self: Metric, *args: Any, **kwargs: Any) -> Any:
        value = result(self, *args, **kwargs)
        if isinstance(value, Tensor):
            value = value if value.where is not None else wrap(value.value, value.id, *here())
            note("metric gives out", metric=_number(self), id=value.id)
        return value

    return called


def _number(metric: Metric) -> int | None:
    """Return the number that stands for a metric in notes: that of its first variable."""
    return metric._variables[0][0].id if metric._variables else None


class Metric:
    """The base of all metrics: `update_state(...)` after each batch, `result()` at any time,
    `reset_state()` between epochs. The call of the object does the first two. Source:
    `keras.metrics.Metric`.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, decorate in (
            ("update_state", takes_in),
            ("result", gives_out),
            ("reset_state", lambda f: f),
        ):
            if name in vars(cls):
                # a traced function does them again at every run
                setattr(cls, name, again(decorate(vars(cls)[name])))

    def __init__(self, dtype: DTypeLike | None = None, name: str | None = None) -> None:
        self.name, self._dtype = (
            name or new_name(type(self).__name__),
            as_dtype("float32" if dtype is None else dtype),
        )
        self._variables: list[tuple[Variable, Any]] = []

    dtype = property(lambda self: self._dtype.name, doc="The name of the dtype.")

    def add_variable(
        self,
        shape: Sequence[int],
        initializer: InitializerLike,
        dtype: DTypeLike | None = None,
        aggregation: str = "sum",
        name: str | None = None,
    ) -> Variable:
        """Make a variable that belongs to the metric."""
        make = initializers.get(initializer)
        kind = self._dtype if dtype is None else as_dtype(dtype)
        variable = named(make(tuple(shape), kind), name or "variable", self.name, trainable=False)
        self._variables.append((variable, make))
        return variable

    def add_weight(
        self,
        shape: Sequence[int] = (),
        initializer: InitializerLike = None,
        dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Make a variable that belongs to the metric. Source: `keras.metrics.Metric.add_weight`."""
        return self.add_variable(shape, initializer or "zeros", dtype, name=name)

    variables = property(
        lambda self: [v for v, _ in self._variables], doc="The variables that hold the state."
    )

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Take a batch into account; written by subclasses."""
        raise NotImplementedError("Metric subclasses must write `update_state(self, ...)`.")

    def result(self) -> Tensor:
        """Return the present value; written by subclasses."""
        raise NotImplementedError("Metric subclasses must write `result(self)`.")

    @again
    def reset_state(self) -> None:
        """Begin anew."""
        for v, make in self._variables:
            v.assign(make(tuple(v.shape), v.dtype))

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        self.update_state(*args, **kwargs)
        return self.result()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Mean(Metric):
    """The (weighted) mean over all examples; what an example holds is averaged first. Source:
    `keras.metrics.Mean`.
    """

    def __init__(self, name: str | None = "mean", dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self.total = self.add_variable((), "zeros", name="total")
        self.count = self.add_variable((), "zeros", name="count")

    @freely
    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:
        """Take numbers into account."""
        values, weight = by_example(values, sample_weight, np.mean)
        self.total.assign(np.float32(array(self.total) + values.sum(dtype=np.float64)))
        self.count.assign(
            np.float32(array(self.count) + (values.size if weight is None else weight.sum()))
        )

    def result(self) -> Tensor:
        """Return the mean, 0 before the first number."""
        total, count = array(self.total), array(self.count)
        return Tensor(np.float32(total / count if count else 0.0))


def by_example(values: Any, weight: Any, together: Callable[..., Any]) -> tuple[Any, Any]:
    """Return one weighted number per example, and the weights of the examples (None without
    weights).

    `together` is the sum or the mean of what belongs to one example: the axes behind the first.
    Weights may lack the last axes. Raises `InvalidArgumentError` where they do not fit.
    """
    values = np.asarray(array(values))
    values = values if values.dtype.kind == "f" else values.astype(np.float32)
    if weight is not None:
        weight = np.asarray(array(weight), dtype=values.dtype)
        values, weight = of_one_rank(values, weight)
        if weight.ndim < values.ndim:
            values = together(values, axis=tuple(range(weight.ndim, values.ndim)))
        try:
            weight = np.broadcast_to(weight, values.shape)
        except ValueError:
            raise InvalidArgumentError(
                f"Incompatible shapes: sample_weight {list(weight.shape)} vs. values "
                f"{list(values.shape)}: give one "
                "weight per example."
            ) from None
        values = values * weight
        weight = together(weight, axis=tuple(range(1, weight.ndim))) if weight.ndim > 1 else weight
    return together(
        values, axis=tuple(range(1, values.ndim))
    ) if values.ndim > 1 else values, weight


def of_one_rank(values: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both with equally many axes where only a last axis of length 1 makes the difference,
    as Keras does.
    """
    if values.ndim == weight.ndim + 1 and values.shape[-1] == 1:
        return (values, weight[..., None]) if weight.ndim == 1 else (values[..., 0], weight)
    if weight.ndim == values.ndim + 1 and weight.shape[-1] == 1:
        return (values[..., None], weight) if values.ndim == 1 else (values, weight[..., 0])
    return values, weight


class MeanMetricWrapper(Mean):
    """The mean of a function of true and predicted values. Source:
    `keras.metrics.MeanMetricWrapper`.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name or getattr(fn, "__name__", None), dtype)
        self._fn, self._arguments = fn, kwargs

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account."""
        token = active.set(())  # a metric is for reading: no tape notes how it is computed
        try:
            values = self._fn(Tensor(array(y_true)), Tensor(array(y_pred)), **self._arguments)
        finally:
            active.reset(token)
        super().update_state(values, sample_weight)


def _aligned(t: Any, p: Any) -> tuple[Any, Any]:
    if t.ndim == p.ndim + 1 and t.shape[-1] == 1:
        t = t[..., 0]
    elif p.ndim == t.ndim + 1 and p.shape[-1] == 1:
        p = p[..., 0]
    return t, p


def _equal(t: Tensor, p: Tensor) -> Tensor:
    """Return 1 where labels and predictions are equal. Raises InvalidArgumentError where they are
    not equally many.
    """
    try:
        np.broadcast_shapes(t.value.shape, p.value.shape)
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes: {list(t.shape)} vs. {list(p.shape)}: labels and predictions "
            "must be of the same "
            "number. [Op:Equal]"
        ) from None
    return _float(comparison.equal(t, elementwise.cast(p, dtype=t.value.dtype)))


def _float(x: Tensor) -> Tensor:
    return elementwise.cast(x, dtype=np.dtype("float32"))


def _largest(x: Tensor) -> Tensor:
    return reductions.argmax(x, axis=-1, dtype=np.dtype("int64"))


def accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 1 where both are equal."""
    t, p = _aligned(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    if t.shape != p.shape:
        raise ValueError(f"Shapes {t.shape} and {p.shape} are incompatible.")
    return _equal(t, p)


def binary_accuracy(y_true: TensorLike, y_pred: TensorLike, threshold: float = 0.5) -> Tensor:
    """Return 1 where the prediction is on the label's side of the threshold. Shape: both (n, ...)
    -> (n, ...).
    """
    t, p = _aligned(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    return _equal(t, p > threshold)


def categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 1 where the largest prediction stands at the one-hot label. Shape: both (n, classes)
    -> (n,).
    """
    return _equal(_largest(convert_to_tensor(y_true)), _largest(convert_to_tensor(y_pred)))


def sparse_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """Return 1 where the largest prediction stands at the label, a whole number. Shape: y_true
    (n,), y_pred (n, classes) -> (n,).
    """
    t, p = convert_to_tensor(y_true), convert_to_tensor(y_pred)
    if t.ndim and t.ndim == p.ndim and t.shape[-1] == 1:
        t = t[..., 0]
    return _equal(t, _largest(p))


def _mean(
    title: str,
    function: Callable[..., Any],
    doc: str,
    *,
    first: dict[str, Any] | None = None,
    **arguments: Any,
) -> Any:
    """Return the class that averages a function; its arguments are `first`, then name and dtype,
    then the others.
    """
    return wrapper(
        MeanMetricWrapper,
        title,
        function,
        doc,
        {**(first or {}), "name": function.__name__, "dtype": None, **arguments},
    )


# fmt: off
Accuracy                      = _mean("Accuracy", accuracy, "How often predictions equal labels.")
BinaryAccuracy                = _mean("BinaryAccuracy", binary_accuracy, "How often yes-or-no predictions are right.", threshold=0.5)
CategoricalAccuracy           = _mean("CategoricalAccuracy", categorical_accuracy, "How often the largest prediction is the one-hot label.")
SparseCategoricalAccuracy     = _mean("SparseCategoricalAccuracy", sparse_categorical_accuracy,
                                      "How often the largest prediction is the label, a whole number.")
BinaryCrossentropy            = _mean("BinaryCrossentropy", losses.binary_crossentropy, "The mean cross-entropy of yes-or-no labels.",
                                      from_logits=False, label_smoothing=0)
CategoricalCrossentropy       = _mean("CategoricalCrossentropy", losses.categorical_crossentropy,
                                      "The mean cross-entropy of one-hot labels.", from_logits=False, label_smoothing=0, axis=-1)
SparseCategoricalCrossentropy = _mean("SparseCategoricalCrossentropy", losses.sparse_categorical_crossentropy,
                                      "The mean cross-entropy of labels that are whole numbers.",
                                      from_logits=False, ignore_class=None, axis=-1)
MeanSquaredError              = _mean("MeanSquaredError", losses.mean_squared_error, "The mean squared error.")
MeanAbsoluteError             = _mean("MeanAbsoluteError", losses.mean_absolute_error, "The mean absolute error.")
# fmt: on


class RootMeanSquaredError(Mean):
    """The root of the mean squared error. Source: `keras.metrics.RootMeanSquaredError`."""

    def __init__(
        self, name: str | None = "root_mean_squared_error", dtype: DTypeLike | None = None
    ) -> None:
        super().__init__(name, dtype)

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account."""
        t, p = _aligned(array(y_true), array(y_pred))
        super().update_state(Tensor(np.square(p - t.astype(p.dtype))), sample_weight)

    def result(self) -> Tensor:
        """Return the root of the mean."""
        return Tensor(np.sqrt(super().result().value))


class _Counts(Metric):
    """What precision and recall share: right and wrong answers above the threshold."""

    other: str  # the variable for those that were called wrongly

    def _wrong(self, said: Any, t: Any) -> Any:
        """Return where a prediction is of the wrong kind; written by the two subclasses."""
        raise NotImplementedError

    def __init__(
        self,
        thresholds: float | Sequence[float] | None = None,
        top_k: object = None,
        class_id: object = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        if top_k is not None or class_id is not None:
            raise NotImplementedError(
                f"{type(self).__name__} knows only `thresholds` here, not top_k or class_id."
            )
        self.thresholds = [0.5] if thresholds is None else list(np.atleast_1d(thresholds))
        self._single = thresholds is None or np.ndim(thresholds) == 0
        n = len(self.thresholds)
        self.true_positives = self.add_variable((n,), "zeros", name="true_positives")
        self.others = self.add_variable((n,), "zeros", name=self.other)

    def update_state(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account."""
        t, p = _aligned(array(y_true), array(y_pred))
        t = t.astype(bool)
        weight = (
            np.ones(t.shape, np.float32)
            if sample_weight is None
            else np.broadcast_to(np.asarray(array(sample_weight), np.float32), t.shape)
        )
        for k, threshold in enumerate(self.thresholds):
            said = p > threshold
            for variable, hit in (
                (self.true_positives, said & t),
                (self.others, self._wrong(said, t)),
            ):
                value = array(variable).copy()
                value[k] += (hit * weight).sum()
                variable.assign(Tensor(value))

    def result(self) -> Tensor:
        """Return right / (right + wrong), 0 where nothing was counted."""
        right, wrong = array(self.true_positives), array(self.others)
        share = np.divide(right, right + wrong, out=np.zeros_like(right), where=right + wrong > 0)
        return Tensor(share[0] if self._single else share)


class Precision(_Counts):
    """Of what was called positive, how much was. Source: `keras.metrics.Precision`."""

    other = "false_positives"

    def _wrong(self, said: Any, t: Any) -> Any:
        return said & ~t


class Recall(_Counts):
    """Of what was positive, how much was called so. Source: `keras.metrics.Recall`."""

    other = "false_negatives"

    def _wrong(self, said: Any, t: Any) -> Any:
        return ~said & t


__all__ = [
    "Accuracy",
    "BinaryAccuracy",
    "BinaryCrossentropy",
    "CategoricalAccuracy",
    "CategoricalCrossentropy",
    "Mean",
    "MeanAbsoluteError",
    "MeanMetricWrapper",
    "MeanSquaredError",
    "Metric",
    "Precision",
    "Recall",
    "RootMeanSquaredError",
    "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy",
    "binary_accuracy",
    "categorical_accuracy",
    "sparse_categorical_accuracy",
]
offer(__name__)
