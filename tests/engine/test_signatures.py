"""TensorFlow's parameter names, their order and their defaults, for every public function and class
that minitape has.
"""

import enum
import inspect
import json
from pathlib import Path

import pytest

import minitape as tf

FACTS = json.loads((Path(__file__).parent.parent / "data" / "tf_signatures.json").read_text())

# Parameters that minitape leaves out or gives another default, and why.
OTHERWISE = {
    "Tensor": "made by tf.constant; the class itself is not called",
    "DType": "made by tf.as_dtype; the class itself is not called",
    "TensorShape": "a shape may be made of nothing: that of a scalar",
    "data.Dataset": "made by from_tensor_slices and its neighbours; the class itself is not called",
    "keras.Sequential.call": "takes no further keywords",
    "keras.random.SeedGenerator": "takes no further keywords",
    "constant_initializer": "it is keras's; nothing is partitioned",
}


def found(name):
    """Return the object behind a dotted name, or None where minitape does not have it."""
    obj = tf
    for part in name.split("."):
        try:
            obj = getattr(obj, part)
        except AttributeError:
            return None
    return obj


def written(obj):
    """Return the parameters as the facts write them."""
    parameters = [p for p in inspect.signature(obj).parameters.values() if p.name != "self"]
    out, star = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not star:
            out.append("*")
            star = True
        if p.kind is p.VAR_POSITIONAL:
            out.append(f"*{p.name}")
            star = True
        elif p.kind is p.VAR_KEYWORD:
            out.append(f"**{p.name}")
        else:
            out.append(p.name if p.default is p.empty else f"{p.name}={shown(p.default)}")
    return out


def shown(default):
    """Return a default as the facts write it: dtypes by their public names."""
    return f"tf.{default.name}" if isinstance(default, tf.DType) else repr(default)


def plain(parameters):
    """Return names and defaults with what both sides write differently made equal."""
    text = ", ".join(parameters)
    for dtype in ("float32", "int32", "int64", "bool"):
        text = text.replace(f"'{dtype}'", f"tf.{dtype}")
    return text


NAMES = sorted(
    n
    for n, fact in FACTS["names"].items()
    if fact.get("parameters") is not None and found(n) is not None
)
MEMBERS = sorted(
    n
    for n, fact in FACTS["members"].items()
    if fact and fact.get("parameters") is not None and not n.endswith("__") and found(n) is not None
)


@pytest.mark.parametrize("name", NAMES + MEMBERS)
def test_parameters(name):
    fact, obj = (FACTS["names"].get(name) or FACTS["members"][name]), found(name)
    if name in OTHERWISE or isinstance(obj, enum.EnumMeta) or not callable(obj):
        return
    if inspect.isclass(obj) and issubclass(obj, Exception):
        return  # raised by minitape, never made by a program
    ours, theirs = written(obj), fact["parameters"]
    if theirs == ["*args", "**kwargs"]:
        return  # Python cannot tell
    names = [p.split("=")[0] for p in ours]
    wanted = [p.split("=")[0] for p in theirs]
    assert names == wanted, f"tf.{name}({', '.join(ours)}), TensorFlow ({', '.join(theirs)})"
    different = [
        (a, b) for a, b in zip(ours, theirs) if plain([a]) != plain([b]) and not same_default(a, b)
    ]
    assert not different, f"tf.{name}: {different}"


def same_default(ours, theirs):
    """Return True for defaults that are written differently only: enums and numbers."""
    a, b = ours.partition("=")[2], theirs.partition("=")[2]
    if ours.startswith("name="):
        return True  # nothing carries a name here
    if b.startswith("<") or a.startswith("<"):
        return True
    try:
        return float(a) == float(b)
    except ValueError:
        return False


def test_aliases_are_the_same_object():
    for name in tf.math.__all__:
        if name in tf.__all__:
            assert getattr(tf.math, name) is getattr(tf, name), name


def test_the_names_of_the_surface_are_there():
    """Every name of the first group is there, or is refused with a hint on purpose."""
    missing = [
        n
        for n, fact in FACTS["names"].items()
        if fact["group"] == "surface" and not n.startswith("keras") and found(n) is None
    ]
    assert [n for n in missing if n not in ("bfloat16", "newaxis")] == []
