"""The exceptions that the engine raises, under TensorFlow's names.

A program that catches `tf.errors.InvalidArgumentError` catches the same mistakes here. Every
message says what happened, where, and what to do next.
"""

from __future__ import annotations

from typing import Any


class OpError(Exception):
    """The base of the errors that an operation raises. Source: `tf.errors.OpError`."""

    error_code = 2

    def __init__(
        self, node_def: Any = None, op: Any = None, message: str | None = None, *args: Any
    ) -> None:
        if message is None:  # usually the message alone is given
            node_def, message = None, node_def or ""
        super().__init__(message)
        self.message, self.node_def, self.op = message, node_def, op


class InvalidArgumentError(OpError):
    """An operation got shapes, dtypes or values that do not fit. Source:
    `tf.errors.InvalidArgumentError`.
    """

    error_code = 3


class FailedPreconditionError(OpError):
    """The state does not allow the operation. Source: `tf.errors.FailedPreconditionError`."""

    error_code = 9


class UnimplementedError(OpError):
    """The operation does not exist for these arguments. Source: `tf.errors.UnimplementedError`."""

    error_code = 12


class OutOfRangeError(OpError):
    """An iteration went past its end. Source: `tf.errors.OutOfRangeError`."""

    error_code = 11


class NotFoundError(OpError):
    """Something that was asked for is not there. Source: `tf.errors.NotFoundError`."""

    error_code = 5


class ResourceExhaustedError(OpError):
    """The memory is used up. Source: `tf.errors.ResourceExhaustedError`."""

    error_code = 8


class OperatorNotAllowedInGraphError(TypeError):
    """A traced value was used where Python needs a number. Source:
    `tf.errors.OperatorNotAllowedInGraphError`.
    """


class DTypeWarning(UserWarning):
    """A gradient was asked for something that is not floating: the answer will be None."""


class NoneGradientWarning(UserWarning):
    """A gradient is None; the message says why. Silence it with the filters of the `warnings`
    module.
    """


class TapeUseWarning(UserWarning):
    """The tape is used in a way that works but costs more than it must."""
