"""Functions that the recorded answers do not hold: branches and loops, modules, names, checks,
printing, what is missing.
"""

import re
import sys

import numpy as np
import pytest

import minitape as tf


class Layer(tf.Module):
    def __init__(self, n, name=None):
        super().__init__(name)
        with self.name_scope:
            self.w = tf.Variable(float(n), name="w")
            self.b = tf.Variable(n + 0.5, name="b", trainable=False)


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.z = tf.Variable(100.0)
        self.layers = [Layer(1), Layer(2)]
        self.a = {"q": Layer(3), "p": tf.Variable(7.0)}
        self.again = self.layers[0]
        self.last = Layer(4, "four")
        self.last.inner = Layer(5)


def test_modules_find_their_variables_in_tensorflows_order():
    m = Model()
    assert [float(v) for v in m.variables] == [
        7.0,
        100.0,
        3.5,
        3.0,
        1.5,
        1.0,
        4.5,
        4.0,
        5.5,
        5.0,
        2.5,
        2.0,
    ]
    assert [float(v) for v in m.trainable_variables] == [7.0, 100.0, 3.0, 1.0, 4.0, 5.0, 2.0]
    assert [s.name for s in m.submodules] == ["layer", "layer", "four", "layer", "layer"]
    assert m.name == "model" and m.last.w.name == "four/w:0" and m.z.name == "Variable:0"


def test_name_scopes_nest():
    with tf.name_scope("a"), tf.name_scope("b") as whole:
        v = tf.Variable(0.0, name="v")
        with tf.name_scope("alone/"):
            w = tf.Variable(0.0)
    assert (whole, v.name, w.name) == ("a/b/", "a/b/v:0", "alone/Variable:0")


@pytest.mark.parametrize("x, expected", [(3.0, 6.0), (-3.0, -1.0)])
def test_the_branch_that_was_taken_has_the_gradient(x, expected):
    x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = tf.cond(x > 0, lambda: x * x, lambda: -x)
    assert float(tape.gradient(y, x)) == expected


def test_loops_have_gradients():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        _, power = tf.while_loop(
            lambda i, p: i < 3, lambda i, p: (i + 1, p * x), (tf.constant(0), tf.constant(1.0))
        )
        folded = tf.foldl(lambda state, e: state * x + e, tf.constant([1.0, 2.0, 3.0]))
        states = tf.scan(lambda state, e: state + e * x, tf.constant([1.0, 2.0, 3.0]))
        mapped = tf.map_fn(lambda e: e * x, tf.constant([1.0, 2.0]))
    assert float(tape.gradient(power, x)) == 12.0
    assert float(tape.gradient(folded, x)) == 2 * 2.0 + 2.0
    assert float(tape.gradient(states, x)) == 2.0 + 5.0
    assert float(tape.gradient(mapped, x)) == 3.0


def test_custom_gradients_with_variables_and_nested():
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x):
        def grad(upstream, variables=None):
            return upstream * w, [upstream * x * 10.0]

        return x * w, grad

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = scaled(x) * 1.0
    assert [float(g) for g in tape.gradient(y, [x, w])] == [3.0, 20.0]

    @tf.custom_gradient
    def careless(x):
        return x * w, lambda upstream: upstream

    with tf.GradientTape(), pytest.raises(TypeError, match="variables"):
        careless(x)


@pytest.mark.parametrize(
    "found",
    [tf.constant([[1.0], [2.0]]), None, (lambda g: g, tf.constant(1.0)), (1.0, lambda g: g, 2.0)],
)
def test_custom_gradients_without_a_rule_are_refused(found):
    """A tensor of two rows is no pair."""

    def kept(x):
        return found

    with pytest.raises(TypeError, match="`return y, rule`. 'kept' does not"):
        tf.custom_gradient(kept)(tf.constant(1.0))


def test_a_function_in_the_place_of_a_tensor_is_recognised():
    def ruled(x):
        return x, lambda g: g

    with pytest.raises(ValueError, match="It is a function: call it"):
        ruled * tf.constant(1.0)
    with pytest.raises(ValueError, match="@tf.custom_gradient is missing"):
        ruled(tf.constant(1.0)) - tf.constant(1.0)


def test_recompute_grad_takes_a_variable_as_an_argument():
    w, k, b = tf.Variable(3.0), tf.Variable([2.0]), tf.Variable(5.0)
    f = tf.recompute_grad(lambda x, weights: x * weights["k"] * b + w)
    with tf.GradientTape() as tape, tf.GradientTape() as inner:
        y = f(w, {"k": k})
    assert [float(tf.reduce_sum(g)) for g in tape.gradient(y, [w, k, b])] == [11.0, 15.0, 6.0]
    assert [float(tf.reduce_sum(g)) for g in inner.gradient(y, [w, k, b])] == [11.0, 15.0, 6.0]


