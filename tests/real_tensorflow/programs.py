"""Programs of TensorFlow: each is a function that returns what it computed."""

import tempfile
import threading

import numpy as np
import tensorflow as tf

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(16, 5)).astype("float32")
SEQUENCES = RNG.normal(size=(2, 4, 6)).astype("float32")
IMAGES = RNG.normal(size=(2, 8, 8, 1)).astype("float32")
Dense, Sequential = tf.keras.layers.Dense, tf.keras.Sequential


def weights(model):
    return [v.value for v in model.weights]


def a_training_loop_of_ones_own():
    model = Sequential(
        [
            Dense(8, activation="relu", name="hidden"),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dropout(0.3),
            Dense(3, activation="softmax", name="out"),
        ]
    )
    optimizer, loss_of = (
        tf.keras.optimizers.Adam(0.01),
        tf.keras.losses.SparseCategoricalCrossentropy(),
    )
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = loss_of(np.arange(16) % 3, model(POINTS, training=True))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        )
    return [loss, *weights(model)]


def fit(**compiled):
    model = Sequential([Dense(4, activation="tanh"), Dense(1)])
    model.compile("sgd", "mse", **compiled)
    history = model.fit(POINTS, np.zeros((16, 1), "float32"), epochs=2, verbose=0, batch_size=8)
    return [history.history["loss"], *weights(model)]


def fit_eagerly():
    return fit(run_eagerly=True, metrics=["mae", "mse"])


def fit_in_a_graph():
    return fit(metrics=["mae"])


def a_metric_in_a_compiled_function():
    w, mean, known = tf.Variable(2.0), tf.keras.metrics.Mean(), tf.constant(3.0)

    @tf.function
    def f(x):
        mean.update_state(known)
        return x * w + mean(x)

    with tf.GradientTape() as tape:
        y = f(w * 2.0) + mean(w)
    return [tape.gradient(y, w), mean.result()]


def gradients_of(model, *inputs):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(*inputs) ** 2)
    return [loss, *tape.gradient(loss, model.trainable_variables)]


def an_embedding_and_an_lstm():
    model = Sequential([tf.keras.layers.Embedding(10, 4), tf.keras.layers.LSTM(3), Dense(1)])
    return gradients_of(model, np.array([[1, 2, 3, 1]]))


def attention():
    query = tf.keras.Input((4, 6))
    return gradients_of(
        tf.keras.Model(query, tf.keras.layers.MultiHeadAttention(2, 3)(query, query)), SEQUENCES
    )


def a_small_cnn():
    return gradients_of(
        Sequential(
            [
                tf.keras.layers.Conv2D(4, 3, activation="relu"),
                tf.keras.layers.MaxPooling2D(),
                tf.keras.layers.Flatten(),
                Dense(2),
            ]
        ),
        IMAGES,
    )


def a_residual_network():
    inside = tf.keras.Input((5,))
    x = Dense(5)(inside)
    for _ in range(3):
        x = x + Dense(5, activation="tanh")(x)
    return gradients_of(tf.keras.Model(inside, x), POINTS)


def a_tape_of_a_tape():
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        slope = inner.gradient(y, x)
    return [slope, outer.gradient(slope, x)]


def a_gradient_penalty():
    model, x = Sequential([Dense(4, activation="tanh"), Dense(1)]), tf.constant(POINTS)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = model(x)
        penalty = tf.reduce_mean((tf.norm(inner.gradient(y, x), axis=1) - 1) ** 2)
    return [penalty, *outer.gradient(penalty, model.trainable_variables)]


def a_persistent_tape_asked_often():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.sin(y)
    return [
        tape.gradient(y, x),
        tape.gradient(z, x),
        tape.gradient(z, y),
        tape.gradient([y, z], [x, y]),
        tape.gradient(z, x, output_gradients=tf.constant([2.0, 3.0])),
        tape.gradient(y, {"x": x}),
        tape.gradient(x, x),
        tape.gradient(y, tf.constant(1.0), unconnected_gradients="zero"),
    ]


def the_same_value_several_times():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.stack([x + x, x + x]) + tf.stack([x, x * x]))
    return tape.gradient(y, x)


def jacobians():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = x * x * tf.reduce_sum(x)
    rows = tf.constant(POINTS)
    with tf.GradientTape() as other:
        other.watch(rows)
        z = rows**2
    return [tape.jacobian(y, x), tape.gradient(y, x), other.batch_jacobian(z, rows)]


def a_rule_of_ones_own():
    @tf.custom_gradient
    def clipped(v):
        def back(upstream):
            return tf.clip_by_value(upstream, -1.0, 1.0)

        return v * 10, back

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = clipped(x) * 3
    return tape.gradient(y, x)


def a_stopped_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * tf.stop_gradient(x * x)
    return tape.gradient(y, x)


def a_compiled_function():
    w, x = tf.Variable(2.0), tf.Variable(3.0)

    @tf.function
    def f(a):
        return a * w + tf.sin(w)

    with tf.GradientTape() as tape:
        y = f(x) * f(w)
    return tape.gradient(y, [x, w])


def recording_stopped():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            z = x * y
        q = y * z
    return tape.gradient(q, x)


def a_tape_reset():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()
        y = x * x * x
    return tape.gradient(y, x)


def errors_as_ever():
    x, said = tf.Variable(2.0), []
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with tf.GradientTape() as other:
        z, _ = tf.raw_ops.Unique(x=tf.reshape(x, [1]))
    for call in (
        lambda: tape.gradient(y, x),
        lambda: other.gradient(z, x),
        lambda: tf.matmul(tf.ones([2, 3]), tf.ones([2, 3])),
    ):
        try:
            call()
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return said


def a_loop_of_assignments():
    w = tf.Variable(1.0)
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = (w * 3 - 2) ** 2
        w.assign_sub(0.01 * tape.gradient(loss, w))
    return w.value()


def two_tapes_at_once():
    maker, judge = Sequential([Dense(5)]), Sequential([Dense(1)])
    with tf.GradientTape() as one, tf.GradientTape() as two:
        made = maker(POINTS)
        loss = tf.reduce_mean(judge(made))
        other = tf.reduce_mean(judge(POINTS)) - loss
    return [
        *one.gradient(loss, maker.trainable_variables),
        *two.gradient(other, judge.trainable_variables),
    ]


def saved_inside_of_the_block():
    model = Sequential([Dense(2)])
    model(POINTS)
    with tempfile.TemporaryDirectory() as folder, tf.GradientTape() as tape:
        y = tf.reduce_sum(model(POINTS))
        tf.train.Checkpoint(model=model).save(f"{folder}/saved")
        model.save_weights(f"{folder}/a.weights.h5")
        said = f"{float(y):.3f} {model.weights[0].shape} {y!r}"
    return [said, *tape.gradient(y, model.trainable_variables)]


def another_thread():
    found = []

    def run():
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x * x
        found.append(tape.gradient(y, x))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found


UNSEEN = (fit_in_a_graph, another_thread)  # the README names them
PROGRAMS = [
    value
    for value in list(globals().values())
    if getattr(value, "__module__", "") == __name__
    and getattr(value, "__code__", None)
    and not value.__code__.co_argcount
    and value.__name__ not in ("fit", "weights", "gradients_of")
]
