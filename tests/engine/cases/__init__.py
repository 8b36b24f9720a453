"""The cases of all rows, one file per family; each file exports a list `CASES`."""

import importlib
import pkgutil

CASES = [
    case
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__))
    for case in importlib.import_module(f"{__name__}.{module}").CASES
]
