"""What runs operation by operation and is refused by tf.function, or answered otherwise: over all
public functions, with arguments that fit.
"""

import random
import re
import warnings

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.nest import flatten
from tests.engine import odd_calls

FITTING = [
    *odd_calls.TENSORS,
    "tf.constant([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]])",
    "tf.constant([1, 0])",
    "tf.constant([[1, 0], [0, 2]])",
    "tf.constant([[True, False, True], [True, True, False]])",
]
KINDS = odd_calls.FIT | dict.fromkeys(("TensorLike", "Nested", "Any"), FITTING)
SIZE = "how large the result is depends on values"
CONSTANT = "a tensor where programs write a Python number"
ARRAY = "the result is an array of NumPy's"
REFUSED = {
    "tf.boolean_mask": SIZE,
    "tf.keras.utils.img_to_array": ARRAY,
    "tf.keras.utils.to_categorical": ARRAY,
    "tf.pad": SIZE,
    "tf.range": SIZE,
    "tf.repeat": SIZE,
    "tf.roll": CONSTANT,
}
# random numbers; objects with a state; methods of one tensor
LEFT_OUT = re.compile(r"random|dropout|keras\.(layers|optimizers|initializers)|Variable|Tensor\.")


def drawn(label, parameters):
    """Return arguments by name, the tensors among them apart."""
    draw = random.Random(label)
    for _ in range(60):
        tensors, others = {}, {}
        for p in parameters:
            if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) or p.name == "name":
                continue
            if p.default is p.empty or draw.random() < 0.25:
                kind = next((k for k in KINDS if k in str(p.annotation)), "TensorLike")
                value = eval(draw.choice(KINDS[kind]), dict(odd_calls.NAMES))
                if kind in ("TensorLike", "Nested") and isinstance(value, tf.Tensor):
                    tensors[p.name] = value
                else:
                    others[p.name] = value
        if tensors:
            yield tensors, others


def mirrored(x):
    """Return other numbers of the same kind and shape."""
    return tf.constant(x.numpy()[::-1].copy()) if x.shape.rank else x


def outcome(function, tensors):
    """Return the arrays that a function gives, or its error."""
    try:
        found = flatten(function(tensors))
    except Exception as error:
        return error
    return [x.numpy() if isinstance(x, (tf.Tensor, tf.Variable)) else x for x in found]


def same(p, q):
    """True for equal arrays, numbers up to rounding."""
    return np.array_equal(p, q) or (
        p.dtype.kind in "fc" and np.allclose(p, q, 1e-4, 1e-5, equal_nan=True)
    )


def differences(label, before, parameters):
    """Yield the calls of a public function that have another outcome compiled, as text."""
    function = eval(before, dict(odd_calls.NAMES))
    for tensors, others in drawn(label, parameters):

        def called(tensors):
            return function(**tensors, **others)  # noqa: B023

        expected = outcome(called, tensors)
        if isinstance(expected, Exception) or not all(
            isinstance(x, (np.ndarray, np.generic)) for x in expected
        ):
            continue
        compiled = tf.function(called)
        outcome(compiled, {name: mirrored(x) for name, x in tensors.items()})
        found = outcome(compiled, tensors)
        if isinstance(found, Exception):
            yield f"{before}({tensors | others}): {found}"
        elif not all(map(same, expected, found)):
            yield f"{before}({tensors | others}): {found}, not {expected}"


def test_what_is_refused_has_a_reason():
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for label, (before, parameters, _) in odd_calls.targets().items():
            if not LEFT_OUT.search(label + ".") and (
                said := list(differences(label, before, parameters))
            ):
                found[label] = said[0]
    assert found.keys() == REFUSED.keys(), found


def test_a_mask_is_answered_with_what_to_write():
    with pytest.raises(NotImplementedError, match=r"line \d+.*tf.where\(mask, x, 0.0\)"):
        tf.function(lambda x: x[x > 0.0])(tf.constant([1.0, -1.0]))


def test_states_that_move_are_not_frozen():
    """Places of a variable, and the step of a schedule: both come in as tensors."""
    memory = tf.Variable(tf.zeros([3]))
    rates = [
        tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9),
        tf.keras.optimizers.schedules.PiecewiseConstantDecay([1, 2], [0.1, 0.2, 0.3]),
        tf.keras.optimizers.schedules.CosineDecay(0.1, 10, warmup_target=0.3, warmup_steps=2),
    ]

    @tf.function
    def step(k):
        memory.scatter_nd_update(tf.reshape(k, [1, 1]), [1.0])
        return [rate(k) for rate in rates]

    for k in (0, 2):
        found = step(tf.constant(k))
        assert [float(r) for r in found] == [float(rate(k)) for rate in rates]
    assert memory.numpy().tolist() == [1.0, 0.0, 1.0]
