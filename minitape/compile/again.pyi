# What a type checker sees of again.py: a decorated function keeps its signature.
from collections.abc import Callable
from typing import Any, TypeVar

STATES: list[Callable[[], Callable[[], None]]]
F = TypeVar("F", bound=Callable[..., Any])

def again(function: F) -> F: ...
def __getattr__(name: str) -> Any: ...
