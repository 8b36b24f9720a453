"""What TensorFlow answered, recorded in tests/data/tf_answers: minitape answers the same.

Each recorded program is run with `tf` = minitape. Its results are compared: values with a
tolerance, dtypes and shapes exactly, errors by their type. What minitape answers differently on
purpose stands in `DIFFERENT`, with the reason; nothing else may differ.
"""

import contextlib
import fnmatch
import io
import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import minitape as tf
from minitape.engine.ops.record import OPS
from minitape.engine.tape import Tape
from tests.engine.different import DIFFERENT

FOLDER = Path(__file__).parent.parent / "data" / "tf_answers"
ANSWERS = [
    answer for file in sorted(FOLDER.glob("*.json")) for answer in json.loads(file.read_text())
]
SEEN, RUN = [], []  # what was different in this run, and which programs ran
RELATIVE = {
    "float16": 2e-3,
    "float32": 2e-5,
    "float64": 1e-12,
    "complex64": 2e-5,
    "complex128": 1e-12,
}


def number(v):
    """Return a recorded number as Python's."""
    if isinstance(v, str) and v in ("nan", "inf", "-inf"):
        return float(v)
    return v


def flat(v):
    """Return the numbers of nested lists."""
    return [x for part in v for x in flat(part)] if isinstance(v, list) else [number(v)]


def array_of(recorded):
    """Return a recorded array."""
    dtype, shape, value = recorded["dtype"], recorded["shape"], recorded["value"]
    if dtype.startswith("complex"):
        parts = np.array(flat(value), float).reshape([*shape, 2])
        return parts[..., 0] + 1j * parts[..., 1]
    if dtype == "string":
        return np.array(flat(value), object).reshape(shape)
    return np.array(
        flat(value), "float64" if dtype.startswith(("float", "bfloat")) else None
    ).reshape(shape)


def differs(found, want, where="", like=1e-6):
    """Return a sentence about the first difference between a result and the recorded one, or None."""
    if isinstance(want, (list, type(None), bool, str)) or not isinstance(want, dict):
        if isinstance(want, float) and isinstance(found, (float, int, np.floating)):
            return (
                None
                if found == want or math.isclose(found, want, rel_tol=2e-5, abs_tol=1e-6)
                else f"{where}: {found!r}, not {want!r}"
            )
        if isinstance(found, np.generic):
            found = found.item()
        if isinstance(found, bytes) and isinstance(want, str):
            found = found.decode("latin-1") if want != found.decode("utf-8", "replace") else want
        return (
            None
            if type(found) is type(want) and found == want
            else f"{where}: {found!r}, not {want!r}"
        )
    kind = want.get("kind")
    if kind in ("tensor", "variable", "array", "numpy_scalar", "indexed_slices"):
        return array_differs(found, want, where, kind)
    if kind in ("list", "tuple", "dict", "namedtuple"):
        return structure_differs(found, want, where, kind)
    if kind == "float":
        return (
            None
            if isinstance(found, float) and str(found) == str(number(want["value"]))
            else f"{where}: {found!r}, not {want}"
        )
    if kind == "dtype":
        return (
            None
            if getattr(found, "name", None) == want["value"]
            else f"{where}: {found!r}, not {want}"
        )
    if kind == "shape":
        return (
            None
            if isinstance(found, tf.TensorShape) and list(found) == want["value"]
            else f"{where}: {found!r}, not {want}"
        )
    if kind == "bytes":
        return None if found == want["value"].encode() else f"{where}: {found!r}, not {want}"
    if kind == "complex":
        return (
            None
            if found == complex(*map(number, want["value"]))
            else f"{where}: {found!r}, not {want}"
        )
    if kind in ("type", "object"):
        return None
    return f"{where}: unknown kind {kind}"


