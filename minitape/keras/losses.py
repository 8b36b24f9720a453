"""How wrong predictions are: `keras.losses`.

The functions give one loss per example, the classes average them (`reduction`). Both take the true
values first.
"""
# ruff: noqa: I001  (names in compact blocks)

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from ..typing import DTypeLike, TensorLike

from inspect import signature as _signature

import numpy as np

from ..api.missing import offer
from ..api.reductions import reduce_sum
from ..engine.base.dtypes import as_dtype
from ..engine.ops import elementwise, reductions
from ..engine.ops.further import divisions
from ..engine.ops.record import run
from ..engine.base.tensor import Tensor
from ..engine.convert import convert_to_tensor
from .loss_functions import (
    aligned,
    at_least,
    binary_crossentropy,
    categorical_crossentropy,
    cosine_similarity,
    hinge,
    huber,
    kl_divergence,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    sparse_categorical_crossentropy,
)
from .naming import Configured, made
from .wrapping import wrapper

FLOAT32 = np.dtype(np.float32)
WHOLE = {"axis": None, "keepdims": False}

MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kl_divergence


class Reduction:
    """Names of the reductions, as programs of older pages write them. Source:
    `keras.losses.Reduction`.
    """

    AUTO, NONE, SUM, SUM_OVER_BATCH_SIZE = "auto", "none", "sum", "sum_over_batch_size"


