"""The parameters of a function, whatever its annotations say: since Python 3.14 they are evaluated
when somebody asks for them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial

signature: Callable[..., inspect.Signature] = inspect.signature
if sys.version_info >= (3, 14):
    from annotationlib import Format

    signature = partial(inspect.signature, annotation_format=Format.STRING)
