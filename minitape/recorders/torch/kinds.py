"""What PyTorch's functions are, as the recorder tells them apart: by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# a value leaves PyTorch
ESCAPES = frozenset(
    "item numpy tolist __float__ __int__ __bool__ __index__ __array__ __complex__ __format__".split()
)
# properties that give a new tensor
VIEWS = frozenset(("data", "T", "mT", "H", "mH", "real", "imag"))
# nobody computes a value with these, or another hook hears of them
QUIET = frozenset(
    "__repr__ __len__ size dim stride numel is_floating_point is_complex is_tensor "
    "share_memory_ rename_ names __hash__ __deepcopy__ __reduce_ex__ "
    "register_post_accumulate_grad_hook is_contiguous storage untyped_storage data_ptr "
    "_set_grad_enabled _record_function_enter_new _record_function_exit._RecordFunction".split()
)


def kind_of(function: Callable[..., Any]) -> tuple[str, str]:
    """Return what a function does that the recorder tells apart, and what it is called."""
    name = getattr(function, "__name__", "")
    if name in ("__get__", "__set__", "__delete__"):
        of = getattr(getattr(function, "__self__", None), "__name__", "")
        if of in ("grad", "requires_grad", "data") and name != "__get__":
            return f"sets {of}", of
        if of == "grad":
            return "gets grad", of
        return ("computes" if of in VIEWS and name == "__get__" else "", of)
    if name in ESCAPES:
        return "escapes", name
    if name in QUIET:
        return "", name
    if name in ("backward", "grad"):
        return "plays", name
    if name == "retain_grad":
        return "retains", name
    if name == "register_hook":
        return "hooks", name
    if name in ("requires_grad_", "detach_"):
        return "turns", name
    if name == "__setitem__" or _in_place(name):
        return "changes", name
    return "computes", name


def _in_place(name: str) -> bool:
    own = name.startswith("__i") and name not in ("__invert__", "__index__")
    return own or name.endswith("_") and not name.endswith("__")