def array_differs(found, want, where, kind):
    types = {
        "tensor": tf.Tensor,
        "indexed_slices": tf.Tensor,
        "variable": tf.Variable,
        "array": np.ndarray,
        "numpy_scalar": np.generic,
    }
    if not isinstance(found, types[kind]):
        return f"{where}: {found!r} is no {kind}"
    dtype = found.dtype.name if hasattr(found.dtype, "name") else str(found.dtype)
    dtype = "string" if dtype == "object" else dtype
    if dtype != want["dtype"] or list(found.shape) != want["shape"]:
        return f"{where}: {dtype} {list(found.shape)}, not {want['dtype']} {want['shape']}"
    value, expected = (
        np.asarray(found.numpy() if hasattr(found, "numpy") else found),
        array_of(want),
    )
    if dtype == "string":
        decoded = [
            x.decode("utf-8", "surrogateescape") if isinstance(x, bytes) else x
            for x in value.ravel().tolist()
        ]
        return None if decoded == expected.ravel().tolist() else f"{where}: {value}, not {expected}"
    tolerance = RELATIVE.get(dtype, 0)
    size = np.max(np.abs(expected[np.isfinite(expected)]), initial=0) if dtype in RELATIVE else 0
    with np.errstate(all="ignore"):
        close = np.allclose(
            value.astype(expected.dtype),
            expected,
            rtol=tolerance,
            atol=tolerance * min(size, 1),
            equal_nan=True,
        )
    return None if close else f"{where}: {value.tolist()}, not {expected.tolist()}"


def structure_differs(found, want, where, kind):
    items = want["items"]
    if kind in ("list", "tuple"):
        if type(found) is not {"list": list, "tuple": tuple}[kind] or len(found) != len(items):
            return f"{where}: {found!r} is no {kind} of {len(items)}"
        pairs = [(f"{where}[{k}]", a, b) for k, (a, b) in enumerate(zip(found, items))]
    else:
        found = (
            found
            if isinstance(found, dict)
            else found._asdict()
            if hasattr(found, "_asdict")
            else {}
        )
        if set(found) != set(items):
            return f"{where}: {sorted(found)}, not {sorted(items)}"
        pairs = [(f"{where}[{k!r}]", found[k], items[k]) for k in items]
    differences = [d for d in (differs(a, b, w) for w, a, b in pairs) if d]
    return "; ".join(differences) or None


def run(code):
    """Run a program with `tf` = minitape; return what it bound and the error it raised."""
    names, error = {"tf": tf, "np": np, "__name__": "answer"}, None
    tf.keras.backend.clear_session()  # layers are named from the beginning
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            exec(compile(code, "<answer>", "exec"), names)
        except Exception as e:
            error = e
    return names, error


def fits(error, raises):
    """Return True where the error has the recorded type or one of its parents in a program's eyes."""
    if raises is None or error is None:
        return raises is None and error is None
    return type(error).__name__ == raises["type"] or type(error).__name__ in raises["bases"][:1]


def verdict(answer):
    """Return what is different from TensorFlow's answer, a list of sentences."""
    names, error = run(answer["code"])
    raises = answer["raises"]
    if not fits(error, raises):
        return [f"{answer['id']}: raised {error!r}, TensorFlow {raises and raises['type']}"]
    found = [differs(names.get(k, "not bound"), v, k) for k, v in answer["results"].items()]
    return [f"{answer['id']} {d}" for ds in found if ds for d in ds.split("; ")]


def reason(difference):
    """Return why minitape differs on purpose, or None. A key of DIFFERENT is a pattern for the
    beginning of the sentence.
    """
    return next((why for pattern, why in DIFFERENT.items() if begins(difference, pattern)), None)


def begins(text, pattern):
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]") + "*")


def unused(differences):
    """Return the patterns of DIFFERENT that fit none of these differences."""
    return [
        pattern
        for pattern in DIFFERENT
        if not any(begins(difference, pattern) for difference in differences)
    ]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: a["id"])
def test_answer(answer):
    found = verdict(answer)
    SEEN.extend(found)
    RUN.append(answer["id"])
    unexplained = [d for d in found if reason(d) is None]
    assert not unexplained, "\n".join(unexplained)


def test_every_row_of_the_table_has_a_rule_or_none_for_every_input():
    """The walk takes the rule of an input by its place. All recorded programs are run, and their
    entries looked at.
    """
    short, record = set(), Tape.record

    def noticing(tape, name, inputs, *rest):
        if OPS[name].rules and len(OPS[name].rules) < len(inputs):
            short.add(name)
        return record(tape, name, inputs, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tape, "record", noticing)
        for answer in ANSWERS:
            run(answer["code"])
    assert short == set()


def test_every_difference_on_purpose_is_one():
    """Runs last: a pattern that fits nothing any more is taken out."""
    if len(RUN) == len(ANSWERS):
        assert unused(SEEN) == []