class Loss(Configured):
    """The base of all losses: `call(y_true, y_pred)` gives one loss per example, the call of the
    object their average.

    `reduction`: "sum_over_batch_size" (the mean), "sum", "mean" or "none". Source:
    `keras.losses.Loss`.
    """

    def __init__(
        self,
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: DTypeLike | None = None,
    ) -> None:
        if reduction not in (
            "sum_over_batch_size",
            "sum",
            "mean",
            "mean_with_sample_weight",
            "none",
            None,
        ):
            raise ValueError(
                "Invalid value for argument `reduction`. Expected one of 'sum_over_batch_size', "
                "'sum', 'mean', 'none'. "
                f"Received: reduction={reduction}"
            )
        self.name, self.reduction = name or type(self).__name__, reduction
        self.dtype = dtype or "float32"

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Any:
        """Return one loss per example."""
        raise NotImplementedError("Loss subclasses must write call(y_true, y_pred).")

    def __call__(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Tensor:
        if type(y_pred) is not Tensor or y_pred.value.dtype is not FLOAT32:
            y_pred = convert_to_tensor(y_pred)
            if y_pred.dtype.name != self.dtype:
                y_pred = elementwise.cast(y_pred, dtype=as_dtype(self.dtype).as_numpy_dtype)
        losses = self.call(y_true, y_pred)
        if not isinstance(losses, Tensor):
            losses = convert_to_tensor(losses)
        weight = None
        if sample_weight is not None:
            weight = convert_to_tensor(sample_weight)
            weight = (
                weight
                if weight.value.dtype == losses.value.dtype
                else elementwise.cast(weight, dtype=losses.value.dtype)
            )
            weight, losses = aligned(weight, losses)
            losses = losses * weight
        if self.reduction in ("none", None) or losses.value.shape in ((), (0,)):
            return losses
        if self.reduction != "sum" and weight is None and losses.value.size:
            return run(reductions.reduce_mean, (losses,), WHOLE)
        total = reductions.reduce_sum(losses, axis=None, keepdims=False)
        if self.reduction == "sum" or not losses.value.size:
            return total
        if self.reduction == "mean_with_sample_weight":
            return divisions.divide_no_nan(
                total, reductions.reduce_sum(weight, axis=None, keepdims=False)
            )
        return total / losses.value.size

    def get_config(self) -> dict[str, Any]:
        """Return name and reduction."""
        return {"name": self.name, "reduction": self.reduction}


class LossFunctionWrapper(Loss):
    """A loss made of a function; further arguments are passed on."""

    def __init__(
        self,
        fn: Callable[..., Any],
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name=name or fn.__name__, reduction=reduction, dtype=dtype)
        self.fn, self._arguments = fn, kwargs

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Any:
        """Return the function's losses."""
        return self.fn(y_true, y_pred, **self._arguments)


def _loss(title: str, function: Callable[..., Any], doc: str, name: str | None = None) -> Any:
    """Return the class that averages a loss function; its first arguments are the function's,
    behind true and predicted values.
    """
    own = {p.name: p.default for p in list(_signature(function).parameters.values())[2:]}
    return wrapper(
        LossFunctionWrapper,
        title,
        function,
        doc,
        {
            **own,
            "reduction": "sum_over_batch_size",
            "name": name or function.__name__,
            "dtype": None,
        },
    )


def _minus_cosine(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Return minus the cosine of the angle, so that smaller is better."""
    return -cosine_similarity(y_true, y_pred, axis)


# fmt: off
MeanSquaredError            = _loss("MeanSquaredError", mean_squared_error, "Average the mean squared error.")
MeanAbsoluteError           = _loss("MeanAbsoluteError", mean_absolute_error, "Average the mean absolute error.")
MeanAbsolutePercentageError = _loss("MeanAbsolutePercentageError", mean_absolute_percentage_error, "Average the mean error in percent.")
MeanSquaredLogarithmicError = _loss("MeanSquaredLogarithmicError", mean_squared_logarithmic_error,
                                    "Average the mean squared error of logarithms.")
Hinge                       = _loss("Hinge", hinge, "Average the hinge loss.")
KLDivergence                = _loss("KLDivergence", kl_divergence, "Average the Kullback-Leibler divergence.")
Huber                       = _loss("Huber", huber, "Average the Huber loss.", name="huber_loss")
CosineSimilarity            = _loss("CosineSimilarity", _minus_cosine,
                                    "Average minus the cosine of the angle, so that smaller is better.", name="cosine_similarity")
BinaryCrossentropy          = _loss("BinaryCrossentropy", binary_crossentropy, "Average the cross-entropy of yes-or-no labels.")
CategoricalCrossentropy     = _loss("CategoricalCrossentropy", categorical_crossentropy, "Average the cross-entropy of one-hot labels.")
# fmt: on


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """Average the cross-entropy of labels that are numbers of classes. Source:
    `keras.losses.SparseCategoricalCrossentropy`.
    """

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: str | None = "sum_over_batch_size",
        axis: int = -1,
        name: str | None = "sparse_categorical_crossentropy",
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(
            sparse_categorical_crossentropy,
            reduction,
            name,
            dtype,
            from_logits=from_logits,
            ignore_class=ignore_class,
            axis=axis,
        )

    def __call__(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Tensor:
        ignored = self._arguments["ignore_class"]
        if ignored is not None:  # the mean is taken over the others
            weight = elementwise.cast(convert_to_tensor(y_true) != ignored, dtype=np.float32)
            if self.reduction in ("mean", "sum_over_batch_size"):
                weight *= weight.value.size / at_least(reduce_sum(weight), 1)
            sample_weight = weight if sample_weight is None else sample_weight * weight
        return super().__call__(y_true, y_pred, sample_weight)


_FUNCTIONS = (
    binary_crossentropy,
    categorical_crossentropy,
    cosine_similarity,
    hinge,
    huber,
    kl_divergence,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    sparse_categorical_crossentropy,
)
_BY_NAME: dict[str, Any] = {f.__name__: f for f in _FUNCTIONS}
_BY_NAME |= {"mse": mse, "MSE": mse, "mae": mae, "MAE": mae, "kld": kld, "KLD": kld}
_BY_NAME |= {"mape": mape, "MAPE": mape, "msle": msle, "MSLE": msle}
_BY_NAME |= {
    c.__name__: c for c in sorted(LossFunctionWrapper.__subclasses__(), key=lambda c: c.__name__)
}


def get(identifier: Any) -> Any:
    """Return a loss function or object by name or as it is. Raises ValueError for an unknown name."""
    return made("loss", _BY_NAME, identifier)


__all__ = [
    "BinaryCrossentropy",
    "CategoricalCrossentropy",
    "CosineSimilarity",
    "Hinge",
    "Huber",
    "KLD",
    "KLDivergence",
    "Loss",
    "MAE",
    "MAPE",
    "MSE",
    "MSLE",
    "MeanAbsoluteError",
    "MeanAbsolutePercentageError",
    "MeanSquaredError",
    "MeanSquaredLogarithmicError",
    "Reduction",
    "SparseCategoricalCrossentropy",
    "binary_crossentropy",
    "categorical_crossentropy",
    "cosine_similarity",
    "get",
    "hinge",
    "huber",
    "kl_divergence",
    "kld",
    "mae",
    "mape",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "mean_squared_logarithmic_error",
    "mse",
    "msle",
    "sparse_categorical_crossentropy",
]
offer(__name__)
