"""The errors that operations raise. Source: `tf.errors`."""

from .engine.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
)

__all__ = ["FailedPreconditionError", "InvalidArgumentError", "NotFoundError", "OpError", "OutOfRangeError", "ResourceExhaustedError",
           "UnimplementedError"]