def test_recompute_grad_keeps_little_and_is_right():
    w = tf.Variable(np.ones((50, 50), "float32") * 0.01)

    def deep(x):
        for _ in range(10):
            x = tf.tanh(x @ w)
        return tf.reduce_sum(x)

    x = tf.constant(np.ones((50, 50), "float32"))
    held, gradients = [], []
    for f in (deep, tf.recompute_grad(deep)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        held.append(len(tape.entries))
        gradients.append(tape.gradient(y, [x, w]))
    assert held[1] < 5 < held[0]
    for a, b in zip(*gradients):
        assert np.allclose(a, b, rtol=1e-4, atol=1e-7)


def test_grad_pass_through_and_gradients():
    x = tf.Variable([1.4, -2.6])
    with tf.GradientTape() as tape:
        y = tf.grad_pass_through(tf.round)(x) * 3.0
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="GradientTape"):
        tf.gradients(y, x)


def test_checks_raise_with_the_values():
    tf.debugging.assert_equal([1, 2], [1, 2])
    tf.debugging.assert_near(1.0, 1.0 + 1e-7)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)mine.*x == y.*\[1 3\]"):
        tf.debugging.assert_equal([1, 3], [1, 2], message="mine")
    with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
        tf.debugging.check_numerics(tf.constant([float("nan")]), "look")


def test_checks_of_the_first_page_are_there():
    tf.assert_equal(1, 1)
    tf.Assert(True, [1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="x > y"):
        tf.assert_greater([1], [2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="data: 7"):
        tf.Assert(tf.constant(False), [7])


def test_bytes_are_read_as_another_dtype():
    shapes = [
        tf.bitcast(tf.ones(shape), dtype).shape
        for shape, dtype in (((3, 2), tf.int64), ((3, 2), tf.uint8), ((3,), tf.int32))
    ]
    assert shapes == [(3,), (3, 2, 4), (3,)]
    assert int(tf.bitcast(tf.constant([1.0, 2.0]), tf.int64)) == 4611686019492741120
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have length 2"):
        tf.bitcast(tf.ones([3, 4]), tf.int64)


def test_a_tape_that_never_recorded_cannot_stop():
    with pytest.raises(RuntimeError, match="not recording"), tf.GradientTape().stop_recording():
        pass


def test_print_writes_like_tensorflow(capsys):
    tf.print(
        "a",
        tf.constant([1.5, 2.0]),
        tf.constant(3),
        tf.range(10),
        tf.constant([[1, 2], [3, 4]]),
        output_stream=sys.stdout,
    )
    assert capsys.readouterr().out == "a [1.5 2] 3 [0 1 2 ... 7 8 9] [[1 2]\n [3 4]]\n"


@pytest.mark.parametrize(
    "name, hint",
    [
        ("redcue_sum", "tf.reduce_sum"),
        ("log", "tf.math.log"),
        ("bfloat16", "float16"),
        ("Session", "at once"),
        ("sotfmax", "softmax"),
    ],
)
def test_what_is_missing_names_the_nearest(name, hint):
    with pytest.raises(AttributeError, match=hint):
        getattr(tf, name)


def test_gather_with_batches():
    x = np.arange(24.0).reshape(2, 3, 4)
    ids = [[0, 2], [1, 1]]
    assert tf.gather(x, ids, batch_dims=1, axis=1).numpy().tolist() == [
        x[k][ids[k]].tolist() for k in range(2)
    ]
    found = tf.gather(x, ids, batch_dims=1, axis=2)
    assert found.shape == (2, 3, 2) and found.numpy()[1].tolist() == x[1][:, [1, 1]].tolist()
    assert tf.gather_nd(x, [[1], [2]], batch_dims=1).numpy().tolist() == [
        x[0][1].tolist(),
        x[1][2].tolist(),
    ]


def test_special_functions_are_exact():
    x = np.linspace(-5, 5, 41)
    import math

    assert np.allclose(tf.math.erf(x), [math.erf(v) for v in x], rtol=1e-13)
    assert np.allclose(tf.math.erfc(x), [math.erfc(v) for v in x], rtol=1e-12)
    z = np.array([0.1, 0.5, 1.0, 2.5, 10.0, 100.0, -0.5, -2.3])
    assert np.allclose(tf.math.lgamma(z), [math.lgamma(v) for v in z], rtol=1e-12, atol=1e-13)
    assert np.allclose(
        tf.math.erf(tf.math.erfinv([-0.999, -0.3, 0.0, 0.7])), [-0.999, -0.3, 0.0, 0.7], atol=1e-6
    )
    assert np.allclose(tf.math.digamma(1.0), -0.5772156649)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("T", "tf.transpose"),
        ("item", "float(tensor)"),
        ("assign", "only a tf.Variable"),
        ("sum", "tf.reduce_sum"),
    ],
)
def test_names_of_other_libraries_are_answered_with_what_to_write_here(name, hint):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(AttributeError, match=re.escape(hint)):
        getattr(x, name)
    assert not hasattr(x, name) and name not in dir(x) and "numpy" in dir(x)


@pytest.mark.parametrize(
    ("sign", "hint"), [("^", "A power is written x ** 2."), ("&", "Compare first")]
)
def test_signs_for_bits_say_what_was_probably_meant(sign, hint):
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(hint)):
        eval(f"(x - 1.0) {sign} 2", {"x": tf.Variable(2.0)})
