"""tf.function: what a program does again at every run, and what it cannot keep."""

import numpy as np
import pytest

import minitape as tf


def trainer(optimizer):
    tf.random.set_seed(0)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(16, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.2),
            layers.Dense(3),
        ]
    )
    loss_of, mean = (
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        tf.keras.metrics.Mean(),
    )
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


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.keras.optimizers.SGD(0.1, momentum=0.9),
        lambda: tf.keras.optimizers.Adam(0.01),
        lambda: tf.keras.optimizers.RMSprop(
            tf.keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.5), clipnorm=1.0
        ),
    ],
)
def test_training_with_layers_optimizers_and_metrics(make):
    rng = np.random.default_rng(0)
    batches = [
        (
            tf.constant(rng.standard_normal((16, 8)).astype(np.float32)),
            tf.constant(rng.integers(0, 3, 16)),
        )
        for _ in range(6)
    ]
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
    np.testing.assert_array_equal(
        runs, [np.concatenate([t.numpy() for t in f(x)]) for _ in range(4)]
    )


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
    for f in (
        lambda x: tf.boolean_mask(x, x > 1.0),
        lambda x: x[x > 1.0],
        lambda x: tf.zeros(tf.cast(x, tf.int32)),
    ):
        with pytest.raises((NotImplementedError, TypeError), match="tf.function|symbolic"):
            tf.function(f)(tf.constant([1.0, 2.0]))


def counted(x):
    for i in tf.range(3):
        x = x * 2.0 + tf.cast(i, tf.float32)
    return x


def counted_rows(x):
    y = 0.0
    for i in tf.range(tf.shape(x)[0]):
        y += x[i] * tf.cast(i + 1, tf.float32)
    return y


def counted_loop(x):
    return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (tf.constant(0), x))[1]


def chosen_when_traced(x):
    return tf.cond(tf.constant(True), lambda: x * x, lambda: x)


@pytest.mark.parametrize(
    "f", [counted, counted_rows, counted_loop, chosen_when_traced], ids=lambda f: f.__name__
)
def test_turns_that_are_known_are_kept_one_by_one(f):
    compiled = tf.function(f)
    for numbers in ([1.0, 2.0, 3.0], [0.5, -1.0, 4.0], [2.0, 5.0]):
        x, found = tf.constant(numbers), []
        for g in (f, compiled):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            found.append((y.numpy(), tape.gradient(y, x).numpy()))
        np.testing.assert_allclose(found[1][0], found[0][0])
        np.testing.assert_allclose(found[1][1], found[0][1])


def by_if(x):
    if x > 1.0:
        return x * x
    return x


def by_while(x):
    while x < 9.0:
        x = x * 2.0
    return x


def by_cond(x):
    return tf.cond(x > 1.0, lambda: x * x, lambda: x)


def by_loop(x):
    return tf.while_loop(lambda y: y < 9.0, lambda y: [y * 2.0], [x])


def by_range(x):
    for _ in tf.range(tf.cast(x, tf.int32)):
        x = x * 2.0
    return x


@pytest.mark.parametrize(
    ("f", "line", "instead"),
    [
        (by_if, "`if x > 1.0:`", r"tf\.where\(condition, a, b\)"),
        (by_while, "`while x < 9.0:`", "leave @tf.function off"),
        (by_cond, "`return tf.cond(", r"tf\.where\(condition, a, b\)"),
        (by_loop, "`return tf.while_loop(", "how often a loop turns"),
        (by_range, "`for _ in tf.range(", r"Pass a Python number.*x\.shape\[0\]"),
    ],
    ids=lambda part: getattr(part, "__name__", None),
)
def test_a_branch_that_hangs_on_a_value_is_refused_with_its_line(f, line, instead):
    with pytest.raises(
        (tf.errors.OperatorNotAllowedInGraphError, TypeError, NotImplementedError), match=instead
    ) as caught:
        tf.function(f)(tf.constant(2.0))
    assert line in str(caught.value)
    f(tf.constant(2.0))  # eager, all of them run


def test_effects_happen_once_a_call_under_a_tape_too():
    mean, v, x = tf.keras.metrics.Mean(), tf.Variable(1.0), tf.constant([1.0, 3.0])

    @tf.function
    def f(x):
        y = x * x * v
        mean.update_state(y)
        v.assign_add(1.0)
        return y

    for k in range(1, 4):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        np.testing.assert_allclose(tape.gradient(y, x), 2 * x.numpy() * k)
        assert float(v) == k + 1 and float(mean.result()) == pytest.approx(5 * (k + 1) / 2)


