"""tf.function: the compiled program against the eager run, values and gradients, first and second order."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
        assert [e.op for e in tape.entries] == ["ReadVariableOp", "ReadVariableOp", "PartitionedCall"]
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
    assert float(y) == 162.0 ** 2
    assert float(tape.gradient(y, v)) == 2 * 162.0          # as in TensorFlow: the assignment cuts, the reading after it counts


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
    assert runs == [2, 2, 3, 3, 2] and f.experimental_get_tracing_count() == 5
    f(np.ones(1))
    assert len(runs) == 5                    # arrays are tensors


def test_structures_keep_their_form():
    @tf.function
    def f(batch):
        return {"sum": batch["x"] + batch["t"][0], "pair": (batch["x"], None, 3.0)}
    for k in (1.0, 2.0):
        out = f({"t": [tf.constant(k)], "x": tf.constant(10.0)})
        assert float(out["sum"]) == 10 + k and float(out["pair"][0]) == 10 and out["pair"][1] is None and float(out["pair"][2]) == 3


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


UNARY = [tf.tanh, tf.exp, tf.sin, tf.square, lambda x: x ** 3.0, lambda x: -x,
         lambda x: tf.reduce_sum(x, 0 if x.ndim else None, keepdims=True) + x,
         lambda x: x / (x * x + 1.0), lambda x: tf.reduce_mean(x) * x, lambda x: tf.sqrt(x * x + 1.0), lambda x: tf.sigmoid(x) * x]
BINARY = [lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a - b, lambda a, b: a / (b * b + 1.0), lambda a, b: tf.maximum(a, b)]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_random_programs_equal_their_eager_runs(data):
    dtype = data.draw(st.sampled_from([np.float32, np.float64]))
    shapes = data.draw(st.sampled_from([[(), ()], [(3,), (3,)], [(2, 3), (3,)], [(2, 1), (1, 4)], [(0, 3), (3,)], [(200, 100), (100,)]]))
    steps = data.draw(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=8))

    def program(a, b):
        values = [a, b]
        for kind, i, j in steps:
            if kind % 2:
                values.append(UNARY[kind % len(UNARY)](values[i % len(values)]))
            else:
                values.append(BINARY[kind % len(BINARY)](values[i % len(values)], values[j % len(values)]))
        return values[-1], values[len(values) // 2]
    rng = np.random.default_rng(1)
    compiled = tf.function(program)
    for _ in range(2):
        a, b = (tf.constant(rng.standard_normal(s).astype(dtype)) for s in shapes)
        found = []
        for f in (program, compiled):
            with tf.GradientTape(persistent=True) as outer:
                outer.watch([a, b])
                with tf.GradientTape() as tape:
                    tape.watch([a, b])
                    y, z = f(a, b)
                first = tape.gradient([y, z], [a, b], unconnected_gradients="zero")
            second = outer.gradient(first, [a, b], unconnected_gradients="zero")
            plain = f(a, b)
            found.append([t.numpy() for t in (y, z, *plain, *first, *second)])
        for p, q in zip(*found):
            assert p.dtype == q.dtype and p.shape == q.shape
            finite = np.abs(p[np.isfinite(p)]).max(initial=1.0) if p.ndim else max(1.0, abs(p)) if np.isfinite(p) else 1.0
            np.testing.assert_allclose(q, p, rtol=1e-4, atol=1e-5 * float(finite))


# ---- what a program does again at every run, and what it cannot keep


def trainer(optimizer):
    tf.random.set_seed(0)
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(16, activation="relu"), layers.BatchNormalization(), layers.Dropout(0.2), layers.Dense(3)])
    loss_of, mean = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), tf.keras.metrics.Mean()
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = loss_of(y, logits)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        mean.update_state(loss)
        accuracy.update_state(y, logits)
        return loss, mean.result()
    return step, model, accuracy


@pytest.mark.parametrize("make", [
    lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9), lambda: tf.keras.optimizers.Adam(0.01),
    lambda: tf.keras.optimizers.RMSprop(tf.keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.5), clipnorm=1.0)])
def test_training_with_layers_optimizers_and_metrics(make):
    rng = np.random.default_rng(0)
    batches = [(tf.constant(rng.standard_normal((16, 8)).astype(np.float32)), tf.constant(rng.integers(0, 3, 16))) for _ in range(6)]
    results = []
    for wrap in (lambda f: f, tf.function):
        step, model, accuracy = trainer(make())
        step = wrap(step)
        tf.random.set_seed(1)
        losses = [[float(v) for v in step(*batch)] for batch in batches]
        results.append([losses, float(accuracy.result()), *model.get_weights()])
    for p, q in zip(*results):
        np.testing.assert_allclose(q, p, rtol=1e-5, atol=1e-7)


def test_random_numbers_are_new_at_every_run():
    @tf.function
    def f(x):
        return x + tf.random.normal([3]), tf.nn.dropout(x, 0.5), tf.random.shuffle(x)
    x = tf.constant([1.0, 2.0, 3.0])
    tf.random.set_seed(3)
    runs = [np.concatenate([t.numpy() for t in f(x)]) for _ in range(4)]
    assert len({r.tobytes() for r in runs}) == 4
    tf.random.set_seed(3)
    np.testing.assert_array_equal(runs, [np.concatenate([t.numpy() for t in f(x)]) for _ in range(4)])


def test_own_gradient_rules_count():
    @tf.custom_gradient
    def clipped(x):
        return tf.identity(x), lambda g: tf.clip_by_value(g, -1.0, 1.0)

    def f(x):
        return tf.reduce_sum(clipped(x * 2.0) ** 2.0)
    compiled = tf.function(f)

    @tf.function
    def inside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)
    for k in (3.0, 5.0, 0.1):
        x, found = tf.constant([k, -k]), []
        for g in (f, compiled):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            found.append(tape.gradient(y, x).numpy())
        np.testing.assert_allclose(found[1], found[0])
        np.testing.assert_allclose(inside(x).numpy(), found[0])


def test_a_mask_or_a_number_of_rows_cannot_be_kept():
    for f in (lambda x: tf.boolean_mask(x, x > 1.0), lambda x: x[x > 1.0], lambda x: tf.zeros(tf.cast(x, tf.int32))):
        with pytest.raises((NotImplementedError, TypeError), match="tf.function|symbolic"):
            tf.function(f)(tf.constant([1.0, 2.0]))


X3, Y3 = tf.constant(array(4, 3, seed=6)), tf.constant(np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], np.float32))
PUBLIC = {
    "huber": lambda x: tf.keras.losses.huber(Y3, x),
    "sparse": lambda x: tf.keras.losses.sparse_categorical_crossentropy([[0], [1], [2], [0]], tf.nn.softmax(x)),
    "elu": tf.nn.elu, "selu": tf.nn.selu, "gelu": tf.nn.gelu, "silu": tf.nn.silu, "relu6": tf.nn.relu6, "leaky": tf.nn.leaky_relu,
    "sort": lambda x: tf.sort(x, axis=-1, direction="DESCENDING"), "top_k": lambda x: tf.math.top_k(x, 2).values,
    "where": lambda x: tf.where(x > 0.0, x * x, -x), "clip": lambda x: tf.clip_by_value(x, -0.5, 0.5), "norm": tf.norm,
    "clip_by_norm": lambda x: tf.clip_by_norm(x, 1.0), "max": lambda x: tf.reduce_max(x, axis=1), "std": tf.math.reduce_std,
    "logsumexp": tf.reduce_logsumexp, "prod": tf.reduce_prod, "cumsum": tf.cumsum, "einsum": lambda x: tf.einsum("ij,kj->ik", x, x),
    "gather": lambda x: tf.gather(x, [2, 0, 2]), "slice": lambda x: x[1:, ::-1], "concat": lambda x: tf.concat([x, x * 2.0], 0),
    "stack": lambda x: tf.stack(tf.unstack(x)), "pad": lambda x: tf.pad(x, [[1, 0], [0, 2]]), "tile": lambda x: tf.tile(x, [2, 1]),
    "l2": lambda x: tf.math.l2_normalize(x, 1), "sign": tf.sign, "abs": tf.abs, "erf": tf.math.erf, "minimum": lambda x: tf.minimum(x, 0.1),
    "one_hot": lambda x: tf.one_hot(tf.argmax(x, 1), 3) * x, "cross": lambda x: tf.nn.softmax_cross_entropy_with_logits(Y3, x),
    "moments": lambda x: tf.nn.moments(x, [0])[1], "inv": lambda x: tf.linalg.inv(tf.matmul(x, x, transpose_a=True) + tf.eye(3)),
    "zero_fraction": lambda x: tf.math.zero_fraction(tf.nn.relu(x)) * x,
    "in_top_k": lambda x: tf.cast(tf.math.in_top_k([0, 1, 2, 0], x, 1), tf.float32)}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_functions_of_other_data_than_the_traced(name):
    """What was frozen into a program shows when the program meets other data: values, gradients, second order."""
    f = PUBLIC[name]

    def gradients(f, x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first = tape.gradient(y, x, unconnected_gradients="zero")
            s = tf.reduce_sum(tf.square(first))
        return y, first, outer.gradient(s, x, unconnected_gradients="zero")
    whole, outside = tf.function(lambda x: gradients(f, x)), tf.function(f)
    other = tf.constant(array(4, 3, seed=11) * 2)
    for x in (X3, other):
        eager = gradients(f, x)
        for found in (whole(x), gradients(outside, x)):
            for p, q in zip(eager, found):
                np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=2e-4, atol=1e-5)


def test_complex_numbers_and_strings():
    z, other = (tf.constant(np.array(v, np.complex64)) for v in ([1 + 2j, 0.5 - 1j], [0.3j, 2 - 1j]))
    for f in (lambda z: z * z * z, lambda z: tf.reduce_sum(tf.math.real(z * z * tf.math.conj(z)))):
        compiled = tf.function(f)
        compiled(z)
        found = []
        for g in (f, compiled):
            with tf.GradientTape() as tape:
                tape.watch(other)
                y = g(other)
            found.append(tape.gradient(y, other).numpy())
        np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    twice = tf.function(lambda a: tf.strings.join([a, a]))
    assert [bytes(twice(tf.constant(s)).numpy()) for s in ("ab", "cd")] == [b"abab", b"cdcd"]
