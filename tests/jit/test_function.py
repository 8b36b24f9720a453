"""tf.function: values and gradients of the compiled program, what is traced again, what is refused."""

import warnings

import numpy as np
import pytest

import minitape as tf


def array(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def model():
    w, b = tf.Variable(array(3, 2), name="w"), tf.Variable(array(2, seed=1), name="b")

    def loss(x, t):
        y = tf.tanh(x @ w + b)
        return tf.reduce_mean((y - t) ** 2)

    return loss, w, b


X, T = tf.constant(array(5, 3, seed=2)), tf.constant(array(5, 2, seed=3))
X2, T2 = tf.constant(array(5, 3, seed=4)), tf.constant(array(5, 2, seed=5))


def test_values_and_gradients_of_other_data_than_the_traced():
    loss, w, b = model()
    compiled = tf.function(loss)
    compiled(X, T)
    for _ in range(2):
        np.testing.assert_allclose(compiled(X2, T2).numpy(), loss(X2, T2).numpy(), rtol=1e-6)
        found = []
        for f in (loss, compiled):
            with tf.GradientTape() as tape:
                tape.watch(X2)
                y = f(X2, T2) * 3.0
            found.append(tape.gradient(y, {"x": X2, "w": [w, b]}))
        for a, c in zip(tf.nest.flatten(found[0]), tf.nest.flatten(found[1])):
            np.testing.assert_allclose(a.numpy(), c.numpy(), rtol=1e-5, atol=1e-7)
        w.assign_add(w * 0.1)


def test_one_entry_on_the_tape():
    loss, w, b = model()
    compiled = tf.function(loss)
    for _ in range(2):
        with tf.GradientTape() as tape:
            compiled(X, T)
        assert [e.op for e in tape.entries] == [
            "ReadVariableOp",
            "ReadVariableOp",
            "PartitionedCall",
        ]
        assert {v.id for v in tape.watched_variables()} == {w.id, b.id}


def test_second_order_and_jacobian():
    loss, w, _ = model()
    compiled = tf.function(loss)
    found = []
    for f in (loss, compiled):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(X)
            with tf.GradientTape() as tape:
                y = f(X, T)
            g = tape.gradient(y, w)
            s = tf.reduce_sum(g * g)
        found.append([*outer.gradient(s, [X, w]), outer.jacobian(g, w)])
    for a, c in zip(*found):
        np.testing.assert_allclose(a.numpy(), c.numpy(), rtol=1e-4, atol=1e-6)


def test_a_whole_training_step():
    def step_of(w, b):
        def step(x, t):
            with tf.GradientTape() as tape:
                y = tf.tanh(x @ w + b)
                loss = tf.reduce_mean((y - t) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.1 * dw)
            b.assign_sub(0.1 * db)
            return loss

        return step

    pairs = [[tf.Variable(array(3, 2)), tf.Variable(array(2))] for _ in range(2)]
    eager, compiled = step_of(*pairs[0]), tf.function(step_of(*pairs[1]))
    for _ in range(5):
        np.testing.assert_allclose(eager(X, T).numpy(), compiled(X, T).numpy(), rtol=1e-5)
    for a, c in zip(*pairs):
        np.testing.assert_allclose(a.numpy(), c.numpy(), rtol=1e-5)
        assert c.version == 5
    source = compiled.source()
    assert "new_w = w - " in source and "back through" in source and "d_y" in source


def test_variable_read_after_its_assignment():
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        v.assign(v * x)
        return v * v

    assert [float(f(tf.constant(3.0))) for _ in range(3)] == [36.0, 324.0, 2916.0]
    assert float(v) == 54.0
    with tf.GradientTape() as tape:
        y = f(tf.constant(3.0))
    assert float(y) == 162.0**2
    # as in TensorFlow: the assignment cuts, the reading after it counts
    assert float(tape.gradient(y, v)) == 2 * 162.0


def test_traced_again_for_shapes_dtypes_and_python_arguments():
    runs = []

    @tf.function
    def f(x, k=2, scale=None):
        runs.append(k)
        return x * float(k) if scale is None else x * scale

    f(tf.constant([1.0, 2.0]))
    f(tf.constant([5.0, 2.0]))
    assert runs == [2]
    f(tf.constant([1.0]))
    f(tf.constant([1.0]), 3)
    assert np.allclose(f(tf.constant([1.0]), k=3).numpy(), 3)
    f(tf.constant(np.ones(1)))
    assert runs == [2, 2, 3, 2] and f.experimental_get_tracing_count() == 4
    f(np.ones(1))
    assert len(runs) == 4  # arrays are tensors


def test_one_program_for_all_spellings_of_a_call():
    runs = []

    @tf.function
    def f(x, k=2.0):
        runs.append(k)
        return x * k

    x = tf.constant(1.0)
    for call in (
        lambda: f(x),
        lambda: f(x, 2.0),
        lambda: f(x=x),
        lambda: f(x, k=2.0),
        lambda: f(k=2.0, x=x),
    ):
        assert float(call()) == 2.0
    assert runs == [2.0]
    for wrong in (lambda: f(), lambda: f(x, 2.0, 3.0), lambda: f(x, z=1.0), lambda: f(x, x=x)):
        with pytest.raises(TypeError, match="argument"):
            wrong()


def test_numbers_that_equal_nothing_or_more_than_themselves():
    runs = []

    @tf.function
    def f(x, k):
        runs.append(k)
        return x * k

    one = tf.constant(1.0)
    for _ in range(3):
        assert np.isnan(float(f(one, float("nan"))))
    assert len(runs) == 1
    assert np.signbit(f(one, -0.0).numpy()) and not np.signbit(f(one, 0.0).numpy())


def test_a_set_that_changes_is_another_argument():
    f = tf.function(lambda x, names: x * float(len(names)))
    names = {"a"}
    assert float(f(tf.constant(1.0), names)) == 1.0
    names.add("b")
    assert float(f(tf.constant(1.0), names)) == 2.0


def test_a_trace_is_not_eager():
    assert tf.executing_eagerly()
    inside = []
    tf.function(lambda x: (inside.append(tf.executing_eagerly()), x)[1])(tf.constant(1.0))
    assert inside == [False]


def test_structures_keep_their_form():
    @tf.function
    def f(batch):
        return {"sum": batch["x"] + batch["t"][0], "pair": (batch["x"], None, 3.0)}

    for k in (1.0, 2.0):
        out = f({"t": [tf.constant(k)], "x": tf.constant(10.0)})
        assert (
            float(out["sum"]) == 10 + k
            and float(out["pair"][0]) == 10
            and out["pair"][1] is None
            and float(out["pair"][2]) == 3
        )


def test_methods_have_programs_of_their_own():
    class Model:
        def __init__(self, k):
            self.w = tf.Variable(k)

        @tf.function
        def call(self, x):
            return x * self.w

    a, b = Model(2.0), Model(3.0)
    assert [float(m.call(tf.constant(5.0))) for m in (a, b, a, b)] == [10, 15, 10, 15]
    assert "def call(x, w)" in a.call.source()


def test_variables_made_at_the_first_call_only():
    made = []

    @tf.function
    def lazy(x):
        if not made:
            made.append(tf.Variable(2.0))
        return x * made[0]

    assert [float(lazy(tf.constant(k))) for k in (1.0, 2.0, 3.0)] == [2, 4, 6]

    @tf.function
    def bad(x):
        return x * tf.Variable(2.0)

    with pytest.raises(ValueError, match="only supports singleton"):
        for _ in range(3):
            bad(tf.constant(1.0))


def refused(f, error, words):
    with pytest.raises(error) as caught:
        tf.function(f)(tf.constant([1.0, 2.0]))
    assert all(w in str(caught.value) for w in words), caught.value


def test_refusals_name_the_line():
    def branch(x):
        if tf.reduce_sum(x) > 0.0:
            return x
        return -x

    def number(x):
        return x * float(x[0])

    def leaves(x):
        return tf.constant(np.mean(x.numpy()))

    refused(branch, TypeError, ["`bool` is not allowed", "line", "if tf.reduce_sum(x) > 0.0:"])
    refused(number, TypeError, ["float()", "return x * float(x[0])"])
    refused(leaves, NotImplementedError, ["numpy array", "np.mean(x.numpy())"])


def test_a_branch_on_what_cannot_change_is_kept():
    c = tf.constant(1.0)

    @tf.function
    def f(x):
        return x * 2.0 if c > 0.0 else x

    assert float(f(tf.constant(2.0))) == 4.0


def test_captured_tensors_get_gradients():
    c = tf.constant(3.0)

    @tf.function
    def f(x):
        return x * c * c

    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = f(tf.constant(2.0))
        assert float(tape.gradient(y, c)) == 12.0


def test_a_function_inside_of_a_function_is_part_of_its_program():
    inner = tf.function(lambda x: x * 2.0)
    outer = tf.function(lambda x: inner(x) + 1.0)
    assert [float(outer(tf.constant(k))) for k in (1.0, 2.0)] == [3.0, 5.0]
    assert inner.experimental_get_tracing_count() == 0


def test_warns_of_many_traces():
    f = tf.function(lambda x, k: x * k)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for k in range(7):
            f(tf.constant(1.0), float(k))
    assert any("traces of" in str(w.message) for w in seen)


def test_a_loop_over_a_range_whose_length_is_an_input_is_refused_and_one_of_known_length_written_out():
    @tf.function
    def total(n, x):
        y = x
        for i in tf.range(n):
            y += x * tf.cast(i, tf.float32)
        return y

    for _ in range(2):
        assert float(total(3, tf.constant(2.0))) == 8.0
    with pytest.raises(
        NotImplementedError, match=r"tf.range of a length that is an input .line \d+"
    ):
        total(tf.constant(3), tf.constant(2.0))