@pytest.mark.parametrize("seed", range(3))
def test_one_mask_for_the_way_forward_and_all_ways_back(seed):
    x = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])

    def masked(x):
        return tf.reduce_sum(tf.nn.dropout(x, 0.5) * x * x)

    def both(f):
        tf.random.set_seed(seed)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first = tape.gradient(y, x)
        return [t.numpy().tolist() for t in (y, first, outer.gradient(first, x))]

    compiled = tf.function(masked)
    for _ in range(2):
        assert both(compiled) == both(masked)


def test_tf_print_and_checks_are_done_at_every_run(capsys):
    @tf.function
    def f(x):
        tf.print("now", x)
        tf.debugging.assert_non_negative(x)
        return tf.debugging.check_numerics(1.0 / x, "one over x")

    assert [float(f(tf.constant(k))) for k in (1.0, 2.0, 4.0)] == [1.0, 0.5, 0.25]
    assert capsys.readouterr().err.split() == ["now", "1", "now", "2", "now", "4"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="x >= 0"):
        f(tf.constant(-1.0))
    with (
        np.errstate(divide="ignore"),
        pytest.raises(tf.errors.InvalidArgumentError, match="one over x : Tensor had Inf"),
    ):
        f(tf.constant(0.0))
    with tf.GradientTape() as tape:
        x = tf.Variable(2.0)
        y = f(x)
    assert float(tape.gradient(y, x)) == -0.25


def test_looking_at_a_program_changes_nothing():
    v, optimizer = tf.Variable([1.0, 2.0]), tf.keras.optimizers.SGD(0.1, momentum=0.9)
    optimizer.build([v])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * x * tf.random.uniform([2]))
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
        return loss

    tf.random.set_seed(0)
    expected = tf.random.uniform([2]).numpy()
    tf.random.set_seed(0)
    assert "uniform(" in step.source(tf.constant([1.0, 1.0]))
    assert v.numpy().tolist() == [1.0, 2.0] and v.version == 0 and int(optimizer.iterations) == 0
    np.testing.assert_array_equal(tf.random.uniform([2]).numpy(), expected)


def test_stop_gradient_counts_in_a_program():
    x, found = tf.constant([2.0, 3.0]), []

    def f(x):
        return x * tf.stop_gradient(x) + tf.stop_gradient(x * x)

    for g in (f, compiled := tf.function(f), compiled):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        found.append(tape.gradient(y, x).numpy().tolist())
    assert found == [[2.0, 3.0]] * 3
    assert tf.function(tf.stop_gradient)(x).numpy().tolist() == [2.0, 3.0]


def test_settings_that_are_tensors_are_not_frozen():
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
    for f in (
        lambda k: tf.reduce_sum(x, axis=k),
        lambda k: tf.cumsum(x, axis=k),
        lambda k: tf.tensordot(x, x, k),
        lambda k: tf.roll(x, k, 0),
        lambda k: tf.image.adjust_contrast(x[None, ..., None], tf.cast(k, tf.float32)),
    ):
        with pytest.raises((NotImplementedError, TypeError), match="tf.function"):
            tf.function(f)(tf.constant(0))
    for f in (lambda x: tf.bitcast(x, tf.int32), lambda x: tf.math.confusion_matrix(x, x)):
        compiled = tf.function(f)
        for values in ([0, 2, 1], [2, 0, 1]):
            x = tf.constant(values)
            np.testing.assert_array_equal(compiled(x), f(x))


def test_a_traced_tensor_shows_no_numbers():
    seen, c = [], tf.constant(7.0)

    @tf.function
    def f(x):
        seen.extend([f"{x}", str(x), repr(x * 2.0), f"{c}"])
        return x + c

    assert float(f(tf.constant(1.0))) == 8.0
    assert seen == ["tf.Tensor(traced, shape=(), dtype=float32)"] * 2 + [
        "<tf.Tensor: traced, shape=(), dtype=float32>",
        "7.0",
    ]
    with pytest.raises(NotImplementedError, match="symbolic"):
        tf.function(lambda x: (f"{x:.2f}", x)[1])(tf.constant(1.0))
