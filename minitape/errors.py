"""The errors that operations raise. Source: `tf.errors`."""

from .engine.errors import FailedPreconditionError, InvalidArgumentError, OpError, OutOfRangeError, UnimplementedError

__all__ = ["FailedPreconditionError", "InvalidArgumentError", "OpError", "OutOfRangeError", "UnimplementedError"]
