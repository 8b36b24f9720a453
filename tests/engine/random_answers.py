"""What random programs answer in a library that has TensorFlow's names, and in what two runs differ.

Each line of a program hands an expression to `tried`, which writes down its value, or the class of
the error; so a program goes on after a mistake, and mistakes are compared as values are.
"""

import warnings
from contextlib import contextmanager
from functools import lru_cache

import numpy as np

from minitape.engine.ops.record import OPS

ROUNDED = {"float16": 1e-2, "float32": 2e-4, "float64": 2e-4, "complex64": 2e-4, "complex128": 2e-4}


# classes of errors that differ on purpose: what TensorFlow has no kernel for, a target without axes,
# a text beside a number, a list that Python would repeat
KNOWN = [
    ("AttributeError", "ValueError"),
    ("NotFoundError", "InvalidArgumentError"),
    ("IndexError", "ValueError"),
    ("AttributeError", "TypeError"),
    ("UnimplementedError", "TypeError"),
    ("UnimplementedError", "InvalidArgumentError"),
]


def answers(code, tf):
    """Run a program with a library; return what each of its lines answered, `[(name, answer)]`."""
    said = []

    def tried(name, expression, instead=1.0):
        try:
            value = expression()
            if isinstance(value, tf.IndexedSlices):  # minitape's gradients are dense
                value = tf.convert_to_tensor(value)
            said.append((name, described(value, tf)))
            return value
        except Exception as error:
            said.append((name, type(error).__name__))
            return tf.constant(instead)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(compiled(code), {"tf": tf, "np": np, "tried": tried})
        except Exception as error:
            said.append(("", type(error).__name__))
    return said


@lru_cache(1)  # each program runs twice
def compiled(code):
    return compile(code, "<program>", "exec")


def described(value, tf):
    """Return a value as plain data, which can be written as JSON."""
    if isinstance(value, (list, tuple)):
        return [described(v, tf) for v in value]
    if isinstance(value, tf.Variable):
        return f"variable {value.dtype.name} {list(value.shape)}"
    if isinstance(value, tf.IndexedSlices):
        value = tf.convert_to_tensor(value)
    if isinstance(
        value, np.generic
    ):  # after a refusal NumPy computes, by `__radd__` and the others
        return "ndarray"
    if isinstance(value, tf.Tensor):
        array = np.asarray(value.numpy())
        plain = array.astype(str).tolist() if array.dtype.kind in "cSO" else array.tolist()
        return {"dtype": value.dtype.name, "shape": list(value.shape), "value": plain}
    return value if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__


def difference(one, other):
    """Return the first thing in which two runs differ, `(name, answer, other answer)`, or None. What
    large numbers make of their rounding is none.
    """
    large = 1.0
    for (name, a), (_, b) in zip(one, other):
        large = max(large, size(a))
        if (a, b) in KNOWN or a == "ndarray" or known(a, b):
            return None  # what follows stands for another value
        if not same(a, b, large):
            rounded = large > 1e4 and type(a) is type(b) is dict and a["shape"] == b["shape"]
            return None if rounded else (name, a, b)
    return None if len(one) == len(other) else ("", len(one), len(other))


def known(a, b):
    """Return True for values that differ on purpose: a product with a truth value, the gradient of
    gathered numbers without a slope, Jacobians of nothing by a loop.
    """
    if type(a) is list and type(b) is list and len(a) == len(b):
        return all(x == y or known(x, y) for x, y in zip(a, b))
    if type(a) is dict and b in (None, "InvalidArgumentError", "TypeError", "ValueError"):
        return a["dtype"] == "bool" if b else a["dtype"].startswith("int")
    if type(a) is list and b == "TypeError":  # Python has repeated it
        return all(isinstance(v, (int, float)) for v in a)
    return a in ("ValueError", "InvalidArgumentError") and nothing(b)


def nothing(answer):
    """Return True for None, for no numbers, and for truth values in the place of a gradient."""
    if type(answer) is list:
        return all(map(nothing, answer))
    if type(answer) is dict:
        return 0 in answer["shape"] or answer["dtype"] == "bool" and not np.any(answer["value"])
    return answer is None


def size(answer):
    """Return the largest finite number of an answer."""
    if isinstance(answer, list):
        return max([size(a) for a in answer], default=0.0)
    if not isinstance(answer, dict) or not answer["dtype"].startswith(("float", "int", "complex")):
        return 0.0
    array = np.abs(np.asarray(answer["value"], complex))
    return float(np.max(array[np.isfinite(array)], initial=0.0))


def same(a, b, large):
    """Return True where two answers agree, numbers up to rounding."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, large) for x, y in zip(a, b))
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, rtol=2e-4, atol=2e-4 * large, equal_nan=True))
    if not isinstance(a, dict) or not isinstance(b, dict):
        return type(a) is type(b) and a == b
    if a["dtype"] != b["dtype"] or a["shape"] != b["shape"]:
        return False
    if a["dtype"] not in ROUNDED:
        return a["value"] == b["value"]
    tolerance = ROUNDED[a["dtype"]]
    x, y = (np.asarray(v["value"], complex) for v in (a, b))
    if "complex" in a["dtype"]:  # what C divides by an infinite number is 0, in NumPy often NaN
        x = np.where((x == 0) & np.isnan(y), np.nan, x)
    # 1 / -0.0: the remainder 0 has no sign; an infinite complex number may be NaN in its parts
    odd = (lambda v: ~np.isfinite(v)) if "complex" in a["dtype"] else np.isinf
    x, y = (np.where(odd(v), np.inf, v) for v in (x, y))
    return bool(np.allclose(x, y, rtol=tolerance, atol=tolerance * large, equal_nan=True))


# ---- rounding


@contextmanager
def rounded_otherwise(seed):
    """Every row of the table rounds otherwise by a few last bits, as another library may. What is
    exact in any library stays: numbers of few digits, and those that are only passed on.
    """
    draw, kernels = np.random.default_rng(seed), {op: op.kernel for op in OPS.values()}

    def of(kernel):
        def rounded(*arrays, **attributes):
            y = kernel(*arrays, **attributes)
            return tuple(map(otherwise, y)) if type(y) is tuple else otherwise(y, arrays)

        def otherwise(y, arrays=()):
            y = np.asarray(y)
            if y.dtype.kind not in "fc":
                return y
            exact = (y * 1024 == np.round(y * 1024)) | ~np.isfinite(y)
            for x in arrays:
                exact |= np.isin(y, x)
            size = 4 * np.finfo(y.dtype).eps * draw.choice([-1, 1], y.shape)
            return np.where(exact, y, y * (1 + size)).astype(y.dtype)[()]

        return rounded

    for op, kernel in kernels.items():
        op.kernel = of(kernel)
    try:
        yield
    finally:
        for op, kernel in kernels.items():
            op.kernel = kernel


def hangs_on_rounding(code, name, tf, tries=8):
    """Return True where the last bits decide what minitape answers under a name: at a step, or after
    numbers that cancel. Then no answer is the right one.
    """
    found = dict(answers(code, tf))
    for seed in range(tries):
        with rounded_otherwise(seed):
            other = dict(answers(code, tf))
        if difference([(name, found[name])], [(name, other.get(name))]) is not None:
            return True
    return False
