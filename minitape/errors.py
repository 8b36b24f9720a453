"""The errors that operations raise, and minitape's own warnings. Source: `tf.errors`."""

from .api.missing import offer
from .engine.base.errors import (
    DTypeWarning,
    FailedPreconditionError,
    InvalidArgumentError,
    NoneGradientWarning,
    NotFoundError,
    OperatorNotAllowedInGraphError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    TapeUseWarning,
    UnimplementedError,
)

__all__ = [
    "DTypeWarning",
    "FailedPreconditionError",
    "InvalidArgumentError",
    "NoneGradientWarning",
    "NotFoundError",
    "OperatorNotAllowedInGraphError",
    "OpError",
    "OutOfRangeError",
    "ResourceExhaustedError",
    "TapeUseWarning",
    "UnimplementedError",
]
offer(__name__)
