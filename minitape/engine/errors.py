"""The exceptions that the engine raises, under TensorFlow's names.

A program that catches `tf.errors.InvalidArgumentError` catches the same mistakes here. Every message says what
happened, where, and what to do next.
"""


class OpError(Exception):
    """The base of the errors that an operation raises. Source: `tf.errors.OpError`."""

    def __init__(self, message="", op=None):
        super().__init__(message)
        self.message, self.op = message, op


class InvalidArgumentError(OpError):
    """An operation got shapes, dtypes or values that do not fit. Source: `tf.errors.InvalidArgumentError`."""


class FailedPreconditionError(OpError):
    """The state does not allow the operation. Source: `tf.errors.FailedPreconditionError`."""


class UnimplementedError(OpError):
    """The operation does not exist for these arguments. Source: `tf.errors.UnimplementedError`."""


class OutOfRangeError(OpError):
    """An iteration went past its end. Source: `tf.errors.OutOfRangeError`."""


class DTypeWarning(UserWarning):
    """A gradient was asked for something that is not floating: the answer will be None."""


class NoneGradientWarning(UserWarning):
    """A gradient is None; the message says why. Silence it with the filters of the `warnings` module."""


class TapeUseWarning(UserWarning):
    """The tape is used in a way that works but costs more than it must."""
